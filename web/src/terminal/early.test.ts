// What is typed before the first connection: all of it in order, or nothing.
import { expect, test } from "vitest";
import { Early, KEPT_MS } from "./early";

test("what is typed while it connects is kept in order, and given once", () => {
  const early = new Early<string>();
  expect(early.take(0)).toEqual([]);
  "git status".split(/(?=.)/).forEach((key, at) => early.keep(key, 10_000 + 20 * at));
  expect(early.take(10_400).join("")).toBe("git status");
  expect(early.take(10_401)).toEqual([]);
});

test("when it takes too long nothing of it is sent, not its end either", () => {
  const early = new Early<string>();
  early.keep("git ", 0);
  expect(early.take(KEPT_MS + 1)).toEqual([]);
  early.keep("git ", 10_000);
  early.keep("sta", 10_000 + KEPT_MS);
  early.keep("tus", 10_001 + KEPT_MS);
  expect(early.take(10_002 + KEPT_MS)).toEqual([]);
  // The time counts from the first key of those that wait.
  early.keep("ls", 20_000);
  expect(early.take(20_000 + KEPT_MS)).toEqual(["ls"]);
});
