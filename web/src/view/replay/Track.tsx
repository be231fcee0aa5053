// The time line of a recording: how much was printed when, what is missing, and
// the signals as marks. A slider lies over it, for keys and screen readers too.
import type { Replay } from "../../api/wire";
import { lineOf } from "../panel/history";
import { clock, moment } from "../words";

interface Props {
  replay: Replay;
  at: number;
  onSeek: (at: number) => void;
}

export function Track({ replay, at, onSeek }: Props) {
  const { from, to } = replay;
  const place = (time: number): number => (to === from ? 0 : ((Math.min(to, Math.max(from, time)) - from) / (to - from)) * 100);
  const most = Math.max(1, ...replay.activity.map(({ bytes }) => bytes));
  return (
    <div className="track">
      <svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
        {replay.gaps.map((gap) => <rect key={`${gap.from} ${gap.reason}`} className="gap" x={place(gap.from)} width={Math.max(0.15, place(gap.to) - place(gap.from))} y="0" height="20" />)}
        {replay.activity.map((part) => {
          // By its logarithm: a flood would make everything else invisible.
          const height = 4 + 16 * (Math.log1p(part.bytes) / Math.log1p(most));
          return <rect key={part.from} className="printed" x={place(part.from)} width={Math.max(0.2, place(part.to) - place(part.from))} y={20 - height} height={height} />;
        })}
      </svg>
      {replay.marks.map((mark) => {
        const line = lineOf(mark);
        return <span key={mark.number} className="mark" data-kind={line.shape} title={`${line.what} ${line.words}`} style={{ left: `${place(Date.parse(mark.at))}%` }} />;
      })}
      <span className="head" style={{ left: `${place(at)}%` }} />
      <input type="range" aria-label="Moment" aria-valuetext={clock(at)} min={from} max={Math.max(to, from + 1)} step={100} value={at} onChange={(event) => onSeek(Number(event.target.value))} />
      <span className="ends"><time>{moment(from, to)}</time><time>{moment(to, to)}</time></span>
    </div>
  );
}
