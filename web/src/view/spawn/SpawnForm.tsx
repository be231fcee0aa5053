// The form for new sessions.
import { useEffect, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { asFailure, getAgain, getPresets, getRecent, getTargets, spawn, Failure } from "../../api/http";
import type { HostStatus, Preset, RecentWorkspace, Target } from "../../api/wire";
import { go, writeRoute } from "../../route";
import { store, useStore } from "../../store";
import { recall, remember } from "../memory";
import { Icon, Key, Problem } from "../Parts";
import { count } from "../words";
import { EMPTY, firstTargets, fromMemory, fromPreset, fromRequest, sessionsOf, targetsOn, toMemory, toRequest, type Draft } from "./draft";
import { Field } from "./Field";
import { SavePreset } from "./SavePreset";
import { TargetPicker } from "./TargetPicker";
import { WhereFields } from "./WhereFields";

interface Offer {
  targets: readonly Target[];
  presets: readonly Preset[];
  recent: readonly RecentWorkspace[];
}

export function SpawnForm({ workspace, host, again }: { workspace: string | null; host: string | null; again: string | null }) {
  const { hosts } = useStore();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [draft, setDraft] = useState<Draft>(() => begin(workspace, host));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Draft>): void =>
    setDraft((before) => {
      const next = { ...before, ...change };
      // Another host has other agents.
      return change.host === undefined || offer === null ? next : { ...next, targets: firstTargets(targetsOn(offer.targets, hostOf(next)), next.targets) };
    });

  useEffect(() => {
    let ended = false;
    const load = async (): Promise<void> => {
      // The others are conveniences: the form works without them.
      const [targets, presets, recent] = await Promise.all([getTargets(), getPresets().catch(() => []), getRecent().catch(() => [])]);
      const like = again === null ? null : await getAgain(again).catch((thrown: unknown) => asFailure(thrown));
      if (ended) return;
      setOffer({ targets, presets, recent });
      if (like instanceof Failure) setFailure(like);
      setDraft((before) => {
        const next = like === null || like instanceof Failure ? before : fromRequest(like);
        return { ...next, targets: firstTargets(targetsOn(targets, hostOf(next)), next.targets) };
      });
    };
    load().catch((thrown: unknown) => ended || setFailure(asFailure(thrown)));
    return () => {
      ended = true;
    };
  }, [again]);

  const start = async (what: Draft): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const sessions = await spawn(toRequest(what));
      remember("spawn", toMemory(what));
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
    void start(draft);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const many = sessionsOf(draft);
  const rereadPresets = (): void => void getPresets().then((presets) => setOffer((before) => (before === null ? null : { ...before, presets })), () => undefined);

  return (
    <form className="spawn" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <header>
        <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions"><Icon name="back" /></a>
        <h1>New session</h1>
      </header>
      {offer !== null && <Presets presets={offer.presets} busy={busy} onChoose={(preset) => setDraft((before) => fromPreset(preset, before))} onStart={(preset) => void start(fromPreset(preset, EMPTY))} />}
      {offer === null ? failure === null && <p className="muted">Looking for agents on this machine.</p> : (
        <TargetPicker targets={targetsOn(offer.targets, hostOf(draft))} chosen={draft.targets} onChoose={(targets) => set({ targets })} />
      )}
      <WhereFields draft={draft} recent={offer?.recent ?? []} hosts={hosts} onChange={set} />
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
      <footer>
        {failure !== null && <Problem failure={failure} />}
        <button type="submit" className="primary" disabled={busy || many === 0}>{busy ? "Starting" : many > 1 ? `Start ${count(many, "session")}` : "Start"}</button>
        <span className="muted"><Key>Ctrl</Key> <Key>Enter</Key></span>
        <SavePreset draft={draft} taken={offer?.presets.map(({ name }) => name) ?? []} onSaved={rereadPresets} />
      </footer>
    </form>
  );
}

interface PresetsProps {
  presets: readonly Preset[];
  busy: boolean;
  onChoose: (preset: Preset) => void;
  onStart: (preset: Preset) => void;
}

/** A press fills the form; the arrow beside it starts at once. */
function Presets({ presets, busy, onChoose, onStart }: PresetsProps) {
  if (presets.length === 0) return null;
  return (
    <div className="presets" role="group" aria-label="Presets">
      {presets.map((preset) => (
        <span key={preset.name} className="preset">
          <button type="button" title={preset.prompt ?? undefined} onClick={() => onChoose(preset)}>
            <span className="name">{preset.name}</span>
            <span className="what">{preset.description ?? preset.targets.join(", ")}</span>
          </button>
          <button type="button" className="quiet" disabled={busy} title={`Start ${preset.name} at once`} aria-label={`Start ${preset.name} at once`} onClick={() => onStart(preset)}><Icon name="play" /></button>
        </span>
      ))}
    </div>
  );
}

/** The host that is chosen, or `null` for this machine; one that was removed since is none. */
const hostOf = (draft: Draft): HostStatus | null => store.get().hosts.find(({ name }) => name === draft.host) ?? null;

/** What was sent last, with the workspace or the host that the address names if it names one. */
function begin(id: string | null, host: string | null): Draft {
  const draft = fromMemory(recall("spawn"));
  if (id === null) return host === null ? draft : { ...draft, host, place: "directory", workspace: "" };
  const workspace = store.get().workspaces?.find((each) => each.id === id);
  return { ...draft, place: "directory", workspace: workspace?.path ?? id, host: workspace === undefined || workspace.host === "local" ? "" : workspace.host };
}
