// Settings: this browser's own, and the daemon's `config.toml` as a form with the
// same checks as at its start. The file can be edited as it is, too.
import { useState } from "react";
import { asFailure, getSettings, putSettings, type Failure } from "../../api/http";
import type { Settings as File, SettingsChange } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { Problem } from "../Parts";
import { AsForm } from "./AsForm";
import { Browser } from "./Browser";
import type { Folds } from "./Fold";
import { Save, type Outcome } from "./Save";

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
  // What is open stays open when the form is drawn anew after a save.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const folds: Folds = { open, onOpen: (name, isOpen) => setOpen((before) => new Set(isOpen ? [...before, name] : [...before].filter((each) => each !== name))) };
  const save = async (change: SettingsChange): Promise<void> => {
    setFailure(null);
    try {
      setNow(await putSettings(change));
      setSaved((times) => times + 1);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  };
  const key = `${now.etag} ${saved}`;
  const outcome: Outcome = {
    problem: failure !== null && <Problem failure={failure}>{failure.status === 409 && <button type="button" onClick={onRead}>Read the file again</button>}</Problem>,
    isSaved: saved > 0 && failure === null,
  };
  return (
    <>
      <p className="muted file">
        <code>{now.path}</code>
        <button type="button" className="quiet" aria-pressed={asText} onClick={() => setAsText(!asText)}>{asText ? "Edit as a form" : "Edit as text"}</button>
      </p>
      {now.problem != null && <Problem failure={{ message: `Line ${now.problem.line}, column ${now.problem.column}: ${now.problem.message}`, advice: "The daemon goes on with what it started with." }} />}
      {now.restart_needed && <p className="warning" role="status">The file says something that counts from the next <code>schmux start</code>.</p>}
      {asText ? <AsText key={key} file={now} outcome={outcome} onSave={save} /> : <AsForm key={key} file={now} folds={folds} outcome={outcome} onSave={save} />}
    </>
  );
}

interface TextProps {
  file: File;
  outcome: Outcome;
  onSave: (change: SettingsChange) => Promise<void>;
}

function AsText({ file, outcome, onSave }: TextProps) {
  const [text, setText] = useState(file.text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSave({ etag: file.etag, text });
      }}
    >
      <textarea className="file-text" aria-label="config.toml" rows={24} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      <Save changed={text !== file.text} outcome={outcome} onDrop={() => setText(file.text)} />
    </form>
  );
}
