// Commands in words.
import { expect, test } from "vitest";
import { request, words } from "./words";

test.each([
  ["ssh box", ["ssh", "box"]],
  ["  docker exec  -i c ", ["docker", "exec", "-i", "c"]],
  [`ssh -o 'ProxyJump a b' "x y"`, ["ssh", "-o", "ProxyJump a b", "x y"]],
  [String.raw`a\ b 'c\d' ""`, ["a b", String.raw`c\d`, ""]],
  ["", []],
])("%j", (text, split) => {
  expect(words(text)).toEqual(split);
});

test("a name alone is one of ssh's", () => {
  expect(request(" me@build.lan ", "")).toEqual({ name: "me-build-lan", connect: ["ssh", "me@build.lan"] });
  expect(request("box", "docker exec -i c")).toEqual({ name: "box", connect: ["docker", "exec", "-i", "c"] });
});
