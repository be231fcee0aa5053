// What is in sight of a pane that is larger than its window, because another
// window sets its size. It is drawn smaller as far as that can be read; the rest
// is scrolled: by itself to where the cursor is, until a person looks elsewhere.
// Towards the top come first the rows above, then the lines above the screen.
import type { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";

/** Smaller letters than these are guessed rather than read; a phone is held nearer to the eye, and is drawn finer. */
const SMALLEST = { desk: 10, phone: 8 };
// A page up leaves two rows of what was read, to go on from there.
const KEPT_ROWS = 2;

interface Span {
  from: number;
  to: number;
}

/**
 * Where a window of `length` that begins at `now` must begin to have a span in
 * sight: no further away than needed. Of one that is longer it has the beginning.
 */
export function reach(now: number, length: number, span: Span): number {
  if (span.from < now || span.to - span.from > length) return span.from;
  return Math.max(now, span.to - length);
}

/** The rows to have in sight: from the cursor down to the last one with words, if `most` rows hold them, else the cursor's. */
export function wantedRows(cursor: number, last: number, most: number): Span {
  return { from: cursor, to: last >= cursor && last - cursor < most ? last + 1 : cursor + 1 };
}

export class Sight {
  private isLoose = false;
  private follows = true;
  // Where this class scrolled to: what is elsewhere was scrolled by a person.
  private left = 0;
  private top = 0;
  private readonly normal: number;
  private readonly smallest = matchMedia("(max-width: 700px)").matches ? SMALLEST.phone : SMALLEST.desk;

  constructor(
    private readonly terminal: Terminal,
    private readonly container: HTMLElement,
  ) {
    this.normal = terminal.options.fontSize ?? 13;
  }

  listen(search: SearchAddon): () => void {
    const { terminal, container } = this;
    const stops = [
      terminal.onRender(() => this.follow()),
      terminal.onResize(() => this.fit()),
      search.onDidChangeResults(() => this.showSelection()),
    ];
    const scrolled = (): void => this.scrolled();
    const wheel = (event: WheelEvent): void => this.wheel(event);
    const press = (event: KeyboardEvent): void => this.press(event);
    container.addEventListener("scroll", scrolled, { passive: true });
    container.addEventListener("wheel", wheel, { capture: true, passive: false });
    container.addEventListener("keydown", press, { capture: true });
    return () => {
      for (const stop of stops) stop.dispose();
      container.removeEventListener("scroll", scrolled);
      container.removeEventListener("wheel", wheel, { capture: true });
      container.removeEventListener("keydown", press, { capture: true });
    };
  }

  /** Another window sets the size, or this one does again. */
  loosen(isLoose: boolean): void {
    if (this.isLoose === isLoose) return;
    this.isLoose = isLoose;
    this.follows = true;
    if (!isLoose) this.scrollTo(0, 0);
    this.fit();
  }

  /** Draws the pane as large as it fits, within what can be read. The window's own size has the normal letters. */
  fit(): void {
    const { terminal, container, normal, smallest } = this;
    const before = terminal.options.fontSize;
    let font = normal;
    this.setFont(font);
    while (this.isLoose && font > smallest && this.isCut()) this.setFont((font -= 1));
    if (font !== before) this.restate();
    // A width that fits may need no less height for it.
    if (this.isLoose && terminal.element != null && container.clientHeight > 0) this.follow();
  }

  /** What fits here in normal letters, by `measure`. */
  atNormal<T>(measure: () => T): T {
    this.setFont(this.normal);
    const measured = measure();
    this.fit();
    return measured;
  }

  /** A person types: the cursor is what counts again. */
  return(): void {
    if (!this.isLoose) return;
    this.follows = true;
    this.follow();
  }

  /** Scrolls by pixels, down if they are more than none, and tells how many are left for the lines above the screen or for the program. */
  pan(pixels: number): number {
    if (!this.isLoose || pixels === 0) return pixels;
    const { baseY, viewportY } = this.terminal.buffer.active;
    // On the way down the screen comes before what is below in it.
    if (pixels > 0 && viewportY < baseY) return pixels;
    const before = this.container.scrollTop;
    this.container.scrollTop = before + pixels;
    const rest = pixels - (this.container.scrollTop - before);
    return Math.abs(rest) < 1 ? 0 : rest;
  }

  private setFont(size: number): void {
    if (this.terminal.options.fontSize !== size) this.terminal.options.fontSize = size;
  }

  /**
   * xterm.js 6.0 knows how far up the reader is in pixels, too, and goes on from those
   * of the old letters until something is printed. From the first line it counts anew.
   */
  private restate(): void {
    const { baseY, viewportY } = this.terminal.buffer.active;
    // None of the letters is twice as large as another.
    this.terminal.scrollLines(-2 * baseY);
    this.terminal.scrollToLine(viewportY);
  }

  private get screen(): HTMLElement | null {
    return this.container.querySelector(".xterm-screen");
  }

  private isCut(): boolean {
    const { screen, container } = this;
    return screen !== null && (screen.offsetWidth > container.clientWidth || screen.offsetHeight > container.clientHeight);
  }

  private follow(): void {
    if (!this.isLoose || !this.follows) return;
    const wanted = this.wanted();
    if (wanted !== null) this.scrollTo(wanted.left, wanted.top);
  }

  /** Where the cursor is in sight, as near to here as can be; nowhere while a person reads the lines above. */
  private wanted(): { left: number; top: number } | null {
    const { terminal, container, screen } = this;
    const { baseY, viewportY, cursorX, cursorY } = terminal.buffer.active;
    if (screen === null || viewportY < baseY) return null;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = container;
    const { offsetWidth, offsetHeight } = screen;
    const [width, height] = [offsetWidth / terminal.cols, offsetHeight / terminal.rows];
    const rows = wantedRows(cursorY, this.lastRow(), Math.floor(clientHeight / height));
    const top = offsetHeight <= clientHeight ? 0 : reach(scrollTop, clientHeight, { from: rows.from * height, to: rows.to * height });
    // Lines begin at the left, which is where one reads, unless the cursor is far from it.
    const column = Math.min(cursorX, terminal.cols - 1) * width;
    const left = column + width <= clientWidth ? 0 : reach(scrollLeft, clientWidth, { from: column - clientWidth / 4, to: column + width });
    return { left, top };
  }

  /** The last row of the screen with words in it. */
  private lastRow(): number {
    const { baseY } = this.terminal.buffer.active;
    for (let row = this.terminal.rows - 1; row >= 0; row--) {
      if (this.terminal.buffer.active.getLine(baseY + row)?.translateToString(true).trim() !== "") return row;
    }
    return -1;
  }

  private scrollTo(left: number, top: number): void {
    const { container } = this;
    if (Math.abs(container.scrollLeft - left) >= 1) container.scrollLeft = left;
    if (Math.abs(container.scrollTop - top) >= 1) container.scrollTop = top;
    [this.left, this.top] = [container.scrollLeft, container.scrollTop];
  }

  /** A person scrolls away, and comes back when the cursor is in sight again. */
  private scrolled(): void {
    const { scrollLeft, scrollTop } = this.container;
    if (!this.isLoose || (Math.abs(scrollLeft - this.left) < 1 && Math.abs(scrollTop - this.top) < 1)) return;
    [this.left, this.top] = [scrollLeft, scrollTop];
    const wanted = this.wanted();
    this.follows = wanted !== null && Math.abs(wanted.left - scrollLeft) < 1 && Math.abs(wanted.top - scrollTop) < 1;
  }

  private wheel(event: WheelEvent): void {
    if (!this.isLoose || event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? this.rowHeight() : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? this.container.clientHeight : 1;
    if (this.pan(event.deltaY * unit) === event.deltaY * unit) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** xterm.js turns pages of all the pane's rows, of which some are out of sight. */
  private press(event: KeyboardEvent): void {
    const turn = event.key === "PageUp" ? -1 : event.key === "PageDown" ? 1 : 0;
    if (turn === 0 || !event.shiftKey || event.ctrlKey || event.altKey || !this.isLoose || !this.isCut()) return;
    event.preventDefault();
    event.stopPropagation();
    const height = this.rowHeight();
    const page = Math.max(1, Math.floor(this.container.clientHeight / height) - KEPT_ROWS);
    const rest = this.pan(turn * page * height);
    const { baseY, viewportY } = this.terminal.buffer.active;
    const lines = Math.round(rest / height);
    this.terminal.scrollLines(lines);
    // The lines below ended before the page did.
    if (lines > baseY - viewportY) this.pan((lines - (baseY - viewportY)) * height);
  }

  private rowHeight(): number {
    return Math.max(1, (this.screen?.offsetHeight ?? 0) / this.terminal.rows);
  }

  /** What was found may be out of sight. */
  private showSelection(): void {
    const { terminal, container } = this;
    const found = terminal.getSelectionPosition();
    if (!this.isLoose || found === undefined) return;
    const [width, height] = [(this.screen?.offsetWidth ?? 0) / terminal.cols, this.rowHeight()];
    const row = found.start.y - terminal.buffer.active.viewportY;
    container.scrollTop = reach(container.scrollTop, container.clientHeight, { from: row * height, to: (row + 1) * height });
    container.scrollLeft = reach(container.scrollLeft, container.clientWidth, { from: found.start.x * width, to: (found.start.x + 1) * width });
  }
}
