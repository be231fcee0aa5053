// The form for a new session.
import { useEffect, useState, type KeyboardEvent, type ReactNode, type SubmitEvent } from "react";
import { asFailure, getTargets, spawn, type Failure } from "../api/http";
import type { Target } from "../api/wire";
import { go, writeRoute } from "../route";
import { store, useStore } from "../store";
import { recall, remember } from "./memory";
import { Icon, Key, Problem } from "./Parts";
import { EMPTY, firstTarget, toRequest, type Draft, type Place } from "./spawnRequest";
import { TargetPicker } from "./TargetPicker";

const PLACES: readonly (readonly [place: Place, label: string])[] = [
  ["directory", "A directory"],
  ["worktree", "A git worktree"],
  ["clone", "A fresh clone"],
];

export function SpawnForm({ workspace }: { workspace: string | null }) {
  const state = useStore();
  const [targets, setTargets] = useState<readonly Target[] | null>(null);
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY, workspace: pathOf(workspace) }));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));

  useEffect(() => {
    let ended = false;
    getTargets().then(
      (found) => {
        if (ended) return;
        setTargets(found);
        setDraft((before) => ({ ...before, target: before.target || firstTarget(found, recall("target")) }));
      },
      (thrown: unknown) => ended || setFailure(asFailure(thrown)),
    );
    return () => {
      ended = true;
    };
  }, []);

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const sessions = await spawn(toRequest(draft));
      remember("target", draft.target);
      remember("workspace", draft.workspace.trim());
      store.arrived(sessions);
      const [first] = sessions;
      if (first !== undefined) go({ view: "session", id: first.id });
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setBusy(false);
    }
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };

  return (
    <form className="spawn" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <header>
        <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions"><Icon name="back" /></a>
        <h1>New session</h1>
      </header>
      {targets === null ? failure === null && <p className="muted">Looking for agents on this machine.</p> : (
        <TargetPicker targets={targets} chosen={draft.target} onChoose={(target) => set({ target })} />
      )}
      <fieldset>
        <legend>Where</legend>
        <div className="segments">
          {PLACES.map(([place, label]) => (
            <label key={place}>
              <input type="radio" name="place" value={place} checked={draft.place === place} onChange={() => set({ place })} />
              <span>{label}</span>
            </label>
          ))}
        </div>
        {draft.place === "clone" ? (
          <Field label="Repository" hint="Its address, as for git clone.">
            <input name="url" required value={draft.url} placeholder="git@example.org:team/project.git" spellCheck={false} onChange={(event) => set({ url: event.target.value })} />
          </Field>
        ) : (
          <Field label={draft.place === "worktree" ? "Repository" : "Directory"} hint={draft.place === "worktree" ? "A directory inside it." : "Empty means your home directory."}>
            <input name="workspace" list="workspaces" required={draft.place === "worktree"} value={draft.workspace} placeholder="~/project" autoComplete="off" spellCheck={false} onChange={(event) => set({ workspace: event.target.value })} />
          </Field>
        )}
        {draft.place === "worktree" && (
          <Field label="Branch" hint="Made if it is not there.">
            <input name="branch" required value={draft.branch} placeholder="feature/login" autoComplete="off" spellCheck={false} onChange={(event) => set({ branch: event.target.value })} />
          </Field>
        )}
        <datalist id="workspaces">
          {(state.workspaces ?? []).map((known) => <option key={known.id} value={known.path}>{known.id}</option>)}
        </datalist>
      </fieldset>
      <fieldset>
        <legend>What it should do</legend>
        <Field label="Prompt" hint="The first thing it is told. Empty starts it and waits.">
          <textarea name="prompt" rows={4} value={draft.prompt} onChange={(event) => set({ prompt: event.target.value })} />
        </Field>
        <div className="row">
          <Field label="Nickname">
            <input name="nickname" value={draft.nickname} autoComplete="off" onChange={(event) => set({ nickname: event.target.value })} />
          </Field>
          <Field label="How many">
            <input name="count" type="number" min={1} max={200} required value={draft.count} onChange={(event) => set({ count: event.target.value })} />
          </Field>
        </div>
      </fieldset>
      {failure !== null && <Problem failure={failure} />}
      <footer>
        <button type="submit" className="primary" disabled={busy || draft.target === ""}>{busy ? "Starting" : "Start"}</button>
        <span className="muted"><Key>Ctrl</Key> <Key>Enter</Key></span>
      </footer>
    </form>
  );
}

function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="field">
      <span className="label">{label}{hint !== undefined && <span className="field-hint">{hint}</span>}</span>
      {children}
    </label>
  );
}

/** The path of the workspace that the address names, else the one that was used last. */
function pathOf(id: string | null): string {
  if (id === null) return recall("workspace") ?? "";
  return store.get().workspaces?.find((workspace) => workspace.id === id)?.path ?? id;
}
