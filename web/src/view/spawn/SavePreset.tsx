// Keeps what the form says as a preset in `config.toml`, for the next time.
import { useState } from "react";
import { asFailure, getSettings, putSettings, type Failure } from "../../api/http";
import type { SettingsChange } from "../../api/wire";
import { Problem } from "../Parts";
import { dotted } from "../settings/values";
import { toPreset, type Draft } from "./draft";

export function SavePreset({ draft, taken, onSaved }: { draft: Draft; taken: readonly string[]; onSaved: () => void }) {
  const [name, setName] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const save = async (): Promise<void> => {
    const wanted = name?.trim() ?? "";
    if (wanted === "") return;
    setFailure(null);
    try {
      const { etag } = await getSettings();
      await putSettings({ etag, set: { [dotted("presets", wanted)]: toPreset(draft) } as SettingsChange["set"] & object });
      setName(null);
      setSaved(true);
      onSaved();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    }
  };
  if (name === null) {
    return (
      <span className="save-preset">
        <button type="button" className="quiet" disabled={draft.targets.length === 0} onClick={() => setName("")}>Save as preset</button>
        {saved && <span className="saved" role="status">Saved.</span>}
      </span>
    );
  }
  return (
    <span className="save-preset">
      <input
        aria-label="Name of the preset"
        placeholder="name"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setName(null);
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          // It would start the sessions.
          event.preventDefault();
          void save();
        }}
      />
      <button type="button" disabled={name.trim() === ""} onClick={() => void save()}>{taken.includes(name.trim()) ? "Replace" : "Save"}</button>
      <button type="button" className="quiet" onClick={() => setName(null)}>Cancel</button>
      {failure !== null && <Problem failure={failure} />}
    </span>
  );
}
