// `config.toml` as a form: a part for each section and each table, what people
// change most first. Which keys there are and what they mean, the daemon says.
import { useState } from "react";
import type { Settings as File, SettingsChange, SettingsKey, SettingsSection } from "../../api/wire";
import { Words } from "../Parts";
import { count } from "../words";
import { FieldOf } from "./FieldOf";
import { Fold, type Folds } from "./Fold";
import { Save, type Outcome } from "./Save";
import { Table } from "./Table";
import { dotted, toChange, toText, type Edits } from "./values";

/** What the parts are called for people, in this order; others come after them, by their own names. */
const TITLES: Readonly<Record<string, string>> = {
  presets: "Quick launch",
  notify: "Notifiers",
  nudgenik: "Agents that say nothing",
  messages: "Messages between agents",
  targets: "Targets of your own",
  hosts: "Hosts",
  spawn: "New sessions",
  provision: "Hooks and instructions",
  replay: "Recordings",
};

const ORDER = Object.keys(TITLES);

/** What the parts of the form do to what is not saved yet. */
export interface Editing extends Edits {
  onField: (name: string, key: SettingsKey, before: unknown, text: string) => void;
  onRemove: (entry: string, removed: boolean) => void;
}

const NONE: Edits = { fields: new Map(), removed: new Set() };

interface Props {
  file: File;
  folds: Folds;
  outcome: Outcome;
  onSave: (change: SettingsChange) => Promise<void>;
}

export function AsForm({ file, folds, outcome, onSave }: Props) {
  const [edits, setEdits] = useState(NONE);
  const editing: Editing = {
    ...edits,
    onField: (name, key, before, text) => {
      const fields = new Map(edits.fields);
      if (text === toText(key, before)) fields.delete(name);
      else fields.set(name, { key, text });
      setEdits({ ...edits, fields });
    },
    onRemove: (entry, isRemoved) => setEdits({ ...edits, removed: new Set(isRemoved ? [...edits.removed, entry] : [...edits.removed].filter((each) => each !== entry)) }),
  };
  const parts = [
    ...file.sections.map((section) => ({ name: section.name, part: <Section key={section.name} section={section} folds={folds} editing={editing} /> })),
    ...file.tables.map((table) => ({ name: table.name, part: <Table key={table.name} table={table} title={titleOf(table.name)} folds={folds} editing={editing} /> })),
  ].sort((a, b) => placeOf(a.name) - placeOf(b.name));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(toChange(file.etag, edits));
      }}
    >
      {parts.map(({ part }) => part)}
      <Save changed={edits.fields.size + edits.removed.size > 0} outcome={outcome} onDrop={() => setEdits(NONE)} />
    </form>
  );
}

const placeOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

const titleOf = (name: string): string => TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

function Section({ section, folds, editing }: { section: SettingsSection; folds: Folds; editing: Editing }) {
  const own = section.keys.filter(({ value }) => value !== null).length;
  const head = <><span className="title">{titleOf(section.name)}</span> <code>[{section.name}]</code> <span className="muted">{own === 0 ? "defaults" : `${count(own, "value")} set`}</span></>;
  return (
    <Fold name={section.name} folds={folds} className="section" head={head}>
      {section.doc !== "" && <p className="doc"><Words text={section.doc} /></p>}
      {section.keys.map((key) => {
        const name = dotted(section.name, key.name);
        return <FieldOf key={name} name={name} setting={key} text={editing.fields.get(name)?.text ?? toText(key, key.value)} isChanged={editing.fields.has(name)} onChange={(text) => editing.onField(name, key, key.value, text)} />;
      })}
    </Fold>
  );
}
