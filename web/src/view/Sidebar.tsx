// The left side: whether the page is live, the views, the sessions, what could
// be adopted, and how this browser calls.
import { writeRoute } from "../route";
import { useStore } from "../store";
import { AdoptOffers } from "./AdoptOffers";
import { Alerts } from "./Alerts";
import { Nav } from "./Nav";
import { PageNotice } from "./PageNotice";
import { Icon, LinkState } from "./Parts";
import { SessionList } from "./SessionList";

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
      <Nav />
      <div className="lists" data-live={state.link.phase === "live"}>
        {state.workspaces !== null && <SessionList state={state} current={current} />}
        <AdoptOffers offers={state.adoptable} />
      </div>
      <PageNotice sidebar />
      <Alerts />
    </div>
  );
}
