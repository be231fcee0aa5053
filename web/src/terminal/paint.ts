// Draws what a terminal holds on a canvas, without the terminal's own renderer:
// for thumbnails, and for the image of the last screen. Rows that are as they
// were are not drawn again.
import type { IBufferCell, ITheme, Terminal } from "@xterm/xterm";

/** Neighbouring cells that look alike. */
interface Run {
  at: number;
  width: number;
  text: string;
  ink: string;
  ground: string | null;
  bold: boolean;
}

const NAMES = [
  "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  "brightBlack", "brightRed", "brightGreen", "brightYellow", "brightBlue", "brightMagenta", "brightCyan", "brightWhite",
] as const; // prettier-ignore

/** Of a monospaced font a character is about this wide, in parts of the font's size. */
const ADVANCE = 0.6;

export class Painter {
  private drawn: string[] = [];
  private theme: ITheme | null = null;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly font: string,
  ) {}

  /** Draws the screen, each cell this large in pixels of the canvas. */
  paint(terminal: Terminal, theme: ITheme, cell: { width: number; height: number }): void {
    const context = this.canvas.getContext("2d", { alpha: false });
    if (context === null) return;
    const [width, height] = [Math.ceil(terminal.cols * cell.width), Math.ceil(terminal.rows * cell.height)];
    if (this.canvas.width !== width || this.canvas.height !== height || theme !== this.theme) {
      this.canvas.width = width;
      this.canvas.height = height;
      context.fillStyle = theme.background ?? "#000";
      context.fillRect(0, 0, width, height);
      this.drawn = [];
      this.theme = theme;
    }
    context.textBaseline = "middle";
    for (let row = 0; row < terminal.rows; row++) {
      const runs = runsOf(terminal, row, theme);
      const look = JSON.stringify(runs);
      if (look === this.drawn[row]) continue;
      this.drawn[row] = look;
      this.row(context, runs, row, cell, theme);
    }
  }

  private row(context: CanvasRenderingContext2D, runs: readonly Run[], row: number, cell: { width: number; height: number }, theme: ITheme): void {
    const top = row * cell.height;
    context.fillStyle = theme.background ?? "#000";
    context.fillRect(0, top, this.canvas.width, cell.height);
    const size = Math.min(cell.width / ADVANCE, cell.height);
    for (const { at, width, text, ink, ground, bold } of runs) {
      if (ground !== null) {
        context.fillStyle = ground;
        context.fillRect(at * cell.width, top, width * cell.width, cell.height);
      }
      if (text.trim() === "") continue;
      context.font = `${bold ? "bold " : ""}${size}px ${this.font}`;
      context.fillStyle = ink;
      // Stretched to its cells, whatever the font's own width is.
      context.fillText(text, at * cell.width, top + cell.height / 2, width * cell.width);
    }
  }
}

function runsOf(terminal: Terminal, row: number, theme: ITheme): Run[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  if (line === undefined) return runs;
  let cell: IBufferCell | undefined;
  for (let at = 0; at < terminal.cols; at++) {
    cell = line.getCell(at, cell);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const { ink, ground } = colours(cell, theme);
    const [text, bold] = [cell.getChars() || " ", cell.isBold() !== 0];
    const last = runs.at(-1);
    if (last?.ink === ink && last.ground === ground && last.bold === bold && cell.getWidth() === 1) {
      last.text += text;
      last.width += 1;
    } else runs.push({ at, width: cell.getWidth(), text, ink, ground, bold });
  }
  return runs;
}

function colours(cell: IBufferCell, theme: ITheme): { ink: string; ground: string | null } {
  const front = cell.isFgDefault() ? null : colour(cell.isFgRGB(), cell.getFgColor(), theme);
  const back = cell.isBgDefault() ? null : colour(cell.isBgRGB(), cell.getBgColor(), theme);
  const [ink, ground] = [front ?? theme.foreground ?? "#fff", back];
  if (cell.isInverse() !== 0) return { ink: ground ?? theme.background ?? "#000", ground: ink };
  // Dim text is told from other text, and no more.
  return { ink: cell.isDim() !== 0 && front === null ? (theme.brightBlack ?? ink) : ink, ground };
}

function colour(isRgb: boolean, value: number, theme: ITheme): string {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  const name = NAMES[value];
  if (name !== undefined) return theme[name] ?? "#888";
  if (value >= 232) return grey(8 + (value - 232) * 10);
  const step = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const cube = value - 16;
  return `rgb(${step(Math.floor(cube / 36))},${step(Math.floor(cube / 6) % 6)},${step(cube % 6)})`;
}

const grey = (level: number): string => `rgb(${level},${level},${level})`;
