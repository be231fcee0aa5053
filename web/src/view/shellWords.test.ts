// Commands in words.
import { expect, test } from "vitest";
import { joinWords, words } from "./shellWords";

test.each([
  ["ssh box", ["ssh", "box"]],
  ["  docker exec  -i c ", ["docker", "exec", "-i", "c"]],
  [`ssh -o 'ProxyJump a b' "x y"`, ["ssh", "-o", "ProxyJump a b", "x y"]],
  [String.raw`a\ b 'c\d' ""`, ["a b", String.raw`c\d`, ""]],
  ["", []],
])("%j", (text, split) => {
  expect(words(text)).toEqual(split);
  expect(words(joinWords(split))).toEqual(split);
});
