// Search in the lines above the screen and on it: those that the terminal holds,
// and those that it doesn't yet, which are fetched when the search opens.
import type { ISearchOptions } from "@xterm/addon-search";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import type { TerminalScreen } from "../terminal/screen";
import { Icon } from "./Parts";

// The match that one is at.
const ACTIVE = "#c2571a";
// Marks that are told apart on the light and on the dark ground.
const OPTIONS: ISearchOptions = {
  decorations: {
    matchBackground: "#8a6d1d",
    matchOverviewRuler: "#c9a22f",
    activeMatchBackground: ACTIVE,
    activeMatchColorOverviewRuler: "#e5702b",
  },
};

interface Found {
  at: number;
  of: number;
}

export function SearchBar({ screen, onClose }: { screen: TerminalScreen; onClose: () => void }) {
  const { emulator, scrollback } = screen;
  const { search } = emulator;
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [low, setLow] = useState(false);
  useEffect(() => {
    field.current?.focus();
    emulator.seek(ACTIVE);
    const results = search.onDidChangeResults(({ resultIndex, resultCount }) => {
      setFound({ at: resultIndex + 1, of: resultCount });
      // It gives way, and comes back when the match is elsewhere.
      setLow(isUnderTop(emulator.terminal, bar.current));
    });
    const stop = scrollback.onCame(() => {
      scrollback.fetchAll();
      // The marks of before are gone with the lines that they stood on.
      search.clearDecorations();
      const text = field.current?.value ?? "";
      if (text !== "") search.findPrevious(text, { ...OPTIONS, incremental: true });
    });
    scrollback.fetchAll();
    return () => {
      results.dispose();
      stop();
      search.clearDecorations();
      emulator.seek(null);
    };
  }, [emulator, scrollback, search]);

  const look = (forward: boolean, incremental = false): void => {
    const text = field.current?.value ?? "";
    if (text === "") {
      search.clearDecorations();
      setFound(null);
    } else if (forward) search.findNext(text, { ...OPTIONS, incremental });
    else search.findPrevious(text, { ...OPTIONS, incremental });
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") look(event.shiftKey);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={bar} className="search" role="search" data-low={low} onKeyDown={press}>
      <input ref={field} type="search" aria-label="Search in the terminal" placeholder="Search" autoComplete="off" spellCheck={false} onInput={() => look(false, true)} />
      <span className="found" role="status">{words(found, scrollback)}</span>
      <button type="button" className="quiet" title="Further up (Enter)" aria-label="Previous match, further up" onClick={() => look(false)}><Icon name="up" /></button>
      <button type="button" className="quiet" title="Further down (Shift Enter)" aria-label="Next match, further down" onClick={() => look(true)}><Icon name="down" /></button>
      <button type="button" className="quiet" title="Close (Escape)" aria-label="Close the search" onClick={onClose}><Icon name="close" /></button>
    </div>
  );
}

function words(found: Found | null, { isFetching, limit }: TerminalScreen["scrollback"]): string {
  if (found === null) return "";
  if (found.of === 0) return isFetching ? "looking" : limit === null ? "none" : `none in the last ${limit.toLocaleString("en")} lines`;
  // The addon counts no further than to the first thousand, and one may be at a later one.
  return found.at === 0 ? `${found.of} and more` : `${found.at} of ${found.of}`;
}

/** Whether the match that one is at is where the bar is when it stands at the top. */
function isUnderTop(terminal: TerminalScreen["emulator"]["terminal"], bar: HTMLElement | null): boolean {
  const match = terminal.getSelectionPosition();
  const screen = terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
  const stage = bar?.parentElement?.getBoundingClientRect();
  if (match === undefined || screen === undefined || stage === undefined || bar === null) return false;
  const { left, height, right } = bar.getBoundingClientRect();
  const column = (at: number): number => screen.left + (at * screen.width) / terminal.cols;
  const top = screen.top + ((match.start.y - terminal.buffer.active.viewportY) * screen.height) / terminal.rows;
  const isWrapped = match.end.y > match.start.y;
  // Twice its margin, so that the match doesn't touch it either.
  return top < stage.top + height + 16 && (isWrapped || (column(match.end.x) > left && column(match.start.x) < right));
}
