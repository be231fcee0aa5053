// Finds sessions and commands by a few letters.
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";
import { useRoute } from "../../route";
import { findSession, useStore } from "../../store";
import { useModal } from "../modal";
import { Key, StatusShape } from "../Parts";
import { commands, type Command } from "./commands";
import { ranked } from "./rank";

// More than anyone reads; typing one more letter is faster.
const SHOWN = 60;

export function Palette({ onClose }: { onClose: () => void }) {
  const state = useStore();
  const route = useRoute();
  const modal = useModal(onClose);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const base = useId();
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  });

  const current = route.view === "session" ? findSession(state, route.id) : null;
  const found = ranked(typed, commands(state, route, current), ({ label, note }) => `${label} ${note}`).slice(0, SHOWN);
  const at = Math.min(chosen, found.length - 1);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    modal.close();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) setChosen(Math.max(0, Math.min(found.length - 1, at + step)));
    else if (event.key === "Enter") run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog {...modal.props} className="palette" aria-label="Find sessions and commands">
      <input
        type="text"
        role="combobox"
        aria-label="Find"
        aria-expanded="true"
        aria-controls={`${base}-list`}
        aria-activedescendant={found[at] === undefined ? undefined : `${base}-${at}`}
        placeholder="Find a session or a command"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <ul ref={list} id={`${base}-list`} role="listbox" aria-label="Found">
        {found.map((command, index) => (
          <li key={command.key} id={`${base}-${index}`} role="option" aria-selected={index === at} title={`${command.label}\n${command.note}`} onPointerMove={() => setChosen(index)} onClick={() => run(command)}>
            {command.session === null ? <span className="blank" /> : <StatusShape session={command.session} />}
            <bdi className="label">{command.label}</bdi>
            <bdi className="note">{command.note}</bdi>
            <span className="hint">{command.keys.split(" ").filter((key) => key !== "").map((key) => <Key key={key}>{key}</Key>)}</span>
          </li>
        ))}
        {found.length === 0 && <li className="muted" role="presentation">Nothing is called that.</li>}
      </ul>
    </dialog>
  );
}
