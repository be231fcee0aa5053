// The line above a terminal: what it is, how it is, and what can be done with it.
import type { Session } from "../api/wire";
import { writeRoute } from "../route";
import type { View } from "../terminal/screen";
import { CopyButton, Icon, LinkState, StatusWord } from "./Parts";
import { sessionName } from "./words";

interface Props {
  id: string;
  session: Session | null;
  view: View;
  onClaim: () => void;
  onSearch: () => void;
  onDispose: () => void;
}

export function SessionHeader({ id, session, view, onClaim, onSearch, onDispose }: Props) {
  const name = session === null ? id : sessionName(session);
  return (
    <header className="session-header">
      <a className="button quiet back" href={writeRoute({ view: "home" })} aria-label="To the list of sessions">
        <Icon name="back" />
      </a>
      <h1 title={id}><bdi>{name}</bdi></h1>
      {session !== null && name !== session.target && <bdi className="target">{session.target}</bdi>}
      {session !== null && <StatusWord session={session} />}
      <bdi className="title" title={session?.title ?? undefined}>{session?.reason ?? session?.title}</bdi>
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
    </header>
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
