// One host: how it stands with it, what is there, and what can be done. A
// question of its connect command (a passphrase, a host key) is answered here.
import { useState } from "react";
import { actOnHost, answerHost, asFailure, type Failure, type HostAct } from "../../api/http";
import type { HostPrompt, HostState, HostStatus } from "../../api/wire";
import { useNow } from "../now";
import { Problem, Shape } from "../Parts";
import { ago, count } from "../words";

const SHAPES: Readonly<Record<HostState, string>> = { idle: "idle", connecting: "starting", connected: "completed", unreachable: "unreachable" };

// Below this a clock is right for all that people do with it.
const SKEW_MS = 5_000;

export function HostRow({ host, onChange }: { host: HostStatus; onChange: () => void }) {
  const now = useNow();
  const [busy, setBusy] = useState<HostAct | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const act = async (what: HostAct): Promise<void> => {
    setBusy(what);
    setFailure(null);
    try {
      await actOnHost(host.name, what);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(null);
      onChange();
    }
  };
  const isUp = host.state === "connected" || host.state === "connecting";
  return (
    <li className="host" data-state={host.state}>
      <Shape status={SHAPES[host.state]} />
      <span><span className="name"><bdi>{host.name}</bdi></span> <span className="muted">{host.state}{host.since != null && ` for ${ago(Date.parse(host.since), now)}`}, {count(host.sessions, "session")}</span></span>
      <span className="host-actions">
        <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act("test")}>{busy === "test" ? "Testing" : "Test"}</button>
        <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act(isUp ? "disconnect" : "connect")}>{isUp ? "Disconnect" : "Connect"}</button>
        {!host.from_config && host.sessions === 0 && <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act("remove")}>Remove</button>}
      </span>
      <p className="facts-of"><code>{host.connect.join(" ")}</code></p>
      <p className="facts-of">{factsOf(host).join("; ")}</p>
      {host.reason != null && <p className="facts-of warn"><bdi>{host.reason}</bdi></p>}
      {host.prompt != null && <Prompt key={host.prompt.id} name={host.name} prompt={host.prompt} onAnswered={onChange} />}
      {failure !== null && <Problem failure={failure} />}
    </li>
  );
}

function factsOf(host: HostStatus): string[] {
  const skew = host.clock_skew_ms ?? 0;
  return [
    host.system ?? "",
    host.tmux_version == null ? "" : `tmux ${host.tmux_version}`,
    host.agents.length === 0 ? "" : `agents: ${host.agents.join(", ")}`,
    host.notified === false ? "signals are polled for" : "",
    Math.abs(skew) < SKEW_MS ? "" : `its clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead" : "behind"}`,
  ].filter((fact) => fact !== "");
}

function Prompt({ name, prompt, onAnswered }: { name: string; prompt: HostPrompt; onAnswered: () => void }) {
  const [text, setText] = useState("");
  const answer = (given: string | null): void => void answerHost(name, prompt.id, given).catch(() => undefined).finally(onAnswered);
  return (
    <form
      className="host-prompt"
      onSubmit={(event) => {
        event.preventDefault();
        answer(text);
      }}
    >
      <label className="field">
        <span className="label"><bdi>{prompt.text}</bdi></span>
        <input type={prompt.secret ? "password" : "text"} autoComplete="off" autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className="primary">Answer</button>
      <button type="button" onClick={() => answer(null)}>Refuse</button>
    </form>
  );
}
