// The page: the list of sessions on the left, one thing on the right. On a
// phone it shows one of the two.
import { useEffect } from "react";
import { showBadge, titleOf } from "../attention/badge";
import { unseenSeq } from "../attention/call";
import { inbox, neighbour, nextCall } from "../attention/order";
import { markSeen } from "../attention/seen";
import { go, useRoute, type Route } from "../route";
import { findSession, store, useStore } from "../store";
import { openOutside } from "./focus";
import { Home } from "./Home";
import { LiveCalls } from "./LiveCalls";
import { SessionView } from "./SessionView";
import { Sidebar } from "./Sidebar";
import { SignedOut } from "./SignedOut";
import { SpawnForm } from "./SpawnForm";
import { loadTerminal } from "./TerminalPane";
import { plainKeyOf, shortcutOf, type PlainKey, type Shortcut } from "./shortcuts";
import { sessionName } from "./words";

export function App() {
  const state = useStore();
  const route = useRoute();
  useShortcuts(route);
  useTitle(route);
  useEffect(() => {
    // The terminal's code is a second download: have it before it is asked for.
    const timer = setTimeout(() => void loadTerminal().catch(() => undefined), 300);
    return () => clearTimeout(timer);
  }, []);

  if (state.access === "denied") return <SignedOut refusal={state.refusal} />;
  return (
    <div className="page" data-view={route.view}>
      <Sidebar current={route.view === "session" ? route.id : null} />
      <main>{mainOf(route)}</main>
      <LiveCalls />
    </div>
  );
}

function mainOf(route: Route) {
  switch (route.view) {
    case "home":
      return <Home />;
    case "new":
      return <SpawnForm key={route.workspace} workspace={route.workspace} />;
    case "session":
      return <SessionView key={route.id} id={route.id} />;
  }
}

function useTitle(route: Route): void {
  const state = useStore();
  const session = route.view === "session" ? findSession(state, route.id) : null;
  const waiting = inbox(state).length;
  const title = titleOf(waiting, session === null ? null : sessionName(session));
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => showBadge(waiting), [waiting]);
}

/** The page's keys. They are caught before the terminal sees them. */
function useShortcuts(route: Route): void {
  const current = route.view === "session" ? route.id : null;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const key = shortcutOf(event) ?? plainKeyOf(event);
      if (key === null || !act(key, current)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [current]);
}

/** Whether the key was for the page as a whole. */
function act(key: Shortcut | PlainKey, current: string | null): boolean {
  switch (key) {
    case "next":
    case "previous": {
      const id = neighbour(store.get(), current, key === "next" ? 1 : -1);
      if (id !== null) go({ view: "session", id });
      return true;
    }
    case "call": {
      const id = nextCall(store.get(), current);
      if (id !== null) openOutside(id);
      return true;
    }
    case "list":
      focusList();
      return true;
    case "create":
      go({ view: "new", workspace: null });
      return true;
    case "seen":
      seeFocused(current);
      return true;
    default:
      return false;
  }
}

/** Marks the session as seen whose row has the focus, else the one that is open. */
function seeFocused(current: string | null): void {
  const id = document.activeElement?.closest<HTMLElement>("#sessions li")?.dataset.id ?? current;
  const session = id === null ? null : findSession(store.get(), id);
  const seq = session === null ? null : unseenSeq(session);
  if (session !== null && seq !== null) markSeen(session.id, seq);
}

function focusList(): void {
  const list = document.querySelector<HTMLElement>("#sessions");
  const row = list?.querySelector<HTMLElement>("[aria-current=page]") ?? list?.querySelector<HTMLElement>("a");
  (row ?? document.querySelector<HTMLElement>(".sidebar a"))?.focus();
}
