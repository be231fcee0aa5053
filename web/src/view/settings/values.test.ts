// Settings between a file and a form.
import { expect, test } from "vitest";
import type { SettingsKind } from "../../api/wire";
import { dotted, toChange, toText, toValue } from "./values";

test.each<[SettingsKind, unknown, string]>([
  ["boolean", true, "true"],
  ["integer", 7337, "7337"],
  ["number", 0.5, "0.5"],
  ["text", "127.0.0.1", "127.0.0.1"],
  ["list", ["a b", "c"], "a b\nc"],
  ["list", [{ from: "a", to: "*" }], '{"from":"a","to":"*"}'],
  ["map", { A: "1", B: "x = y" }, "A = 1\nB = x = y"],
])("%s %j is shown as %j, and read back", (kind, value, text) => {
  expect(toText({ kind }, value)).toBe(text);
  expect(toValue({ kind }, text)).toEqual(value);
});

test("an empty field is the default, and nonsense is left to the daemon to refuse", () => {
  expect([toText({ kind: "text" }, null), toValue({ kind: "list" }, " \n "), toValue({ kind: "integer" }, "many")]).toEqual(["", undefined, "many"]);
});

test("a command that is a list is shown as one line, which the daemon splits again", () => {
  expect(toText({ kind: "text" }, ["sh", "-c", "echo it's"])).toBe("sh -c 'echo it'\\''s'");
});

test("names are quoted where TOML wants it", () => {
  expect([dotted("server", "port"), dotted("presets", "two words", "prompt")]).toEqual(["server.port", 'presets."two words".prompt']);
});

test("a change sets what is filled, unsets what was emptied, and drops edits of what goes", () => {
  const fields = new Map([
    ["server.port", { key: { kind: "integer" as const }, text: "8000" }],
    ["spawn.cols", { key: { kind: "integer" as const }, text: "" }],
    ["presets.old.prompt", { key: { kind: "text" as const }, text: "x" }],
  ]);
  expect(toChange("e1", { fields, removed: new Set(["presets.old"]) })).toEqual({ etag: "e1", set: { "server.port": 8000 }, unset: ["presets.old", "spawn.cols"] });
});
