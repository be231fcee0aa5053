// Nothing that a program prints may make the terminal type an answer.
import { Terminal } from "@xterm/headless";
import { expect, test } from "vitest";
import { isFocusReport, swallowQueries, swallowStrange } from "./queries";

const QUERIES = [
  "\x1b[c", "\x1b[0c", "\x1b[>c", "\x1b[>0c", "\x1b[=c", "\x1bZ",
  "\x1b[5n", "\x1b[6n", "\x1b[?6n", "\x1b[?15n", "\x1b[?25n", "\x1b[?26n", "\x1b[?996n",
  "\x1b[20$p", "\x1b[?2004$p", "\x1b[?2026$p", "\x1b[>q", "\x1b[>0q", "\x1b[x", "\x1b[1*y", "\x1b[1$w",
  "\x1b[14t", "\x1b[14;2t", "\x1b[16t", "\x1b[18t", "\x1b[19t", "\x1b[20t", "\x1b[21t",
  "\x1b[?u",
  "\x1bP$q\"p\x1b\\", "\x1bP$qm\x1b\\", "\x1bP$qr\x1b\\", "\x1bP$q q\x1b\\", "\x1bP+q544e\x1b\\",
  "\x1b]4;1;?\x07", "\x1b]4;1;rgb:00/00/00;2;?\x1b\\", "\x1b]10;?\x07", "\x1b]11;?\x1b\\", "\x1b]12;?\x07",
  "\x1b]10;?;?\x07", "\x1b]17;?\x07", "\x1b]52;c;?\x07",
]; // prettier-ignore

const answers = async (swallowing: boolean, text: string): Promise<string[]> => {
  const terminal = new Terminal({ allowProposedApi: true, windowOptions: {
    getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true, getScreenSizeChars: true,
  } }); // prettier-ignore
  if (swallowing) swallowQueries(terminal);
  const said: string[] = [];
  terminal.onData((data) => said.push(data));
  await new Promise<void>((drawn) => terminal.write(text, drawn));
  return said;
};

test.each(QUERIES)("%j is not answered", async (query) => {
  expect(await answers(true, query)).toEqual([]);
});

test("without the hooks there would be answers", async () => {
  expect((await answers(false, "\x1b[c\x1b[6n\x1b[?2004$p\x1bP$qm\x1b\\")).length).toBe(4);
});

test("text around a query is drawn", async () => {
  const terminal = new Terminal({ allowProposedApi: true });
  swallowQueries(terminal);
  await new Promise<void>((drawn) => terminal.write("a\x1b[6nb\x1b]11;?\x07c\x1bP$qm\x1b\\d", drawn));
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe("abcd");
});

const STRANGE = [
  "\x1b[!p", "\x1b[2 @", "\x1b[2 A", "\x1b[2'}", "\x1b[2'~", "\x1b[?1K", "\x1b[?2J",
  "\x1b[20h", "\x1b(A", "\x1b)4\x0e", "\x1b*0\x1bn",
]; // prettier-ignore

const drawn = async (text: string): Promise<string> => {
  const terminal = new Terminal({ allowProposedApi: true, cols: 20, rows: 4 });
  swallowStrange(terminal);
  await new Promise<void>((done) => terminal.write(text, done));
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: 4 }, (_, row) => buffer.getLine(row)?.translateToString(true));
  return JSON.stringify([rows, buffer.cursorX, buffer.cursorY]);
};

test.each(STRANGE)("%j is passed over, as tmux does", async (sequence) => {
  const around = (middle: string): string => `one\r\n\x1b[4htwo#\x1b[2;3H${middle}[x]\nlqk#`;
  expect(await drawn(around(sequence))).toBe(await drawn(around("")));
});

test("the cursor is saved by a mode only together with the alternate screen", async () => {
  expect(await drawn("a\x1b[?1048h\x1b[3;3Hb\x1b[?1048lc")).toBe(await drawn("a\x1b[3;3Hbc"));
  expect(await drawn("a\x1b[?1049hb\x1b[?1049lc")).toBe(await drawn("ac"));
});

test("a focus report is told from keys", () => {
  expect(["\x1b[I", "\x1b[O", "\x1b[A", "I", "\x1b"].map(isFocusReport)).toEqual([true, true, false, false, false]);
});
