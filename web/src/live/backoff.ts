// When to try again after a lost connection. Pure: chance comes in as a number.

// A daemon that is restarted is back within a few hundred milliseconds, so the
// first try comes soon; one that is away for the night is asked every 5 s.
const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/**
 * The wait before try number `attempt` (from 0). `chance` in [0, 1) spreads
 * the tabs of a browser over half of the interval, so that they don't all
 * knock at the same moment.
 */
export function waitBefore(attempt: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full * (0.5 + chance / 2));
}
