// Which call this browser rang (or was refused) last, per session, in
// `localStorage["schmux:ack:<id>"]`. All tabs read and write the same marks. A
// browser without storage keeps them for the life of the page; the daemon's
// ledger is what makes a ring the only one.

const PREFIX = "schmux:ack:";

type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export class Marks {
  private readonly own = new Map<string, number>();

  constructor(private readonly shelf: () => Shelf = () => localStorage) {}

  /** 0 if there is none: calls are counted from 1. */
  get(id: string): number {
    const kept = attempt(() => Number(this.shelf().getItem(PREFIX + id) ?? 0)) ?? 0;
    return Math.max(Number.isSafeInteger(kept) ? kept : 0, this.own.get(id) ?? 0);
  }

  /** A mark only grows. */
  set(id: string, seq: number): void {
    if (seq <= this.get(id)) return;
    this.own.set(id, seq);
    attempt(() => this.shelf().setItem(PREFIX + id, String(seq)));
  }

  /** Forgets the sessions that are gone. */
  prune(ids: ReadonlySet<string>): void {
    for (const id of this.own.keys()) if (!ids.has(id)) this.own.delete(id);
    attempt(() => {
      const shelf = this.shelf();
      const keys = Array.from({ length: shelf.length }, (_, at) => shelf.key(at));
      for (const key of keys) {
        if (key?.startsWith(PREFIX) === true && !ids.has(key.slice(PREFIX.length))) shelf.removeItem(key);
      }
    });
  }
}

/** Storage may be forbidden or full, and then throws. */
function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}
