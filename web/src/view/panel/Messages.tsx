// Messages to a session, each with what became of it, and a field for another one.
import { useState } from "react";
import { asFailure, cancelMessage, promoteMessage, retryMessage, type Failure } from "../../api/http";
import type { Message, Session } from "../../api/wire";
import { useMail } from "../../live/messages";
import { findSession, useStore } from "../../store";
import { Composer } from "../Composer";
import { useNow } from "../now";
import { Problem, Shape } from "../Parts";
import { isCancellable, receiptShape, receiptWord, receiptWords } from "../receipts";
import { beginning, moment, sessionName } from "../words";

/** More than anyone reads again here; a megabyte would take the page seconds to lay out. */
const LETTER_LENGTH = 4_000;

export function Messages({ session }: { session: Session }) {
  const { value, failure, reload } = useMail(session);
  const isQueue = (value?.filter(({ state }) => isCancellable(state)).length ?? 0) > 1;
  return (
    <div className="messages">
      <Composer session={session} focus several onSent={reload} />
      {failure !== null && <Problem failure={failure} />}
      {value?.length === 0 && <p className="muted">No messages yet. One that is sent here waits for the right moment, and never spoils what you are typing in the terminal.</p>}
      <ol>{value?.toReversed().map((message) => <Letter key={message.id} message={message} isQueue={isQueue} onChange={reload} />)}</ol>
    </div>
  );
}

interface LetterProps {
  message: Message;
  /** Others wait for the same agent. */
  isQueue: boolean;
  onChange: () => void;
}

function Letter({ message, isQueue, onChange }: LetterProps) {
  const now = useNow();
  const [failure, setFailure] = useState<Failure | null>(null);
  const act = async (doing: Promise<Message>): Promise<void> => {
    try {
      await doing;
      setFailure(null);
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      onChange();
    }
  };
  return (
    <li data-state={message.state}>
      <p className="letter-head">
        <Sender from={message.from ?? null} />
        <time dateTime={message.created_at}>{moment(Date.parse(message.created_at), now)}</time>
      </p>
      <p className="words"><bdi>{beginning(message.text, LETTER_LENGTH)}</bdi></p>
      {message.text.length > LETTER_LENGTH && <p className="muted">It is {message.text.length.toLocaleString()} characters long; this is its beginning.</p>}
      <details className="receipts">
        <summary><Shape status={receiptShape(message.state)} /> {receiptWords(message)}</summary>
        <ol>
          {message.receipts.map((receipt) => (
            <li key={`${receipt.at} ${receipt.state}`}>
              <time dateTime={receipt.at}>{moment(Date.parse(receipt.at), now)}</time> {receiptWord(receipt.state)}
              {receipt.reason != null && <>: <bdi>{receipt.reason}</bdi></>}
            </li>
          ))}
        </ol>
      </details>
      {isCancellable(message.state) && (
        <p className="letter-actions">
          <button type="button" onClick={() => void act(retryMessage(message.id))}>Try now</button>
          {isQueue && <button type="button" onClick={() => void act(promoteMessage(message.id))}>Before the others</button>}
          <button type="button" onClick={() => void act(cancelMessage(message.id))}>Take back</button>
        </p>
      )}
      {failure !== null && <Problem failure={failure} />}
    </li>
  );
}

function Sender({ from }: { from: string | null }) {
  const state = useStore();
  const session = from === null ? null : findSession(state, from);
  return <span className="from">{from === null ? "You" : <bdi>{session === null ? from : sessionName(session)}</bdi>}</span>;
}
