// What happened in a session, the newest first. It lies over the terminal's edge
// rather than beside it, so that looking at it doesn't resize the agent.
import { useEffect, useRef, useState } from "react";
import type { HistoryEntry } from "../api/wire";
import { followHistory, type History } from "../live/history";
import { lineOf } from "./history";
import { useNow } from "./now";
import { Icon, Problem, Shape } from "./Parts";
import { moment } from "./words";

export function Timeline({ id, onClose }: { id: string; onClose: () => void }) {
  const [history, setHistory] = useState<History>({ entries: null, failure: null });
  const panel = useRef<HTMLElement>(null);
  useEffect(() => followHistory(id, setHistory), [id]);
  useEffect(() => panel.current?.focus(), []);
  const { entries, failure } = history;
  return (
    <aside
      ref={panel}
      className="timeline"
      aria-label="Timeline"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <h2>Timeline</h2>
        <button type="button" className="quiet" title="Close (Escape)" aria-label="Close the timeline" onClick={onClose}><Icon name="close" /></button>
      </header>
      {failure !== null && <Problem failure={failure} />}
      {entries?.length === 0 && <p className="muted">Nothing has happened yet. What the agent says of itself is listed here.</p>}
      {entries === null && failure === null && <p className="muted">Reading.</p>}
      <ol>{entries?.toReversed().map((entry) => <Entry key={entry.number} entry={entry} />)}</ol>
    </aside>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const now = useNow();
  const line = lineOf(entry);
  const at = Date.parse(entry.at);
  return (
    <li data-shape={line.shape}>
      <Shape status={line.shape} />
      <span className="what">{line.what}{line.note !== "" && <span className="note">{line.note}</span>}</span>
      <time dateTime={entry.at} title={new Date(at).toLocaleString()}>{moment(at, now)}</time>
      {line.words !== "" && <bdi className="words">{line.words}</bdi>}
    </li>
  );
}
