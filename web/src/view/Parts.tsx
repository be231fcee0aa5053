// The small parts that every view is made of: shapes, icons, buttons, problems.
import { useEffect, useState, type ReactNode } from "react";
import type { Failure } from "../api/http";
import type { Session } from "../api/wire";
import type { Link } from "../live/socket";
import { copyText } from "./clipboard";
import { linkWords, statusWord } from "./words";

const SHAPES: Record<string, ReactNode> = {
  starting: <circle cx="6" cy="6" r="4" fill="none" strokeWidth="1.8" strokeDasharray="2.2 2" />,
  unknown: <circle cx="6" cy="6" r="4" stroke="none" />,
  exited: <rect x="2.4" y="2.4" width="7.2" height="7.2" rx="1" fill="none" strokeWidth="1.6" />,
  unreachable: <path d="M6 1.4 11.2 10.6H.8Z" fill="none" strokeWidth="1.6" strokeLinejoin="round" />,
};

/** A state as a shape: a mark that is read without colour. Words stand beside it. */
export function StatusShape({ session }: { session: Pick<Session, "status" | "exit_code"> }) {
  const failed = session.status === "exited" && (session.exit_code ?? 0) !== 0;
  return (
    <svg className="shape" data-status={failed ? "failed" : session.status} viewBox="0 0 12 12" aria-hidden="true">
      {failed ? <path d="m2.5 2.5 7 7m0-7-7 7" fill="none" strokeWidth="1.8" strokeLinecap="round" /> : (SHAPES[session.status] ?? SHAPES.unknown)}
    </svg>
  );
}

export function StatusWord({ session }: { session: Session }) {
  return (
    <span className="status" title={session.reason ?? undefined}>
      <StatusShape session={session} /> {statusWord(session)}
    </span>
  );
}

const ICONS = {
  add: "M8 3v10M3 8h10",
  back: "M9.5 3.5 5 8l4.5 4.5",
  copy: "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z",
  done: "m3.5 8.5 3 3 6-7",
  search: "M7 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9Zm3.3-1.2 3.2 3.2",
  up: "m4 10 4-4 4 4",
  down: "m4 6 4 4 4-4",
  close: "m4 4 8 8m0-8-8 8",
  branch: "M5 5.5v5m0-5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm6-5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 0c0 3-3 3-6 3.5",
};

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Whether a connection is live; said aloud by screen readers when it changes. */
export function LinkState({ link }: { link: Link }) {
  return (
    <span className="link-state" data-phase={link.phase} role="status">
      <span className="dot" aria-hidden="true" /> {linkWords(link)}
    </span>
  );
}

// Long enough to be seen, short enough not to be taken for a state.
const COPIED_MS = 1_500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState<"copied" | "could not copy" | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => setSaid((await copyText(text)) ? "copied" : "could not copy");
  return (
    <button type="button" className="quiet" title={label} aria-label={label} onClick={() => void copy()}>
      <Icon name={said === "copied" ? "done" : "copy"} />
      <span className="unseen" role="status">{said}</span>
    </button>
  );
}

/** Text in which `words in backticks` are commands. It is text all the same: nothing in it is markup. */
export function Words({ text }: { text: string }) {
  return text.split(/(`[^`]+`)/).map((part, index) =>
    part.startsWith("`") && part.endsWith("`") && part.length > 2 ? <code key={index}>{part.slice(1, -1)}</code> : part,
  );
}

/** What failed, and what to do about it. */
export function Problem({ failure, children }: { failure: Pick<Failure, "message" | "advice">; children?: ReactNode }) {
  return (
    <div className="problem" role="alert">
      <p><Words text={failure.message} /></p>
      {failure.advice !== null && failure.advice !== "" && <p className="advice"><Words text={failure.advice} /></p>}
      {children}
    </div>
  );
}

export function Key({ children }: { children: string }) {
  return <kbd>{children}</kbd>;
}
