// One session in the list: a line for most, and for one that needs the human a
// card with its words. It is drawn again only if something of it changed.
import { memo, type ReactNode } from "react";
import type { Session } from "../api/wire";
import { callOf, isGuess, needOf, progressOf, unseenSeq } from "../attention/call";
import { markSeen } from "../attention/seen";
import { writeRoute } from "../route";
import { focusTerminal } from "./focus";
import { useNow } from "./now";
import { Icon, Progress, StatusShape } from "./Parts";
import { ago, sessionName, statusWord } from "./words";

interface Props {
  session: Session;
  /** Whether it stands among those that need the human. */
  needs: boolean;
  isCurrent: boolean;
  /** Whether Tab stops at it. */
  isStop: boolean;
  /** The name, the path and the branch of its workspace. */
  place: string;
  path: string;
  branch: string | null;
}

export const SessionRow = memo(function SessionRow({ session, needs, isCurrent, isStop, place, path, branch }: Props) {
  const unseen = unseenSeq(session);
  const where = <span className="place"><bdi>{place}</bdi>{branch !== null && <><Icon name="branch" /><bdi>{branch}</bdi></>}{session.host !== "local" && <><Icon name="hosts" /><bdi>{session.host}</bdi></>}</span>;
  return (
    <li data-id={session.id} data-seen={unseen === null}>
      <a
        href={writeRoute({ view: "session", id: session.id })}
        aria-current={isCurrent ? "page" : undefined}
        tabIndex={isStop ? undefined : -1}
        title={`${session.id}${session.adopted ? `, adopted: ${session.tmux_session} ${session.pane ?? ""}` : ""}\n${path}`}
        // The link leads to where we are: what is meant is the terminal itself.
        onClick={isCurrent ? focusTerminal : undefined}
      >
        <StatusShape session={session} />
        <Name session={session} />
        {needs ? <Asks session={session} where={where} /> : <Does session={session} where={where} />}
        <Details session={session} needs={needs} />
      </a>
      {needs && unseen !== null && (
        <button type="button" className="quiet seen" tabIndex={isStop ? undefined : -1} title="Mark as seen (s)" aria-label={`Mark ${sessionName(session)} as seen`} onClick={() => markSeen(session.id, unseen)}>
          <Icon name="done" />
        </button>
      )}
    </li>
  );
});

function Name({ session }: { session: Session }) {
  const name = sessionName(session);
  return <span className="name"><bdi>{name}</bdi>{name !== session.target && <bdi className="target">{session.target}</bdi>}</span>;
}

/** What it does, and since when. */
function Does({ session, where }: { session: Session; where: ReactNode }) {
  const call = callOf(session);
  const at = call === null ? session.last_output_at : session.nudge_at;
  return (
    <>
      <span className="state">{statusWord(session)}{at != null && <Age at={at} title={call === null ? "last output" : "since"} />}</span>
      <span className="line">{where}<bdi className="title">{call?.words ?? session.reason ?? session.details?.task ?? session.title}</bdi></span>
    </>
  );
}

/** What it asks for, in its own words, and since when. */
function Asks({ session, where }: { session: Session; where: ReactNode }) {
  const call = needOf(session);
  const away = session.status === "unreachable" || session.status === "exited";
  return (
    <>
      <span className="state">
        {isGuess(session) && <span title="from its last words">a guess</span>}
        {away && <span className="away">{statusWord(session)}</span>}
        {call?.since != null && <Age at={new Date(call.since).toISOString()} title="since" />}
      </span>
      <span className="line"><span className="kind" data-status={call?.kind}>{call?.name}</span>{where}</span>
      {call !== null && call.words !== "" && <bdi className="words">{call.words}</bdi>}
    </>
  );
}

function Age({ at, title }: { at: string; title: string }) {
  return <time dateTime={at} title={title}>{ago(Date.parse(at), useNow())}</time>;
}

function Details({ session, needs }: { session: Session; needs: boolean }) {
  const { task, blocker } = session.details ?? {};
  const progress = progressOf(session);
  const shownTask = needs ? task : undefined;
  if (shownTask === undefined && blocker === undefined && progress === null) return null;
  return (
    <span className="details">
      {shownTask !== undefined && <bdi className="task">{shownTask}</bdi>}
      {blocker !== undefined && <span className="blocker">blocked: <bdi>{blocker}</bdi></span>}
      {progress !== null && <Progress percent={progress} />}
    </span>
  );
}
