// One session that needs the human, with all that is needed to answer it
// without opening its terminal: its words, its dialog's choices, a reply.
import { memo } from "react";
import type { Dialog, Session } from "../../api/wire";
import { callOf, isGuess, progressOf, unseenSeq, type Call } from "../../attention/call";
import { markSeen } from "../../attention/seen";
import { writeRoute } from "../../route";
import { Choices } from "../Choices";
import { Composer } from "../Composer";
import { useNow } from "../now";
import { Icon, Progress, Shape } from "../Parts";
import { ago, callOrigin, sessionName, stamp, statusWord } from "../words";

interface Props {
  session: Session;
  place: string;
  path: string;
  branch: string | null;
}

export const CallCard = memo(function CallCard({ session, place, path, branch }: Props) {
  const call = callOf(session);
  if (call === null) return null;
  const unseen = unseenSeq(session);
  const name = sessionName(session);
  const isOver = session.status === "exited" || session.status === "unreachable";
  return (
    <article className="card" data-id={session.id} data-kind={call.kind} data-seen={unseen === null} aria-label={`${name}: ${call.name}`}>
      <header>
        <Shape status={call.kind} />
        <a className="open" href={writeRoute({ view: "session", id: session.id })} title={`${session.id}\n${path}`}><bdi>{name}</bdi></a>
        <span className="kind" data-status={call.kind}>{call.name}</span>
        {isGuess(session) && <span className="muted guess" title={callOrigin(session, call)}>a guess</span>}
        <span className="place" title={[path, branch, session.host].filter((part) => part !== null && part !== "local").join("\n")}>
          {name !== session.target && <bdi>{session.target}</bdi>}
          {place !== "" && <bdi>{place}</bdi>}
          {branch !== null && <span className="branch"><Icon name="branch" /><bdi>{branch}</bdi></span>}
          {session.host !== "local" && <span className="branch"><Icon name="hosts" /><bdi>{session.host}</bdi></span>}
        </span>
        <Since session={session} call={call} />
        {unseen !== null && (
          <button type="button" className="quiet" title="Mark as seen (s)" aria-label={`Mark ${name} as seen`} onClick={() => markSeen(session.id, unseen)}>
            <Icon name="done" />
          </button>
        )}
      </header>
      <Asked session={session} call={call} />
      <Details session={session} />
      {isOver ? <p className="muted">{statusWord(session)}{session.reason != null && <>: <bdi>{session.reason}</bdi></>}</p> : <Composer session={session} />}
    </article>
  );
});

/** What it asks: its own words, and the dialog that stands on its screen. */
function Asked({ session, call }: { session: Session; call: Call }) {
  const { dialog } = session;
  // Agents say what their dialog asks, and sometimes a little more.
  const isSame = dialog != null && dialog.question.trim() !== "" && call.words.trim().startsWith(dialog.question.trim());
  return (
    <>
      {call.words !== "" && !isSame && <p className="words" title={call.words}><bdi>{call.words}</bdi></p>}
      {dialog != null && <Question dialog={dialog} />}
      {dialog != null && dialog.choices.length > 0 && <Choices key={dialog.id} session={session} dialog={dialog} />}
    </>
  );
}

/** What stands in the dialog: its title, what it is about, and the question. */
function Question({ dialog }: { dialog: Dialog }) {
  const body = dialog.body?.join("\n").trimEnd() ?? "";
  return (
    <div className="question">
      {dialog.title != null && <p className="muted"><bdi>{dialog.title}</bdi></p>}
      {body !== "" && <pre tabIndex={0}><bdi>{body}</bdi></pre>}
      <p><bdi>{dialog.question}</bdi></p>
    </div>
  );
}

function Since({ session, call }: { session: Session; call: Call }) {
  const now = useNow();
  const origin = callOrigin(session, call);
  if (call.since === null) return <span className="since" title={origin} />;
  return <time className="since" dateTime={new Date(call.since).toISOString()} title={`${stamp(call.since)}\n${origin}`}>{ago(call.since, now)}</time>;
}

function Details({ session }: { session: Session }) {
  const { task, blocker } = session.details ?? {};
  const progress = progressOf(session);
  if (task === undefined && blocker === undefined && progress === null) return null;
  return (
    <p className="details">
      {task !== undefined && <bdi className="task" title={task}>{task}</bdi>}
      {blocker !== undefined && <span className="blocker" title={blocker}>blocked: <bdi>{blocker}</bdi></span>}
      {progress !== null && <Progress percent={progress} />}
    </p>
  );
}
