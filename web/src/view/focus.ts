// Where the keyboard goes when a session is opened: into its terminal, unless one
// came by a key that is pressed again and again. The second `n` must not be
// typed into an agent that asks "y or n".
import { go } from "../route";

let outside: string | null = null;

/** Opens a session and leaves the keyboard with the page. Enter goes into the terminal. */
export function openOutside(id: string): void {
  outside = id;
  go({ view: "session", id });
  // If it is open already there is nothing that would come up and take the focus.
  document.querySelector<HTMLElement>(`.session[data-id="${CSS.escape(id)}"]`)?.focus();
}

export const isOutside = (id: string): boolean => outside === id;

/** The session was left: opened in another way, it gets the keyboard again. */
export function leaveOutside(id: string): void {
  if (outside === id) outside = null;
}

/** The keyboard goes into the terminal that is shown. */
export function focusTerminal(): void {
  document.querySelector<HTMLElement>(".pane textarea")?.focus();
}
