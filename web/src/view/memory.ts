// What this browser remembers between visits: conveniences only, so a browser
// that forbids storage loses nothing that matters.

type Name = "spawn" | "grid";

export function recall(name: Name): string | null {
  try {
    return localStorage.getItem(`schmux:last:${name}`);
  } catch {
    return null;
  }
}

export function remember(name: Name, value: string): void {
  try {
    localStorage.setItem(`schmux:last:${name}`, value);
  } catch {
    // A full or forbidden storage: the next form begins empty.
  }
}
