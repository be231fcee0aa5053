// Below the terminal of a session that has ended, where nothing can be typed any
// more: when and how it ended, and what one may want then.
import { useState } from "react";
import { asFailure, getAgain, spawn, type Failure } from "../api/http";
import type { Session } from "../api/wire";
import { go, writeRoute } from "../route";
import { allSessions, store } from "../store";
import { useNow } from "./now";
import { Icon, Problem, StatusShape } from "./Parts";
import { ago, clock, duration, freeName, moment, stamp } from "./words";

interface Props {
  session: Session;
  onDispose: () => void;
}

export function Ended({ session, onDispose }: Props) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const again = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const request = await getAgain(session.id);
      if (session.nickname != null) request.nickname = freeName(session.nickname, allSessions(store.get()).map(({ nickname }) => nickname));
      const sessions = await spawn(request);
      store.arrived(sessions);
      const [first] = sessions;
      if (first !== undefined) go({ view: "session", id: first.id });
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setBusy(false);
    }
  };
  return (
    <section className="ended" aria-label="This session has ended">
      {failure !== null && <Problem failure={failure} />}
      <p className="how"><StatusShape session={session} /> <How session={session} /></p>
      <p className="ways">
        {session.adopted ? (
          <a className="button" href={writeRoute({ view: "new", workspace: session.workspace_id })}>New session here</a>
        ) : (
          <>
            <button type="button" className="primary" disabled={busy} title={`Starts ${session.target} in the same place, with the same prompt`} onClick={() => void again()}>{busy ? "Starting" : "Start again"}</button>
            <a className="button" title="The form, filled with what this one was started with" href={writeRoute({ view: "new", workspace: null, again: session.id })}>Change and start</a>
          </>
        )}
        <a className="button" title="Everything that it printed (r)" href={writeRoute({ view: "replay", id: session.id })}><Icon name="replay" /> Replay</a>
        <button type="button" onClick={onDispose}><Icon name="trash" /> Dispose</button>
      </p>
    </section>
  );
}

/** That it ended, when, after how long, and why. */
function How({ session }: { session: Session }) {
  const now = useNow();
  const at = Date.parse(session.verdict.since);
  const ran = at - Date.parse(session.created_at);
  return (
    <span>
      <strong>{session.exit_code == null ? "Ended" : `Ended with exit code ${session.exit_code}`}</strong>{" "}
      <time dateTime={session.verdict.since} title={stamp(at)}>{moment(at, now) === clock(at) ? `at ${clock(at)}` : moment(at, now)}, {ago(at, now) === "now" ? "just now" : `${ago(at, now)} ago`}</time>, after {duration(ran)}{session.reason != null && <>: <bdi className="reason">{session.reason}</bdi></>}.
    </span>
  );
}
