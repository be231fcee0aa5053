// What is selected is copied when the selection is done, as terminals do it.
import type { Terminal } from "@xterm/xterm";
import { isSet } from "../attention/preferences";
import { copyText } from "../view/clipboard";

/** Copies by the pointer that ends a selection: browsers want a person's gesture for it. */
export function copyOnSelect(terminal: Terminal, container: HTMLElement): () => void {
  let changed = false;
  const listener = terminal.onSelectionChange(() => {
    changed = true;
  });
  const released = (): void => {
    if (!changed) return;
    changed = false;
    const text = terminal.getSelection();
    if (text.trim() !== "" && !isSet("no-copy-on-select")) void copyText(text);
  };
  // The pointer may be let go anywhere.
  window.addEventListener("pointerup", released);
  const begun = (): void => {
    changed = false;
  };
  container.addEventListener("pointerdown", begun, { capture: true });
  return () => {
    listener.dispose();
    window.removeEventListener("pointerup", released);
    container.removeEventListener("pointerdown", begun, { capture: true });
  };
}
