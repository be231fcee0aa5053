// What is typed while a terminal connects for the first time: a person types right
// after opening a session, and on a slow line its connection comes later. It is
// kept in order for a moment, and all of it or nothing arrives: half a line is
// another command. Pure: time comes in as a number.
//
// What is typed into a line that was lost is none of this; it would arrive unexpected.

// Two round trips of a bad line and the daemon's answer. After more than this nobody
// remembers what was typed, and what is there by then may be another screen.
export const KEPT_MS = 2_000;

export class Early<Frame> {
  private kept: Frame[] = [];
  private since: number | null = null;

  keep(frame: Frame, now: number): void {
    this.since ??= now;
    // Once it is too late the rest of it is, too.
    this.kept = now - this.since > KEPT_MS ? [] : [...this.kept, frame];
  }

  /** What is to be sent now that there is a connection. */
  take(now: number): Frame[] {
    const { kept, since } = this;
    this.kept = [];
    this.since = null;
    return since === null || now - since > KEPT_MS ? [] : kept;
  }
}
