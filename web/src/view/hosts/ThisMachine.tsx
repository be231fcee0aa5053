// The machine of the daemon: where it listens, which tmux it speaks to, and what
// `schmux doctor` finds.
import { getDoctor, getStatus } from "../../api/http";
import type { Check } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { allSessions, useStore } from "../../store";
import { Problem, Shape, Words } from "../Parts";
import { count } from "../words";

const SHAPES: Readonly<Record<Check["result"], string>> = { ok: "completed", warning: "unreachable", error: "error" };

export function ThisMachine() {
  const state = useStore();
  const status = useAnswer(`status ${state.link.phase}`, getStatus);
  const doctor = useAnswer(`doctor ${state.link.phase}`, getDoctor);
  const here = allSessions(state).filter(({ host }) => host === "local").length;
  const told = status.value;
  return (
    <section aria-labelledby="this-machine">
      <h2 id="this-machine">This machine</h2>
      <div className="host">
        <Shape status={state.link.phase === "live" ? "completed" : "unreachable"} />
        <span className="name">local</span>
        <span className="muted">{count(here, "session")}</span>
        {told !== null && <p className="facts-of">schmux {told.version} at <code>{told.url}</code>, process {told.pid}, since {new Date(told.started_at).toLocaleString()}; tmux {told.tmux_version}, server <code>{told.tmux_socket}</code>; home <code>{told.home}</code></p>}
      </div>
      {doctor.failure !== null && <Problem failure={doctor.failure} />}
      <ul className="checks">{doctor.value?.map((check) => <Finding key={check.name} check={check} />)}</ul>
    </section>
  );
}

function Finding({ check }: { check: Check }) {
  return (
    <li data-result={check.result}>
      <Shape status={SHAPES[check.result]} />
      <span className="name">{check.name}{check.result !== "ok" && <span className="unseen"> ({check.result})</span>}</span>
      <span className="detail"><Words text={check.detail} /></span>
      {check.advice != null && <span className="advice"><Words text={check.advice} /></span>}
    </li>
  );
}
