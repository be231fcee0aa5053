// How many rows a turn of the wheel is.
import { expect, test } from "vitest";
import { rowsOf } from "./wheel";

test.each([
  ["a notch", [100], [5]],
  ["what is left counts with the next one", [10, 10, 10], [0, 1, 0]],
  ["the other direction begins anew", [19, -10, -10], [1, 0, -1]],
  ["up", [-40, -40], [-2, -2]],
] as const)("%s", (_, turns, expected) => {
  let rest = 0;
  const rows = turns.map((pixels) => {
    const turned = rowsOf(pixels, 17, rest);
    rest = turned.rest;
    return turned.rows;
  });
  expect(rows.map((each) => each + 0)).toEqual(expected);
});
