// One setting: what it means, what it is, and what it would be by default.
import type { SettingsKey } from "../../api/wire";
import { Words } from "../Parts";

interface Props {
  /** Its dotted name. */
  name: string;
  setting: SettingsKey;
  text: string;
  isChanged: boolean;
  onChange: (text: string) => void;
}

export function FieldOf({ name, setting, text, isChanged, onChange }: Props) {
  const id = `set-${name}`;
  return (
    <div className="setting" data-changed={isChanged}>
      <label className="about" htmlFor={id}>
        <span className="key">{setting.name}</span>
        <span className="doc"><Words text={setting.doc} /></span>
        {setting.overridden_by != null && <span className="doc note">The variable <code>{setting.overridden_by}</code> wins over it now.</span>}
        {isChanged && setting.restart && <span className="doc note">It counts from the next start.</span>}
      </label>
      <Control id={id} setting={setting} text={text} onChange={onChange} />
    </div>
  );
}

function Control({ id, setting, text, onChange }: { id: string; setting: SettingsKey; text: string; onChange: (text: string) => void }) {
  const fallback = setting.default_words.replaceAll("`", "");
  if (setting.kind === "list" && (setting.choices ?? []).length > 0) return <Several id={id} setting={setting} text={text} onChange={onChange} />;
  if (setting.kind === "boolean" || (setting.choices ?? []).length > 0) {
    const choices = setting.kind === "boolean" ? ["true", "false"] : (setting.choices ?? []);
    return (
      <select id={id} value={text} onChange={(event) => onChange(event.target.value)}>
        <option value="">default: {fallback}</option>
        {choices.map((choice) => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    );
  }
  if (setting.kind === "list" || setting.kind === "map") {
    return <textarea id={id} rows={2} spellCheck={false} placeholder={setting.kind === "list" ? `${fallback}, one a line` : `${fallback}; name = value`} value={text} onChange={(event) => onChange(event.target.value)} />;
  }
  const isNumber = setting.kind === "integer" || setting.kind === "number";
  return <input id={id} inputMode={isNumber ? "numeric" : "text"} placeholder={fallback} autoComplete="off" spellCheck={false} value={text} onChange={(event) => onChange(event.target.value)} />;
}

/** Some of a few values. None of them chosen is the default. */
function Several({ id, setting, text, onChange }: { id: string; setting: SettingsKey; text: string; onChange: (text: string) => void }) {
  const chosen = text.split("\n").filter((line) => line !== "");
  const toggle = (choice: string): void => onChange((chosen.includes(choice) ? chosen.filter((each) => each !== choice) : [...chosen, choice]).join("\n"));
  return (
    <div id={id} className="several" role="group" aria-label={setting.name}>
      {(setting.choices ?? []).map((choice) => (
        <label key={choice}><input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} /> {choice}</label>
      ))}
      {chosen.length === 0 && <span className="muted">default: {setting.default_words.replaceAll("`", "")}</span>}
    </div>
  );
}
