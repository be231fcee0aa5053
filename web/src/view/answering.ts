// Answering a dialog that an agent has open. A press answers that very dialog:
// the daemon sends nothing if it is gone or another one.
import { useCallback, useEffect, useRef, useState } from "react";
import { answer, asFailure, type Failure } from "../api/http";
import type { Dialog, Session } from "../api/wire";
import { store } from "../store";
import { sessionName } from "./words";

/** The daemon's word for a dialog that is not there any more. */
const GONE = "dialog_gone";

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
  const sayWhenGone = useLastWords();
  const choose = async (choice: number): Promise<void> => {
    setBusy(choice);
    sayWhenGone(null);
    setFailure(null);
    setStill(false);
    try {
      setStill(!(await answer(session.id, dialog.id, choice)).closed);
    } catch (thrown) {
      const refused = asFailure(thrown);
      setFailure(refused);
      if (refused.code === GONE) sayWhenGone(`Your answer to ${sessionName(session)} was not given: ${refused.message}.`);
    } finally {
      setBusy(null);
    }
  };
  return { busy, failure, still, choose: (choice) => void choose(choice) };
}

/** The buttons go with their dialog, and what they say with them: this is said where it stays. */
function useLastWords(): (words: string | null) => void {
  const words = useRef<string | null>(null);
  const isShown = useRef(true);
  const tell = useCallback(() => {
    if (!isShown.current && words.current !== null) store.update({ tooLate: words.current });
  }, []);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      tell();
    };
  }, [tell]);
  return (next) => {
    words.current = next;
    tell();
  };
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
