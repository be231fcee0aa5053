// What is shown first: the inbox, or the way to a first session.
import { useState } from "react";
import { asFailure, spawn, type Failure } from "../api/http";
import { go, writeRoute } from "../route";
import { allSessions, store, useStore } from "../store";
import { HostQuestions } from "./hosts/HostPrompt";
import { Inbox } from "./inbox/Inbox";
import { Problem } from "./Parts";

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

function Empty() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const startDemo = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const sessions = await spawn({ target: "demo" });
      store.arrived(sessions);
      const [first] = sessions;
      if (first !== undefined) go({ view: "session", id: first.id });
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(false);
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
        <button type="button" className="primary" disabled={busy} onClick={() => void startDemo()}>
          {busy ? "Starting" : "Start the demo agent"}
        </button>
        <a className="button" href={writeRoute({ view: "new", workspace: null })}>New session</a>
      </p>
      {failure !== null && <Problem failure={failure} />}
      <p className="muted">From a shell: <code>schmux spawn -t claude -w .</code></p>
    </div>
  );
}
