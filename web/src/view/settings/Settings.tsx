// Settings: this browser's own, and the daemon's `config.toml` as a form with the
// same checks as at its start. The file can be edited as it is, too.
import { useState } from "react";
import { asFailure, getSettings, putSettings, type Failure } from "../../api/http";
import type { Settings as File, SettingsChange, SettingsSection, SettingsTable } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { Problem, Words } from "../Parts";
import { Browser } from "./Browser";
import { FieldOf } from "./FieldOf";
import { toChange, toText } from "./values";

export default function Settings() {
  const { value, failure, reload } = useAnswer("settings", getSettings);
  return (
    <div className="settings">
      <header className="view-head"><h1>Settings</h1></header>
      <Browser />
      <section aria-labelledby="daemon">
        <h2 id="daemon">The daemon</h2>
        {failure !== null && <Problem failure={failure} />}
        {value !== null && <Editor key={value.etag} file={value} onRead={reload} />}
      </section>
    </div>
  );
}

/** The file as it was read; saving answers with what it is then. */
function Editor({ file, onRead }: { file: File; onRead: () => void }) {
  const [now, setNow] = useState(file);
  const [asText, setAsText] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saved, setSaved] = useState(0);
  const save = async (change: SettingsChange): Promise<void> => {
    setFailure(null);
    try {
      setNow(await putSettings(change));
      setSaved((times) => times + 1);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  };
  return (
    <>
      <p className="muted file">
        <code>{now.path}</code>
        <button type="button" className="quiet" aria-pressed={asText} onClick={() => setAsText(!asText)}>{asText ? "Edit as a form" : "Edit as text"}</button>
      </p>
      {now.problem != null && <Problem failure={{ message: `Line ${now.problem.line}, column ${now.problem.column}: ${now.problem.message}`, advice: "The daemon goes on with what it started with." }} />}
      {now.restart_needed && <p className="warning" role="status">The file says something that counts from the next <code>schmux start</code>.</p>}
      {failure !== null && (
        <Problem failure={failure}>{failure.status === 409 && <button type="button" onClick={onRead}>Read the file again</button>}</Problem>
      )}
      {saved > 0 && failure === null && <p className="saved" role="status">Saved.</p>}
      {asText ? <AsText key={`${now.etag} ${saved}`} file={now} onSave={save} /> : <AsForm key={`${now.etag} ${saved}`} file={now} onSave={save} />}
    </>
  );
}

interface Saving {
  file: File;
  onSave: (change: SettingsChange) => Promise<void>;
}

function AsText({ file, onSave }: Saving) {
  const [text, setText] = useState(file.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave({ etag: file.etag, text });
      }}
    >
      <textarea className="file-text" aria-label="config.toml" rows={24} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      <Save changed={text !== file.text} onDrop={() => setText(file.text)} />
    </form>
  );
}

function AsForm({ file, onSave }: Saving) {
  const [edits, setEdits] = useState<ReadonlyMap<string, { key: SettingsSection["keys"][number]; text: string }>>(new Map());
  const edit = (name: string, key: SettingsSection["keys"][number], text: string): void => {
    const next = new Map(edits);
    if (text === toText(key, key.value)) next.delete(name);
    else next.set(name, { key, text });
    setEdits(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(toChange(file.etag, edits));
      }}
    >
      {file.sections.map((section) => (
        <fieldset key={section.name} className="section">
          <legend>{section.name}</legend>
          {section.doc !== "" && <p className="doc"><Words text={section.doc} /></p>}
          {section.keys.map((key) => {
            const name = `${section.name}.${key.name}`;
            return <FieldOf key={name} name={name} setting={key} text={edits.get(name)?.text ?? toText(key, key.value)} isChanged={edits.has(name)} onChange={(text) => edit(name, key, text)} />;
          })}
        </fieldset>
      ))}
      {file.tables.map((table) => <Entries key={table.name} table={table} />)}
      <Save changed={edits.size > 0} onDrop={() => setEdits(new Map())} />
    </form>
  );
}

/** Tables with names of the user's own: shown here, edited as text. */
function Entries({ table }: { table: SettingsTable }) {
  const names = Object.keys(table.entries);
  return (
    <fieldset className="section">
      <legend>{table.name}</legend>
      {table.doc !== "" && <p className="doc"><Words text={table.doc} /></p>}
      {names.length === 0 ? <p className="muted">None. They are written into the file.</p> : (
        <ul className="entries">{names.map((name) => <li key={name}><code>{name}</code> <bdi className="muted">{summary(table.entries[name])}</bdi></li>)}</ul>
      )}
    </fieldset>
  );
}

const summary = (entry: unknown): string =>
  typeof entry === "object" && entry !== null ? Object.entries(entry).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(", ") : JSON.stringify(entry);

function Save({ changed, onDrop }: { changed: boolean; onDrop: () => void }) {
  if (!changed) return null;
  return (
    <p className="save actions">
      <button type="submit" className="primary">Save</button>
      <button type="button" onClick={onDrop}>Discard</button>
    </p>
  );
}
