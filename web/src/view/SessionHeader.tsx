// The lines above a terminal: what it is, how it is, and what can be done with it.
import type { Session, Workspace } from "../api/wire";
import { writeRoute } from "../route";
import type { View } from "../terminal/screen";
import { CallStrip } from "./CallStrip";
import { CopyButton, Icon, LinkState } from "./Parts";
import { sessionName, splitPath } from "./words";

interface Props {
  id: string;
  session: Session | null;
  workspace: Workspace | null;
  view: View;
  isTimelineOpen: boolean;
  onTimeline: () => void;
  onClaim: () => void;
  onSearch: () => void;
  onDispose: () => void;
}

export function SessionHeader({ id, session, workspace, view, isTimelineOpen, onTimeline, onClaim, onSearch, onDispose }: Props) {
  const name = session === null ? id : sessionName(session);
  return (
    <header className="session-header">
      <div className="bar">
        <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions">
          <Icon name="back" />
        </a>
        <h1 title={id}><bdi>{name}</bdi></h1>
        {session !== null && name !== session.target && <bdi className="target">{session.target}</bdi>}
        {workspace !== null && <Place workspace={workspace} />}
        {/* When it is not live, that is said over the terminal itself. */}
        {view.link.phase === "live" && <LinkState link={view.link} />}
        {view.size !== null && <PaneSize size={view.size} onClaim={onClaim} />}
        {session !== null && (
          <span className="attach" title="Attach a terminal of your own">
            <code>{session.attach_cmd}</code>
            <CopyButton text={session.attach_cmd} label="Copy the command that attaches a terminal" />
          </span>
        )}
        <button type="button" className="quiet" title="Search (Ctrl Shift F)" aria-label="Search" onClick={onSearch}>
          <Icon name="search" />
        </button>
        <button type="button" className="quiet dispose" disabled={session === null} onClick={onDispose}>Dispose</button>
      </div>
      {session === null ? <div className="strip" /> : <CallStrip session={session} isTimelineOpen={isTimelineOpen} onTimeline={onTimeline} />}
    </header>
  );
}

/** Where it works, and the way to another session there. */
function Place({ workspace }: { workspace: Workspace }) {
  return (
    <span className="place" title={`${workspace.path}\n${workspace.id}`}>
      <bdi>{splitPath(workspace.path).name}</bdi>
      {workspace.branch != null && <><Icon name="branch" /><bdi>{workspace.branch}</bdi></>}
      {workspace.host !== "local" && <> on <bdi>{workspace.host}</bdi></>}
      <a className="button quiet" href={writeRoute({ view: "new", workspace: workspace.id })} title="New session here" aria-label={`New session in ${workspace.path}`}>
        <Icon name="add" />
      </a>
    </span>
  );
}

/** The pane's size, and a way to have it fitted to this window if another one sets it. */
function PaneSize({ size, onClaim }: { size: NonNullable<View["size"]>; onClaim: () => void }) {
  return (
    <span className="pane-size">
      <span title="Columns and rows of the pane">{size.cols}×{size.rows}</span>
      {!size.owner && (
        <button type="button" title="Another window sets this pane's size" onClick={onClaim}>Use my size</button>
      )}
    </span>
  );
}
