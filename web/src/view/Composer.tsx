// A message to an agent: it goes through the daemon's courier, which waits for
// the right moment, and what became of it is shown right below.
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { asFailure, tell, type Failure } from "../api/http";
import type { Session } from "../api/wire";
import { useMail } from "../live/messages";
import { findSession, store } from "../store";
import { useDraft } from "./drafts";
import { Others } from "./Others";
import { Icon, Problem, Shape } from "./Parts";
import { receiptShape, receiptWords } from "./receipts";
import { beginning, sessionName } from "./words";

/** Beside a longer text nothing is left undrawn for being out of sight: see `base.css`. */
const LONG_LENGTH = 10_000;

/** A line shows no more, and laying out a megabyte in it takes seconds. */
const FATE_LENGTH = 200;

interface Props {
  session: Session;
  /** Takes the keyboard as soon as it is shown. */
  focus?: boolean;
  /** Other sessions can be chosen to get the same. */
  several?: boolean;
  /** Called when a message is on its way. */
  onSent?: () => void;
}

export function Composer({ session, focus = false, several = false, onSent }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(session.id);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  const send = async (): Promise<void> => {
    if (text.trim() === "" || busy) return;
    setBusy(true);
    setFailure(null);
    // What is typed from here on is the next message.
    setText("");
    try {
      const there = others.filter((id) => findSession(store.get(), id) !== null);
      const messages = await tell({ to: [session.id, ...there], text });
      setOthers([]);
      setSent(messages.find((message) => message.session_id === session.id)?.id ?? null);
      onSent?.();
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setText((now) => (now === "" ? text : `${text}\n${now}`));
    } finally {
      setBusy(false);
      // The button may have had the keyboard; whoever went elsewhere stays there.
      const { activeElement } = document;
      if (activeElement === document.body || field.current?.form?.contains(activeElement) === true) field.current?.focus();
    }
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") field.current?.blur();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  const name = sessionName(session);
  return (
    <div className="composer">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          ref={field}
          rows={1}
          aria-label={`Message to ${name}`}
          placeholder={`Message ${name}`}
          data-long={text.length > LONG_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        <button type="submit" className="quiet send" disabled={busy || text.trim() === ""} title="Send (Enter)" aria-label={`Send to ${name}`}>
          <Icon name="send" />
        </button>
      </form>
      {several && <Others session={session} chosen={others} onChoose={setOthers} />}
      {failure !== null && <Problem failure={failure} />}
      {sent !== null && failure === null && <Fate session={session} id={sent} />}
    </div>
  );
}

/** What became of the message that was just sent. */
function Fate({ session, id }: { session: Session; id: number }) {
  const message = useMail(session).value?.find((each) => each.id === id);
  if (message === undefined) return null;
  return (
    <p className="fate" role="status">
      <Shape status={receiptShape(message.state)} /> <bdi className="of">{beginning(message.text, FATE_LENGTH)}</bdi> <span>{receiptWords(message)}</span>
    </p>
  );
}
