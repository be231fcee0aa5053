// What is typed finds what is meant.
import { expect, test } from "vitest";
import { fit, ranked } from "./rank";

const ITEMS = ["New session", "fixer claude shop", "payments codex shop", "Settings", "Show typing latency", "Next that needs you"];
const best = (typed: string): string | undefined => ranked(typed, ITEMS, (item) => item)[0];

test.each([
  ["", "New session"],
  ["fix", "fixer claude shop"],
  ["codex", "payments codex shop"],
  ["set", "Settings"],
  ["stl", "Show typing latency"],
  ["nsess", "New session"],
  ["NEEDS you", "Next that needs you"],
])("%j finds %j", (typed, found) => {
  expect(best(typed)).toBe(found);
});

test("what isn't there isn't found", () => {
  expect(fit("xyz", "fixer")).toBeNull();
  expect(ranked("zzz", ITEMS, (item) => item)).toEqual([]);
});
