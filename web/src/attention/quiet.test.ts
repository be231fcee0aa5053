// Quiet hours.
import { expect, test } from "vitest";
import { isQuiet, readHours, readTime, writeHours, writeTime } from "./quiet";

test.each([
  ["22:00-07:00", 23 * 60, true], ["22:00-07:00", 22 * 60, true], ["22:00-07:00", 7 * 60 - 1, true], ["22:00-07:00", 7 * 60, false], ["22:00-07:00", 12 * 60, false],
  ["12:30-13:00", 12 * 60 + 45, true], ["12:30-13:00", 13 * 60, false], ["08:00-08:00", 8 * 60, false],
])("%s at minute %i", (text, minute, quiet) => {
  expect(isQuiet(readHours(text), minute)).toBe(quiet);
}); // prettier-ignore

test("they are written as they are read, and nonsense is none", () => {
  expect(writeHours({ from: 1320, to: 420 })).toBe("22:00-07:00");
  expect([readHours("22:00-07:00"), readHours("25:00-07:00"), readHours("x"), readHours(null)]).toEqual([{ from: 1320, to: 420 }, null, null, null]);
  expect([readTime("07:05"), readTime(""), writeTime(425)]).toEqual([425, null, "07:05"]);
  expect(isQuiet(null, 0)).toBe(false);
});
