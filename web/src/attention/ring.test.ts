// What is asked for, and what follows from the answers: tables.
import { expect, test } from "vitest";
import { exampleCall, exampleSession } from "../api/example";
import type { Session } from "../api/wire";
import { toAsk, weigh, type Answer } from "./ring";

const asked = (session: Session, rungHere = 0, audible = true): boolean => toAsk([session], () => rungHere, audible).length === 1;

test.each<[string, boolean, boolean]>([
  ["a question", asked(exampleCall("a", 1, "Needs Authorization")), true],
  ["an error", asked(exampleCall("a", 1, "Error")), true],
  ["something to try", asked(exampleCall("a", 1, "Needs User Testing")), false],
  ["a finished one", asked(exampleCall("a", 1, "Completed")), false],
  ["no call", asked(exampleSession("a", { nudge_seq: 4 })), false],
  ["a page that can't sound", asked(exampleCall("a", 1, "Error"), 0, false), false],
  ["one that this browser is done with", asked(exampleCall("a", 2, "Error"), 2), false],
  ["the next one of it", asked(exampleCall("a", 3, "Error"), 2), true],
  ["one that another device rang", asked(exampleCall("a", 2, "Error", { rung_seq: 2 })), false],
  ["the next one of that", asked(exampleCall("a", 3, "Error", { rung_seq: 2 })), true],
  ["one that was seen", asked(exampleCall("a", 2, "Error", { acked_seq: 2 })), false],
  ["an error of a program that ended", asked(exampleCall("a", 1, "Error", { status: "exited" })), true],
  ["a call while tmux is away", asked(exampleCall("a", 1, "Needs Authorization", { status: "unreachable" })), true],
  ["what a model guessed", asked(exampleCall("a", 1, "Error", {
    nudge: { state: "Error", confidence: "low", evidence: [], summary: "", source: "llm" },
  })), false],
  ["what is only seen on the screen", asked(exampleSession("a", { status: "needs_input" })), false],
])("asked for: %s", (_what, is, should) => {
  expect(is).toBe(should);
}); // prettier-ignore

test("all that is due is asked for at once, under its number", () => {
  const sessions = [exampleCall("a", 4, "Error"), exampleCall("b", 1, "Completed"), exampleCall("c", 2, "Needs Authorization")];
  expect(toAsk(sessions, () => 0, true)).toEqual([{ id: "a", seq: 4 }, { id: "c", seq: 2 }]);
});

const outcome = (answer: Answer, now: Session | null) => weigh([{ id: "a", seq: 2, answer }], now === null ? [] : [now]);

test.each<[string, ReturnType<typeof outcome>, [marks: number, ring: boolean, retry: boolean]]>([
  ["granted rings", outcome("granted", exampleCall("a", 2, "Error")), [1, true, false]],
  ["refused is done with", outcome("refused", exampleCall("a", 2, "Error")), [1, false, false]],
  ["no answer is asked again", outcome("unanswered", exampleCall("a", 2, "Error")), [0, false, true]],
  ["granted and answered meanwhile", outcome("granted", exampleSession("a", { status: "working", nudge_seq: 2 })), [1, false, false]],
  ["granted and seen meanwhile", outcome("granted", exampleCall("a", 2, "Error", { acked_seq: 2 })), [1, false, false]],
  ["granted, and there is a newer one", outcome("granted", exampleCall("a", 3, "Error")), [1, false, false]],
  ["granted and gone", outcome("granted", null), [1, false, false]],
])("%s", (_what, { mark, ring, retry }, should) => {
  expect([mark.length, ring, retry]).toEqual(should);
}); // prettier-ignore

test("several calls are one ring", () => {
  const sessions = [exampleCall("a", 1, "Error"), exampleCall("b", 1, "Error"), exampleCall("c", 1, "Error")];
  const answers = (["granted", "granted", "unanswered"] as const).map((answer, at) => ({ id: "abc".charAt(at), seq: 1, answer }));
  expect(weigh(answers, sessions)).toEqual({ mark: [{ id: "a", seq: 1 }, { id: "b", seq: 1 }], ring: true, retry: true });
});
