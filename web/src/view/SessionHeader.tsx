// The lines above a terminal: what it is, how it is, and what can be done with it.
import type { Session, Workspace } from "../api/wire";
import { writeRoute } from "../route";
import type { View } from "../terminal/screen";
import { CallStrip } from "./CallStrip";
import type { Tab } from "./panel/tabs";
import { Icon, LinkState } from "./Parts";
import { sessionName, splitPath } from "./words";

interface Props {
  id: string;
  session: Session | null;
  workspace: Workspace | null;
  view: View;
  tab: Tab | null;
  onTab: (tab: Tab) => void;
  onClaim: () => void;
  onSearch: () => void;
  onDispose: () => void;
}

export function SessionHeader({ id, session, workspace, view, tab, onTab, onClaim, onSearch, onDispose }: Props) {
  const name = session === null ? id : sessionName(session);
  return (
    <header className="session-header">
      <div className="bar">
        <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions">
          <Icon name="back" />
        </a>
        <h1 title={`${name}\n${id}`}><bdi>{name}</bdi></h1>
        {session !== null && name !== session.target && <bdi className="target" title={session.target}>{session.target}</bdi>}
        {workspace !== null && <Place workspace={workspace} />}
        <span className="now">
          {/* When it is not live, that is said over the terminal itself. */}
          {view.link.phase === "live" && view.unreachable === null && <LinkState link={view.link} behind={view.behind} />}
          {view.size !== null && <PaneSize size={view.size} adopted={session?.adopted === true} onClaim={onClaim} />}
        </span>
        <span className="tools">
          <button type="button" className="quiet" title="Search (Ctrl Shift F)" aria-label="Search" onClick={onSearch}><Icon name="search" /></button>
          <a className="button quiet" href={writeRoute({ view: "replay", id })} title="Replay: what happened while you were away (r)" aria-label="Replay"><Icon name="replay" /></a>
          <button type="button" className="quiet dispose" disabled={session === null} title="Dispose" aria-label="Dispose" onClick={onDispose}><Icon name="trash" /></button>
        </span>
      </div>
      {session === null ? <div className="strip" /> : <CallStrip session={session} tab={tab} onTab={onTab} />}
    </header>
  );
}

/** Where it works, and the way to another session there. */
function Place({ workspace }: { workspace: Workspace }) {
  return (
    <span className="place" title={`${workspace.path}\n${workspace.id}`}>
      <bdi>{splitPath(workspace.path).name}</bdi>
      {workspace.branch != null && <><Icon name="branch" /><bdi>{workspace.branch}</bdi></>}
      {workspace.host !== "local" && <><Icon name="hosts" /><bdi>{workspace.host}</bdi></>}
      <a className="button quiet" href={writeRoute({ view: "new", workspace: workspace.id })} title="New session here" aria-label={`New session in ${workspace.path}`}>
        <Icon name="add" />
      </a>
    </span>
  );
}

interface SizeProps {
  size: NonNullable<View["size"]>;
  /** Then the person's own tmux sets it. */
  adopted: boolean;
  onClaim: () => void;
}

/** The pane's size and whose it is, with a way to have it fitted to this window. */
function PaneSize({ size, adopted, onClaim }: SizeProps) {
  const setBy = adopted ? "as your own tmux sets them" : size.owner ? "fitted to this window" : "as another window sets them";
  return (
    <span className="pane-size">
      <span title={`Columns and rows of the pane, ${setBy}`}>{size.cols}×{size.rows}</span>
      {!size.owner && !adopted && (
        <button type="button" title="Another window sets this pane's size" onClick={onClaim}>Use my size</button>
      )}
    </span>
  );
}
