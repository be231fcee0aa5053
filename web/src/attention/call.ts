// What a session asks of the human, read from what the daemon tells of it. Pure:
// how a call is shown, rung and answered is decided elsewhere.
import type { Session, Status } from "../api/wire";

export type CallKind = "needs_input" | "needs_testing" | "error" | "completed";

/** A call as people see it. */
export interface Call {
  kind: CallKind;
  /** Its name for people, as the documents have it. */
  name: string;
  /** Its number, or `null` for what was only made out from the screen and so never counted. */
  seq: number | null;
  /** The agent's own words. Untrusted text. */
  words: string;
  /** Since when it is open, in ms since the epoch. */
  since: number | null;
  /** The human has seen it, here or elsewhere. */
  seen: boolean;
}

const NAMES: Readonly<Record<CallKind, string>> = {
  needs_input: "Needs Authorization",
  needs_testing: "Needs User Testing",
  error: "Error",
  completed: "Completed",
};

const KINDS = new Map(Object.entries(NAMES).map(([kind, name]) => [name, kind as CallKind]));

/** States that say nothing of the agent, so that what it said last still stands. */
const SILENT: readonly Status[] = ["starting", "unreachable", "exited"];

/** The open call of a session. */
export function callOf(session: Session): Call | null {
  const said = KINDS.get(session.nudge_state ?? "") ?? null;
  const kind = session.status in NAMES ? (session.status as CallKind) : SILENT.includes(session.status) ? said : null;
  if (kind === null) return null;
  if (kind !== said) return madeOut(session, kind);
  const guessed = isGuess(session);
  return {
    kind,
    name: NAMES[kind],
    seq: guessed ? null : session.nudge_seq,
    words: session.nudge_summary ?? "",
    // A guess has no time of its own, but the state that follows from it has.
    since: Date.parse(session.nudge_at ?? session.verdict.since),
    seen: !guessed && session.acked_seq >= session.nudge_seq,
  };
}

/** A call that nobody said: a dialog on the screen may stand above an older call, whose words are not about it. */
function madeOut(session: Session, kind: CallKind): Call {
  const { dialog, verdict } = session;
  const since = dialog?.since ?? verdict.since;
  return {
    kind,
    name: NAMES[kind],
    seq: null,
    words: dialog?.question ?? verdict.message ?? "",
    since: Date.parse(since),
    seen: false,
  };
}

/** What was made out from an agent's last words: it has no number, and never rings. */
export const isGuess = (session: Session): boolean => session.nudge?.source === "llm";

/**
 * The call with which a session needs the human. A question of a program that
 * has ended can't be answered; its error still wants to be seen once.
 */
export function needOf(session: Session): Call | null {
  const call = callOf(session);
  if (call === null || call.kind === "completed") return null;
  if (session.status === "exited" && (call.kind !== "error" || call.seen)) return null;
  return call;
}

export const needsMe = (session: Session): boolean => needOf(session) !== null;

/** The number of the call that is open and unseen, of any kind, else `null`. */
export function unseenSeq(session: Session): number | null {
  return session.nudge_state != null && !isGuess(session) && session.acked_seq < session.nudge_seq ? session.nudge_seq : null;
}

/** How far along it says it is, in percent: from `40`, `40%`, `2/5` or `2 of 5`. */
export function progressOf(session: Pick<Session, "details">): number | null {
  const told = session.details?.progress?.trim() ?? "";
  const parts = /^(\d+(?:\.\d+)?)\s*(?:%|(?:\/|of)\s*(\d+(?:\.\d+)?))?$/.exec(told);
  if (parts === null) return null;
  const whole = parts[2] === undefined ? 100 : Number(parts[2]);
  return whole === 0 ? null : Math.min(100, Math.round((Number(parts[1]) / whole) * 100));
}
