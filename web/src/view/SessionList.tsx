// All sessions by workspace. Each is a link, so that a middle click, a reload
// and a bookmark do what they do everywhere; the arrows move between them.
import type { KeyboardEvent } from "react";
import type { Session, Workspace } from "../api/wire";
import { go, writeRoute } from "../route";
import type { State } from "../store";
import { useNow } from "./now";
import { Icon, StatusShape } from "./Parts";
import { ago, sessionName, splitPath, statusWord } from "./words";

export function SessionList({ state, current }: { state: State; current: string | null }) {
  const shown = (state.workspaces ?? []).filter((workspace) => workspace.sessions.length > 0);
  return (
    <nav id="sessions" aria-label="Sessions" onKeyDown={moveFocus}>
      {shown.map((workspace) => (
        <Group key={workspace.id} workspace={workspace} current={current} />
      ))}
      {state.arrivals.length > 0 && (
        <ul>
          {state.arrivals.map((session) => <Row key={session.id} session={session} current={current} />)}
        </ul>
      )}
    </nav>
  );
}

function Group({ workspace, current }: { workspace: Workspace; current: string | null }) {
  const { name, parent } = splitPath(workspace.path);
  return (
    <section aria-label={`Workspace ${workspace.path}`}>
      <h2 title={`${workspace.path}\n${workspace.id}`}>
        <bdi className="name">{name}</bdi>
        {workspace.branch != null && (
          <span className="branch"><Icon name="branch" /><bdi>{workspace.branch}</bdi></span>
        )}
        {workspace.host !== "local" && <span className="host">on <bdi>{workspace.host}</bdi></span>}
        <a
          className="button quiet"
          href={writeRoute({ view: "new", workspace: workspace.id })}
          title="New session here"
          aria-label={`New session in ${workspace.path}`}
        >
          <Icon name="add" />
        </a>
      </h2>
      <p className="path"><bdi>{parent}</bdi></p>
      <ul>
        {workspace.sessions.map((session) => <Row key={session.id} session={session} current={current} />)}
      </ul>
    </section>
  );
}

function Row({ session, current }: { session: Session; current: string | null }) {
  const now = useNow();
  const name = sessionName(session);
  const title = session.reason ?? session.title ?? "";
  const quiet = session.last_output_at == null ? null : ago(Date.parse(session.last_output_at), now);
  const isCurrent = session.id === current;
  return (
    <li>
      <a
        href={writeRoute({ view: "session", id: session.id })}
        aria-current={isCurrent ? "page" : undefined}
        title={`${session.id}${session.adopted ? ", adopted" : ""}`}
        onClick={isCurrent ? focusTerminal : undefined}
      >
        <StatusShape session={session} />
        <span className="name"><bdi>{name}</bdi>{name !== session.target && <bdi className="target">{session.target}</bdi>}</span>
        <span className="state">
          {statusWord(session)}
          {quiet !== null && <time dateTime={session.last_output_at ?? undefined} title="last output">{quiet}</time>}
        </span>
        {title !== "" && <bdi className="title">{title}</bdi>}
      </a>
    </li>
  );
}

/** The link leads to where we are: what is meant is the terminal itself. */
function focusTerminal(): void {
  document.querySelector<HTMLElement>(".pane textarea")?.focus();
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "n") {
    event.preventDefault();
    go({ view: "new", workspace: null });
    return;
  }
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("li > a")];
  const at = rows.findIndex((row) => row === document.activeElement);
  rows[step(at, rows.length - 1)]?.focus();
}
