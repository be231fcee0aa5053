// Everything that tells of calls without a sound: the title, the icon, the
// notifications, the words for screen readers. And who counts as looking.
import { expect, test } from "vitest";
import { exampleCall, exampleSession } from "../api/example";
import { announcement, knownCalls } from "./announce";
import { badgeIcon, badgeText, titleOf } from "./badge";
import { Notices } from "./notices";
import { looks, PRESENT_MS } from "./seen";

test("the title counts those that need the human", () => {
  expect([titleOf(0, null), titleOf(2, null), titleOf(0, "fixer"), titleOf(12, "fixer")]).toEqual([
    "schmux", "(2) schmux", "fixer · schmux", "(12) fixer · schmux",
  ]);
  expect([1, 9, 10].map(badgeText)).toEqual(["1", "9", "9+"]);
  expect(decodeURIComponent(badgeIcon(3))).toContain(">3</text>");
});

function notices() {
  const log: string[] = [];
  const it = { wanted: true, log, notices: null as unknown as Notices };
  it.notices = new Notices({
    wanted: () => Promise.resolve(it.wanted),
    show: (_session, call, tag) => {
      log.push(`show ${tag} ${call.name}`);
      return { close: () => log.push(`close ${tag}`) };
    },
  });
  return it;
}

test("a call that comes while nobody looks is shown once and withdrawn when it was answered", async () => {
  const { notices: it, log } = notices();
  await it.look([exampleCall("old", 4, "Error"), exampleSession("a")]);
  const call = exampleCall("a", 1, "Needs User Testing");
  await it.look([call]);
  await it.look([call]);
  expect(log).toEqual(["show schmux:a:1 Needs User Testing"]);
  await it.look([exampleSession("a", { status: "working", nudge_seq: 1 })]);
  expect(log.slice(1)).toEqual(["close schmux:a:1"]);
});

test("the next call replaces the last, and one that was seen elsewhere is withdrawn", async () => {
  const { notices: it, log } = notices();
  await it.look([]);
  await it.look([exampleCall("a", 1, "Error")]);
  await it.look([exampleCall("a", 2, "Error")]);
  await it.look([exampleCall("a", 2, "Error", { acked_seq: 2 })]);
  await it.look([exampleCall("b", 1, "Completed")]);
  expect(log).toEqual(["show schmux:a:1 Error", "close schmux:a:1", "show schmux:a:2 Error", "close schmux:a:2"]);
});

test("what came while someone looked is not shown later", async () => {
  const it = notices();
  it.wanted = false;
  await it.notices.look([]);
  await it.notices.look([exampleCall("a", 1, "Error")]);
  it.wanted = true;
  await it.notices.look([exampleCall("a", 1, "Error"), exampleSession("b")]);
  expect(it.log).toEqual([]);
});

test("one that was answered while we asked is not shown", async () => {
  const { notices: it, log } = notices();
  await it.look([]);
  const first = it.look([exampleCall("a", 1, "Error")]);
  await it.look([exampleSession("a", { nudge_seq: 1, status: "working" })]);
  await first;
  expect(log).toEqual([]);
});

test("screen readers hear of new calls only", () => {
  const one = [exampleCall("a", 1, "Needs Authorization", { nickname: "fixer" })];
  expect(announcement(new Map(), one)).toBe("fixer: Needs Authorization. words of a");
  expect(announcement(knownCalls(one), one)).toBeNull();
  const more = [...one, exampleCall("b", 1, "Error"), exampleCall("c", 2, "Error"), exampleCall("d", 1, "Completed"), exampleCall("e", 1, "Error", { acked_seq: 1 })];
  expect(announcement(knownCalls(one), more)).toBe("2 sessions need you: demo, demo.");
  const again = [exampleCall("a", 2, "Error", { nickname: "fixer", nudge_summary: "" })];
  expect(announcement(knownCalls(one), again)).toBe("fixer: Error.");
});

test("a tab in front proves nobody in front of it", () => {
  const now = 1_000_000;
  const gaze = { visible: true, focused: true, signAt: now - 1 };
  expect(looks(gaze, now)).toBe(true);
  expect(looks({ ...gaze, signAt: now - PRESENT_MS }, now)).toBe(false);
  expect(looks({ ...gaze, visible: false }, now)).toBe(false);
  expect(looks({ ...gaze, focused: false }, now)).toBe(false);
});
