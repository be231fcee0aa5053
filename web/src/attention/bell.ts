// Asks the daemon for the calls that should ring, and rings. What it needs of
// the world comes in, so that tests can bring two tabs and a bad line.
import { waitBefore } from "../live/backoff";
import type { Session } from "../api/wire";
import type { Marks } from "./marks";
import { toAsk, weigh, type Answer, type Ringable } from "./ring";

export interface BellWorld {
  sessions(): readonly Session[];
  /** The calls that this browser is done with. */
  marks: Pick<Marks, "get" | "set">;
  /** Whether this page may sound and is not muted. */
  audible(): boolean;
  /** Makes the audio run. `false` if it does not, and then nothing is asked. */
  ready(): Promise<boolean>;
  sound(): void;
  ask(call: Ringable): Promise<Answer>;
  /** Runs one at a time over all tabs of this browser. */
  alone(act: () => Promise<void>): Promise<void>;
  after(ms: number, act: () => void): () => void;
  chance(): number;
}

export class Bell {
  private busy = false;
  // Something changed while it was busy.
  private again = false;
  private attempt = 0;
  private cancel: (() => void) | null = null;

  constructor(private readonly world: BellWorld) {}

  /** Something that bears on the calls or on the audio may have changed. */
  look(): void {
    if (this.busy) {
      this.again = true;
      return;
    }
    // After a failure the timer looks again, however often the daemon tells of other things.
    if (this.cancel !== null || this.due().length === 0) return;
    this.busy = true;
    void this.pass().finally(() => {
      this.busy = false;
      if (!this.again) return;
      this.again = false;
      this.look();
    });
  }

  /** The line is back: no need to wait for the next try. */
  retryNow(): void {
    this.cancel?.();
    this.cancel = null;
    this.look();
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
  }

  private due(): readonly Ringable[] {
    const { world } = this;
    return toAsk(world.sessions(), (id) => world.marks.get(id), world.audible());
  }

  private async pass(): Promise<void> {
    const { world } = this;
    const act = async (): Promise<void> => {
      if (!(await world.ready())) return;
      // Looked up again: another tab may have been first, or the call answered.
      const calls = this.due();
      const answers = await Promise.all(calls.map(async (call) => ({ ...call, answer: await world.ask(call) })));
      const outcome = weigh(answers, world.sessions());
      for (const { id, seq } of outcome.mark) world.marks.set(id, seq);
      if (outcome.ring) world.sound();
      if (outcome.retry) this.retryLater();
      else this.attempt = 0;
    };
    // A page that is being left gets no lock any more, and has nothing to ring for.
    await world.alone(act).catch(() => undefined);
  }

  private retryLater(): void {
    this.cancel = this.world.after(waitBefore(this.attempt++, this.world.chance()), () => this.retryNow());
  }
}
