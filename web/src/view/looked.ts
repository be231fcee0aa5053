// When each session was looked at last in this browser, so that a replay can
// begin where one left.

const KEY = "schmux:looked";
// The oldest are forgotten: sessions come and go.
const KEPT = 100;

export function lookedAt(id: string): number | null {
  return read().find(([session]) => session === id)?.[1] ?? null;
}

export function noteLook(id: string, at: number): void {
  const others = read().filter(([session]) => session !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify([[id, at], ...others].slice(0, KEPT)));
  } catch {
    // Then a replay begins at its beginning.
  }
}

function read(): (readonly [session: string, at: number])[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? (value as (readonly [string, number])[]) : [];
  } catch {
    return [];
  }
}
