// What is shown first: the inbox, or the way to a first session.
import { useState } from "react";
import { asFailure, getTargets, spawn, type Failure } from "../api/http";
import { useAnswer } from "../live/answer";
import { go, writeRoute } from "../route";
import { allSessions, store, useStore } from "../store";
import { HostQuestions } from "./hosts/HostPrompt";
import { Inbox } from "./inbox/Inbox";
import { Problem } from "./Parts";
import { Missing } from "./spawn/TargetPicker";

export function Home() {
  const state = useStore();
  if (state.workspaces === null) {
    return (
      <div className="home">
        <p className="muted">{state.link.phase === "connecting" ? "Connecting to the daemon." : "Waiting for the daemon."}</p>
      </div>
    );
  }
  if (allSessions(state).length > 0) return <Inbox state={state} />;
  return (
    <>
      <div className="inbox asked"><HostQuestions hosts={state.hosts} /></div>
      <Empty />
    </>
  );
}

/** More would be a list; the form has all of them. */
const SHOWN_AGENTS = 4;

/** The way to a first agent, in one press: those that are installed, and the demo. */
function Empty() {
  const { value: targets } = useAnswer("targets", getTargets);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const agents = targets?.filter(({ kind, available }) => kind === "agent" && available) ?? [];
  const missing = targets?.filter(({ kind, available }) => kind === "agent" && !available) ?? [];
  const start = async (target: string): Promise<void> => {
    setBusy(target);
    setFailure(null);
    try {
      const sessions = await spawn({ target });
      store.arrived(sessions);
      const [first] = sessions;
      if (first !== undefined) go({ view: "session", id: first.id });
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(null);
    }
  };
  return (
    <div className="home empty">
      <h1>No agents yet</h1>
      <p>
        schmux runs agents in tmux and shows them here, live. The demo agent comes with it and needs no key, so it is a
        good first one.
      </p>
      <p className="actions">
        <button type="button" className="primary" disabled={busy !== null} onClick={() => void start("demo")}>
          {busy === "demo" ? "Starting" : "Start the demo agent"}
        </button>
        {agents.slice(0, SHOWN_AGENTS).map(({ name }) => (
          <button key={name} type="button" disabled={busy !== null} title={`Starts ${name} in your home directory`} onClick={() => void start(name)}>{busy === name ? "Starting" : `Start ${name}`}</button>
        ))}
        <a className="button" href={writeRoute({ view: "new", workspace: null })}>New session</a>
      </p>
      {failure !== null && <Problem failure={failure} />}
      {targets !== null && agents.length === 0 && <p className="muted">No other agent was found on the daemon's PATH.</p>}
      {missing.length > 0 && <Missing missing={missing} />}
      <p className="muted">From a shell: <code>schmux spawn -t {agents[0]?.name ?? "claude"} -w .</code></p>
    </div>
  );
}
