// The second line above a terminal: what the session asks, or else how it is. It
// is always there and always as high, because a terminal that changes its size
// makes the agent draw everything again, in the very moment it asks.
import { useState } from "react";
import type { Session } from "../api/wire";
import { callOf, progressOf, unseenSeq, type Call } from "../attention/call";
import { inbox } from "../attention/order";
import { markSeen } from "../attention/seen";
import { useStore } from "../store";
import { choosable, LineOfChoices } from "./Choices";
import { useIsPhone } from "./media";
import { useNow } from "./now";
import { goToNextCall } from "./pageKeys";
import { lastTab, type Tab } from "./panel/tabs";
import { Icon, Progress, Shape, StatusWord } from "./Parts";
import { ago, callOrigin } from "./words";

interface Props {
  session: Session;
  tab: Tab | null;
  onTab: (tab: Tab) => void;
}

export function CallStrip({ session, tab, onTab }: Props) {
  const call = callOf(session);
  const unseen = unseenSeq(session);
  // A phone has them below the terminal.
  const dialog = useIsPhone() ? null : choosable(session);
  return (
    <div className="strip" data-kind={call?.kind} data-seen={unseen === null} data-asks={dialog !== null}>
      {call === null ? <Quiet session={session} onWhy={() => onTab("why")} /> : <Asks key={call.seq} session={session} call={call} onWhy={() => onTab("why")} />}
      {dialog !== null && <LineOfChoices key={dialog.id} session={session} dialog={dialog} />}
      <Details session={session} />
      <span className="strip-actions">
        {unseen !== null && (
          <button type="button" title="Mark as seen (s)" aria-label="Mark as seen" onClick={() => markSeen(session.id, unseen)}>
            <Icon name="done" /> <span className="label">Seen</span>
          </button>
        )}
        <NextCall current={session.id} />
        <MailButton session={session} isOpen={tab === "messages"} onTab={onTab} />
        <button type="button" className="quiet about" aria-expanded={tab !== null} title="About this session" aria-label="About this session" onClick={() => onTab(tab ?? lastTab())}>
          <Icon name="panel" /> <span className="label">About</span>
        </button>
      </span>
    </div>
  );
}

/** Messages: how many are on their way, and the field for another one. */
function MailButton({ session, isOpen, onTab }: { session: Session; isOpen: boolean; onTab: (tab: Tab) => void }) {
  const waiting = session.mail?.length ?? 0;
  return (
    <button type="button" className="quiet mail" aria-expanded={isOpen} title="Messages (m)" aria-label={waiting === 0 ? "Message" : `Message ${waiting} on the way`} onClick={() => onTab("messages")}>
      <Icon name="message" /> <span className="label">Message</span>{waiting > 0 && <span className="badge">{waiting}</span>}
    </button>
  );
}

function Asks({ session, call, onWhy }: { session: Session; call: Call; onWhy: () => void }) {
  const now = useNow();
  const origin = callOrigin(session, call);
  return (
    <>
      <button type="button" className="quiet kind" data-status={call.kind} title="Why? (w)" onClick={onWhy}><Shape status={call.kind} /> {call.name}</button>
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

function Quiet({ session, onWhy }: { session: Session; onWhy: () => void }) {
  const now = useNow();
  const heard = session.last_signal_at;
  return (
    <>
      <button type="button" className="quiet kind" title="Why? (w)" onClick={onWhy}><StatusWord session={session} /></button>
      <bdi className="words" title={session.reason ?? session.title ?? undefined}>{session.reason ?? session.title}</bdi>
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
  return (
    <button type="button" className="quiet next-call" title="Next that needs you (n)" aria-label={`${waiting} more need you: go to the next`} onClick={() => goToNextCall(current)}>
      {waiting} <span className="label">more</span> <Icon name="next" />
    </button>
  );
}
