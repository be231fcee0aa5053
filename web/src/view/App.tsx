// The page: the list of sessions on the left, one thing on the right. On a
// phone it shows one thing at a time, and the ways to the others below it.
import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from "react";
import { showBadge, titleOf } from "../attention/badge";
import { inbox } from "../attention/order";
import { useRoute, writeRoute, type Route } from "../route";
import { findSession, useStore } from "../store";
import { Boundary } from "./Boundary";
import { Home } from "./Home";
import { LiveCalls } from "./LiveCalls";
import { useIsPhone } from "./media";
import { TabBar } from "./Nav";
import { PageNotice } from "./PageNotice";
import { usePageKeys, type Overlay } from "./pageKeys";
import { Help } from "./palette/Help";
import { Palette } from "./palette/Palette";
import { SessionView } from "./SessionView";
import { Sidebar } from "./Sidebar";
import { SignedOut } from "./SignedOut";
import { SpawnForm } from "./spawn/SpawnForm";
import { loadTerminal } from "./TerminalPane";
import { sessionName } from "./words";

// Views that need the terminal's code, or are seldom opened, are no part of the first download.
const LATER = {
  grid: () => import("./grid/Grid"),
  hosts: () => import("./hosts/Hosts"),
  replay: () => import("./replay/ReplayView"),
  settings: () => import("./settings/Settings"),
};
const Grid = lazy(LATER.grid);
const Hosts = lazy(LATER.hosts);
const ReplayView = lazy(LATER.replay);
const Settings = lazy(LATER.settings);

export function App() {
  const state = useStore();
  const route = useRoute();
  const isPhone = useIsPhone();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const main = useRef<HTMLElement>(null);
  usePageKeys(setOverlay);
  useTitle(route);
  useFocusOnView(route, main);
  useEffect(() => {
    // They are here before they are asked for, by when the daemon may be away or another one.
    const timer = setTimeout(() => {
      for (const load of [loadTerminal, ...Object.values(LATER)]) load().catch(() => undefined);
    }, 300);
    return () => clearTimeout(timer);
  }, []);

  if (state.access === "denied") return <SignedOut refusal={state.refusal} />;
  // Another one may be open by then.
  const close = (which: Overlay) => (): void => setOverlay((now) => (now === which ? null : now));
  return (
    <div className="page" data-view={route.view}>
      {!isPhone && <Sidebar current={"id" in route ? route.id : null} />}
      <main ref={main} tabIndex={-1}>
        <Boundary view={writeRoute(route)}>
          <Suspense fallback={<p className="muted waiting">Loading.</p>}>{mainOf(route)}</Suspense>
        </Boundary>
      </main>
      {isPhone && route.view !== "session" && <><PageNotice sidebar={false} /><TabBar /></>}
      <LiveCalls />
      {overlay === "palette" && <Palette onClose={close("palette")} />}
      {overlay === "help" && <Help onClose={close("help")} />}
    </div>
  );
}

function mainOf(route: Route) {
  switch (route.view) {
    case "new":
      return <SpawnForm key={writeRoute(route)} workspace={route.workspace} host={route.host ?? null} again={route.again ?? null} />;
    case "session":
      return <SessionView key={route.id} id={route.id} />;
    case "grid":
      return <Grid />;
    case "hosts":
      return <Hosts />;
    case "settings":
      return <Settings />;
    case "replay":
      return <ReplayView key={route.id} id={route.id} />;
    case "home":
      return <Home />;
  }
}

/**
 * Another view begins at its top, and the keyboard goes along, so that Tab begins
 * there; a session sees to that itself.
 */
function useFocusOnView(route: Route, main: RefObject<HTMLElement | null>): void {
  const address = writeRoute(route);
  const before = useRef(address);
  useEffect(() => {
    const isNew = before.current !== address;
    before.current = address;
    if (isNew) main.current?.scrollTo(0, 0);
    if (!isNew || route.view === "session" || main.current?.contains(document.activeElement) === true) return;
    main.current?.focus({ preventScroll: true });
  }, [address, route.view, main]);
}

function useTitle(route: Route): void {
  const state = useStore();
  const session = "id" in route ? findSession(state, route.id) : null;
  const waiting = inbox(state).length;
  const title = titleOf(waiting, session === null ? null : sessionName(session));
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => showBadge(waiting), [waiting]);
}
