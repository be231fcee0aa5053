// The keys that a phone's keyboard lacks. Styles show the row on touch screens
// only. Ctrl holds for the next key, also for one of the phone's own keyboard.
import { useEffect, useState } from "react";
import type { TerminalScreen } from "../terminal/screen";

/** A label, what it sends, and what it sends when the program wants application cursor keys. */
const KEYS: readonly (readonly [label: string, name: string, keys: string, application?: string])[] = [
  ["Esc", "Esc", "\x1b"],
  ["Tab", "Tab", "\t"],
  ["⇧Tab", "Shift Tab", "\x1b[Z"],
  ["←", "Left", "\x1b[D", "\x1bOD"],
  ["↑", "Up", "\x1b[A", "\x1bOA"],
  ["↓", "Down", "\x1b[B", "\x1bOB"],
  ["→", "Right", "\x1b[C", "\x1bOC"],
  ["⏎", "Enter", "\r"],
];

export function KeyRow({ screen }: { screen: TerminalScreen }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    screen.holdControl(held, () => setHeld(false));
  }, [screen, held]);
  // The focus stays where it is, so the keyboard neither comes nor goes.
  const stay = (event: { preventDefault: () => void }): void => event.preventDefault();
  return (
    <div className="key-row" role="toolbar" aria-label="Keys">
      <button type="button" aria-label="Ctrl, for the next key" aria-pressed={held} onPointerDown={stay} onClick={() => setHeld(!held)}>Ctrl</button>
      {KEYS.map(([label, name, keys, application]) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          onPointerDown={stay}
          onClick={() => {
            const { applicationCursorKeysMode } = screen.emulator.terminal.modes;
            screen.type(applicationCursorKeysMode ? (application ?? keys) : keys);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
