// One session: its header, its terminal, the search, the timeline and what a
// phone's keyboard lacks.
import { useEffect, useRef, useState } from "react";
import { findSession, useStore } from "../store";
import type { TerminalScreen, View } from "../terminal/screen";
import { writeRoute } from "../route";
import { copyText } from "./clipboard";
import { focusTerminal, isOutside } from "./focus";
import { DisposeDialog } from "./DisposeDialog";
import { KeyRow } from "./KeyRow";
import { SearchBar } from "./SearchBar";
import { SessionHeader } from "./SessionHeader";
import { plainKeyOf, shortcutOf } from "./shortcuts";
import { TerminalPane } from "./TerminalPane";
import { Timeline } from "./Timeline";
import { linkWords, sessionName } from "./words";

const FIRST: View = { link: { phase: "connecting" }, size: null, unreachable: null, gone: false };

export function SessionView({ id }: { id: string }) {
  const state = useStore();
  const session = findSession(state, id);
  const [view, setView] = useState(FIRST);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const [searching, setSearching] = useState(false);
  const [timeline, setTimeline] = useState(false);
  const [disposing, setDisposing] = useState(false);
  const section = useRef<HTMLElement>(null);
  const toggleTimeline = (): void => setTimeline((open) => !open);
  useSessionKeys(screen, setSearching, setTimeline);
  useEffect(() => {
    if (isOutside(id)) section.current?.focus();
  }, [id]);

  const known = state.workspaces !== null && state.link.phase === "live";
  if (view.gone || (session === null && known)) return <Gone id={id} />;
  const live = view.link.phase === "live" && view.unreachable === null;
  const closeSearch = (): void => {
    setSearching(false);
    screen?.focus();
  };
  const closeTimeline = (): void => {
    setTimeline(false);
    section.current?.focus();
  };
  return (
    <section
      ref={section}
      className="session"
      data-id={id}
      tabIndex={-1}
      aria-label={session === null ? id : `Session ${sessionName(session)}`}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== section.current) return;
        // The focus moves within this very press: unless it ends here, the agent gets an Enter.
        event.preventDefault();
        focusTerminal();
      }}
    >
      <SessionHeader
        id={id}
        session={session}
        workspace={state.workspaces?.find((workspace) => workspace.id === session?.workspace_id) ?? null}
        view={view}
        isTimelineOpen={timeline}
        onTimeline={toggleTimeline}
        onClaim={() => {
          screen?.claimSize();
          screen?.focus();
        }}
        onSearch={() => setSearching(true)}
        onDispose={() => setDisposing(true)}
      />
      <div className="stage">
        <TerminalPane id={id} live={live} owner={view.size?.owner !== false} onView={setView} onScreen={setScreen} />
        {!live && <p className="not-live" role="status">{notLive(view)}</p>}
        {searching && screen !== null && <SearchBar search={screen.emulator.search} onClose={closeSearch} />}
        {timeline && <Timeline id={id} onClose={closeTimeline} />}
      </div>
      {screen !== null && <KeyRow screen={screen} />}
      {disposing && session !== null && <DisposeDialog session={session} onClose={() => setDisposing(false)} />}
    </section>
  );
}

function notLive(view: View): string {
  if (view.link.phase === "live" && view.unreachable !== null) return `tmux is unreachable: ${view.unreachable}`;
  return linkWords(view.link);
}

function Gone({ id }: { id: string }) {
  return (
    <div className="home">
      <h1>This session is gone</h1>
      <p>There is no session <code>{id}</code>. It was disposed of, or belongs to another instance.</p>
      <p className="actions">
        <a className="button" href={writeRoute({ view: "home" })}>To the sessions</a>
      </p>
    </div>
  );
}

type Toggle = (change: boolean | ((before: boolean) => boolean)) => void;

function useSessionKeys(screen: TerminalScreen | null, setSearching: Toggle, setTimeline: Toggle): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event);
      if (shortcut === "search") setSearching(true);
      else if (shortcut === "copy") void copyText(screen?.emulator.terminal.getSelection() ?? "");
      else if (plainKeyOf(event) === "timeline") setTimeline((open) => !open);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [screen, setSearching, setTimeline]);
}
