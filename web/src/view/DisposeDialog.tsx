// Asks before a session is ended: an agent's work in progress can't be brought back.
import { useEffect, useRef, useState } from "react";
import { asFailure, dispose, type Failure } from "../api/http";
import type { Session } from "../api/wire";
import { go } from "../route";
import { store } from "../store";
import { Problem } from "./Parts";
import { sessionName } from "./words";

export function DisposeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await dispose(session.id);
      store.left(session.id);
      go({ view: "home" });
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="dispose-title">
      <h2 id="dispose-title">Dispose of <bdi>{sessionName(session)}</bdi>?</h2>
      <p>{consequence(session)}</p>
      {failure !== null && <Problem failure={failure} />}
      <p className="actions">
        <button type="button" autoFocus onClick={() => dialog.current?.close()}>Keep it</button>
        <button type="button" className="danger" disabled={busy} onClick={() => void confirm()}>Dispose</button>
      </p>
    </dialog>
  );
}

function consequence(session: Session): string {
  if (session.adopted) return "schmux stops watching it. The tmux session that you started goes on.";
  if (session.status === "exited") return "Its program has ended. Its last screen goes away; the files in its workspace stay.";
  return "Its program is ended and its screen goes away. The files in its workspace stay.";
}
