// What is shown when no session is open: the way to the first one, or a hint.
import { useState } from "react";
import { asFailure, spawn, type Failure } from "../api/http";
import { groups, inbox, nextCall } from "../attention/order";
import { go, writeRoute } from "../route";
import { allSessions, store, useStore, type State } from "../store";
import { openOutside } from "./focus";
import { Key, Problem } from "./Parts";
import { count } from "./words";

export function Home() {
  const state = useStore();
  if (state.workspaces === null) {
    return (
      <div className="home">
        <p className="muted">{state.link.phase === "connecting" ? "Connecting to the daemon." : "Waiting for the daemon."}</p>
      </div>
    );
  }
  return allSessions(state).length === 0 ? <Empty /> : <Overview state={state} />;
}

/** How many need the human, and how to get to them. */
function Overview({ state }: { state: State }) {
  const waiting = inbox(state);
  const [first] = waiting;
  return (
    <div className="home hint">
      <h1>{waiting.length === 0 ? "Nobody needs you" : `${count(waiting.length, "session")} ${waiting.length === 1 ? "needs" : "need"} you`}</h1>
      <p className="muted tally">
        {groups(state).filter(({ name }) => name !== "needs").map(({ name, members }) => <span key={name}>{members.length} {name}</span>)}
      </p>
      {first !== undefined && (
        <p className="actions">
          <button type="button" className="primary" onClick={() => openOutside(nextCall(state, null) ?? first.id)}>Go to the newest</button>
        </p>
      )}
      <p className="muted"><Key>n</Key> goes to the next one that needs you, <Key>Enter</Key> into its terminal, <Key>Ctrl</Key> <Key>Shift</Key> <Key>L</Key> out of it and to the list.</p>
    </div>
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
