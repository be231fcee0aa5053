// Counts what has been drawn and says when to tell the daemon. Pure: time comes
// in as a number.

// The daemon sends at most 1 MB ahead of the last ack. Every 64 kB keeps it
// well fed in a flood; every 50 ms keeps the count fresh in a trickle, and costs
// at most twenty small frames a second.
const ACK_BYTES = 64 * 1024;
export const ACK_MS = 50;

export class Acks {
  private drawn = 0;
  private told = 0;
  private toldAt = -Infinity;

  /** A new connection counts from zero. */
  restart(): void {
    this.drawn = 0;
    this.told = 0;
    this.toldAt = -Infinity;
  }

  /** `bytes` more have been drawn: the count to send now, or `null` to wait. */
  drew(bytes: number, now: number): number | null {
    this.drawn += bytes;
    return this.due(now);
  }

  /** The count to send at `now`, or `null` if it is known or too early. */
  due(now: number): number | null {
    const untold = this.drawn - this.told;
    if (untold === 0) return null;
    if (untold < ACK_BYTES && now - this.toldAt < ACK_MS) return null;
    this.told = this.drawn;
    this.toldAt = now;
    return this.drawn;
  }

  /** Whether something is drawn that the daemon has not been told. */
  get pending(): boolean {
    return this.drawn !== this.told;
  }
}
