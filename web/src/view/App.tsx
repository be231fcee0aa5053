// The page: the list of sessions on the left, one thing on the right. On a
// phone it shows one of the two.
import { useEffect } from "react";
import { go, useRoute, type Route } from "../route";
import { findSession, neighbour, store, useStore } from "../store";
import { Home } from "./Home";
import { SessionView } from "./SessionView";
import { Sidebar } from "./Sidebar";
import { SignedOut } from "./SignedOut";
import { SpawnForm } from "./SpawnForm";
import { loadTerminal } from "./TerminalPane";
import { shortcutOf } from "./shortcuts";
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
  const title = session === null ? "schmux" : `${sessionName(session)} · schmux`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Keys that work wherever the focus is. They are caught before the terminal sees them. */
function useShortcuts(route: Route): void {
  const current = route.view === "session" ? route.id : null;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event);
      if (shortcut === "next" || shortcut === "previous") {
        const id = neighbour(store.get(), current, shortcut === "next" ? 1 : -1);
        if (id !== null) go({ view: "session", id });
      } else if (shortcut === "list") {
        focusList();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [current]);
}

function focusList(): void {
  const list = document.querySelector<HTMLElement>("#sessions");
  const row = list?.querySelector<HTMLElement>("[aria-current=page]") ?? list?.querySelector<HTMLElement>("a");
  (row ?? document.querySelector<HTMLElement>(".sidebar a"))?.focus();
}
