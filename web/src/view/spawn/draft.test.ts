// The form for new sessions.
import { expect, test } from "vitest";
import type { Target, TargetKind } from "../../api/wire";
import { EMPTY, firstTargets, fromMemory, fromPreset, fromRequest, sessionsOf, targetsOn, toMemory, toPreset, toRequest } from "./draft";

test("a request says what the form says, and nothing else", () => {
  const full = { ...EMPTY, targets: ["claude"], workspace: " /w ", branch: "b", url: "u", nickname: "n", prompt: " p\n", count: "3" };
  expect(toRequest({ ...EMPTY, targets: ["demo"] })).toEqual({ target: "demo" });
  expect(toRequest(full)).toEqual({ target: "claude", workspace: "/w", nickname: "n", prompt: " p\n", count: 3 });
  expect(toRequest({ ...full, place: "worktree" })).toMatchObject({ workspace: "/w", worktree: "b" });
  expect(toRequest({ ...full, place: "clone" })).toEqual({ target: "claude", clone: "u", nickname: "n", prompt: " p\n", count: 3 });
  expect(toRequest({ ...EMPTY, targets: ["demo"], host: "box" })).toEqual({ target: "demo", host: "box" });
  expect(toRequest({ ...EMPTY, targets: ["claude", "codex"], prompt: "p", count: "x" })).toEqual({ targets: ["claude", "codex"], prompt: "p" });
});

test("targets times count is how many it makes", () => {
  expect([sessionsOf(EMPTY), sessionsOf({ ...EMPTY, targets: ["a", "b"], count: "3" }), sessionsOf({ ...EMPTY, targets: ["a"], count: "" })]).toEqual([0, 6, 1]);
});

test("the first targets are the last used, an agent, the demo", () => {
  const target = (name: string, kind: TargetKind, available = true): Target => ({ name, kind, available, description: "", command: [] });
  const all = [target("gone", "agent", false), target("demo", "demo"), target("cat", "command"), target("claude", "agent")];
  expect([firstTargets(all, ["cat", "gone"]), firstTargets(all, ["gone"]), firstTargets(all, []), firstTargets(all.slice(0, 3), []), firstTargets([], [])]).toEqual([
    ["cat"], ["claude"], ["claude"], ["demo"], [],
  ]);
});

test("a host has its own agents, and no demo", () => {
  const target = (name: string, kind: TargetKind, base?: string): Target => ({ name, kind, available: name !== "codex", description: "", command: [], ...(base === undefined ? {} : { base }) });
  const all = [target("demo", "demo"), target("cat", "command"), target("claude", "agent"), target("opus", "model", "claude"), target("codex", "agent")];
  const there = (agents: string[] | null): string => targetsOn(all, agents === null ? null : { agents }).filter(({ available }) => available).map(({ name }) => name).join(" ");
  expect([there(null), there([]), there(["codex"]), there(["claude"])]).toEqual(["demo cat claude opus", "cat claude opus codex", "cat codex", "cat claude opus"]);
});

test("a preset fills the form and leaves the rest", () => {
  const before = { ...EMPTY, targets: ["demo"], workspace: "/before", nickname: "old", prompt: "typed", count: "4" };
  expect(fromPreset({ name: "x", targets: ["claude", "codex"], worktree: "fix" }, before)).toMatchObject({
    targets: ["claude", "codex"], place: "worktree", workspace: "/before", branch: "fix", nickname: "", prompt: "typed", count: "1",
  });
  expect([fromPreset({ name: "x", targets: [], host: "box" }, before).host, fromPreset({ name: "x", targets: [], host: "local" }, { ...before, host: "box" }).host]).toEqual(["box", ""]);
  expect(fromPreset({ name: "x", targets: [], prompt: "Review" }, before)).toMatchObject({ targets: ["demo"], place: "directory", prompt: "Review" });
});

test("a session's own request fills the form, and nothing that was there before", () => {
  const request = { target: "claude", workspace: "/w", prompt: "Review\n", args: ["--x"] };
  expect(fromRequest(request)).toEqual({ ...EMPTY, targets: ["claude"], workspace: "/w", prompt: "Review\n", args: ["--x"] });
  expect(toRequest(fromRequest({ ...request, host: "box" }))).toEqual({ ...request, host: "box" });
  expect(fromRequest({ target: "demo" })).toEqual({ ...EMPTY, targets: ["demo"] });
});

test("a form is saved as a preset that fills it the same way", () => {
  const draft = { ...EMPTY, targets: ["claude", "codex"], host: "box", place: "worktree" as const, workspace: "~/app", branch: "fix", nickname: "n", prompt: "Review", count: "2", args: ["--x"] };
  expect(toPreset(draft)).toEqual({ targets: ["claude", "codex"], host: "box", workspace: "~/app", worktree: "fix", nickname: "n", prompt: "Review", count: 2, args: ["--x"] });
  expect(fromPreset({ name: "x", ...(toPreset(draft) as { targets: string[] }) }, EMPTY)).toEqual(draft);
  expect(toPreset({ ...EMPTY, targets: ["demo"] })).toEqual({ targets: ["demo"] });
});

test("what is remembered comes back, and nonsense is an empty form", () => {
  const sent = { ...EMPTY, targets: ["claude"], place: "clone" as const, host: "box", url: "u", nickname: "n", prompt: "p" };
  expect(fromMemory(toMemory(sent))).toEqual({ ...sent, nickname: "", prompt: "" });
  for (const text of [null, "", "{", "7", '{"targets":3,"place":"moon"}']) expect(fromMemory(text)).toEqual(EMPTY);
});
