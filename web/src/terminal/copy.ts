// What is selected is copied when the selection is done, as terminals do it.
import type { Terminal } from "@xterm/xterm";
import { isSet } from "../attention/preferences";
import { copyText } from "../view/clipboard";

/** Copies by the mouse button that ends a selection: browsers want a person's gesture for it. */
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
  // The button may be let go anywhere. xterm tells of a selection by its own
  // listener on the document, which comes before the window's.
  window.addEventListener("mouseup", released);
  const begun = (): void => {
    changed = false;
  };
  container.addEventListener("mousedown", begun, { capture: true });
  return () => {
    listener.dispose();
    window.removeEventListener("mouseup", released);
    container.removeEventListener("mousedown", begun, { capture: true });
  };
}
