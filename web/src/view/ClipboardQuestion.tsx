// A program wants to write to the clipboard, which only a person may allow: it
// could put a command there that is pasted into a shell later.
import { set } from "../attention/preferences";
import type { TerminalScreen } from "../terminal/screen";

// Enough to see what it is.
const SHOWN = 400;

export function ClipboardQuestion({ text, screen }: { text: string; screen: TerminalScreen }) {
  const settle = (allow: boolean, always = false): void => {
    if (always) set("programs-may-copy", true);
    screen.settleClipboard(allow);
    screen.focus();
  };
  return (
    <div className="clipboard-question" role="alertdialog" aria-label="A program wants to copy">
      <p>The program wants to put this on your clipboard:</p>
      <pre><bdi>{text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}</bdi></pre>
      <p className="actions">
        <button type="button" onClick={() => settle(false)}>Don't</button>
        <button type="button" onClick={() => settle(true, true)}>Always copy</button>
        <button type="button" className="primary" onClick={() => settle(true)}>Copy</button>
      </p>
    </div>
  );
}
