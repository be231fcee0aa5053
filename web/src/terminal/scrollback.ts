// History above the screen. The first keyframe brings a little; when the
// reader reaches the very top and there is more, it is fetched once, and what
// was on the screen stays where it was.
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

  constructor(
    private readonly terminal: Terminal,
    private readonly ask: (history: number) => boolean,
  ) {}

  /** Watches for the reader to reach the top. */
  watch(): () => void {
    const scrolled = this.terminal.onScroll((top) => {
      if (top === 0) this.reachedTop();
    });
    return () => scrolled.dispose();
  }

  /** A new connection brings the first lines again. */
  restart(): void {
    this.asked = FIRST_HISTORY;
    this.came = 0;
    this.waiting = false;
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
    }
    const { baseY, viewportY } = this.terminal.buffer.active;
    const line = Math.max(0, baseY - this.fromBottom);
    if (line !== viewportY) this.terminal.scrollToLine(line);
  }

  private reachedTop(): void {
    const { baseY, type } = this.terminal.buffer.active;
    // Without lines above the screen, being at the top is nothing that a person did.
    if (this.waiting || type === "alternate" || baseY === 0) return;
    if (!mayHaveMore(this.asked, this.came)) return;
    if (!this.ask(MORE_HISTORY)) return;
    this.asked = MORE_HISTORY;
    this.waiting = true;
  }
}
