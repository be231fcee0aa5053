// The one store of the page. Only `live/dashboard.ts` and the calls that a
// person starts write to it; components read it through `useStore`.
import { useSyncExternalStore } from "react";
import type { Failure } from "./api/http";
import type { Adoptable, HostStatus, Session, Workspace } from "./api/wire";
import type { Link } from "./live/socket";

export interface State {
  /** Whether the daemon lets this browser in. */
  access: "unknown" | "granted" | "denied";
  /** What it said when it did not. */
  refusal: Failure | null;
  link: Link;
  /** `null` until the daemon has told once. */
  workspaces: readonly Workspace[] | null;
  /** Sessions that a call returned and the socket has not told yet. */
  arrivals: readonly Session[];
  adoptable: readonly Adoptable[];
  /** Other machines; this one is not among them. */
  hosts: readonly HostStatus[];
  /** The daemon serves a newer page than this one. */
  outdated: boolean;
  /** An answer that came too late, in words: the card it was given on is gone. */
  tooLate: string | null;
}

export const initial: State = {
  access: "unknown",
  refusal: null,
  link: { phase: "connecting" },
  workspaces: null,
  arrivals: [],
  adoptable: [],
  hosts: [],
  outdated: false,
  tooLate: null,
};

export class Store {
  private state: State = initial;
  private readonly listeners = new Set<() => void>();
  // Calls that were seen here: the daemon hears of it later, and may tell others first.
  private readonly seen = new Map<string, number>();
  // What each session was last, as text: comparing texts is the cheapest way to see
  // that nothing of it changed, and making them is what costs.
  private texts = new Map<string, { text: string; session: Session }>();

  readonly get = (): State => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  update(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** The daemon's whole truth. Arrivals that it knows are arrivals no more. */
  told(workspaces: readonly Workspace[]): void {
    const known = new Set(workspaces.flatMap((workspace) => workspace.sessions.map((s) => s.id)));
    for (const id of this.seen.keys()) if (!known.has(id)) this.seen.delete(id);
    const arrivals = this.state.arrivals.filter((session) => !known.has(session.id));
    this.update({ workspaces: this.merged(workspaces), arrivals, access: "granted", refusal: null });
  }

  /** The human has seen a session's calls up to this one. */
  saw(id: string, seq: number): void {
    this.seen.set(id, Math.max(seq, this.seen.get(id) ?? 0));
    if (this.state.workspaces !== null) this.update({ workspaces: this.merged(this.state.workspaces) });
  }

  /**
   * A session of which nothing changed stays the object that it was, so that its
   * row isn't drawn again: the daemon tells all sessions whenever one of them changes.
   */
  private merged(workspaces: readonly Workspace[]): readonly Workspace[] {
    const texts = new Map<string, { text: string; session: Session }>();
    const merge = (told: Session): Session => {
      const now = { ...told, acked_seq: Math.max(told.acked_seq, this.seen.get(told.id) ?? 0) };
      const text = JSON.stringify(now);
      const before = this.texts.get(told.id);
      const session = before?.text === text ? before.session : now;
      texts.set(told.id, { text, session });
      return session;
    };
    const merged = workspaces.map((workspace) => ({ ...workspace, sessions: workspace.sessions.map(merge) }));
    this.texts = texts;
    return merged;
  }

  /** Sessions that were just made: they can be opened before the socket tells of them. */
  arrived(sessions: readonly Session[]): void {
    const known = new Set(allSessions(this.state).map((session) => session.id));
    const fresh = sessions.filter((session) => !known.has(session.id));
    if (fresh.length > 0) this.update({ arrivals: [...this.state.arrivals, ...fresh] });
  }

  /** A session that was just disposed of is no arrival any more. */
  left(id: string): void {
    this.update({ arrivals: this.state.arrivals.filter((session) => session.id !== id) });
  }
}

export const store = new Store();

/** The whole state: it is small, and React compares what components make of it. */
export function useStore(): State {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** All sessions, as the daemon orders them. */
export function allSessions(state: Pick<State, "workspaces" | "arrivals">): readonly Session[] {
  return [...(state.workspaces ?? []).flatMap((workspace) => workspace.sessions), ...state.arrivals];
}

export function findSession(state: State, id: string): Session | null {
  return allSessions(state).find((session) => session.id === id) ?? null;
}
