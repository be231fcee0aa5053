// What is known of a session, beside its terminal. It lies over the terminal's
// edge rather than beside it, so that looking at it doesn't resize the agent.
import { lazy, Suspense, useEffect, useRef, type KeyboardEvent } from "react";
import type { Session, Workspace } from "../../api/wire";
import { Icon } from "../Parts";
import { Details } from "./Details";
import { Messages } from "./Messages";
import { TAB_KEYS, TAB_NAMES, TABS, type Tab } from "./tabs";
import { Timeline } from "./Timeline";
import { Why } from "./Why";

// The diff brings its highlighter along, which nobody needs before the first diff.
const Changes = lazy(() => import("./Changes"));

interface Props {
  session: Session;
  workspace: Workspace | null;
  tab: Tab;
  onTab: (tab: Tab) => void;
  onClose: () => void;
}

export function Panel({ session, workspace, tab, onTab, onClose }: Props) {
  const panel = useRef<HTMLElement>(null);
  // The message's field takes the keyboard itself.
  useEffect(() => {
    if (tab !== "messages") panel.current?.focus();
  }, [tab]);
  return (
    <aside
      ref={panel}
      className="panel"
      data-tab={tab}
      aria-label={TAB_NAMES[tab]}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header>
        <div role="tablist" aria-label="About this session" onKeyDown={(event) => moveTab(event, tab, onTab)}>
          {TABS.map((name) => (
            <button key={name} type="button" role="tab" id={`tab-${name}`} className="tab" aria-selected={name === tab} aria-controls="panel-body" tabIndex={name === tab ? 0 : -1} title={`${TAB_NAMES[name]} (${TAB_KEYS[name]})`} onClick={() => onTab(name)}>
              {TAB_NAMES[name]}
            </button>
          ))}
        </div>
        <button type="button" className="quiet" title="Close (Escape)" aria-label="Close the panel" onClick={onClose}><Icon name="close" /></button>
      </header>
      <div id="panel-body" className="panel-body" role="tabpanel" tabIndex={0} aria-labelledby={`tab-${tab}`}>
        <Suspense fallback={<p className="muted">Reading.</p>}>
          <Body session={session} workspace={workspace} tab={tab} />
        </Suspense>
      </div>
    </aside>
  );
}

function Body({ session, workspace, tab }: Pick<Props, "session" | "workspace" | "tab">) {
  switch (tab) {
    case "why":
      return <Why session={session} />;
    case "timeline":
      return <Timeline id={session.id} />;
    case "messages":
      return <Messages session={session} />;
    case "changes":
      return <Changes session={session} />;
    case "details":
      return <Details session={session} workspace={workspace} />;
  }
}

function moveTab(event: KeyboardEvent<HTMLElement>, tab: Tab, onTab: (tab: Tab) => void): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = TABS.at((TABS.indexOf(tab) + step) % TABS.length);
  if (next !== undefined) onTab(next);
}
