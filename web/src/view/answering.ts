// Answering a dialog that an agent has open. A press answers that very dialog:
// the daemon sends nothing if it is gone or another one.
import { useState } from "react";
import { answer, asFailure, type Failure } from "../api/http";
import type { Dialog, Session } from "../api/wire";

export interface Answering {
  /** The choice that is being sent. */
  busy: number | null;
  failure: Failure | null;
  /** The keys were sent, and the dialog still stands there. */
  still: boolean;
  choose: (choice: number) => void;
}

export function useAnswering(session: Session, dialog: Dialog): Answering {
  const [busy, setBusy] = useState<number | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [still, setStill] = useState(false);
  const choose = async (choice: number): Promise<void> => {
    setBusy(choice);
    setFailure(null);
    setStill(false);
    try {
      setStill(!(await answer(session.id, dialog.id, choice)).closed);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(null);
    }
  };
  return { busy, failure, still, choose: (choice) => void choose(choice) };
}

/**
 * The keyboard goes to the choices of a dialog: of the session that is open, of
 * the card that has the focus, else of the next card that has some.
 */
export function focusChoices(): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(".choices-of-dialog")];
  const here = document.activeElement?.closest(".card, .session")?.querySelector<HTMLElement>(".choices-of-dialog");
  const isInside = here?.contains(document.activeElement) === true;
  const next = here != null && !isInside ? here : all[(all.findIndex((each) => each === here) + 1) % all.length];
  const option = next?.querySelector<HTMLElement>(".option[data-selected=true]:enabled") ?? next?.querySelector<HTMLElement>(".option:enabled");
  option?.focus();
  return option != null;
}
