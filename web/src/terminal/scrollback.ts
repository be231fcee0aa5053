// History above the screen. The first keyframe brings a little; when the
// reader reaches the very top and there is more, it is fetched once, and what
// was on the screen stays where it was. After a flood that was skipped the lines
// above have a gap, so they are fetched again as soon as someone looks at them.
// A search looks at all of them.
import type { Terminal } from "@xterm/xterm";

/** Lines that come with the first keyframe: some twenty screens, 20 ms of tmux's time. */
export const FIRST_HISTORY = 1_000;
/** Lines that come when someone scrolls all the way up. */
export const MORE_HISTORY = 10_000;

/** Whether there may be more above, given what was asked for and what came. */
export function mayHaveMore(asked: number, came: number): boolean {
  return came >= asked && asked < MORE_HISTORY;
}

export class Scrollback {
  private asked = FIRST_HISTORY;
  private came = 0;
  private waiting = false;
  private fromBottom = 0;
  private gap = false;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly terminal: Terminal,
    private readonly ask: (history: number) => boolean,
  ) {}

  /** Watches for the reader to reach the top. */
  watch(): () => void {
    const scrolled = this.terminal.onScroll((top) => this.scrolledTo(top));
    return () => scrolled.dispose();
  }

  /** Fetches what is not here and can be had. A program with the whole screen has no lines above. */
  fetchAll(): void {
    if (this.waiting || this.terminal.buffer.active.type === "alternate") return;
    this.fetch(this.gap || mayHaveMore(this.asked, this.came));
  }

  get isFetching(): boolean {
    return this.waiting;
  }

  /** How many lines are all that can be had, if there may be older ones. */
  get limit(): number | null {
    return this.came >= MORE_HISTORY ? this.came : null;
  }

  /** Calls `act` whenever lines have come, until the returned function is called. */
  onCame(act: () => void): () => void {
    this.listeners.add(act);
    return () => this.listeners.delete(act);
  }

  /** A new connection brings the first lines again. */
  restart(): void {
    this.asked = FIRST_HISTORY;
    this.came = 0;
    this.waiting = false;
    this.gap = false;
  }

  /** Bytes were skipped: what is above the screen is not all that was printed. */
  skipped(): void {
    this.gap = true;
  }

  /** Before a keyframe: remembers how far up the reader is. */
  hold(): void {
    const { baseY, viewportY } = this.terminal.buffer.active;
    this.fromBottom = baseY - viewportY;
  }

  /** After a keyframe with `history` lines, or `null` if it brought none: goes back there. */
  restore(history: number | null): void {
    if (history !== null) {
      this.came = history;
      this.waiting = false;
      this.gap = false;
    }
    const { baseY, viewportY } = this.terminal.buffer.active;
    const line = Math.max(0, baseY - this.fromBottom);
    if (line !== viewportY) this.terminal.scrollToLine(line);
    if (history !== null) for (const listener of this.listeners) listener();
  }

  private scrolledTo(top: number): void {
    const { baseY, type } = this.terminal.buffer.active;
    // Without lines above the screen, being at the top is nothing that a person did.
    if (this.waiting || type === "alternate" || top >= baseY) return;
    this.fetch(this.gap || (top === 0 && mayHaveMore(this.asked, this.came)));
  }

  private fetch(wanted: boolean): void {
    if (!wanted || !this.ask(MORE_HISTORY)) return;
    this.asked = MORE_HISTORY;
    this.waiting = true;
  }
}
