// What a person has set for this browser: whether it rings, whether it notifies,
// how its terminals behave. All its tabs share it.
import { useSyncExternalStore } from "react";

export type Preference = "muted" | "quiet-notices" | "latency" | "screen-reader" | "no-copy-on-select" | "programs-may-copy";

const PREFIX = "schmux:set:";
const listeners = new Set<() => void>();
// What was set here, for browsers that keep nothing.
const own = new Map<Preference, boolean>();

export function isSet(name: Preference): boolean {
  try {
    return localStorage.getItem(PREFIX + name) === "1";
  } catch {
    return own.get(name) ?? false;
  }
}

export function set(name: Preference, value: boolean): void {
  own.set(name, value);
  try {
    if (value) localStorage.setItem(PREFIX + name, "1");
    else localStorage.removeItem(PREFIX + name);
  } catch {
    // Then it holds until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Calls `act` when a preference was set here or in another tab. */
export function onPreference(act: () => void): () => void {
  const stored = (event: StorageEvent): void => {
    if (event.key === null || event.key.startsWith(PREFIX)) act();
  };
  listeners.add(act);
  window.addEventListener("storage", stored);
  return () => {
    listeners.delete(act);
    window.removeEventListener("storage", stored);
  };
}

export function usePreference(name: Preference): boolean {
  return useSyncExternalStore(onPreference, () => isSet(name));
}
