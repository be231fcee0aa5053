// Words, requests and keys: small functions, checked as tables.
import { expect, test } from "vitest";
import type { Status } from "../api/wire";
import { mayHaveMore } from "../terminal/scrollback";
import { digitOf, plainKeyOf, shortcutOf } from "./shortcuts";
import { ago, beginning, count, duration, freeName, linkWords, moment, nudgeOrigin, splitPath, stamp, statusWord } from "./words";

test.each([
  [0, "now"], [9, "now"], [-5, "now"], [10, "10s"], [59, "50s"], [60, "1m"], [3599, "59m"],
  [3600, "1h"], [86_399, "23h"], [86_400, "1d"], [864_000, "10d"],
])("%i seconds ago is %s", (seconds, words) => {
  expect(ago(0, seconds * 1000)).toBe(words);
}); // prettier-ignore

test.each([
  [0, "less than a second"], [59, "59 s"], [60, "1 min"], [61, "1 min 1 s"], [610, "10 min"], [3600, "1 h"], [3700, "1 h 1 min"], [86_400, "1 day"], [190_000, "2 days 4 h"],
])("%i seconds took %s", (seconds, words) => {
  expect(duration(seconds * 1000)).toBe(words);
}); // prettier-ignore

test.each([
  ["fixer", [], "fixer"], ["fixer", ["fixer", null], "fixer-2"], ["fixer-2", ["fixer-2", "fixer-3"], "fixer-4"], ["修".repeat(60), ["修".repeat(60)], `${"修".repeat(58)}-2`],
])("%s beside %j is called %s", (name, taken, free) => {
  expect(freeName(name, taken)).toBe(free);
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
  expect(stamp(at)).toMatch(/^\d{4}-\d\d-\d\d 03:04:05$/);
  expect(moment(at, at + 86_400_000)).toMatch(/2.* 03:04$/);
});

test("connections in words", () => {
  const since = new Date(2026, 0, 2, 3, 4, 5).getTime();
  expect(linkWords({ phase: "lost", since })).toBe("not live since 03:04:05");
  expect(linkWords({ phase: "live" })).toBe("live");
  expect([count(1, "match", "matches"), count(2, "match", "matches"), count(2, "row")]).toEqual(["1 match", "2 matches", "2 rows"]);
});

test("the page's keys hold Ctrl and Shift and nothing else", () => {
  const press = (code: string, held: string, target: EventTarget | null = null): string | null =>
    shortcutOf({ code, target, ctrlKey: held.includes("c"), shiftKey: held.includes("s"), altKey: held.includes("a"), metaKey: held.includes("m") });
  expect([press("KeyF", "cs"), press("KeyF", "c"), press("KeyF", "csa"), press("KeyC", "cs"), press("KeyV", "cs"), press("ArrowUp", "cs")]).toEqual([
    "search", null, null, "copy", null, "previous",
  ]);
  // Ctrl K is the terminal's where it has the keyboard.
  const terminal = { closest: (selector: string) => (selector === ".pane" ? {} : null) } as unknown as EventTarget;
  expect([press("KeyK", "c"), press("KeyK", "m"), press("KeyK", "cs"), press("KeyK", "c", terminal), press("KeyK", "m", terminal), press("KeyK", "cs", terminal)]).toEqual([
    "palette", "palette", "palette", null, "palette", "palette",
  ]);
});

test("plain keys are the page's only where nothing is typed", () => {
  const press = (key: string, change = {}): string | null =>
    plainKeyOf({ key, ctrlKey: false, altKey: false, metaKey: false, repeat: false, target: null, ...change });
  expect([press("n"), press("s"), press("x"), press("n", { ctrlKey: true }), press("n", { metaKey: true }), press("n", { repeat: true })]).toEqual([
    "call", "seen", null, null, null, null,
  ]);
});

test("digits jump where nothing is typed", () => {
  const press = (key: string, change = {}): number | null =>
    digitOf({ key, ctrlKey: false, altKey: false, metaKey: false, repeat: false, target: null, ...change });
  expect([press("1"), press("9"), press("0"), press("a"), press("1", { ctrlKey: true })]).toEqual([1, 9, null, null, null]);
});

test("more history is asked for once, and only where there is some", () => {
  expect([mayHaveMore(1000, 999), mayHaveMore(1000, 1000), mayHaveMore(10_000, 10_000)]).toEqual([false, true, false]);
});

test.each([
  ["short", 5, "short"], ["longer", 5, "longe…"], ["ab😀cd", 3, "ab…"], ["ab😀cd", 4, "ab😀…"], ["", 3, ""],
])("the beginning of %s, %i units long, is %s", (text, most, cut) => {
  expect(beginning(text, most)).toBe(cut);
}); // prettier-ignore
