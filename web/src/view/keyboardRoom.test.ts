// What the keyboard of a phone hides, and what it takes.
import { expect, test } from "vitest";
import { hiddenBelow, roomOf } from "./keyboardRoom";

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

const page = { width: 390, whole: 844 };

test.each([
  ["the first look", null, { width: 390, height: 844 }, false, 844],
  ["a keyboard comes", page, { width: 390, height: 508 }, true, 844],
  ["a keyboard goes", page, { width: 390, height: 844 }, true, 844],
  ["a keyboard, and nobody types", page, { width: 390, height: 508 }, false, 508],
  ["a bar of the browser comes", page, { width: 390, height: 770 }, true, 770],
  ["a bar of the browser goes", page, { width: 390, height: 900 }, true, 900],
  ["the phone is turned", page, { width: 844, height: 390 }, true, 390],
])("%s", (_name, before, now, typing, whole) => {
  expect(roomOf(before, now, typing)).toEqual({ width: now.width, whole });
});
