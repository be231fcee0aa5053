// A message to an agent: it goes through the daemon's courier, which waits for
// the right moment, and what became of it is shown right below.
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { asFailure, tell, type Failure } from "../api/http";
import type { Session } from "../api/wire";
import { useMail } from "../live/messages";
import { Icon, Problem, Shape } from "./Parts";
import { receiptShape, receiptWords } from "./receipts";
import { sessionName } from "./words";

interface Props {
  session: Session;
  /** Takes the keyboard as soon as it is shown. */
  focus?: boolean;
  /** Called when a message is on its way. */
  onSent?: () => void;
}

export function Composer({ session, focus = false, onSent }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(session.id);
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
    try {
      const [message] = await tell({ to: [session.id], text });
      setText("");
      setSent(message?.id ?? null);
      onSent?.();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(false);
      field.current?.focus();
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
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
        />
        <button type="submit" className="quiet send" disabled={busy || text.trim() === ""} title="Send (Enter)" aria-label={`Send to ${name}`}>
          <Icon name="send" />
        </button>
      </form>
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
      <Shape status={receiptShape(message.state)} /> <bdi className="of">{message.text}</bdi> <span>{receiptWords(message)}</span>
    </p>
  );
}

/** What is typed and not sent stays, for as long as the page does. */
const drafts = new Map<string, string>();

function useDraft(id: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  return [
    text,
    (next) => {
      drafts.set(id, next);
      setText(next);
    },
  ];
}
