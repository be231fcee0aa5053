// The panel beside a terminal: which of its tabs is open. It stays open when one
// goes to another session, as one who compares them wants it.
export const TABS = ["why", "timeline", "messages", "changes", "details"] as const;

export type Tab = (typeof TABS)[number];

export const TAB_NAMES: Readonly<Record<Tab, string>> = {
  why: "Why",
  timeline: "Timeline",
  messages: "Messages",
  changes: "Changes",
  details: "Details",
};

/** The key that opens it. */
export const TAB_KEYS: Readonly<Record<Tab, string>> = { why: "w", timeline: "t", messages: "m", changes: "d", details: "e" };

export const isTab = (name: string): name is Tab => (TABS as readonly string[]).includes(name);

let open: Tab | null = null;
let last: Tab = "timeline";

/** The tab that is open, for the next session that is opened. */
export const openTab = (): Tab | null => open;

/** The tab that was open last, for one who opens the panel. */
export const lastTab = (): Tab => last;

export function keepTab(tab: Tab | null): void {
  open = tab;
  last = tab ?? last;
}
