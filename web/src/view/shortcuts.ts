// The page's own keys. All of them hold Ctrl and Shift: agents use nearly every
// other combination, and a terminal has no code for these.

export type Shortcut = "search" | "copy" | "list" | "next" | "previous";

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl Shift F", "search in the terminal"],
  ["Ctrl Shift C", "copy the selection"],
  ["Ctrl Shift L", "go to the list"],
  ["Ctrl Shift ↓", "next session"],
  ["Ctrl Shift ↑", "previous session"],
  ["↑ ↓ Enter", "move in the list, open"],
  ["n", "new session (in the list)"],
  ["Shift + mouse", "select where the program takes the mouse"],
];

// By the key's place and not by its letter, so that a layout changes nothing.
const BY_CODE: Readonly<Record<string, Shortcut>> = {
  KeyF: "search",
  KeyC: "copy",
  KeyL: "list",
  ArrowDown: "next",
  ArrowUp: "previous",
};

export function shortcutOf(
  event: Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">,
): Shortcut | null {
  if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return null;
  return BY_CODE[event.code] ?? null;
}
