// The choices of a dialog that an agent has open, as buttons. A press answers
// that very dialog: the daemon sends nothing if it is gone or another one.
import { useState } from "react";
import { answer, asFailure, type Failure } from "../api/http";
import type { Dialog, Session } from "../api/wire";
import { Problem } from "./Parts";
import { sessionName } from "./words";

/** Longer labels are cut on the button, and whole in its title. */
const LABEL_LENGTH = 64;

export function Choices({ session, dialog }: { session: Session; dialog: Dialog }) {
  const [busy, setBusy] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [still, setStill] = useState(false);
  const choose = async (choice: number): Promise<void> => {
    setBusy(choice);
    setFailure(null);
    try {
      setStill(!(await answer(session.id, dialog.id, choice)).closed);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(null);
    }
  };
  return (
    <div className="choices-of-dialog" role="group" aria-label={`What ${sessionName(session)} offers`}>
      {dialog.choices.map(({ label, detail, selected, answerable }, index) => (
        <button
          key={`${index} ${label}`}
          type="button"
          className="option"
          data-selected={selected}
          data-busy={busy === index}
          disabled={busy !== null || !answerable}
          title={detail == null ? label : `${label}\n${detail}`}
          onClick={() => void choose(index)}
        >
          <bdi>{label.length > LABEL_LENGTH ? `${label.slice(0, LABEL_LENGTH)}…` : label}</bdi>
        </button>
      ))}
      {!dialog.choices.every(({ answerable }) => answerable) && <p className="muted">Some of it can only be answered in its terminal.</p>}
      {still && <p className="muted" role="status">The keys were sent, and the dialog still stands there.</p>}
      {failure !== null && <Problem failure={failure} />}
    </div>
  );
}
