// A session that isn't there (any more).
import { writeRoute } from "../route";

export function Gone({ id }: { id: string }) {
  return (
    <div className="home">
      <h1>This session is gone</h1>
      <p>There is no session <code>{id}</code>. It was disposed of, or belongs to another instance.</p>
      <p className="actions">
        <a className="button" href={writeRoute({ view: "home" })}>To the sessions</a>
        <a className="button" href={writeRoute({ view: "replay", id })}>Its recording</a>
      </p>
    </div>
  );
}
