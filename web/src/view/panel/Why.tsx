// Why a session is shown as it is: what every source says, and the rule that won.
import { getWhy } from "../../api/http";
import type { Session, StateChange, Vote, Why as Reasons } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { useNow } from "../now";
import { Problem, Shape, StatusWord } from "../Parts";
import { ago, moment, sourceWord, stamp, statusWord } from "../words";

export function Why({ session }: { session: Session }) {
  // The votes age, and may change without the verdict: they are read again with the clock.
  const now = useNow();
  const key = `${session.id} ${session.status} ${session.verdict.rule} ${session.nudge_seq} ${session.last_output_at} ${Math.floor(now / 5_000)}`;
  const { value, failure } = useAnswer(key, () => getWhy(session.id));
  if (value === null) return failure === null ? <p className="muted">Reading.</p> : <Problem failure={failure} />;
  return (
    <div className="why">
      <section>
        <p className="verdict"><StatusWord session={session} /> <span className="muted">{value.verdict.confidence} confidence, since {moment(Date.parse(value.verdict.since), now)}</span></p>
        <p>because {value.verdict.rule}</p>
        {value.verdict.message != null && <p className="words"><bdi>{value.verdict.message}</bdi></p>}
      </section>
      <section aria-labelledby="votes">
        <h3 id="votes">What each source says</h3>
        <ul className="votes">{value.votes.map((vote) => <Said key={vote.source} vote={vote} />)}</ul>
        {value.votes.length === 0 && <p className="muted">Nothing is known of it yet.</p>}
      </section>
      <Changes changes={value.changes} />
      <Footing why={value} />
    </div>
  );
}

function Said({ vote }: { vote: Vote }) {
  const now = useNow();
  return (
    <li data-decided={vote.decided}>
      <Shape status={vote.state ?? "cleared"} />
      <span className="source">{sourceWord(vote.source)}{vote.decided && <span className="decides">decides</span>}</span>
      <time dateTime={vote.at} title={stamp(Date.parse(vote.at))}>{ago(Date.parse(vote.at), now)}</time>
      <bdi className="words">{vote.says}</bdi>
    </li>
  );
}

function Changes({ changes }: { changes: readonly StateChange[] }) {
  const now = useNow();
  if (changes.length === 0) return null;
  const word = (status: StateChange["to"]): string => statusWord({ status, exit_code: null });
  return (
    <section aria-labelledby="changes">
      <h3 id="changes">How it changed</h3>
      <ol className="turns">
        {changes.map((change) => (
          <li key={`${change.at} ${change.to}`}>
            <Shape status={change.to} />
            <span><span className="muted">{word(change.from)} →</span> {word(change.to)}</span>
            <time dateTime={change.at}>{moment(Date.parse(change.at), now)}</time>
            <span className="muted words">{change.rule}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Footing({ why }: { why: Reasons }) {
  return (
    <p className="muted">
      Its screen is read as {why.reader === "generic" ? "that of any program" : why.reader}.
      {why.drifts > 0 && ` What was told was not what was seen ${why.drifts === 1 ? "once" : `${why.drifts} times`}.`}
      {why.last_drift != null && <> The last time: <bdi>{why.last_drift}</bdi></>}
    </p>
  );
}
