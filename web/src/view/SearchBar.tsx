// Search in what the terminal holds: the screen and the scrollback that is loaded.
import type { ISearchOptions, SearchAddon } from "@xterm/addon-search";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Icon } from "./Parts";

// Marks that are told apart on the light and on the dark ground.
const OPTIONS: ISearchOptions = {
  decorations: {
    matchBackground: "#8a6d1d",
    matchOverviewRuler: "#c9a22f",
    activeMatchBackground: "#c2571a",
    activeMatchColorOverviewRuler: "#e5702b",
  },
};

export function SearchBar({ search, onClose }: { search: SearchAddon; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<{ at: number; of: number } | null>(null);
  useEffect(() => {
    field.current?.focus();
    const results = search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ at: resultIndex + 1, of: resultCount }),
    );
    return () => {
      results.dispose();
      search.clearDecorations();
    };
  }, [search]);

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
    <div className="search" role="search" onKeyDown={press}>
      <input ref={field} type="search" aria-label="Search in the terminal" placeholder="Search" autoComplete="off" spellCheck={false} onInput={() => look(false, true)} />
      <span className="found" role="status">{found === null ? "" : found.of === 0 ? "none" : `${found.at} of ${found.of}`}</span>
      <button type="button" className="quiet" title="Further up (Enter)" aria-label="Previous match, further up" onClick={() => look(false)}><Icon name="up" /></button>
      <button type="button" className="quiet" title="Further down (Shift Enter)" aria-label="Next match, further down" onClick={() => look(true)}><Icon name="down" /></button>
      <button type="button" className="quiet" title="Close (Escape)" aria-label="Close the search" onClick={onClose}><Icon name="close" /></button>
    </div>
  );
}
