// What happened in a session, the newest first.
import { useEffect, useState } from "react";
import type { HistoryEntry } from "../../api/wire";
import { followHistory, type History } from "../../live/history";
import { useNow } from "../now";
import { Problem, Shape } from "../Parts";
import { moment, stamp } from "../words";
import { lineOf } from "./history";

export function Timeline({ id }: { id: string }) {
  const [history, setHistory] = useState<History>({ entries: null, failure: null });
  useEffect(() => followHistory(id, setHistory), [id]);
  const { entries, failure } = history;
  return (
    <div className="timeline">
      {failure !== null && <Problem failure={failure} />}
      {entries?.length === 0 && <p className="muted">Nothing has happened yet. What the agent says of itself is listed here.</p>}
      {entries === null && failure === null && <p className="muted">Reading.</p>}
      <ol>{entries?.toReversed().map((entry) => <Entry key={entry.number} entry={entry} />)}</ol>
    </div>
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
      <time dateTime={entry.at} title={stamp(at)}>{moment(at, now)}</time>
      {line.words !== "" && <bdi className="words">{line.words}</bdi>}
    </li>
  );
}
