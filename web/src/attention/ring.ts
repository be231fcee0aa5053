// When the page rings, as functions over what is known: no audio, no storage, no
// network. `bell.ts` acts on it.
//
// Invariant: a call is rung only after the daemon has granted it, and it grants
// each call to one device, once. What this browser has asked for it doesn't ask
// again, unless there was no answer.
import type { Session } from "../api/wire";

/** A call, as the daemon's ledger names it. */
export interface Ringable {
  id: string;
  seq: number;
}

export type Answer = "granted" | "refused" | "unanswered";

/** What follows from the daemon's answers. */
export interface Outcome {
  /** Calls that this browser is done with. */
  mark: readonly Ringable[];
  /** Several calls together are one ring. */
  ring: boolean;
  /** Some got no answer and are asked for again later. */
  retry: boolean;
}

const RINGS: readonly string[] = ["Needs Authorization", "Error"];

/**
 * The calls to ask the daemon for. A page that could not be heard asks for
 * none: it would take the ring from a device that can sound.
 */
export function toAsk(sessions: readonly Session[], rungHere: (id: string) => number, audible: boolean): readonly Ringable[] {
  if (!audible) return [];
  return sessions
    .filter((session) => isOpen(session, session.nudge_seq))
    .filter(({ id, nudge_seq, rung_seq }) => rung_seq < nudge_seq && rungHere(id) < nudge_seq)
    .map(({ id, nudge_seq }) => ({ id, seq: nudge_seq }));
}

/** `sessions` are those of now: a call that was answered or seen meanwhile is not rung. */
export function weigh(answers: readonly (Ringable & { answer: Answer })[], sessions: readonly Session[]): Outcome {
  const open = ({ id, seq }: Ringable): boolean => sessions.some((session) => session.id === id && isOpen(session, seq));
  return {
    mark: answers.filter(({ answer }) => answer !== "unanswered").map(({ id, seq }) => ({ id, seq })),
    ring: answers.some((call) => call.answer === "granted" && open(call)),
    retry: answers.some(({ answer }) => answer === "unanswered"),
  };
}

/** Whether this very call waits, unseen, and is one that rings. What a model guessed never is. */
function isOpen(session: Session, seq: number): boolean {
  return (
    RINGS.includes(session.nudge_state ?? "") &&
    session.nudge?.source !== "llm" &&
    session.nudge_seq === seq &&
    session.acked_seq < seq
  );
}
