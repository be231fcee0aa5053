// Other sessions that get the same message.
import type { Session } from "../api/wire";
import { groups } from "../attention/order";
import { useStore } from "../store";
import { StatusShape } from "./Parts";
import { count, sessionName, splitPath, statusWord } from "./words";

interface Props {
  session: Session;
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}

export function Others({ session, chosen, onChoose }: Props) {
  const all = groups(useStore()).flatMap(({ members }) => members);
  const others = all.filter(({ session: other }) => other.id !== session.id && other.status !== "exited");
  if (others.length === 0) return null;
  const toggle = (id: string): void => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <details className="others">
      <summary>{chosen.length === 0 ? "Also to others" : `Also to ${count(chosen.length, "other")}`}</summary>
      <ul>
        {others.map(({ session: other, workspace }) => (
          <li key={other.id}>
            <label title={other.id}>
              <input type="checkbox" checked={chosen.includes(other.id)} onChange={() => toggle(other.id)} />
              <StatusShape session={other} />
              <bdi>{sessionName(other)}</bdi>
              <span className="muted"><bdi>{workspace === null ? "" : splitPath(workspace.path).name}</bdi> {statusWord(other)}</span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
