// The choices of a dialog that an agent has open, as buttons: in a card of the
// inbox, in the line above its terminal, and on a phone in the one below it.
import { useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from "react";
import type { Dialog, Session } from "../api/wire";
import { useAnswering, type Answering } from "./answering";
import { Problem } from "./Parts";
import { beginning, sessionName } from "./words";

/** Longer labels are cut on the button, and whole in its title. */
const LABEL_LENGTH = 64;

interface Props {
  session: Session;
  dialog: Dialog;
}

export function Choices({ session, dialog }: Props) {
  const answering = useAnswering(session, dialog);
  return (
    <div className="dialog-answer">
      <Options session={session} dialog={dialog} answering={answering} />
      {!dialog.choices.every(({ answerable }) => answerable) && <p className="muted">Some of it can only be answered in its terminal.</p>}
      <Outcome answering={answering} />
    </div>
  );
}

/** In one line, which is as high as without them: the terminal beside it is not resized. */
export function LineOfChoices({ session, dialog }: Props) {
  const answering = useAnswering(session, dialog);
  return (
    <>
      <Options session={session} dialog={dialog} answering={answering} />
      {(answering.still || answering.failure !== null) && <div className="answer-outcome"><Outcome answering={answering} /></div>}
    </>
  );
}

/** The dialog of a session, if there is something to choose in it. */
export const choosable = (session: Session): Dialog | null => (session.dialog != null && session.dialog.choices.length > 0 ? session.dialog : null);

function Options({ session, dialog, answering: { busy, choose } }: Props & { answering: Answering }) {
  const group = useRef<HTMLDivElement>(null);
  // Whoever answers by keys stays in the session when the dialog and its buttons go.
  useLayoutEffect(() => {
    const element = group.current;
    return () => {
      if (element?.contains(document.activeElement) === true) element.closest<HTMLElement>(".session")?.focus();
    };
  }, []);
  return (
    <div ref={group} className="choices-of-dialog" role="group" aria-label={`What ${sessionName(session)} offers`} onKeyDown={moveFocus} onPointerDown={stayInTerminal}>
      {dialog.choices.map(({ label, detail, selected, answerable }, index) => (
        <button
          key={`${index} ${label}`}
          type="button"
          className="option"
          data-selected={selected}
          data-busy={busy === index}
          disabled={!answerable}
          // Not disabled while it is sent: the keyboard would lose its place.
          aria-disabled={busy !== null}
          title={detail == null ? label : `${label}\n${detail}`}
          onClick={() => busy === null && choose(index)}
        >
          <bdi>{beginning(label, LABEL_LENGTH)}</bdi>
        </button>
      ))}
    </div>
  );
}

function Outcome({ answering: { still, failure } }: { answering: Answering }) {
  return (
    <>
      {still && <p className="muted" role="status">The keys were sent, and the dialog still stands there.</p>}
      {failure !== null && <Problem failure={failure} />}
    </>
  );
}

/** A press of the mouse above a terminal leaves the keyboard where it is. */
function stayInTerminal(event: PointerEvent<HTMLElement>): void {
  if (event.currentTarget.closest(".session") !== null) event.preventDefault();
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>(".option:enabled")];
  const at = options.findIndex((option) => option === document.activeElement);
  options.at((at + step) % options.length)?.focus();
}
