// One session: its header, its terminal, and what lies over it: the search, the
// panel, questions to the person. On a phone a field for messages and the keys
// that its keyboard lacks stand below.
import { useEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from "react";
import type { HostStatus, Session } from "../api/wire";
import { usePreference } from "../attention/preferences";
import { writeRoute } from "../route";
import { findSession, useStore } from "../store";
import type { TerminalScreen, View } from "../terminal/screen";
import { useActs } from "./acts";
import { copyText } from "./clipboard";
import { choosable, LineOfChoices } from "./Choices";
import { ClipboardQuestion } from "./ClipboardQuestion";
import { Composer } from "./Composer";
import { DisposeDialog } from "./DisposeDialog";
import { Ended } from "./Ended";
import { focusTerminal, isOutside } from "./focus";
import { Gone } from "./Gone";
import { KeyRow } from "./KeyRow";
import { useKeyboardRoom } from "./keyboardRoom";
import { noteLook } from "./looked";
import { useIsPhone } from "./media";
import { Panel } from "./panel/Panel";
import { keepTab, openTab, type Tab } from "./panel/tabs";
import { SearchBar } from "./SearchBar";
import { SessionHeader } from "./SessionHeader";
import { NotPasted } from "./NotPasted";
import { shortcutOf } from "./shortcuts";
import { TerminalPane } from "./TerminalPane";
import { clock, linkWords, sessionName } from "./words";

const FIRST: View = { link: { phase: "connecting" }, refused: false, behind: false, size: null, unreachable: null, gone: false, clipboard: null, notPasted: null, latency: null };

export function SessionView({ id }: { id: string }) {
  const state = useStore();
  const session = findSession(state, id);
  const workspace = state.workspaces?.find((each) => each.id === session?.workspace_id) ?? null;
  const isPhone = useIsPhone();
  const [view, setView] = useState(FIRST);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const [searching, setSearching] = useState(false);
  const [tab, setTab] = useTab(isPhone);
  const [disposing, setDisposing] = useState(false);
  const section = useRef<HTMLElement>(null);
  useTerminalKeys(screen, setSearching);
  useKeyboardRoom(section);
  useEffect(() => {
    if (isOutside(id)) section.current?.focus();
    return () => noteLook(id, Date.now());
  }, [id]);
  useActs((act) => {
    if (act.act === "tab") setTab(act.tab === tab ? null : act.tab);
    else if (act.act === "search") setSearching(true);
    else if (act.act === "claim") screen?.claimSize();
    else setDisposing(true);
  });

  const known = state.workspaces !== null && state.link.phase === "live";
  if (view.gone || (session === null && known)) return <Gone id={id} />;
  const live = view.link.phase === "live" && view.unreachable === null;
  const isOver = session?.status === "exited";
  // Its program's pane is gone, too: the terminal is refused, while the page itself is live.
  const hasScreen = !isOver || live || !known || (view.link.phase !== "lost" && !view.refused);
  const closeSearch = (): void => {
    setSearching(false);
    screen?.focus();
  };
  const closePanel = (): void => {
    setTab(null);
    section.current?.focus();
  };
  const claim = (): void => {
    screen?.claimSize();
    screen?.focus();
  };
  return (
    <section ref={section} className="session" data-id={id} tabIndex={-1} aria-label={session === null ? id : `Session ${sessionName(session)}`} onKeyDown={enterTerminal}>
      <SessionHeader id={id} session={session} workspace={workspace} view={view} tab={tab} onTab={(open) => setTab(open === tab ? null : open)} onClaim={claim} onSearch={() => setSearching(true)} onDispose={() => setDisposing(true)} />
      <div className="stage">
        <TerminalPane id={id} live={live} owner={view.size?.owner !== false} onView={setView} onScreen={setScreen} />
        {!hasScreen && <p className="no-screen"><span>Its screen is gone. What it printed is in its <a href={writeRoute({ view: "replay", id })}>replay</a>.</span></p>}
        {!live && hasScreen && <p className="not-live" role="status">{notLive(view, session, state.hosts)}</p>}
        <LatencyCorner view={view} />
        {searching && screen !== null && <SearchBar screen={screen} onClose={closeSearch} />}
      </div>
      <div className="dock">
        {isOver && <Ended session={session} onDispose={() => setDisposing(true)} />}
        {!isOver && isPhone && session !== null && <Reply session={session} />}
        {!isOver && screen !== null && <KeyRow screen={screen} />}
      </div>
      {tab !== null && session !== null && <Panel session={session} workspace={workspace} tab={tab} onTab={setTab} onClose={closePanel} />}
      {view.clipboard !== null && screen !== null && <ClipboardQuestion text={view.clipboard} screen={screen} />}
      {view.notPasted !== null && screen !== null && <NotPasted why={view.notPasted} screen={screen} />}
      {disposing && session !== null && <DisposeDialog session={session} workspace={workspace} onClose={() => setDisposing(false)} />}
    </section>
  );
}

/**
 * On a phone: the field for a message, and over it the choices of a dialog, which
 * no message could pass anyway. It is as high with them as without.
 */
function Reply({ session }: { session: Session }) {
  const dialog = choosable(session);
  return (
    <div className="reply">
      <Composer session={session} />
      {dialog !== null && <LineOfChoices key={dialog.id} session={session} dialog={dialog} />}
    </div>
  );
}

/** The tab that is open; on a phone it would hide the terminal, so there one begins without. */
function useTab(isPhone: boolean): [Tab | null, (tab: Tab | null) => void] {
  const [tab, setTab] = useState<Tab | null>(() => (isPhone ? null : openTab()));
  useEffect(() => keepTab(tab), [tab]);
  return [tab, setTab];
}

/** Enter on the session itself goes into its terminal. */
function enterTerminal(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || event.target !== event.currentTarget) return;
  // The focus moves within this very press: unless it ends here, the agent gets an Enter.
  event.preventDefault();
  focusTerminal();
}

/** Why what is shown is not live: the page's own connection, or the one of the daemon to its tmux. */
function notLive(view: View, session: Session | null, hosts: readonly HostStatus[]): string {
  if (view.link.phase !== "live" || view.unreachable === null) return linkWords(view.link);
  const host = hosts.find(({ name }) => name === session?.host);
  const since = host?.since ?? (session?.status === "unreachable" ? session.verdict.since : null);
  return `${host?.name ?? "tmux"} is unreachable${since == null ? "" : ` since ${clock(Date.parse(since))}`}: ${view.unreachable}`;
}

function LatencyCorner({ view }: { view: View }) {
  if (!usePreference("latency")) return null;
  const figures = view.latency;
  return <p className="latency">{figures === null ? "type to measure" : `${figures.last.toFixed(0)} ms, median ${figures.median.toFixed(0)} ms`}</p>;
}

function useTerminalKeys(screen: TerminalScreen | null, setSearching: (searching: boolean) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event);
      if (shortcut === "search") setSearching(true);
      else if (shortcut === "copy") void copyText(screen?.emulator.terminal.getSelection() ?? "");
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [screen, setSearching]);
}
