// The machines where agents live, and their health.
import { useStore } from "../../store";
import { AddHost } from "./AddHost";
import { HostRow } from "./HostRow";
import { ThisMachine } from "./ThisMachine";

export default function Hosts() {
  const { hosts } = useStore();
  return (
    <div className="hosts">
      <header className="view-head"><h1>Hosts</h1></header>
      <section aria-labelledby="others">
        <h2 id="others">Other machines</h2>
        {hosts.length === 0 && <p className="muted">None yet. Anything that a command reaches can be one: <code>ssh box</code>, <code>docker exec -i box</code>, <code>kubectl exec -i pod --</code>. It needs tmux and sh, and nothing else.</p>}
        <ul>{hosts.map((host) => <HostRow key={host.name} host={host} />)}</ul>
        <AddHost />
      </section>
      <ThisMachine />
    </div>
  );
}
