// The left side: whether the page is live, the sessions, what could be adopted,
// how this browser calls, and the keys.
import { writeRoute } from "../route";
import { useStore } from "../store";
import { AdoptOffers } from "./AdoptOffers";
import { Alerts } from "./Alerts";
import { Icon, Key, LinkState } from "./Parts";
import { SessionList } from "./SessionList";
import { SHORTCUTS } from "./shortcuts";

export function Sidebar({ current }: { current: string | null }) {
  const state = useStore();
  return (
    <div className="sidebar">
      <header>
        <a className="brand" href={writeRoute({ view: "home" })}>schmux</a>
        <LinkState link={state.link} />
        <a className="button" href={writeRoute({ view: "new", workspace: null })} title="New session (c)" aria-label="New session">
          <Icon name="add" /> New
        </a>
      </header>
      <div className="lists" data-live={state.link.phase === "live"}>
        {state.workspaces !== null && <SessionList state={state} current={current} />}
        <AdoptOffers offers={state.adoptable} />
      </div>
      <Alerts />
      <details className="keys">
        <summary>Keys</summary>
        <dl>
          {SHORTCUTS.map(([keys, what]) => (
            <div key={keys}>
              <dt>{keys.split(" ").map((key) => <Key key={key}>{key}</Key>)}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
