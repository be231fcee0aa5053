// The page's own keys. Those that work everywhere hold Ctrl and Shift: agents use
// nearly every other combination, and a terminal has no code for these. The
// plain ones work when the keyboard is not in a terminal or a field.
import { TAB_KEYS, TABS, type Tab } from "./panel/tabs";

export type Shortcut = "search" | "copy" | "list" | "next" | "previous" | "call" | "palette";

export type PlainKey = "call" | "answer" | "seen" | "create" | "inbox" | "grid" | "hosts" | "settings" | "help" | "palette" | "replay" | Tab;

export interface KeyGroup {
  name: string;
  keys: readonly (readonly [keys: string, what: string])[];
}

export const SHORTCUTS: readonly KeyGroup[] = [
  {
    name: "Everywhere, in a terminal too",
    keys: [
      ["Ctrl Shift L", "out of the terminal, to the list"],
      ["Ctrl Shift .", "next session that needs you"],
      ["Ctrl Shift ↓", "next session"],
      ["Ctrl Shift ↑", "previous session"],
      ["Ctrl Shift K", "find sessions and commands"],
      ["Ctrl Shift F", "search in the terminal"],
      ["Ctrl Shift C", "copy the selection"],
    ],
  },
  {
    name: "Outside of a terminal",
    keys: [
      ["n", "next session that needs you"],
      ["a", "answer: to the choices of a dialog"],
      ["s", "mark as seen"],
      ["1 … 9", "the first nine sessions of the list"],
      ["↑ ↓ Enter", "move in the list, open"],
      ["Ctrl K", "find sessions and commands"],
      ["c", "new session"],
      ["i", "inbox"],
      ["g", "grid"],
      ["h", "hosts"],
      [",", "settings"],
      ["?", "these keys"],
    ],
  },
  {
    name: "In a session",
    keys: [
      ["Enter", "into the terminal"],
      ["w", "why it is in this state"],
      ["t", "what happened in it"],
      ["m", "messages, write one"],
      ["d", "what it changed"],
      ["e", "its command and environment"],
      ["r", "replay"],
      ["Shift + mouse", "select where the program takes the mouse"],
    ],
  },
];

// By the key's place and not by its letter, so that a layout changes nothing.
const BY_CODE: Readonly<Record<string, Shortcut>> = {
  KeyF: "search",
  KeyC: "copy",
  KeyL: "list",
  KeyK: "palette",
  Period: "call",
  ArrowDown: "next",
  ArrowUp: "previous",
};

const PLAIN: Readonly<Record<string, PlainKey>> = {
  n: "call",
  a: "answer",
  s: "seen",
  c: "create",
  i: "inbox",
  g: "grid",
  h: "hosts",
  ",": "settings",
  "?": "help",
  "/": "palette",
  r: "replay",
  ...Object.fromEntries(TABS.map((tab) => [TAB_KEYS[tab], tab])),
};

type Press = Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey" | "target">;

export function shortcutOf(event: Press): Shortcut | null {
  if (isPalette(event)) return "palette";
  if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return null;
  return BY_CODE[event.code] ?? null;
}

/** Ctrl K is a key of shells and editors, so a terminal keeps it; it has no use for Command K. */
function isPalette(event: Press): boolean {
  if (event.code !== "KeyK" || event.altKey || event.shiftKey) return false;
  return event.metaKey ? !event.ctrlKey : event.ctrlKey && !isIn(event.target, ".pane");
}

type PlainPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target" | "repeat">;

/** The plain key that was pressed, unless it was typed into something. */
export function plainKeyOf(event: PlainPress): PlainKey | null {
  return isPlain(event) ? (PLAIN[event.key] ?? null) : null;
}

/** The digit from 1 to 9 that was pressed, unless it was typed into something. */
export function digitOf(event: PlainPress): number | null {
  return isPlain(event) && /^[1-9]$/.test(event.key) ? Number(event.key) : null;
}

/** Fields, the terminal's hidden one among them, and dialogs keep their keys; switches have no use for letters. */
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]';

function isPlain(event: PlainPress): boolean {
  return !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat && !isIn(event.target, TYPED_INTO);
}

function isIn(target: EventTarget | null, selector: string): boolean {
  return target !== null && "closest" in target && (target as Element).closest(selector) !== null;
}
