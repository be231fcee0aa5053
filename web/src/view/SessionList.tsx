// All sessions, those that need the human first. Each is a link, so that a
// middle click, a reload and a bookmark do what they do everywhere; the arrows
// move between them.
import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent } from "react";
import { groups, type GroupName } from "../attention/order";
import type { State } from "../store";
import { SessionRow } from "./SessionRow";
import { splitPath } from "./words";

const HEADINGS: Readonly<Record<GroupName, string>> = {
  needs: "Needs you",
  working: "Working",
  quiet: "Quiet",
  done: "Done",
  unreachable: "Unreachable",
  ended: "Ended",
};

interface Props {
  state: State;
  current: string | null;
  /** A group that is shown elsewhere. */
  without?: GroupName;
}

export function SessionList({ state, current, without }: Props) {
  const follow = useFollowingFocus();
  const shown = groups(state).filter(({ name }) => name !== without);
  // One stop for Tab, however many there are: the arrows lead to the others.
  const stop = (current !== null && shown.some(({ members }) => members.some(({ session }) => session.id === current)) ? current : shown[0]?.members[0]?.session.id) ?? null;
  return (
    <nav id="sessions" aria-label="Sessions" onKeyDown={moveFocus} {...follow}>
      {shown.map(({ name, members }) => (
        <section key={name} data-group={name} aria-label={HEADINGS[name]}>
          <h2>{HEADINGS[name]} <span className="count">{members.length}</span></h2>
          <ul>
            {members.map(({ session, workspace }) => (
              <SessionRow
                key={session.id}
                session={session}
                needs={name === "needs"}
                isCurrent={session.id === current}
                isStop={session.id === stop}
                place={workspace === null ? "" : splitPath(workspace.path).name}
                path={workspace?.path ?? ""}
                branch={workspace?.branch ?? null}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** A row that moves to another group is drawn anew: the focus goes with it. */
function useFollowingFocus() {
  const list = useRef<HTMLElement>(null);
  const focused = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`li[data-id="${CSS.escape(focused.current)}"] > a`)?.focus();
  });
  return {
    ref: list,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      focused.current = event.target.closest("li")?.dataset.id ?? null;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const step = STEPS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("li > a")];
  const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement) === true);
  rows[step(at, rows.length - 1)]?.focus();
}
