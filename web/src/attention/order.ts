// In which order the list shows the sessions: those that need the human first.
// Pure.
import type { Session, Workspace } from "../api/wire";
import type { State } from "../store";
import { callOf, needOf } from "./call";

export type GroupName = "needs" | "working" | "quiet" | "done" | "unreachable" | "ended";

/** A session, and the workspace that it is marked with. */
export interface Member {
  session: Session;
  /** `null` for one that the socket has not told yet. */
  workspace: Workspace | null;
}

export interface Group {
  name: GroupName;
  members: readonly Member[];
}

const ORDER: readonly GroupName[] = ["needs", "working", "quiet", "done", "unreachable", "ended"];

export function groupOf(session: Session): GroupName {
  if (needOf(session) !== null) return "needs";
  switch (session.status) {
    case "working":
    case "starting":
      return "working";
    case "completed":
      return "done";
    case "unreachable":
      return "unreachable";
    case "exited":
      return "ended";
    default:
      return "quiet";
  }
}

type Told = Pick<State, "workspaces" | "arrivals">;

// Several parts of the page ask for the same in one drawing; with hundreds of
// sessions each answer costs a millisecond.
let last: { of: Told; groups: readonly Group[] } | null = null;

/** The groups that have someone in them. */
export function groups(state: Told): readonly Group[] {
  if (last?.of.workspaces === state.workspaces && last.of.arrivals === state.arrivals) return last.groups;
  last = { of: state, groups: grouped(state) };
  return last.groups;
}

function grouped(state: Told): readonly Group[] {
  const members: Member[] = [
    ...state.arrivals.map((session) => ({ session, workspace: null })),
    ...(state.workspaces ?? []).flatMap((workspace) => workspace.sessions.map((session) => ({ session, workspace }))),
  ];
  return ORDER.map((name) => {
    const own = members.filter(({ session }) => groupOf(session) === name);
    // The others keep the daemon's order, by workspace, so that they stand still.
    return { name, members: name === "needs" || name === "done" ? own.sort(newestCallFirst) : own };
  }).filter(({ members }) => members.length > 0);
}

/** All sessions from the top of the list to its end. */
export const listed = (state: Told): readonly Session[] =>
  groups(state).flatMap(({ members }) => members.map(({ session }) => session));

/** The sessions that need the human, the newest call first. */
export const inbox = (state: Told): readonly Session[] =>
  groups(state).find(({ name }) => name === "needs")?.members.map(({ session }) => session) ?? [];

/**
 * Where `n` goes from `current`: to the next one that needs the human and was
 * not seen yet; if all were seen, to the next one of them, round and round.
 */
export function nextCall(state: Told, current: string | null): string | null {
  const waiting = inbox(state);
  const at = waiting.findIndex(({ id }) => id === current);
  const following = [...waiting.slice(at + 1), ...waiting.slice(0, Math.max(0, at))];
  const unseen = following.find((session) => needOf(session)?.seen === false);
  return (unseen ?? following[0] ?? waiting[at])?.id ?? null;
}

/** The id of the session `step` places after `id` in the list, round and round. */
export function neighbour(state: Told, id: string | null, step: 1 | -1): string | null {
  const sessions = listed(state);
  if (sessions.length === 0) return null;
  const at = sessions.findIndex((session) => session.id === id);
  const next = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  return sessions.at(next % sessions.length)?.id ?? null;
}

/** What has no time (a dialog that was just made out) is the newest. */
function newestCallFirst(a: Member, b: Member): number {
  const [first, second] = [a, b].map(({ session }) => callOf(session)?.since ?? Number.POSITIVE_INFINITY);
  return first === second ? 0 : (second ?? 0) - (first ?? 0);
}
