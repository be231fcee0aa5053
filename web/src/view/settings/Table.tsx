// Entries with names of the user's own: presets, notifiers, targets, hosts. Each
// has a form; a new one begins with its name.
import { useState, type KeyboardEvent } from "react";
import { asFailure, testNotifier, type Failure } from "../../api/http";
import type { SettingsTable } from "../../api/wire";
import { Problem, Words } from "../Parts";
import type { Editing } from "./AsForm";
import { FieldOf } from "./FieldOf";
import { Fold, type Folds } from "./Fold";
import { dotted, toText } from "./values";

interface Props {
  table: SettingsTable;
  title: string;
  folds: Folds;
  editing: Editing;
}

export function Table({ table, title, folds, editing }: Props) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const names = Object.keys(table.entries);
  const all = [...names, ...added.filter((name) => !names.includes(name))];
  const head = <><span className="title">{title}</span> <code>[{table.name}.NAME]</code> <bdi className="muted" title={names.join(", ")}>{names.length === 0 ? "none" : names.join(", ")}</bdi></>;
  const add = (name: string): void => {
    if (!all.includes(name)) setAdded([...added, name]);
    folds.onOpen(dotted(table.name, name), true);
  };
  return (
    <Fold name={table.name} folds={folds} className="section" head={head}>
      {table.doc !== "" && <p className="doc"><Words text={table.doc} /></p>}
      {all.map((name) => <Entry key={name} table={table} name={name} isNew={!names.includes(name)} folds={folds} editing={editing} />)}
      <AddEntry label={`A name for a new entry of ${table.name}`} onAdd={add} />
    </Fold>
  );
}

interface EntryProps {
  table: SettingsTable;
  name: string;
  isNew: boolean;
  folds: Folds;
  editing: Editing;
}

function Entry({ table, name, isNew, folds, editing }: EntryProps) {
  const entry = dotted(table.name, name);
  const said = asRecord(table.entries[name]);
  const isRemoved = editing.removed.has(entry);
  const head = <><bdi className="entry-name">{name}</bdi> <bdi className="muted" title={summary(said)}>{isRemoved ? "goes with the next save" : isNew ? "new" : summary(said)}</bdi></>;
  return (
    <Fold name={entry} folds={folds} className="entry" head={head}>
      {!isRemoved && table.keys.map((key) => {
        const field = dotted(table.name, name, key.name);
        const before = said[key.name] ?? null;
        return <FieldOf key={field} name={field} setting={key} text={editing.fields.get(field)?.text ?? toText(key, before)} isChanged={editing.fields.has(field)} onChange={(text) => editing.onField(field, key, before, text)} />;
      })}
      <div className="entry-actions">
        {table.name === "notify" && !isNew && !isRemoved && <TestNotifier name={name} />}
        {!isNew && <button type="button" className="quiet" onClick={() => editing.onRemove(entry, !isRemoved)}>{isRemoved ? "Keep it" : "Remove"}</button>}
      </div>
    </Fold>
  );
}

function AddEntry({ label, onAdd }: { label: string; onAdd: (name: string) => void }) {
  const [name, setName] = useState("");
  const add = (): void => {
    if (name.trim() !== "") onAdd(name.trim());
    setName("");
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    // It would save the whole form.
    event.preventDefault();
    add();
  };
  return (
    <p className="add-entry">
      <input aria-label={label} placeholder="name" autoComplete="off" spellCheck={false} value={name} onChange={(event) => setName(event.target.value)} onKeyDown={press} />
      <button type="button" disabled={name.trim() === ""} onClick={add}>Add</button>
    </p>
  );
}

/** Tries a notifier as it stands in the file. */
function TestNotifier({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const test = async (): Promise<void> => {
    setBusy(true);
    setSent(false);
    setFailure(null);
    try {
      await testNotifier(name);
      setSent(true);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" disabled={busy} title="Sends a test as it is saved" onClick={() => void test()}>{busy ? "Testing" : "Test"}</button>
      {sent && <span className="saved" role="status">It was told.</span>}
      {failure !== null && <Problem failure={failure} />}
    </>
  );
}

const asRecord = (entry: unknown): Readonly<Record<string, unknown>> => (typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : {});

const summary = (entry: Readonly<Record<string, unknown>>): string =>
  Object.entries(entry).map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
