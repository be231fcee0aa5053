// Ctrl and a letter.
import { expect, test } from "vitest";
import { withControl } from "./control";

test.each([["c", "\x03"], ["C", "\x03"], ["[", "\x1b"], [" ", "\x00"], ["?", "\x7f"], ["1", "1"], ["ü", "ü"], ["ab", "ab"]])("%j becomes %j", (text, sent) => {
  expect(withControl(text)).toBe(sent);
});
