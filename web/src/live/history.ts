// A session's history, kept up to date: the newest lines first asked for, then
// those after them, for which the daemon is asked to wait. It asks only while
// the page is visible: a browser has few connections to one daemon, and a
// question that waits takes one of them.
import { asFailure, getHistory, type Failure } from "../api/http";
import type { HistoryEntry } from "../api/wire";
import { waitBefore } from "./backoff";

export interface History {
  /** Oldest first; `null` until the daemon has told. */
  entries: readonly HistoryEntry[] | null;
  failure: Failure | null;
}

/** Tells the history and its changes until the returned function is called. */
export function followHistory(session: string, tell: (history: History) => void): () => void {
  const end = new AbortController();
  void follow(session, tell, end.signal);
  return () => end.abort();
}

async function follow(session: string, tell: (history: History) => void, signal: AbortSignal): Promise<void> {
  let entries: readonly HistoryEntry[] | null = null;
  // Read through a function: the signal changes while we wait.
  const ended = (): boolean => signal.aborted;
  for (let attempt = 0; !ended(); ) {
    await untilVisible(signal);
    try {
      const fresh = await getHistory(session, entries === null ? null : (entries.at(-1)?.number ?? 0), signal);
      attempt = 0;
      if (fresh.length === 0 && entries !== null) continue;
      entries = [...(entries ?? []), ...fresh];
      if (!ended()) tell({ entries, failure: null });
    } catch (thrown) {
      if (ended()) return;
      tell({ entries, failure: asFailure(thrown) });
      await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt++, Math.random())));
    }
  }
}

/** Resolves when the page is visible, or there is no need to wait any more. */
function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible" || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.visibilityState !== "visible" && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look, { once: true });
  });
}
