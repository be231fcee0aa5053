// Settings between a file and a form.
import { expect, test } from "vitest";
import type { SettingsKind } from "../../api/wire";
import { toChange, toText, toValue } from "./values";

test.each<[SettingsKind, unknown, string]>([
  ["boolean", true, "true"],
  ["integer", 7337, "7337"],
  ["number", 0.5, "0.5"],
  ["text", "127.0.0.1", "127.0.0.1"],
  ["list", ["a b", "c"], "a b\nc"],
  ["map", { A: "1", B: "x = y" }, "A = 1\nB = x = y"],
])("%s %j is shown as %j, and read back", (kind, value, text) => {
  expect(toText({ kind }, value)).toBe(text);
  expect(toValue({ kind }, text)).toEqual(value);
});

test("an empty field is the default, and nonsense is left to the daemon to refuse", () => {
  expect([toText({ kind: "text" }, null), toValue({ kind: "list" }, " \n "), toValue({ kind: "integer" }, "many")]).toEqual(["", undefined, "many"]);
});

test("a change sets what is filled and unsets what was emptied", () => {
  const edits = new Map([
    ["server.port", { key: { kind: "integer" as const }, text: "8000" }],
    ["spawn.cols", { key: { kind: "integer" as const }, text: "" }],
  ]);
  expect(toChange("e1", edits)).toEqual({ etag: "e1", set: { "server.port": 8000 }, unset: ["spawn.cols"] });
});
