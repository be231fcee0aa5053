// How a session was started and where it lives: for people who want to know
// exactly, with everything there is to copy.
import type { ReactNode } from "react";
import { getDetails } from "../../api/http";
import type { Session, Workspace } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { CopyButton, Problem } from "../Parts";

export function Details({ session, workspace }: { session: Session; workspace: Workspace | null }) {
  const { value, failure } = useAnswer(session.id, () => getDetails(session.id));
  return (
    <div className="facts">
      <dl>
        <Fact name="Session" text={session.id} copy />
        <Fact name="Target" text={session.target} />
        <Fact name="Started" text={new Date(session.created_at).toLocaleString()} />
        {workspace !== null && <Fact name="Workspace" text={workspace.path} copy />}
        {workspace?.branch != null && <Fact name="Branch" text={workspace.branch} copy />}
        <Fact name="Host" text={session.host} />
        <Fact name="Size" text={`${session.cols} columns, ${session.rows} rows`} />
        <Fact name="Attach" text={session.attach_cmd} copy />
        <Fact name="Command" text={value?.command ?? session.command.join(" ")} copy />
        {value?.dir != null && <Fact name="Directory" text={value.dir} copy />}
        {value?.pid != null && <Fact name="Process" text={String(value.pid)} />}
      </dl>
      {failure !== null && <Problem failure={failure} />}
      {value !== null && value.env.length > 0 && (
        <section aria-labelledby="environment">
          <h3 id="environment">Environment that schmux set</h3>
          <dl className="environment">
            {value.env.map(({ name, value: text, secret }) => <Fact key={name} name={name} text={text} copy={!secret} />)}
          </dl>
        </section>
      )}
    </div>
  );
}

function Fact({ name, text, copy = false }: { name: string; text: string; copy?: boolean }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd><bdi>{text}</bdi>{copy && <CopyButton text={text} label={`Copy: ${name}`} />}</dd>
    </div>
  );
}
