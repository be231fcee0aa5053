// The page's keys, and what each of them does. They are caught before the
// terminal sees them; which those are, `shortcuts.ts` says.
import { useEffect } from "react";
import { unseenSeq } from "../attention/call";
import { listed, neighbour, nextCall } from "../attention/order";
import { markSeen } from "../attention/seen";
import { go, readRoute, type Route } from "../route";
import { findSession, store } from "../store";
import { ask } from "./acts";
import { focusChoices } from "./answering";
import { openOutside } from "./focus";
import { isTab } from "./panel/tabs";
import { digitOf, plainKeyOf, shortcutOf, type PlainKey, type Shortcut } from "./shortcuts";

export type Overlay = "palette" | "help" | null;

export function usePageKeys(setOverlay: (overlay: Overlay) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const digit = digitOf(event);
      const key = shortcutOf(event) ?? plainKeyOf(event);
      // The address is ahead of what is drawn, when keys are pressed in a row.
      const done = digit === null ? key !== null && act(key, readRoute(location.hash), setOverlay) : jump(digit);
      if (!done) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // The browser's way back leads out of what lies over a view, too.
    const leave = (): void => setOverlay(null);
    window.addEventListener("keydown", press, { capture: true });
    window.addEventListener("hashchange", leave);
    return () => {
      window.removeEventListener("keydown", press, { capture: true });
      window.removeEventListener("hashchange", leave);
    };
  }, [setOverlay]);
}

/** Whether the key was for the page as a whole. */
function act(key: Shortcut | PlainKey, route: Route, setOverlay: (overlay: Overlay) => void): boolean {
  const current = "id" in route ? route.id : null;
  const inSession = route.view === "session";
  if (isTab(key)) {
    if (inSession) ask({ act: "tab", tab: key });
    return inSession;
  }
  switch (key) {
    case "next":
    case "previous": {
      const id = neighbour(store.get(), current, key === "next" ? 1 : -1);
      if (id !== null) go({ view: "session", id });
      return true;
    }
    case "call":
      goToNextCall(current);
      return true;
    case "answer":
      return focusChoices();
    case "list":
      focusList();
      return true;
    case "create":
      go({ view: "new", workspace: null });
      return true;
    case "inbox":
      go({ view: "home" });
      return true;
    case "grid":
    case "hosts":
    case "settings":
      go({ view: key });
      return true;
    case "replay":
      if (inSession && current !== null) go({ view: "replay", id: current });
      return inSession;
    case "seen":
      seeFocused(current);
      return true;
    case "help":
    case "palette":
      setOverlay(key);
      return true;
    default:
      return false;
  }
}

export function goToNextCall(current: string | null): void {
  const id = nextCall(store.get(), current);
  if (id !== null) openOutside(id);
}

/** To the session at this place of the list, counted from 1. */
function jump(digit: number): boolean {
  const session = listed(store.get())[digit - 1];
  if (session !== undefined) openOutside(session.id);
  return session !== undefined;
}

/** Marks the session as seen whose row or card has the focus, else the one that is open. */
function seeFocused(current: string | null): void {
  const id = document.activeElement?.closest<HTMLElement>("[data-id]")?.dataset.id ?? current;
  const session = id === null ? null : findSession(store.get(), id);
  const seq = session === null ? null : unseenSeq(session);
  if (session !== null && seq !== null) markSeen(session.id, seq);
}

function focusList(): void {
  const list = document.querySelector<HTMLElement>("#sessions");
  const row = list?.querySelector<HTMLElement>("[aria-current=page]") ?? list?.querySelector<HTMLElement>("a");
  (row ?? document.querySelector<HTMLElement>(".sidebar a, .tab-bar a, .back"))?.focus();
}
