// The second line above a terminal: what the session asks, or else how it is. It
// is always there and always as high, because a terminal that changes its size
// makes the agent draw everything again, in the very moment it asks.
import { useState } from "react";
import type { Session } from "../api/wire";
import { callOf, isGuess, progressOf, unseenSeq, type Call } from "../attention/call";
import { inbox, nextCall } from "../attention/order";
import { markSeen } from "../attention/seen";
import { store, useStore } from "../store";
import { openOutside } from "./focus";
import { useNow } from "./now";
import { Icon, Progress, Shape, StatusWord } from "./Parts";
import { ago, count, nudgeOrigin } from "./words";

interface Props {
  session: Session;
  isTimelineOpen: boolean;
  onTimeline: () => void;
}

export function CallStrip({ session, isTimelineOpen, onTimeline }: Props) {
  const call = callOf(session);
  const unseen = unseenSeq(session);
  return (
    <div className="strip" data-kind={call?.kind} data-seen={unseen === null}>
      {call === null ? <Quiet session={session} /> : <Asks key={call.seq} session={session} call={call} />}
      <Details session={session} />
      <span className="strip-actions">
        {unseen !== null && (
          <button type="button" title="Mark as seen (s)" onClick={() => markSeen(session.id, unseen)}>
            <Icon name="done" /> <span className="label">Mark as seen</span>
          </button>
        )}
        <NextCall current={session.id} />
        <button type="button" className="quiet" aria-expanded={isTimelineOpen} title="What happened in it (t)" onClick={onTimeline}>
          <Icon name="timeline" /> <span className="label">Timeline</span>
        </button>
      </span>
    </div>
  );
}

function Asks({ session, call }: { session: Session; call: Call }) {
  const now = useNow();
  const told = session.nudge != null && (call.seq !== null || isGuess(session)) ? session.nudge : null;
  const origin = told === null ? "seen on its screen" : nudgeOrigin(told);
  return (
    <>
      <span className="kind" data-status={call.kind}><Shape status={call.kind} /> {call.name}</span>
      <Words text={call.words} />
      <span className="origin" title={origin}>{call.since !== null && <time>{ago(call.since, now)}</time>}<span className="from">{origin}</span></span>
    </>
  );
}

/** The agent's words in one line; a press shows all of them, over the terminal. */
function Words({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (text === "") return <span className="words" />;
  return (
    <>
      <button type="button" className="words" aria-expanded={whole} title={text} onClick={() => setWhole(!whole)}>
        <bdi>{text}</bdi>
      </button>
      {whole && <bdi className="all-words">{text}</bdi>}
    </>
  );
}

function Quiet({ session }: { session: Session }) {
  const now = useNow();
  const heard = session.last_signal_at;
  return (
    <>
      <StatusWord session={session} />
      <bdi className="words" title={session.title ?? undefined}>{session.reason ?? session.title}</bdi>
      {heard != null && <span className="origin">heard {ago(Date.parse(heard), now)}</span>}
    </>
  );
}

function Details({ session }: { session: Session }) {
  const { task, blocker } = session.details ?? {};
  const progress = progressOf(session);
  if (task === undefined && blocker === undefined && progress === null) return null;
  return (
    <span className="details">
      {blocker !== undefined && <span className="blocker" title={blocker}>blocked: <bdi>{blocker}</bdi></span>}
      {task !== undefined && <bdi className="task" title={task}>{task}</bdi>}
      {progress !== null && <Progress percent={progress} />}
    </span>
  );
}

/** The way to the others that need the human, for those without a keyboard too. */
function NextCall({ current }: { current: string }) {
  const waiting = inbox(useStore()).filter(({ id }) => id !== current).length;
  if (waiting === 0) return null;
  const next = (): void => {
    const id = nextCall(store.get(), current);
    if (id !== null) openOutside(id);
  };
  return (
    <button type="button" className="quiet next-call" title="Next that needs you (n)" aria-label={`${count(waiting, "other session")} need you: go to the next`} onClick={next}>
      {waiting} <span className="label">more</span> <Icon name="next" />
    </button>
  );
}
