// One session's live screen, small. It is connected only while it is in sight.
import { memo, useEffect, useRef, useState } from "react";
import type { Session } from "../../api/wire";
import { needOf } from "../../attention/call";
import { writeRoute } from "../../route";
import { Miniature } from "../../terminal/miniature";
import { StatusShape } from "../Parts";
import { sessionName, splitPath, statusWord } from "../words";

export const Thumbnail = memo(function Thumbnail({ session, path }: { session: Session; path: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState(false);
  useLiveScreen(canvas, session.id, setDrawn);
  const call = needOf(session);
  const name = sessionName(session);
  return (
    <li className="thumbnail" data-id={session.id} data-kind={call?.kind} data-seen={call?.seen}>
      <a href={writeRoute({ view: "session", id: session.id })} title={`${session.id}\n${path}`}>
        <span className="caption">
          <StatusShape session={session} />
          <bdi className="name">{name}</bdi>
          <span className="state">{call?.name ?? statusWord(session)}</span>
          <bdi className="target">{name === session.target ? splitPath(path).name : session.target}{session.host !== "local" && ` on ${session.host}`}</bdi>
        </span>
        <span className="glass">
          <canvas ref={canvas} data-drawn={drawn} role="img" aria-label={`The screen of ${name}`} />
        </span>
        {call !== null && call.words !== "" && <bdi className="words">{call.words}</bdi>}
      </a>
    </li>
  );
});

/** Keeps the canvas up to date while it is in sight and the page is looked at. */
function useLiveScreen(canvas: React.RefObject<HTMLCanvasElement | null>, id: string, onDrawn: (drawn: boolean) => void): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let inSight = false;
    let live: Miniature | null = null;
    const look = (): void => {
      const wanted = inSight && document.visibilityState === "visible";
      if (wanted && live === null) live = new Miniature(id, element, () => onDrawn(true));
      if (wanted || live === null) return;
      live.dispose();
      live = null;
    };
    // A little before it is in sight, so that scrolling finds it drawn: it is the view that scrolls, not the window.
    const observer = new IntersectionObserver(([entry]) => {
      inSight = entry?.isIntersecting ?? false;
      look();
    }, { root: element.closest("main"), rootMargin: "120px" });
    observer.observe(element);
    document.addEventListener("visibilitychange", look);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", look);
      live?.dispose();
    };
  }, [canvas, id, onDrawn]);
}
