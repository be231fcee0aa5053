// The form for new sessions.
import { useEffect, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { asFailure, getHosts, getPresets, getRecent, getTargets, spawn, type Failure } from "../../api/http";
import type { HostStatus, Preset, RecentWorkspace, Target } from "../../api/wire";
import { go, writeRoute } from "../../route";
import { store } from "../../store";
import { recall, remember } from "../memory";
import { Icon, Key, Problem } from "../Parts";
import { count } from "../words";
import { firstTargets, fromMemory, fromPreset, sessionsOf, toMemory, toRequest, type Draft } from "./draft";
import { Field } from "./Field";
import { TargetPicker } from "./TargetPicker";
import { WhereFields } from "./WhereFields";

interface Offer {
  targets: readonly Target[];
  presets: readonly Preset[];
  recent: readonly RecentWorkspace[];
  hosts: readonly HostStatus[];
}

export function SpawnForm({ workspace }: { workspace: string | null }) {
  const [offer, setOffer] = useState<Offer | null>(null);
  const [draft, setDraft] = useState<Draft>(() => begin(workspace));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));

  useEffect(() => {
    let ended = false;
    const load = async (): Promise<void> => {
      // The others are conveniences: the form works without them.
      const [targets, presets, recent, hosts] = await Promise.all([getTargets(), getPresets().catch(() => []), getRecent().catch(() => []), getHosts().catch(() => [])]);
      if (ended) return;
      setOffer({ targets, presets, recent, hosts });
      setDraft((before) => ({ ...before, targets: firstTargets(targets, before.targets) }));
    };
    load().catch((thrown: unknown) => ended || setFailure(asFailure(thrown)));
    return () => {
      ended = true;
    };
  }, []);

  const submit = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const sessions = await spawn(toRequest(draft));
      remember("spawn", toMemory(draft));
      store.arrived(sessions);
      const [first, second] = sessions;
      if (second !== undefined) go({ view: "grid" });
      else if (first !== undefined) go({ view: "session", id: first.id });
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
  const many = sessionsOf(draft);

  return (
    <form className="spawn" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <header>
        <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions"><Icon name="back" /></a>
        <h1>New session</h1>
      </header>
      {offer !== null && <Presets presets={offer.presets} onChoose={(preset) => setDraft((before) => fromPreset(preset, before))} />}
      {offer === null ? failure === null && <p className="muted">Looking for agents on this machine.</p> : (
        <TargetPicker targets={offer.targets} chosen={draft.targets} onChoose={(targets) => set({ targets })} />
      )}
      <WhereFields draft={draft} recent={offer?.recent ?? []} hosts={offer?.hosts ?? []} onChange={set} />
      <fieldset>
        <legend>What to do</legend>
        <Field label="Prompt" hint="The first thing it is told. Empty starts it and waits.">
          <textarea name="prompt" rows={4} value={draft.prompt} onChange={(event) => set({ prompt: event.target.value })} />
        </Field>
        <div className="row">
          <Field label="Nickname">
            <input name="nickname" value={draft.nickname} autoComplete="off" onChange={(event) => set({ nickname: event.target.value })} />
          </Field>
          <Field label={draft.targets.length > 1 ? "How many of each" : "How many"}>
            <input name="count" type="number" min={1} max={200} required value={draft.count} onChange={(event) => set({ count: event.target.value })} />
          </Field>
        </div>
      </fieldset>
      {failure !== null && <Problem failure={failure} />}
      <footer>
        <button type="submit" className="primary" disabled={busy || many === 0}>{busy ? "Starting" : many > 1 ? `Start ${count(many, "session")}` : "Start"}</button>
        <span className="muted"><Key>Ctrl</Key> <Key>Enter</Key></span>
      </footer>
    </form>
  );
}

function Presets({ presets, onChoose }: { presets: readonly Preset[]; onChoose: (preset: Preset) => void }) {
  if (presets.length === 0) return null;
  return (
    <div className="presets" role="group" aria-label="Presets">
      {presets.map((preset) => (
        <button key={preset.name} type="button" title={preset.prompt ?? undefined} onClick={() => onChoose(preset)}>
          <span className="name">{preset.name}</span>
          <span className="what">{preset.description ?? preset.targets.join(", ")}</span>
        </button>
      ))}
    </div>
  );
}

/** What was sent last, with the workspace that the address names if it names one. */
function begin(id: string | null): Draft {
  const draft = fromMemory(recall("spawn"));
  if (id === null) return draft;
  const path = store.get().workspaces?.find((workspace) => workspace.id === id)?.path ?? id;
  return { ...draft, place: "directory", workspace: path };
}
