// Commands in words.
import { expect, test } from "vitest";
import { words } from "./words";

test.each([
  ["ssh box", ["ssh", "box"]],
  ["  docker exec  -i c ", ["docker", "exec", "-i", "c"]],
  [`ssh -o 'ProxyJump a b' "x y"`, ["ssh", "-o", "ProxyJump a b", "x y"]],
  [String.raw`a\ b 'c\d' ""`, ["a b", String.raw`c\d`, ""]],
  ["", []],
])("%j", (text, split) => {
  expect(words(text)).toEqual(split);
});
