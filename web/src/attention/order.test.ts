// The order of the list, and where `n` goes.
import { expect, test } from "vitest";
import { exampleCall, exampleSession, exampleWorkspace } from "../api/example";
import type { Session } from "../api/wire";
import { groups, inbox, listed, neighbour, nextCall } from "./order";

const at = (minute: number): Partial<Session> => ({ nudge_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() });
const state = (...workspaces: Session[][]) => ({
  workspaces: workspaces.map((sessions, index) => exampleWorkspace(sessions, `w-00${index + 1}`)),
  arrivals: [],
});
const shown = (of: ReturnType<typeof state>): string[] =>
  groups(of).map(({ name, members }) => `${name}: ${members.map(({ session, workspace }) => `${session.id}@${workspace?.id ?? ""}`).join(" ")}`);

test("those that need the human come first, the newest call first, over all workspaces", () => {
  const full = state(
    [exampleCall("old", 1, "Error", at(1)), exampleSession("w1", { status: "working" }), exampleSession("x", { status: "exited" })],
    [
      exampleCall("new", 1, "Needs Authorization", at(9)),
      exampleCall("done1", 1, "Completed", at(2)),
      exampleCall("done2", 1, "Completed", at(3)),
      exampleSession("i", { status: "idle" }),
      exampleSession("u"),
      exampleSession("s", { status: "starting" }),
      exampleCall("mid", 1, "Needs User Testing", { ...at(5), acked_seq: 1 }),
      exampleSession("away", { status: "unreachable" }),
      exampleSession("later", { status: "of_tomorrow" as Session["status"] }),
    ],
  );
  expect(shown(full)).toEqual([
    "needs: new@w-002 mid@w-002 old@w-001",
    "working: w1@w-001 s@w-002",
    "quiet: i@w-002 u@w-002 later@w-002",
    "done: done2@w-002 done1@w-002",
    "unreachable: away@w-002",
    "ended: x@w-001",
  ]);
  expect(inbox(full).map(({ id }) => id)).toEqual(["new", "mid", "old"]);
  expect(listed(full).length).toBe(12);
});

test("a dialog that was seen on a screen is a call since it stands there", () => {
  const verdict = { state: "needs_input", confidence: "high", rule: "a dialog is open", since: "2026-01-02T00:00:00Z" } as const;
  const seen = exampleSession("seen", { status: "needs_input", verdict });
  expect(inbox(state([exampleCall("told", 1, "Error", at(9)), seen])).map(({ id }) => id)).toEqual(["seen", "told"]);
});

test("n goes to the unseen ones first, then round", () => {
  const calls = state([
    exampleCall("a", 1, "Error", { ...at(3), acked_seq: 1 }),
    exampleCall("b", 1, "Error", at(2)),
    exampleCall("c", 1, "Error", { ...at(1), acked_seq: 1 }),
    exampleSession("w", { status: "working" }),
  ]);
  expect([null, "w", "a", "b", "c"].map((current) => nextCall(calls, current))).toEqual(["b", "b", "b", "c", "b"]);
  const seen = state([exampleCall("a", 1, "Error", { ...at(3), acked_seq: 1 }), exampleCall("b", 1, "Error", { ...at(2), acked_seq: 1 })]);
  expect([null, "a", "b"].map((current) => nextCall(seen, current))).toEqual(["a", "b", "a"]);
  const single = state([exampleCall("a", 1, "Error")]);
  expect([nextCall(single, "a"), nextCall(state([]), null)]).toEqual(["a", null]);
});

test("neighbours go round in the order of the list", () => {
  const three = state([exampleSession("a"), exampleSession("b"), exampleCall("c", 1, "Error")]);
  const next = (id: string | null, step: 1 | -1): string | null => neighbour(three, id, step);
  expect([next("a", 1), next("b", 1), next("c", -1), next(null, 1), next(null, -1), next("gone", 1)]).toEqual([
    "b", "c", "b", "c", "b", "c",
  ]);
  expect(neighbour(state([]), null, 1)).toBeNull();
});
