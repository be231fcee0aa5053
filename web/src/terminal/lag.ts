// Whether what is drawn is behind what has come: a flood, or a slow device. Pure:
// time comes in as a number.

// A person takes less than this for live.
const BEHIND_MS = 300;
// Lower than the other, so that the word doesn't flicker.
const CAUGHT_UP_MS = 100;

export class Lag {
  /** Whether it is catching up. */
  behind = false;
  private waiting = 0;

  /** Something came and waits to be drawn. */
  came(): void {
    this.waiting += 1;
  }

  /** What came at `came` is drawn: whether `behind` is another one now. */
  drew(came: number, now: number): boolean {
    this.waiting -= 1;
    const before = this.behind;
    const age = now - came;
    this.behind = this.waiting > 0 && age > (before ? CAUGHT_UP_MS : BEHIND_MS);
    return before !== this.behind;
  }
}
