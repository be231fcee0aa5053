// What can be run: what is there to choose from, one or several; what is missing,
// with the way to get it.
import type { Target, TargetKind } from "../../api/wire";
import { CopyButton } from "../Parts";
import { count } from "../words";

const KINDS: readonly (readonly [kind: TargetKind, heading: string])[] = [
  ["agent", "Agents"],
  ["model", "Models"],
  ["command", "Your commands"],
  ["demo", "Demo"],
];

interface Props {
  targets: readonly Target[];
  chosen: readonly string[];
  onChoose: (names: readonly string[]) => void;
}

export function TargetPicker({ targets, chosen, onChoose }: Props) {
  const missing = targets.filter((target) => !target.available);
  const toggle = (name: string): void => onChoose(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <fieldset className="targets">
      <legend>What to run <span className="field-hint">one, or several on the same prompt</span></legend>
      {KINDS.map(([kind, heading]) => {
        const group = targets.filter((target) => target.available && target.kind === kind);
        return group.length === 0 ? null : (
          <div key={kind} role="group" aria-label={heading}>
            <h3>{heading}</h3>
            <div className="choices">
              {group.map((target) => (
                <label key={target.name} className="choice" title={target.path ?? target.command.join(" ")}>
                  <input type="checkbox" name="target" value={target.name} checked={chosen.includes(target.name)} onChange={() => toggle(target.name)} />
                  <span className="name">{target.name}</span>
                  <span className="what">{target.description}</span>
                </label>
              ))}
            </div>
          </div>
        );
      })}
      {missing.length > 0 && <Missing missing={missing} />}
    </fieldset>
  );
}

/** What is not installed, with the way to get it. */
export function Missing({ missing }: { missing: readonly Target[] }) {
  return (
    <details className="missing">
      <summary>{count(missing.length, "more", "more")} not installed</summary>
      <ul>
        {missing.map((target) => (
          <li key={target.name}>
            <span className="name">{target.name}</span> <span className="what">{target.description}</span>
            {target.install != null && (
              <span className="install"><code>{target.install}</code><CopyButton text={target.install} label={`Copy how to install ${target.name}`} /></span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
