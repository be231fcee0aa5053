// Asks before a session is ended: an agent's work in progress can't be brought
// back. It says what in the workspace is not committed or not pushed.
import { useState } from "react";
import { asFailure, dispose, getGit, type Failure } from "../api/http";
import type { GitState, Session, Workspace } from "../api/wire";
import { useAnswer } from "../live/answer";
import { loadAdoptable } from "../live/dashboard";
import { go } from "../route";
import { store } from "../store";
import { useModal } from "./modal";
import { riskWords } from "./panel/gitWords";
import { Problem, Words } from "./Parts";
import { sessionName } from "./words";

interface Props {
  session: Session;
  workspace: Workspace | null;
  onClose: () => void;
}

export function DisposeDialog({ session, workspace, onClose }: Props) {
  const modal = useModal(onClose);
  const { value: git, failure: unread } = useAnswer(session.workspace_id, () => getGit(session.workspace_id));
  const [remove, setRemove] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const isRisky = (git?.risk.lost.length ?? 0) > 0;

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      // Whoever ticks the box has read what would be lost.
      await dispose(session.id, remove ? { remove_workspace: true, force: isRisky } : {});
      store.left(session.id);
      go({ view: "home" });
      // What was let go is offered again.
      if (session.adopted) void loadAdoptable();
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setBusy(false);
    }
  };
  return (
    <dialog {...modal.props} aria-labelledby="dispose-title">
      <h2 id="dispose-title">Dispose of <bdi>{sessionName(session)}</bdi>?</h2>
      <p>{consequence(session, remove)}</p>
      {git === null && unread === null && <p className="muted">Looking for work that is not committed or not pushed.</p>}
      {unread !== null && <p className="warning">Whether its workspace holds work that is nowhere else is not known: <Words text={unread.message} />.</p>}
      {git !== null && <Unsaved git={git} />}
      {git?.risk.removable === true && (
        <label className="remove">
          <input type="checkbox" checked={remove} onChange={(event) => setRemove(event.target.checked)} />
          <span>Also remove its directory <code>{workspace?.path}</code>{isRisky && `, and lose ${git.risk.lost.join(", ")}`}</span>
        </label>
      )}
      {failure !== null && <Problem failure={failure} />}
      <p className="actions">
        <button type="button" autoFocus onClick={modal.close}>Keep it</button>
        <button type="button" className="danger" disabled={busy} onClick={() => void confirm()}>Dispose</button>
      </p>
    </dialog>
  );
}

/** Work that is only here. */
function Unsaved({ git }: { git: GitState }) {
  const words = riskWords(git.risk);
  if (words.length === 0) return null;
  return (
    <div className="warning">
      <p>In its workspace, on <bdi>{git.branch ?? "no branch"}</bdi>:</p>
      <ul>{words.map((line) => <li key={line}>{line}</li>)}</ul>
    </div>
  );
}

function consequence(session: Session, remove: boolean): string {
  if (session.adopted) return "schmux stops watching it. The tmux session that you started goes on.";
  const program = session.status === "exited" ? "Its program has ended, and its last screen goes away." : "Its program is ended and its screen goes away.";
  return `${program} The files in its workspace ${remove ? "are removed" : "stay"}.`;
}
