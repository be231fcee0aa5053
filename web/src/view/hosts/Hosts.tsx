// The machines where agents live, and their health.
import { getHosts } from "../../api/http";
import { useAnswer } from "../../live/answer";
import { useNow } from "../now";
import { Problem } from "../Parts";
import { AddHost } from "./AddHost";
import { HostRow } from "./HostRow";
import { ThisMachine } from "./ThisMachine";

export default function Hosts() {
  // Their states change by themselves; the page's clock is often enough to ask.
  const { value, failure, reload } = useAnswer(`hosts ${useNow()}`, getHosts);
  return (
    <div className="hosts">
      <header className="view-head"><h1>Hosts</h1></header>
      <section aria-labelledby="others">
        <h2 id="others">Other machines</h2>
        {failure !== null && <Problem failure={failure} />}
        {value?.length === 0 && <p className="muted">None yet. Anything that a command reaches can be one: <code>ssh box</code>, <code>docker exec -i box</code>, <code>kubectl exec -i pod --</code>. It needs tmux and sh, and nothing else.</p>}
        <ul>{value?.map((host) => <HostRow key={host.name} host={host} onChange={reload} />)}</ul>
        <AddHost onAdded={reload} />
      </section>
      <ThisMachine />
    </div>
  );
}
