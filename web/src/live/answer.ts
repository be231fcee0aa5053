// An answer of the daemon that a component shows: asked for when it is shown,
// and again whenever what it depends on has changed.
import { useCallback, useEffect, useState } from "react";
import { asFailure, type Failure } from "../api/http";

export interface Answered<Value> {
  /** The newest answer, kept while the next one is awaited. */
  value: Value | null;
  failure: Failure | null;
  reload: () => void;
}

/** `ask` is called anew when `key` changes; an answer that comes too late is dropped. */
export function useAnswer<Value>(key: string, ask: () => Promise<Value>): Answered<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let ended = false;
    ask().then(
      (answer) => {
        if (ended) return;
        setValue(answer);
        setFailure(null);
      },
      (thrown: unknown) => ended || setFailure(asFailure(thrown)),
    );
    return () => {
      ended = true;
    };
    // What is asked depends on the key alone.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, times]);
  const reload = useCallback(() => setTimes((count) => count + 1), []);
  return { value, failure, reload };
}
