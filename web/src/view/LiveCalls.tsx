// Says who needs the human, for screen readers: politely, and nothing else.
import { useEffect, useState } from "react";
import { announcement, knownCalls, type Known } from "../attention/announce";
import { allSessions, store } from "../store";

export function LiveCalls() {
  const [text, setText] = useState("");
  useEffect(() => {
    let known: Known = new Map();
    const look = (): void => {
      const sessions = allSessions(store.get());
      const words = announcement(known, sessions);
      known = knownCalls(sessions);
      if (words !== null) setText(words);
    };
    look();
    return store.subscribe(look);
  }, []);
  return <div className="unseen" role="status" aria-live="polite" data-calls>{text}</div>;
}
