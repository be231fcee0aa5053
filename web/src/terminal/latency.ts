// How long a key takes until its echo is drawn. Pure: time comes in as a number.

// The last few presses are what a person feels.
const KEPT = 50;
// Output that comes later than this is no echo of that key.
const ECHO_MS = 2_000;

export class Latency {
  private readonly samples: number[] = [];
  private typedAt: number | null = null;

  /** A key was sent. A second one before the echo counts with the first. */
  typed(now: number): void {
    if (this.typedAt === null || now - this.typedAt > ECHO_MS) this.typedAt = now;
  }

  /** Something was drawn: whether that was an echo. */
  drew(now: number): boolean {
    const since = this.typedAt;
    this.typedAt = null;
    if (since === null || now - since > ECHO_MS) return false;
    this.samples.push(now - since);
    if (this.samples.length > KEPT) this.samples.shift();
    return true;
  }

  /** The last one and the middle one, in milliseconds. */
  get figures(): { last: number; median: number } | null {
    const last = this.samples.at(-1);
    const median = this.samples.toSorted((a, b) => a - b)[Math.floor(this.samples.length / 2)];
    return last === undefined || median === undefined ? null : { last, median };
  }
}
