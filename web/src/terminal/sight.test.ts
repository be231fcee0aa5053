// What is in sight of a pane that is larger than its window.
import { expect, test } from "vitest";
import { reach, wantedRows } from "./sight";

test.each([
  ["it is in sight already", 10, { from: 12, to: 20 }, 10],
  ["it is below", 0, { from: 40, to: 50 }, 20],
  ["it is above", 20, { from: 5, to: 6 }, 5],
  ["it is too long: its beginning", 0, { from: 4, to: 60 }, 4],
] as const)("a window of 30 rows goes no further than it must: %s", (_, now, span, expected) => {
  expect(reach(now, 30, span)).toBe(expected);
});

test.each([
  ["a prompt in the last row", 49, 49, [49, 50]],
  ["a field with a line of hints below it", 45, 48, [45, 49]],
  ["the first row of an editor, whose status is far below", 0, 49, [0, 1]],
  ["an empty screen", 0, -1, [0, 1]],
  ["nothing below the cursor", 12, 7, [12, 13]],
] as const)("the cursor's row is wanted, and what is near below it: %s", (_, cursor, last, [from, to]) => {
  expect(wantedRows(cursor, last, 30)).toEqual({ from, to });
});
