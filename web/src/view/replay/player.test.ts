// Playing recordings, with time and network that the test holds.
import { expect, test } from "vitest";
import type { ReplayFrame, ReplayFrames } from "../../api/wire";
import { Player } from "./player";

const key = (at: number, data: string): ReplayFrame => ({ type: "keyframe", at, cols: 80, rows: 24, data });
const out = (at: number, data: string): ReplayFrame => ({ type: "output", at, data });

const FRAMES = [key(0, "K0"), out(100, "a"), out(200, "b"), key(10_000, "K1"), out(10_100, "c"), out(60_000, "d")];

/** A player over FRAMES, in parts of so many frames. */
function stage(part = 100) {
  const drawn: string[] = [];
  const asked: string[] = [];
  const cut = (first: number): ReplayFrames => ({ frames: FRAMES.slice(first, first + part), next: first + part < FRAMES.length ? String(first + part) : null });
  const fetch = (start: { from: number } | { after: string }): Promise<ReplayFrames> => {
    asked.push(JSON.stringify(start));
    if ("after" in start) return Promise.resolve(cut(Number(start.after)));
    return Promise.resolve(cut(FRAMES.findLastIndex((frame) => frame.type === "keyframe" && frame.at <= start.from)));
  };
  const screen = { reset: (_cols: number, _rows: number, data: string) => drawn.push(`[${data}]`), write: (data: string) => drawn.push(data) };
  const player = new Player({ from: 0, to: 61_000 }, screen, fetch, () => undefined);
  return { player, asked, text: () => drawn.splice(0).join("") };
}

test("it begins where it is told to, from the keyframe before", async () => {
  const { player, text, asked } = stage();
  await player.seek(10_050);
  expect([text(), asked]).toEqual(["[K1]", ['{"from":10050}']]);
  await player.seek(150);
  expect(text()).toBe("[K0]a");
  await player.seek(99_000);
  expect([text(), player.now.at]).toEqual(["[K1]cd", 61_000]);
});

test("it plays in its own time, and cuts long silences", async () => {
  const { player, text } = stage();
  await player.seek(0);
  player.tick(500);
  expect(text()).toBe("[K0]");
  player.play(true);
  player.tick(150);
  expect(text()).toBe("a");
  player.setSpeed(2);
  player.tick(50);
  expect(text()).toBe("b");
  player.tick(10);
  expect(player.now.at).toBe(9_500);
  player.tick(300);
  expect(text()).toBe("[K1]c");
  player.tick(1);
  player.tick(600);
  expect(text()).toBe("d");
  player.tick(10);
  expect(player.now).toMatchObject({ ended: true, playing: false, at: 61_000 });
});

test("whoever plays at the end sees it from the beginning", async () => {
  const { player, text } = stage();
  await player.seek(61_000);
  text();
  player.play(true);
  expect(player.now).toMatchObject({ at: 0, playing: true });
  await expect.poll(text).toBe("[K0]");
});

test("silences are kept if one wants them", async () => {
  const { player } = stage();
  player.setSkipsSilence(false);
  await player.seek(300);
  player.play(true);
  player.tick(1_000);
  expect(player.now.at).toBe(1_300);
});

test("parts are fetched as they are needed", async () => {
  const { player, text, asked } = stage(2);
  await player.seek(10_100);
  expect(text()).toBe("[K1]c");
  player.play(true);
  player.tick(10);
  await Promise.resolve();
  await Promise.resolve();
  player.tick(10);
  player.tick(600);
  expect(text()).toBe("d");
  expect(asked).toEqual(['{"from":10100}', '{"after":"5"}']);
});

test("a part that all lies before the moment leads to the next one", async () => {
  const { player, text } = stage(1);
  await player.seek(150);
  expect(text()).toBe("[K0]a");
});

test("a newer seek wins, and a failure is told", async () => {
  const { player, text } = stage();
  const first = player.seek(150);
  await Promise.all([first, player.seek(10_050)]);
  expect(text()).toBe("[K1]");
  const broken = new Player({ from: 0, to: 1 }, { reset: () => undefined, write: () => undefined }, () => Promise.reject(new Error("gone")), () => undefined);
  await broken.seek(0);
  expect(broken.now).toMatchObject({ loading: false, failure: new Error("gone") });
});
