// What happened in a session while one was away: its recorded output, played,
// with the signals as marks to jump to.
import { useEffect, useRef, useState } from "react";
import { asFailure, castAddress, getFrames, getReplay } from "../../api/http";
import type { HistoryEntry, Replay } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { writeRoute } from "../../route";
import { findSession, useStore } from "../../store";
import { ReplayScreen } from "../../terminal/replayScreen";
import { lookedAt } from "../looked";
import { useNow } from "../now";
import { lineOf } from "../panel/history";
import { Icon, Problem, Shape } from "../Parts";
import { clock, moment, sessionName } from "../words";
import { Player, type Playing } from "./player";
import { Track } from "./Track";

const SPEEDS = [1, 2, 4, 16] as const;
// One press of an arrow: far enough to get on, near enough to find a place.
const STEP_MS = 5_000;

export default function ReplayView({ id }: { id: string }) {
  const state = useStore();
  const session = findSession(state, id);
  const { value, failure } = useAnswer(id, () => getReplay(id));
  const name = session === null ? (value?.nickname ?? value?.target ?? id) : sessionName(session);
  return (
    <section className="replay" aria-label={`Replay of ${name}`}>
      <header className="bar">
        {session !== null && <a className="button quiet" href={writeRoute({ view: "session", id })} title="To the live terminal" aria-label="To the live terminal"><Icon name="back" /></a>}
        <h1 title={name}><bdi>{name}</bdi></h1>
        <span className="muted">replay</span>
        {value !== null && <a className="button quiet export" href={castAddress(id)} download={`${id}.cast`}>Export as asciicast</a>}
      </header>
      {failure !== null && <div className="home"><Problem failure={failure} /></div>}
      {value === null && failure === null && <p className="muted waiting">Reading.</p>}
      {value !== null && <Stage key={id} id={id} replay={value} />}
    </section>
  );
}

function Stage({ id, replay }: { id: string; replay: Replay }) {
  const container = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<Player | null>(null);
  const [playing, setPlaying] = useState<Playing>({ at: replay.from, playing: false, loading: true, ended: false, failure: null });
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const screen = new ReplayScreen(id, element);
    const made = new Player(replay, screen, (start) => getFrames(id, start), setPlaying);
    setPlayer(made);
    void made.seek(lookedAt(id) ?? replay.from);
    let before = performance.now();
    let frame = requestAnimationFrame(function run(now) {
      made.tick(now - before);
      before = now;
      frame = requestAnimationFrame(run);
    });
    return () => {
      cancelAnimationFrame(frame);
      screen.dispose();
    };
  }, [id, replay]);
  const seek = (at: number): void => void player?.seek(at);
  return (
    <>
      <div className="replay-stage">
        <div className="replay-place"><div ref={container} className="screen" /></div>
        <Marks marks={replay.marks} at={playing.at} onSeek={seek} />
      </div>
      {playing.failure !== null && <Problem failure={asFailure(playing.failure)} />}
      {player !== null && <Controls id={id} replay={replay} player={player} playing={playing} />}
    </>
  );
}

function Controls({ id, replay, player, playing }: { id: string; replay: Replay; player: Player; playing: Playing }) {
  const [speed, setSpeed] = useState(1);
  const [skips, setSkips] = useState(true);
  const left = lookedAt(id);
  usePlayerKeys(player);
  const choose = (next: number): void => {
    player.setSpeed(next);
    setSpeed(next);
  };
  return (
    <footer className="controls">
      <Track replay={replay} at={playing.at} onSeek={(at) => void player.seek(at)} />
      <div className="buttons">
        <button type="button" className="primary" title="Space" onClick={() => player.play(!playing.playing)}>
          <Icon name={playing.playing ? "pause" : "play"} /> {playing.playing ? "Pause" : "Play"}
        </button>
        <time className="at">{clock(playing.at)}</time>
        <div className="segments" role="group" aria-label="Speed">
          {SPEEDS.map((each) => (
            <label key={each}>
              <input type="radio" name="speed" checked={speed === each} onChange={() => choose(each)} />
              <span>{each}×</span>
            </label>
          ))}
        </div>
        <label className="skips">
          <input
            type="checkbox"
            checked={skips}
            onChange={(event) => {
              player.setSkipsSilence(event.target.checked);
              setSkips(event.target.checked);
            }}
          />
          Cut silences
        </label>
        {left !== null && left > replay.from && left < replay.to && <button type="button" className="quiet" onClick={() => void player.seek(left)}>Since you left</button>}
        <button type="button" className="quiet" onClick={() => void player.seek(replay.from)}>From the beginning</button>
      </div>
    </footer>
  );
}

/** Space plays and pauses, the arrows go back and forth, unless a control has the keyboard. */
function usePlayerKeys(player: Player): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || (event.target as Element | null)?.closest("input, button, a, textarea, dialog") != null) return;
      if (event.key === " ") player.play(!player.now.playing);
      else if (event.key === "ArrowRight") void player.seek(player.now.at + STEP_MS);
      else if (event.key === "ArrowLeft") void player.seek(player.now.at - STEP_MS);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [player]);
}

/** What was said and what happened, to jump to. */
function Marks({ marks, at, onSeek }: { marks: readonly HistoryEntry[]; at: number; onSeek: (at: number) => void }) {
  const now = useNow();
  const passed = marks.findLastIndex((mark) => Date.parse(mark.at) <= at);
  return (
    <ol className="marks" aria-label="What happened">
      {marks.length === 0 && <li className="muted">Nothing was said in it.</li>}
      {marks.map((mark, index) => {
        const line = lineOf(mark);
        const time = Date.parse(mark.at);
        return (
          <li key={mark.number} aria-current={index === passed ? "step" : undefined}>
            <button type="button" className="quiet" onClick={() => onSeek(time)}>
              <Shape status={line.shape} />
              <span className="what">{line.what}</span>
              <time dateTime={mark.at}>{moment(time, now)}</time>
              {line.words !== "" && <bdi className="words">{line.words}</bdi>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
