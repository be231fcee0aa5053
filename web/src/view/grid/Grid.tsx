// Many live terminals at once. A press opens one; those that need the human
// stand first and are marked.
import { useState } from "react";
import { groups, type GroupName } from "../../attention/order";
import { allSessions, useStore } from "../../store";
import { recall, remember } from "../memory";
import { count } from "../words";
import { Thumbnail } from "./Thumbnail";

const SIZES = ["small", "medium", "large"] as const;
type Size = (typeof SIZES)[number];

/** Those whose program runs; the others have nothing to watch. */
const LIVE: readonly GroupName[] = ["needs", "working", "quiet", "done"];

export default function Grid() {
  const state = useStore();
  const [size, setSize] = useState<Size>(() => SIZES.find((each) => each === recall("grid")) ?? "medium");
  const [everything, setEverything] = useState(false);
  const shown = groups(state).filter(({ name }) => everything || LIVE.includes(name)).flatMap(({ members }) => members);
  const hidden = allSessions(state).length - shown.length;
  const choose = (each: Size): void => {
    remember("grid", each);
    setSize(each);
  };
  return (
    <div className="grid-view">
      <header className="view-head">
        <h1>{count(shown.length, "terminal")}</h1>
        {(hidden > 0 || everything) && <button type="button" className="quiet" aria-pressed={everything} onClick={() => setEverything(!everything)}>{everything ? "Only those that run" : `${hidden} more that ended`}</button>}
        <div className="segments" role="group" aria-label="Size">
          {SIZES.map((each) => (
            <label key={each}>
              <input type="radio" name="size" value={each} checked={size === each} onChange={() => choose(each)} />
              <span>{each}</span>
            </label>
          ))}
        </div>
      </header>
      {shown.length === 0 && <p className="muted">No session runs.</p>}
      <ul className="thumbnails" data-size={size}>
        {shown.map(({ session, workspace }) => <Thumbnail key={session.id} session={session} path={workspace?.path ?? ""} />)}
      </ul>
    </div>
  );
}
