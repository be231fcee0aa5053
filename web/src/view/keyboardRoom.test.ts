// What the keyboard of a phone hides.
import { expect, test } from "vitest";
import { hiddenBelow } from "./keyboardRoom";

test.each([
  [844, { height: 844, offsetTop: 0, scale: 1 }, 0],
  [844, { height: 508, offsetTop: 0, scale: 1 }, 336],
  [844, { height: 508, offsetTop: 100, scale: 1 }, 236],
  // Zoomed in: the page is not covered but magnified.
  [844, { height: 422, offsetTop: 0, scale: 2 }, 0],
  [500, { height: 520, offsetTop: 0, scale: 1 }, 0],
])("a page of %d with %j", (height, visible, hidden) => {
  expect(hiddenBelow(height, visible)).toBe(hidden);
});
