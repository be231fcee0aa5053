// What is drawn, as text, for tests in a real browser: they compare it with
// tmux's own screen. It only reads.
import type { Terminal } from "@xterm/xterm";

export interface Probe {
  /** The session whose terminal this is. */
  readonly session: string;
  /** The rows of the screen (not of the scrollback), without trailing blanks. */
  rows(): string[];
  /** Rows that are visible now, wherever the reader has scrolled to. */
  visible(): string[];
  cursor(): [column: number, row: number];
  size(): [cols: number, rows: number];
  /** Lines above the screen, and how far up the reader is. */
  scrollback(): [lines: number, fromBottom: number];
}

declare global {
  interface Window {
    __schmux?: Probe;
  }
}

export function installProbe(session: string, terminal: Terminal): () => void {
  const lines = (first: number): string[] =>
    Array.from({ length: terminal.rows }, (_, row) =>
      (terminal.buffer.active.getLine(first + row)?.translateToString(true) ?? "").trimEnd(),
    );
  const probe: Probe = {
    session,
    rows: () => lines(terminal.buffer.active.baseY),
    visible: () => lines(terminal.buffer.active.viewportY),
    cursor: () => [terminal.buffer.active.cursorX, terminal.buffer.active.cursorY],
    size: () => [terminal.cols, terminal.rows],
    scrollback: () => {
      const { baseY, viewportY } = terminal.buffer.active;
      return [baseY, baseY - viewportY];
    },
  };
  window.__schmux = probe;
  return () => {
    if (window.__schmux === probe) delete window.__schmux;
  };
}
