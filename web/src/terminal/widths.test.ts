// The widths that tmux 3.3a itself reported, by asking it for the cursor.
import { Terminal } from "@xterm/headless";
import type { Terminal as BrowserTerminal } from "@xterm/xterm";
import { expect, test } from "vitest";
import { countLikeTmux } from "./widths";

const columns = async (text: string): Promise<number> => {
  const terminal = new Terminal({ allowProposedApi: true, cols: 80, rows: 5 });
  countLikeTmux(terminal as unknown as BrowserTerminal);
  await new Promise<void>((drawn) => terminal.write(text, drawn));
  return terminal.buffer.active.cursorX;
};

test.each([
  ["plain", "abc", 3],
  ["wide", "漢字", 4],
  ["a combining accent", "e\u0301x", 2],
  ["many combining accents", `e${"\u0301".repeat(20)}x`, 2],
  ["a flag", "🇩🇪", 2],
  ["a skin tone", "👍🏽", 4],
  ["an emoji variation", "❤️a", 2],
  ["a text variation", "⌚︎", 2],
  ["a keycap", "1️⃣", 1],
  ["a joined pair", "👩‍💻", 2],
  ["a joined pair and text", "👩‍💻a", 3],
  ["a joined family", "👨‍👩‍👧‍👦a", 3],
  ["joined to a narrow one", "🏳️‍🌈", 1],
  ["a heart on fire", "❤️‍🔥", 1],
  ["a joiner and narrow text", "👩\u200da", 3],
  ["a joiner between letters", "a\u200db", 2],
  ["a joined pair with a skin tone", "👩🏽‍💻", 4],
  ["an emoji of Unicode 14", "🫠", 2],
  ["a soft hyphen", "a\u00adb", 3],
  ["devanagari", "नि", 2],
])("%s", async (_name, text, expected) => {
  expect(await columns(text)).toBe(expected);
});
