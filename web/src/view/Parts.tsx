// The small parts that every view is made of: shapes, icons, buttons, problems.
import { useEffect, useState, type ReactNode } from "react";
import type { Failure } from "../api/http";
import type { Session } from "../api/wire";
import type { Link } from "../live/socket";
import { needOf } from "../attention/call";
import { copyText } from "./clipboard";
import { linkWords, statusWord } from "./words";

const SHAPES: Record<string, ReactNode> = {
  needs_input: <path d="M6 .6 11.4 6 6 11.4.6 6Z" stroke="none" />,
  needs_testing: <path d="M6 1.2 10.8 6 6 10.8 1.2 6Zm0 2.9v3.8" fill="none" strokeWidth="1.6" strokeLinejoin="round" strokeLinecap="round" />,
  error: <path fillRule="evenodd" d="M3.6.6h4.8l3 3v4.8l-3 3H3.6l-3-3V3.6ZM5.2 2.8v4h1.6v-4Zm0 5v1.6h1.6V7.8Z" stroke="none" />,
  completed: <path d="m1.6 6.4 3 3 5.8-6.6" fill="none" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />,
  working: <path d="M3 1.6 10.4 6 3 10.4Z" strokeWidth="1" strokeLinejoin="round" />,
  idle: <path d="M4 2.4v7.2M8 2.4v7.2" fill="none" strokeWidth="2" strokeLinecap="round" />,
  starting: <circle cx="6" cy="6" r="4" fill="none" strokeWidth="1.8" strokeDasharray="2.2 2" />,
  unknown: <circle cx="6" cy="6" r="3" stroke="none" />,
  exited: <rect x="2.4" y="2.4" width="7.2" height="7.2" rx="1" fill="none" strokeWidth="1.6" />,
  failed: <path d="m2.5 2.5 7 7m0-7-7 7" fill="none" strokeWidth="1.8" strokeLinecap="round" />,
  cleared: <path d="M2 6h8" fill="none" strokeWidth="2" strokeLinecap="round" />,
  unreachable: <path d="M6 1.4 11.2 10.6H.8Z" fill="none" strokeWidth="1.6" strokeLinejoin="round" />,
};

/** A state as a shape: a mark that is read without colour. Words stand beside it. */
export function Shape({ status }: { status: string }) {
  return (
    <svg className="shape" data-status={status} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[status] ?? SHAPES.unknown}
    </svg>
  );
}

export function StatusShape({ session }: { session: Session }) {
  const failed = session.status === "exited" && (session.exit_code ?? 0) !== 0;
  return <Shape status={needOf(session)?.kind ?? (failed ? "failed" : session.status)} />;
}

export function StatusWord({ session }: { session: Session }) {
  return (
    <span className="status" title={session.reason ?? undefined}>
      <StatusShape session={session} /> {statusWord(session)}
    </span>
  );
}

/** How far along, as a bar and as a number. */
export function Progress({ percent }: { percent: number }) {
  return (
    <span className="progress" role="img" aria-label={`${percent} percent done`}>
      <span className="track"><span style={{ width: `${percent}%` }} /></span> {percent}%
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
  bell: "M3.5 11.5h9c-1-1-1.3-2-1.3-4.5a3.2 3.2 0 0 0-6.4 0c0 2.5-.3 3.5-1.3 4.5Zm3 0a1.5 1.5 0 0 0 3 0",
  muted: "M3.5 11.5h9c-1-1-1.3-2-1.3-4.5a3.2 3.2 0 0 0-6.4 0c0 2.5-.3 3.5-1.3 4.5Zm3 0a1.5 1.5 0 0 0 3 0M2.5 2.5l11 11",
  notice: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  timeline: "M4 3v10M4 5h.01M7 5h6M4 8h.01M7 8h4M4 11h.01M7 11h5",
  send: "M3 13.2 13.6 8 3 2.8l1.6 5.2zM4.6 8H9",
  inbox: "M2.5 9.5 4.5 3h7l2 6.5v3.5h-11zm0 0h3.2c.4 2 4.2 2 4.6 0h3.2",
  grid: "M2.5 2.5h4.6v4.6H2.5zm6.4 0h4.6v4.6H8.9zM2.5 8.9h4.6v4.6H2.5zm6.4 0h4.6v4.6H8.9z",
  hosts: "M2.5 3h11v4h-11zm0 6h11v4h-11zM5 5h.01M5 11h.01",
  settings: "M2.5 4.5h5m3 0h3M9 4.5a1.5 1.5 0 1 0 0-.01M2.5 11.5h2m3 0h6M6 11.5a1.5 1.5 0 1 0 0-.01",
  keys: "M2 4h12v8H2zm2.5 2.5h.01M7 6.5h.01M9.5 6.5h.01M11.7 6.5h.01M5 9.5h6",
  panel: "M2.5 3h11v10h-11zm7.5 0v10",
  replay: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.8h2.8M8 5.5V8l2 1.5",
  message: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  play: "M5 3.2v9.6L12.5 8z",
  pause: "M5.5 3.5v9m5-9v9",
  trash: "M3 4.5h10m-8 0 .6 8.5h4.8l.6-8.5M6.5 4.5V3h3v1.5",
  expand: "M9.5 2.5h4v4m0-4-4.5 4.5m-2.5 6.5h-4v-4m0 4 4.5-4.5",
  next: "m6 3.5 4.5 4.5-4.5 4.5",
  branch: "M5 5.5v5m0-5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Zm6-5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Zm0 0c0 3-3 3-6 3.5",
};

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICONS[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Whether a connection is live, or comes behind. */
export function LinkState({ link, behind = false }: { link: Link; behind?: boolean }) {
  return (
    <span className="link-state" data-phase={link.phase} data-behind={behind}>
      <span className="dot" aria-hidden="true" /> {behind ? "catching up" : linkWords(link)}
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

/** Text in which `words in backticks` are commands, and links are their words. It is text all the same: nothing in it is markup. */
export function Words({ text }: { text: string }) {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").split(/(`[^`]+`)/).map((part, index) =>
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
