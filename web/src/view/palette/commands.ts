// What the palette offers: every session, and everything that can be done.
import type { Session, Workspace } from "../../api/wire";
import { isSet, set, type Preference } from "../../attention/preferences";
import { groups } from "../../attention/order";
import { chime } from "../../attention/start";
import { go, type Route } from "../../route";
import type { State } from "../../store";
import { ask } from "../acts";
import { focusChoices } from "../answering";
import { copyText } from "../clipboard";
import { openOutside } from "../focus";
import { goToNextCall } from "../pageKeys";
import { TAB_KEYS, TAB_NAMES, TABS } from "../panel/tabs";
import { sessionName, splitPath, statusWord } from "../words";

export interface Command {
  key: string;
  label: string;
  /** What stands beside it, and is searched too. */
  note: string;
  keys: string;
  /** For a session: so that its shape is drawn. */
  session: Session | null;
  run: () => void;
}

const plain = (label: string, keys: string, run: () => void, note = ""): Command => ({ key: label, label, note, keys, session: null, run });

export function commands(state: State, route: Route, current: Session | null): readonly Command[] {
  return [...ofSession(route, current), ...sessions(state), ...views(current), ...switches()];
}

function sessions(state: State): readonly Command[] {
  return groups(state).flatMap(({ members }) =>
    members.map(({ session, workspace }) => ({
      key: session.id,
      label: sessionName(session),
      note: noteOf(session, workspace),
      keys: "",
      session,
      run: () => openOutside(session.id),
    })),
  );
}

function noteOf(session: Session, workspace: Workspace | null): string {
  const place = workspace === null ? "" : splitPath(workspace.path).name;
  const host = session.host === "local" ? "" : session.host;
  return [session.target, place, workspace?.branch, host, statusWord(session)].filter((part) => part != null && part !== "").join(" · ");
}

function ofSession(route: Route, session: Session | null): readonly Command[] {
  if (session === null) return [];
  const name = sessionName(session);
  if (route.view !== "session") return [];
  return [
    ...TABS.map((tab) => plain(TAB_NAMES[tab], TAB_KEYS[tab], () => ask({ act: "tab", tab }), name)),
    plain("Search in the terminal", "Ctrl Shift F", () => ask({ act: "search" }), name),
    // A person's own tmux sets the size of what they adopted.
    ...(session.adopted ? [] : [plain("Fit its size to this window", "", () => ask({ act: "claim" }), name)]),
    plain("Replay", "r", () => go({ view: "replay", id: session.id }), name),
    ...(session.adopted ? [] : [plain("New session like this one", "", () => go({ view: "new", workspace: null, again: session.id }), name)]),
    plain("New session in the same place", "", () => go({ view: "new", workspace: session.workspace_id }), name),
    plain("Copy the command that attaches a terminal", "", () => void copyText(session.attach_cmd), name),
    plain("Dispose", "", () => ask({ act: "dispose" }), name),
  ];
}

function views(current: Session | null): readonly Command[] {
  return [
    plain("Answer: to the choices of a dialog", "a", () => void setTimeout(focusChoices)),
    plain("Next that needs you", "n", () => goToNextCall(current?.id ?? null)),
    plain("New session", "c", () => go({ view: "new", workspace: null })),
    plain("Inbox", "i", () => go({ view: "home" })),
    plain("Grid", "g", () => go({ view: "grid" })),
    plain("Hosts", "h", () => go({ view: "hosts" })),
    plain("Settings", ",", () => go({ view: "settings" })),
  ];
}

function switches(): readonly Command[] {
  const toggle = (name: Preference, on: string, off: string): Command => plain(isSet(name) ? off : on, "", () => set(name, !isSet(name)));
  return [
    toggle("muted", "Mute the sound", "Turn the sound on"),
    toggle("latency", "Show typing latency", "Hide typing latency"),
    toggle("screen-reader", "Screen-reader mode of the terminal on", "Screen-reader mode of the terminal off"),
    plain("Test the sound", "", () => void chime.ready().then((able) => able && chime.sound())),
  ];
}
