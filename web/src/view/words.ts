// How things are called on the page. Pure.
import type { Nudge, Session, Status } from "../api/wire";
import { isGuess, type Call } from "../attention/call";
import type { Link } from "../live/socket";

const STATUS_WORDS: Record<Status, string> = {
  starting: "starting",
  working: "working",
  needs_input: "needs authorization",
  needs_testing: "needs testing",
  completed: "completed",
  error: "error",
  // Its turn ended and it didn't say how.
  idle: "idle",
  // Its program runs, and nothing has told us more than that.
  unknown: "running",
  exited: "exited",
  unreachable: "unreachable",
};

/** A session's state in a word or two. A newer daemon's states are shown as they are. */
export function statusWord(session: Pick<Session, "status" | "exit_code">): string {
  const word = (STATUS_WORDS as Record<string, string>)[session.status] ?? session.status;
  const code = session.status === "exited" ? session.exit_code : null;
  return code == null || code === 0 ? word : `${word} with ${code}`;
}

/** How sure a call is and where it comes from, in words. */
export function nudgeOrigin(nudge: Pick<Nudge, "source" | "evidence" | "confidence">): string {
  const from = nudge.evidence.join(", ") || "the agent";
  return `${nudge.source === "llm" ? `guessed from ${from}` : from}, ${nudge.confidence} confidence`;
}

const SOURCES: Readonly<Record<string, string>> = {
  status_file: "status file",
  events_file: "events file",
  cli: "schmux signal",
  aside: "what it tells its terminal",
  life: "its process",
  front: "what runs in front",
  children: "its child agents",
  output: "its output",
  bell: "the terminal's bell",
  human: "what you typed",
  model: "a language model",
};

/** Where something was heard, in words. */
export const sourceWord = (source: string): string => SOURCES[source] ?? source;

/** Where a session's call comes from, in words. */
export function callOrigin(session: Session, call: Call): string {
  const told = session.nudge != null && (call.seq !== null || isGuess(session)) ? session.nudge : null;
  return told === null ? "seen on its screen" : nudgeOrigin(told);
}

/** What a person calls a session. */
export function sessionName(session: Pick<Session, "nickname" | "target">): string {
  return session.nickname ?? session.target;
}

/** A directory as its last name and what comes before it. */
export function splitPath(path: string): { name: string; parent: string } {
  const whole = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const cut = whole.lastIndexOf("/");
  const name = whole.slice(cut + 1);
  return name === "" ? { name: whole, parent: "" } : { name, parent: whole.slice(0, cut + 1) };
}

/** How long ago, as short as it can be read. */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 10) return "now";
  if (seconds < 60) return `${seconds - (seconds % 10)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** How long something took, in its largest unit and the one below. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 1) return "less than a second";
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? count(days, "day") : `${count(days, "day")} ${hours % 24} h`;
}

// As the daemon has it.
const LONGEST_NAME = 60;

/** A name like `name` that nobody has: itself, or with the next free number. */
export function freeName(name: string, taken: readonly (string | null | undefined)[]): string {
  if (!taken.includes(name)) return name;
  const base = name.replace(/-\d{1,4}$/, "");
  for (let number = 2; ; number++) {
    const end = `-${number}`;
    const free = `${Array.from(base).slice(0, LONGEST_NAME - end.length).join("")}${end}`;
    if (!taken.includes(free)) return free;
  }
}

/** Whether a connection is live, in words. */
export function linkWords(link: Link): string {
  switch (link.phase) {
    case "live":
      return "live";
    case "connecting":
      return "connecting";
    case "lost":
      return `not live since ${clock(link.since)}`;
  }
}

/** A moment for a list of them: today's by the clock, others by their day. */
export function moment(ms: number, now: number): string {
  const [date, today] = [new Date(ms), new Date(now)];
  if (date.toDateString() === today.toDateString()) return clock(ms);
  const day = date.toLocaleDateString(undefined, { month: "short", day: "numeric" });
  return `${day} ${clock(ms).slice(0, 5)}`;
}

/**
 * A moment in full, for those who point at a short form of it. The browser's own
 * way to write dates costs 30 ms the first time, in the middle of drawing a call.
 */
export function stamp(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  return `${day} ${clock(ms)}`;
}

/** The time of day as HH:MM:SS, in the reader's zone. */
export function clock(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The beginning of a text of any length, never cut within a character. */
export const beginning = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
