// The element that a terminal lives in. The terminal's code is loaded when the
// first one is shown.
import { useLayoutEffect, useRef, useState } from "react";
import type * as Terminals from "../terminal/screen";
import type { TerminalScreen, View } from "../terminal/screen";
import { isOutside, leaveOutside } from "./focus";
import { Problem } from "./Parts";

let loaded: typeof Terminals | null = null;

export const loadTerminal = async () => (loaded = await import("../terminal/screen"));

interface Props {
  id: string;
  live: boolean;
  owner: boolean;
  onView: (view: View) => void;
  onScreen: (screen: TerminalScreen | null) => void;
}

export function TerminalPane({ id, live, owner, onView, onScreen }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  // A layout effect, because the picture of the last screen is taken while it still has a size.
  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return;
    let screen: TerminalScreen | null = null;
    let ended = false;
    const start = ({ TerminalScreen }: typeof Terminals): void => {
      if (ended) return;
      screen = new TerminalScreen(id, element, onView);
      onScreen(screen);
      // On a phone the focus would raise the keyboard over what one came to read.
      if (matchMedia("(pointer: fine)").matches && !isOutside(id)) screen.focus();
    };
    // At once where that is possible: between two terminals the page has the keyboard,
    // and keys that are typed on would be its own.
    if (loaded !== null) start(loaded);
    else loadTerminal().then(start).catch(() => setFailed(true));
    return () => {
      ended = true;
      leaveOutside(id);
      screen?.dispose();
      onScreen(null);
    };
  }, [id, onView, onScreen]);

  return (
    <div className="pane" data-live={live} data-owner={owner}>
      {failed && (
        <Problem failure={{ message: "The terminal could not be loaded.", advice: "The daemon is away or was updated: load the page again." }}>
          <button type="button" onClick={() => location.reload()}>Load again</button>
        </Problem>
      )}
      <div ref={container} className="screen" />
    </div>
  );
}
