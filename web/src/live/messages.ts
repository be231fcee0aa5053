// The messages to one session, read again whenever its mail has changed. The
// store tells of those whose fate is open; what became of them is asked for.
import { getMessages } from "../api/http";
import type { Message, Session } from "../api/wire";
import { useAnswer, type Answered } from "./answer";

/** Oldest first. */
export function useMail(session: Pick<Session, "id" | "mail">): Answered<Message[]> {
  return useAnswer(`${session.id} ${JSON.stringify(session.mail ?? [])}`, () => getMessages(session.id));
}
