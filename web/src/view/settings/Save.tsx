// The bar that saves a form, and says what became of that: it stays in sight
// wherever the form is scrolled to. It is there when there is something to save or to say.
import type { ReactNode } from "react";

/** What became of the last try to save. */
export interface Outcome {
  problem: ReactNode;
  isSaved: boolean;
}

interface Props {
  changed: boolean;
  outcome: Outcome;
  onDrop: () => void;
}

export function Save({ changed, outcome, onDrop }: Props) {
  if (!changed) return outcome.isSaved ? <p className="save saved" role="status">Saved.</p> : null;
  return (
    <div className="save">
      {outcome.problem}
      <p className="actions">
        <button type="submit" className="primary">Save</button>
        <button type="button" onClick={onDrop}>Discard</button>
      </p>
    </div>
  );
}
