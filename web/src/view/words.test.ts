// Words, requests and keys: small functions, checked as tables.
import { expect, test } from "vitest";
import type { Status, Target, TargetKind } from "../api/wire";
import { mayHaveMore } from "../terminal/scrollback";
import { plainKeyOf, shortcutOf } from "./shortcuts";
import { EMPTY, firstTarget, toRequest } from "./spawnRequest";
import { ago, count, linkWords, moment, nudgeOrigin, splitPath, statusWord } from "./words";

test.each([
  [0, "now"], [9, "now"], [-5, "now"], [10, "10s"], [59, "50s"], [60, "1m"], [3599, "59m"],
  [3600, "1h"], [86_399, "23h"], [86_400, "1d"], [864_000, "10d"],
])("%i seconds ago is %s", (seconds, words) => {
  expect(ago(0, seconds * 1000)).toBe(words);
}); // prettier-ignore

test.each([
  ["/home/ada/src", "src", "/home/ada/"], ["/home/ada/src/", "src", "/home/ada/"], ["/", "/", ""], ["relative", "relative", ""],
])("%s is shown as %s in %s", (path, name, parent) => {
  expect(splitPath(path)).toEqual({ name, parent });
}); // prettier-ignore

test("states in words", () => {
  const word = (status: string, exit_code: number | null = null): string =>
    statusWord({ status: status as Status, exit_code });
  expect([word("unknown"), word("exited"), word("exited", 0), word("exited", 3), word("needs_input"), word("of_tomorrow")]).toEqual([
    "running", "exited", "exited", "exited with 3", "needs authorization", "of_tomorrow",
  ]);
});

test("where a call comes from", () => {
  expect(nudgeOrigin({ source: "agent", evidence: ["status file"], confidence: "high" })).toBe("status file, high confidence");
  expect(nudgeOrigin({ source: "llm", evidence: ["screen"], confidence: "low" })).toBe("guessed from screen, low confidence");
  expect(nudgeOrigin({ source: "agent", evidence: [], confidence: "medium" })).toBe("the agent, medium confidence");
});

test("today is told by the clock, other days by their name", () => {
  const at = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(moment(at, at + 60_000)).toBe("03:04:05");
  expect(moment(at, at + 86_400_000)).toMatch(/2.* 03:04$/);
});

test("connections in words", () => {
  const since = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(linkWords({ phase: "lost", since })).toBe("not live since 03:04:05");
  expect(linkWords({ phase: "live" })).toBe("live");
  expect([count(1, "match", "matches"), count(2, "match", "matches"), count(2, "row")]).toEqual(["1 match", "2 matches", "2 rows"]);
});

test("a request has only what was filled in for the chosen place", () => {
  const full = { ...EMPTY, target: "claude", workspace: " /w ", branch: "b", url: "u", nickname: " n ", prompt: " p\n", count: "3" };
  expect(toRequest({ ...EMPTY, target: "demo" })).toEqual({ target: "demo" });
  expect(toRequest(full)).toEqual({ target: "claude", workspace: "/w", nickname: "n", prompt: " p\n", count: 3 });
  expect(toRequest({ ...full, place: "worktree" })).toMatchObject({ workspace: "/w", worktree: "b" });
  expect(toRequest({ ...full, place: "clone" })).toEqual({ target: "claude", clone: "u", nickname: "n", prompt: " p\n", count: 3 });
});

test("the first target is the last used, an agent, the demo", () => {
  const target = (name: string, kind: TargetKind, available = true): Target => ({ name, kind, available, description: "", command: [] });
  const all = [target("gone", "agent", false), target("demo", "demo"), target("cat", "command"), target("claude", "agent")];
  expect([firstTarget(all, "cat"), firstTarget(all, "gone"), firstTarget(all, null), firstTarget(all.slice(0, 3), null), firstTarget([], null)]).toEqual([
    "cat", "claude", "claude", "demo", "",
  ]);
});

test("the page's keys hold Ctrl and Shift and nothing else", () => {
  const press = (code: string, held: string): string | null =>
    shortcutOf({ code, ctrlKey: held.includes("c"), shiftKey: held.includes("s"), altKey: held.includes("a"), metaKey: held.includes("m") });
  expect([press("KeyF", "cs"), press("KeyF", "c"), press("KeyF", "csa"), press("KeyC", "cs"), press("KeyV", "cs"), press("ArrowUp", "cs")]).toEqual([
    "search", null, null, "copy", null, "previous",
  ]);
});

test("plain keys are the page's only where nothing is typed", () => {
  const press = (key: string, change = {}): string | null =>
    plainKeyOf({ key, ctrlKey: false, altKey: false, metaKey: false, repeat: false, target: null, ...change });
  expect([press("n"), press("s"), press("x"), press("n", { ctrlKey: true }), press("n", { metaKey: true }), press("n", { repeat: true })]).toEqual([
    "call", "seen", null, null, null, null,
  ]);
});

test("more history is asked for once, and only where there is some", () => {
  expect([mayHaveMore(1000, 999), mayHaveMore(1000, 1000), mayHaveMore(10_000, 10_000)]).toEqual([false, true, false]);
});
