// Keys and their echoes.
import { expect, test } from "vitest";
import { Latency } from "./latency";

test("a key and its echo make a sample; output without a key makes none", () => {
  const latency = new Latency();
  expect(latency.drew(5)).toBe(false);
  expect(latency.figures).toBeNull();
  for (const [typed, drew] of [[10, 18], [20, 22], [30, 60]] as const) {
    latency.typed(typed);
    expect(latency.drew(drew)).toBe(true);
  }
  expect(latency.drew(70)).toBe(false);
  expect(latency.figures).toEqual({ last: 30, median: 8 });
});

test("keys before the echo count from the first, and what comes late is no echo", () => {
  const latency = new Latency();
  latency.typed(0);
  latency.typed(5);
  latency.drew(9);
  expect(latency.figures?.last).toBe(9);
  latency.typed(100);
  expect(latency.drew(5_000)).toBe(false);
});
