// Which lines above the screen are asked for, and when.
import { Terminal } from "@xterm/headless";
import type { Terminal as Drawn } from "@xterm/xterm";
import { expect, test } from "vitest";
import { FIRST_HISTORY, MORE_HISTORY, Scrollback } from "./scrollback";

function scrollback() {
  const asked: number[] = [];
  const terminal = new Terminal({ allowProposedApi: true, cols: 20, rows: 5 });
  const lines = new Scrollback(terminal as unknown as Drawn, (history) => asked.push(history) > 0);
  return { asked, lines, terminal };
}

test("a search fetches what is missing, once, and hears when it has come", () => {
  const { asked, lines } = scrollback();
  let came = 0;
  lines.onCame(() => came++);
  lines.restore(FIRST_HISTORY);
  lines.fetchAll();
  lines.fetchAll();
  expect([asked, lines.isFetching, lines.limit]).toEqual([[MORE_HISTORY], true, null]);
  // A keyframe without lines is not the answer.
  lines.restore(null);
  expect([lines.isFetching, came]).toEqual([true, 1]);
  lines.restore(3_000);
  lines.fetchAll();
  expect([asked, lines.isFetching, lines.limit, came]).toEqual([[MORE_HISTORY], false, null, 2]);
});

test("where tmux may have more than can be had, it is known how many were searched", () => {
  const { lines } = scrollback();
  lines.restore(FIRST_HISTORY);
  lines.fetchAll();
  lines.restore(MORE_HISTORY);
  expect(lines.limit).toBe(MORE_HISTORY);
  lines.restart();
  expect(lines.limit).toBe(null);
});

test("nothing is fetched where all is here, nor above a program that has the whole screen", async () => {
  const { asked, lines, terminal } = scrollback();
  lines.restore(FIRST_HISTORY - 1);
  lines.fetchAll();
  lines.restore(FIRST_HISTORY);
  await new Promise<void>((done) => terminal.write("\x1b[?1049h", done));
  lines.fetchAll();
  expect([asked, lines.isFetching]).toEqual([[], false]);
});
