// Where new sessions work: a directory, a worktree or a clone. The places that
// were used last are one press away.
import type { HostStatus, RecentWorkspace } from "../../api/wire";
import { useNow } from "../now";
import { Icon } from "../Parts";
import { ago, splitPath } from "../words";
import type { Draft, Place } from "./draft";
import { Field } from "./Field";

const PLACES: readonly (readonly [place: Place, label: string])[] = [
  ["directory", "A directory"],
  ["worktree", "A git worktree"],
  ["clone", "A fresh clone"],
];

/** More would be a list to read; the field completes the others. */
const SHOWN = 6;

interface Props {
  draft: Draft;
  recent: readonly RecentWorkspace[];
  hosts: readonly HostStatus[];
  onChange: (change: Partial<Draft>) => void;
}

export function WhereFields({ draft, recent, hosts, onChange }: Props) {
  return (
    <fieldset>
      <legend>Where</legend>
      {(hosts.length > 0 || draft.host !== "") && (
        <Field label="Host">
          <select name="host" value={draft.host} onChange={(event) => onChange({ host: event.target.value, workspace: "" })}>
            <option value="">this machine</option>
            {hosts.map(({ name, state }) => <option key={name} value={name}>{name}{state === "unreachable" ? " (unreachable)" : ""}</option>)}
            {draft.host !== "" && hosts.every(({ name }) => name !== draft.host) && <option value={draft.host}>{draft.host} (not known any more)</option>}
          </select>
        </Field>
      )}
      <div className="segments">
        {PLACES.map(([place, label]) => (
          <label key={place}>
            <input type="radio" name="place" value={place} checked={draft.place === place} onChange={() => onChange({ place })} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {draft.place !== "clone" && <Recent draft={draft} recent={recent} hosts={hosts} onChange={onChange} />}
      {draft.place === "clone" ? (
        <Field label="Repository" hint="Its address, as for git clone.">
          <input name="url" required value={draft.url} placeholder="git@example.org:team/project.git" spellCheck={false} onChange={(event) => onChange({ url: event.target.value })} />
        </Field>
      ) : (
        <Field label={draft.place === "worktree" ? "Repository" : "Directory"} hint={draft.place === "worktree" ? "A directory inside it." : draft.host === "" ? "Empty means your home directory." : "Over there. Empty means the home directory there."}>
          <input name="workspace" list="workspaces" required={draft.place === "worktree"} value={draft.workspace} placeholder="~/project" autoComplete="off" spellCheck={false} onChange={(event) => onChange({ workspace: event.target.value })} />
        </Field>
      )}
      {draft.place === "worktree" && (
        <Field label="Branch" hint="Made if it is not there.">
          <input name="branch" required value={draft.branch} placeholder="feature/login" autoComplete="off" spellCheck={false} onChange={(event) => onChange({ branch: event.target.value })} />
        </Field>
      )}
      <datalist id="workspaces">{recent.map(({ path }) => <option key={path} value={path} />)}</datalist>
    </fieldset>
  );
}

function Recent({ draft, recent, onChange }: Props) {
  const now = useNow();
  const shown = recent.filter(({ host }) => host === (draft.host || "local")).slice(0, SHOWN);
  if (shown.length === 0) return null;
  return (
    <div className="recent" role="group" aria-label="Used last">
      {shown.map(({ path, branch, last_used_at }) => (
        <button key={path} type="button" className="quiet" aria-pressed={draft.workspace === path} title={path} onClick={() => onChange({ workspace: path })}>
          <bdi className="name">{splitPath(path).name}</bdi>
          {branch != null && <span className="branch"><Icon name="branch" /><bdi>{branch}</bdi></span>}
          <span className="ago">{ago(Date.parse(last_used_at), now)}</span>
        </button>
      ))}
    </div>
  );
}
