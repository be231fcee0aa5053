// A paste that was not sent, and why. It stays until it was read: what was to be
// pasted is still on the clipboard only.
import type { TerminalScreen } from "../terminal/screen";

export function NotPasted({ why, screen }: { why: string; screen: TerminalScreen }) {
  const close = (): void => {
    screen.settlePaste();
    screen.focus();
  };
  return (
    <div className="clipboard-question" role="alert">
      <p>{why}</p>
      <p className="actions"><button type="button" onClick={close}>Close</button></p>
    </div>
  );
}
