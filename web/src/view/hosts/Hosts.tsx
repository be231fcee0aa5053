// The machines where agents live, and their health.
import { ThisMachine } from "./ThisMachine";

export default function Hosts() {
  return (
    <div className="hosts">
      <header className="view-head"><h1>Hosts</h1></header>
      <ThisMachine />
    </div>
  );
}
