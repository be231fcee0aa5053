// What a screen reader is told: who began to need the human. Pure.
import type { Session } from "../api/wire";
import { sessionName } from "../view/words";
import { needOf } from "./call";

/** The calls that are open, by session. */
export type Known = ReadonlyMap<string, number>;

export function knownCalls(sessions: readonly Session[]): Known {
  return new Map(sessions.filter((session) => needOf(session) !== null).map(({ id, nudge_seq }) => [id, nudge_seq]));
}

/** Words for the calls that are new since `before`, or `null` if there are none. */
export function announcement(before: Known, sessions: readonly Session[]): string | null {
  const fresh = sessions.flatMap((session) => {
    const call = needOf(session);
    const isNew = call !== null && !call.seen && (before.get(session.id) ?? -1) < session.nudge_seq;
    return isNew ? [{ name: sessionName(session), call }] : [];
  });
  const [first] = fresh;
  if (first === undefined) return null;
  if (fresh.length > 1) return `${fresh.length} sessions need you: ${fresh.map(({ name }) => name).join(", ")}.`;
  return `${first.name}: ${first.call.name}${first.call.words === "" ? "." : `. ${first.call.words}`}`;
}
