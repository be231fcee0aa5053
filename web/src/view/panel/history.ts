// Lines of a session's history in words. Pure.
import type { HistoryEntry, Status } from "../../api/wire";
import { sourceWord, statusWord } from "../words";

/** A line as it is shown. `words` are the agent's and untrusted. */
export interface Line {
  /** Which shape stands before it. */
  shape: string;
  what: string;
  words: string;
  /** Where it came from. */
  note: string;
}

const SAID: Partial<Record<Status, string>> = {
  needs_input: "Needs Authorization",
  needs_testing: "Needs User Testing",
  error: "Error",
  completed: "Completed",
  working: "Working",
};

const LIFE: Partial<Record<Status, string>> = {
  starting: "Starting",
  unknown: "Running",
  unreachable: "Unreachable",
};

export function lineOf(entry: HistoryEntry): Line {
  switch (entry.type) {
    case "signal":
      return {
        shape: entry.state,
        what: SAID[entry.state] ?? entry.state,
        words: entry.message,
        note: sourceWord(entry.source),
      };
    case "cleared":
      return { shape: "cleared", what: "Call over", words: "", note: "" };
    case "life": {
      const session = { status: entry.status, exit_code: entry.exit_code ?? null };
      const failed = entry.status === "exited" && (entry.exit_code ?? 0) !== 0;
      return {
        shape: failed ? "failed" : entry.status,
        what: LIFE[entry.status] ?? capitalised(statusWord(session)),
        words: entry.reason ?? "",
        note: "",
      };
    }
    case "verdict":
      return {
        shape: entry.state,
        what: capitalised(statusWord({ status: entry.state, exit_code: null })),
        words: "",
        note: entry.rule,
      };
    case "message":
      return {
        shape: "record",
        what: `Message ${entry.receipt.state}`,
        words: entry.receipt.reason ?? "",
        note: "",
      };
    case "record":
      return { shape: "record", what: entry.kind, words: entry.data, note: "events file" };
  }
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
