// Plays a recording: which frames are drawn when. It fetches parts as they are
// needed and knows neither xterm.js nor React; `screen` draws for it.
import type { ReplayFrame, ReplayFrames } from "../../api/wire";

export interface PlayerScreen {
  /** Everything anew, at this size. */
  reset(cols: number, rows: number, data: string): void;
  write(data: string): void;
}

export type Fetch = (start: { from: number } | { after: string }) => Promise<ReplayFrames>;

export interface Playing {
  /** The moment that is shown, in ms since the epoch. */
  at: number;
  playing: boolean;
  loading: boolean;
  /** The recording was played to its end. */
  ended: boolean;
  failure: unknown;
}

// Nobody watches an agent think: a longer silence is cut to this.
const SILENCE_MS = 1_000;
// With fewer frames than this ahead, the next part is asked for.
const AHEAD = 200;

export class Player {
  private state: Playing;
  private queue: ReplayFrame[] = [];
  private next: string | null = null;
  // Counts seeks: an answer that was asked for before the last one is dropped.
  private turn = 0;
  private fetching = false;
  private speed = 1;
  private skipsSilence = true;

  constructor(
    private readonly range: { from: number; to: number },
    private readonly screen: PlayerScreen,
    private readonly fetch: Fetch,
    private readonly tell: (state: Playing) => void,
  ) {
    this.state = { at: range.from, playing: false, loading: true, ended: false, failure: null };
  }

  get now(): Playing {
    return this.state;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
  }

  /** Whether long silences are cut short. */
  setSkipsSilence(skips: boolean): void {
    this.skipsSilence = skips;
  }

  /** Shows the screen as it was at this moment. */
  async seek(moment: number): Promise<void> {
    const at = Math.min(this.range.to, Math.max(this.range.from, moment));
    const turn = ++this.turn;
    this.queue = [];
    this.next = null;
    this.fetching = false;
    this.show({ at, loading: true, ended: false, failure: null });
    let start: Parameters<Fetch>[0] = { from: at };
    try {
      for (;;) {
        const part = await this.fetch(start);
        if (turn !== this.turn) return;
        this.queue.push(...part.frames);
        this.next = part.next ?? null;
        this.drawUntil(at);
        // All that came was before the moment: it goes on in the next part.
        if (this.queue.length > 0 || this.next === null) break;
        start = { after: this.next };
      }
      this.show({ loading: false });
    } catch (failure) {
      if (turn === this.turn) this.show({ loading: false, playing: false, failure });
    }
  }

  play(playing: boolean): void {
    if (playing && this.state.at >= this.range.to) void this.seek(this.range.from);
    this.show({ playing });
  }

  /** `passed` milliseconds have passed. */
  tick(passed: number): void {
    if (!this.state.playing || this.state.loading) return;
    let at = this.state.at + passed * this.speed;
    const [following] = this.queue;
    if (following === undefined) {
      this.atQueueEnd(at);
      return;
    }
    // What one waits for comes soon, however long it really took.
    if (this.skipsSilence && following.at - at > SILENCE_MS) at = following.at - SILENCE_MS / 2;
    this.drawUntil(at);
    this.show({ at });
    if (this.queue.length < AHEAD) void this.fetchMore();
  }

  private atQueueEnd(at: number): void {
    if (this.next !== null) {
      void this.fetchMore();
      return;
    }
    const ended = at >= this.range.to || this.skipsSilence;
    this.show({ at: ended ? this.range.to : at, ended, playing: !ended });
  }

  private async fetchMore(): Promise<void> {
    if (this.next === null || this.fetching) return;
    const turn = this.turn;
    this.fetching = true;
    try {
      const part = await this.fetch({ after: this.next });
      if (turn !== this.turn) return;
      this.queue.push(...part.frames);
      this.next = part.next ?? null;
    } catch (failure) {
      if (turn === this.turn) this.show({ playing: false, failure });
    } finally {
      if (turn === this.turn) this.fetching = false;
    }
  }

  private drawUntil(at: number): void {
    const later = this.queue.findIndex((frame) => frame.at > at);
    const due = this.queue.splice(0, later < 0 ? this.queue.length : later);
    // What stands before the last keyframe would be drawn over by it.
    const keyframe = due.findLastIndex((frame) => frame.type === "keyframe");
    for (const frame of due.slice(Math.max(0, keyframe))) this.draw(frame);
  }

  private draw(frame: ReplayFrame): void {
    if (frame.type === "keyframe") this.screen.reset(frame.cols, frame.rows, frame.data);
    else if (frame.type === "output") this.screen.write(frame.data);
  }

  private show(change: Partial<Playing>): void {
    this.state = { ...this.state, ...change };
    this.tell(this.state);
  }
}
