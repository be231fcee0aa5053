// Lines of the history in words.
import { expect, test } from "vitest";
import type { HistoryEntry } from "../../api/wire";
import { lineOf } from "./history";

const line = (what: object): unknown[] => {
  const { shape, what: name, words, note } = lineOf({ number: 1, at: "2026-01-01T00:00:00Z", session_id: "a", ...what } as HistoryEntry);
  return [shape, name, words, note];
};

test.each([
  [{ type: "signal", state: "needs_input", message: "May I?", source: "status_file", nudge_seq: 1 }, ["needs_input", "Needs Authorization", "May I?", "status file"]],
  [{ type: "signal", state: "working", message: "", source: "hook" }, ["working", "Working", "", "hook"]],
  [{ type: "cleared", nudge_seq: 1 }, ["cleared", "Call over", "", ""]],
  [{ type: "life", status: "unknown" }, ["unknown", "Running", "", ""]],
  [{ type: "life", status: "exited", exit_code: 3, reason: null }, ["failed", "Exited with 3", "", ""]],
  [{ type: "life", status: "exited", reason: "tmux ended" }, ["exited", "Exited", "tmux ended", ""]],
  [{ type: "life", status: "unreachable", reason: "no tmux" }, ["unreachable", "Unreachable", "no tmux", ""]],
  [{ type: "record", kind: "note", data: "{}" }, ["record", "note", "{}", "events file"]],
])("%j", (what, shown) => {
  expect(line(what)).toEqual(shown);
}); // prettier-ignore
