// The keys that a phone's keyboard lacks. Styles show the row on touch screens only.
import type { TerminalScreen } from "../terminal/screen";

/** A label, what it sends, and what it sends when the program wants application cursor keys. */
const KEYS: readonly (readonly [label: string, name: string, keys: string, application?: string])[] = [
  ["Esc", "Escape", "\x1b"],
  ["Tab", "Tab", "\t"],
  ["⇧Tab", "Shift Tab", "\x1b[Z"],
  ["^C", "Control C", "\x03"],
  ["←", "Left", "\x1b[D", "\x1bOD"],
  ["↑", "Up", "\x1b[A", "\x1bOA"],
  ["↓", "Down", "\x1b[B", "\x1bOB"],
  ["→", "Right", "\x1b[C", "\x1bOC"],
  ["⏎", "Enter", "\r"],
];

export function KeyRow({ screen }: { screen: TerminalScreen }) {
  return (
    <div className="key-row" role="toolbar" aria-label="Keys">
      {KEYS.map(([label, name, keys, application]) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          // The focus stays where it is, so the keyboard neither comes nor goes.
          onPointerDown={(event) => event.preventDefault()}
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
