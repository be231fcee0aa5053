// What is read from a session: its call, whether it needs the human, its progress.
import { expect, test } from "vitest";
import { exampleCall, exampleSession } from "../api/example";
import type { Session } from "../api/wire";
import { callOf, needsMe, progressOf, unseenSeq } from "./call";
import { toAsk } from "./ring";

test("a call has its name, its words, its age and whether it was seen", () => {
  expect(callOf(exampleCall("a", 3, "Needs Authorization", { acked_seq: 2 }))).toEqual({
    kind: "needs_input",
    name: "Needs Authorization",
    seq: 3,
    words: "words of a",
    since: Date.parse("2026-01-01T00:00:00Z"),
    seen: false,
  });
  expect(callOf(exampleCall("a", 3, "Error", { acked_seq: 3 }))?.seen).toBe(true);
  expect(callOf(exampleSession("a", { status: "working", nudge_seq: 3 }))).toBeNull();
});

test("what is only seen on the screen has no number and no words of an older call", () => {
  expect(callOf(exampleSession("a", { status: "needs_input" }))).toMatchObject({ kind: "needs_input", seq: null, words: "" });
  expect(callOf(exampleCall("a", 1, "Completed", { status: "needs_input" }))).toMatchObject({ name: "Needs Authorization", seq: null, words: "" });
});

test("what was made out from its last words has no number, and can't be seen or rung for", () => {
  const nudge: Session["nudge"] = { state: "Error", confidence: "low", evidence: ["the words alone"], summary: "2 tests failed", source: "llm" };
  const guess = exampleSession("a", { status: "error", nudge_state: "Error", nudge_summary: "2 tests failed", nudge_seq: 3, nudge });
  expect(callOf(guess)).toMatchObject({ kind: "error", seq: null, words: "2 tests failed", seen: false });
  expect(unseenSeq(guess)).toBeNull();
  expect(toAsk([guess], () => 0, true)).toEqual([]);
});

test.each<[string, Session, boolean]>([
  ["a question", exampleCall("a", 1, "Needs Authorization"), true],
  ["something to try", exampleCall("a", 1, "Needs User Testing"), true],
  ["an error", exampleCall("a", 1, "Error"), true],
  ["a seen one, until it is answered", exampleCall("a", 1, "Error", { acked_seq: 1 }), true],
  ["a finished one doesn't", exampleCall("a", 1, "Completed"), false],
  ["one that works doesn't", exampleSession("a", { status: "working" }), false],
  ["a call of a host that is away", exampleCall("a", 1, "Needs Authorization", { status: "unreachable" }), true],
  ["a call while the daemon looks for tmux", exampleCall("a", 1, "Needs User Testing", { status: "starting" }), true],
  ["a question of a program that ended doesn't", exampleCall("a", 1, "Needs Authorization", { status: "exited" }), false],
  ["an error of a program that ended", exampleCall("a", 1, "Error", { status: "exited" }), true],
  ["such an error once it was seen doesn't", exampleCall("a", 1, "Error", { status: "exited", acked_seq: 1 }), false],
  ["a call that the verdict has overruled doesn't", exampleCall("a", 1, "Needs Authorization", { status: "working" }), false],
])("needs the human: %s", (_what, session, needs) => {
  expect(needsMe(session)).toBe(needs);
});

test("what is unseen is the open call, whatever it is", () => {
  expect(unseenSeq(exampleCall("a", 2, "Completed"))).toBe(2);
  expect(unseenSeq(exampleCall("a", 2, "Completed", { acked_seq: 2 }))).toBeNull();
  expect(unseenSeq(exampleSession("a", { nudge_seq: 2 }))).toBeNull();
});

test.each([
  ["40", 40], ["40%", 40], [" 7.6 % ", 8], ["2/5", 40], ["2 of 5", 40], ["250", 100], ["0", 0],
  ["3/0", null], ["half", null], ["", null], ["-3", null], ["<b>1</b>", null],
])("progress %j is %j percent", (progress, percent) => {
  expect(progressOf({ details: { progress } })).toBe(percent);
});
