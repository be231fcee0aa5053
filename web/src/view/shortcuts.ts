// The page's own keys. Those that work everywhere hold Ctrl and Shift: agents use
// nearly every other combination, and a terminal has no code for these. The
// plain ones work when the keyboard is not in a terminal or a field.

export type Shortcut = "search" | "copy" | "list" | "next" | "previous" | "call";

export type PlainKey = "call" | "seen" | "timeline" | "create";

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ["n", "next session that needs you"],
  ["s", "mark as seen"],
  ["t", "what happened in it"],
  ["c", "new session"],
  ["Enter", "into the terminal"],
  ["Ctrl Shift L", "out of the terminal, to the list"],
  ["Ctrl Shift .", "next that needs you, from anywhere"],
  ["Ctrl Shift ↓", "next session"],
  ["Ctrl Shift ↑", "previous session"],
  ["Ctrl Shift F", "search in the terminal"],
  ["Ctrl Shift C", "copy the selection"],
  ["↑ ↓ Enter", "move in the list, open"],
  ["Shift + mouse", "select where the program takes the mouse"],
];

// By the key's place and not by its letter, so that a layout changes nothing.
const BY_CODE: Readonly<Record<string, Shortcut>> = {
  KeyF: "search",
  KeyC: "copy",
  KeyL: "list",
  Period: "call",
  ArrowDown: "next",
  ArrowUp: "previous",
};

const PLAIN: Readonly<Record<string, PlainKey>> = { n: "call", s: "seen", t: "timeline", c: "create" };

type Press = Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

export function shortcutOf(event: Press): Shortcut | null {
  if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return null;
  return BY_CODE[event.code] ?? null;
}

/** The plain key that was pressed, unless it was typed into something. */
export function plainKeyOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target" | "repeat">): PlainKey | null {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return null;
  return isForTyping(event.target) ? null : (PLAIN[event.key] ?? null);
}

/** Fields, the terminal's hidden one among them, and dialogs keep their keys. */
function isForTyping(target: EventTarget | null): boolean {
  return target !== null && "closest" in target && (target as Element).closest("input, textarea, select, dialog, [contenteditable]") !== null;
}
