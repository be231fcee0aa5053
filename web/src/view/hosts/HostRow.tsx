// One host: how it stands with it, what is there, and what can be done. A
// question of its connect command (a passphrase, a host key) is answered here, too.
import { useState } from "react";
import { actOnHost, asFailure, type Failure, type HostAct } from "../../api/http";
import type { HostState, HostStatus } from "../../api/wire";
import { writeRoute } from "../../route";
import { useNow } from "../now";
import { Problem, Shape } from "../Parts";
import { count, moment } from "../words";
import { PromptForm } from "./HostPrompt";

const WORDS: Readonly<Record<HostState, string>> = { idle: "not connected", connecting: "connecting", connected: "connected", unreachable: "unreachable" };

const SHAPES: Readonly<Record<HostState, string>> = { idle: "idle", connecting: "starting", connected: "completed", unreachable: "unreachable" };

// Below this a clock is right for all that people do with it.
const SKEW_MS = 5_000;

export function HostRow({ host }: { host: HostStatus }) {
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
    }
  };
  const isUp = host.state === "connected" || host.state === "connecting";
  const since = host.since == null ? "" : ` since ${moment(Date.parse(host.since), now)}`;
  return (
    <li className="host" data-state={host.state}>
      <Shape status={SHAPES[host.state]} />
      <span className="head"><bdi className="name">{host.name}</bdi> <span className="muted">{WORDS[host.state]}{since}, {count(host.sessions, "session")}</span></span>
      <span className="host-actions">
        <a className="button quiet" href={writeRoute({ view: "new", workspace: null, host: host.name })} title={`New session on ${host.name}`}>New session</a>
        <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act("test")}>{busy === "test" ? "Testing" : "Test"}</button>
        <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act(isUp ? "disconnect" : "connect")}>{busy === "connect" ? "Connecting" : isUp ? (host.releases === true ? "Disconnect and release" : "Disconnect") : "Connect"}</button>
        {!host.from_config && host.sessions === 0 && <button type="button" className="quiet" disabled={busy !== null} onClick={() => void act("remove")}>Remove</button>}
      </span>
      <p className="facts-of"><code>{host.connect.join(" ")}</code></p>
      <p className="facts-of">{factsOf(host).join("; ")}</p>
      {host.reason != null && <p className="facts-of warn"><bdi>{host.reason}</bdi></p>}
      {host.state === "unreachable" && <p className="facts-of">It is tried again and again; its agents go on meanwhile.</p>}
      {host.prompt != null && <PromptForm key={host.prompt.id} name={host.name} prompt={host.prompt} focus />}
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
