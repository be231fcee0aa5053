// The one store of the page. Only `live/dashboard.ts` and the calls that a
// person starts write to it; components read it through `useStore`.
import { useSyncExternalStore } from "react";
import type { Failure } from "./api/http";
import type { Adoptable, Session, Workspace } from "./api/wire";
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
}

export const initial: State = {
  access: "unknown",
  refusal: null,
  link: { phase: "connecting" },
  workspaces: null,
  arrivals: [],
  adoptable: [],
};

export class Store {
  private state: State = initial;
  private readonly listeners = new Set<() => void>();

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
    const arrivals = this.state.arrivals.filter((session) => !known.has(session.id));
    this.update({ workspaces, arrivals, access: "granted", refusal: null });
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

/** All sessions in the order in which the list shows them. */
export function allSessions(state: State): readonly Session[] {
  return [...(state.workspaces ?? []).flatMap((workspace) => workspace.sessions), ...state.arrivals];
}

export function findSession(state: State, id: string): Session | null {
  return allSessions(state).find((session) => session.id === id) ?? null;
}

/** The id of the session `step` places after `id` in the list, round and round. */
export function neighbour(state: State, id: string | null, step: 1 | -1): string | null {
  const sessions = allSessions(state);
  if (sessions.length === 0) return null;
  const at = sessions.findIndex((session) => session.id === id);
  const next = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  return sessions.at(next % sessions.length)?.id ?? null;
}
