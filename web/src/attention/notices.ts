// Browser notifications for calls that come while nobody looks at the page. Each
// is withdrawn when its call was answered or seen. It never asks for permission.
import type { Session } from "../api/wire";
import { writeRoute } from "../route";
import { sessionName } from "../view/words";
import { needOf, type Call } from "./call";

/** A notification that is shown. */
export interface Shown {
  close(): void;
}

export interface NoticeWorld {
  /** Whether notifications are allowed and wanted, and no tab of this browser is looked at. */
  wanted(): Promise<boolean>;
  show(session: Session, call: Call, tag: string): Shown | null;
}

export class Notices {
  private known: ReadonlyMap<string, number> | null = null;
  private open: ReadonlyMap<string, { session: Session; call: Call }> = new Map();
  private readonly shown = new Map<string, Shown>();

  constructor(private readonly world: NoticeWorld) {}

  /** The daemon has told: withdraws what is over and shows what is new. */
  async look(sessions: readonly Session[]): Promise<void> {
    const open = new Map(sessions.flatMap((session) => {
      const call = needOf(session);
      return call === null || call.seen || call.seq === null ? [] : [[tagOf(session), { session, call }] as const];
    }));
    this.open = open;
    for (const [tag, notice] of this.shown) {
      if (open.has(tag)) continue;
      notice.close();
      this.shown.delete(tag);
    }
    const before = this.known;
    this.known = new Map(sessions.map(({ id, nudge_seq }) => [id, nudge_seq]));
    // What was open when the page came is not news; the title counts it.
    if (before === null) return;
    const fresh = [...open].filter(([, { session }]) => (before.get(session.id) ?? 0) < session.nudge_seq);
    if (fresh.length === 0 || !(await this.world.wanted())) return;
    for (const [tag, { session, call }] of fresh) {
      // It may have been answered while we asked whether anyone looks.
      if (!this.open.has(tag)) continue;
      const notice = this.world.show(session, call, tag);
      if (notice !== null) this.shown.set(tag, notice);
    }
  }

  closeAll(): void {
    for (const notice of this.shown.values()) notice.close();
    this.shown.clear();
  }
}

/** Two tabs that show the same call replace each other's notification. */
const tagOf = (session: Session): string => `schmux:${session.id}:${session.nudge_seq}`;

/** Shows it by the browser. Phones only allow it from a service worker, and throw. */
export function showNotification(session: Session, call: Call, tag: string, onClick: () => void): Shown | null {
  const title = `${sessionName(session)}: ${call.name}`;
  const options = { body: call.words, tag, icon: "./icon.svg" };
  try {
    const notice = new Notification(title, options);
    notice.onclick = onClick;
    return notice;
  } catch {
    return showByWorker(title, { ...options, data: writeRoute({ view: "session", id: session.id }) });
  }
}

/** The worker opens the session itself when it is pressed. */
function showByWorker(title: string, options: NotificationOptions & { tag: string }): Shown | null {
  if (!("serviceWorker" in navigator)) return null;
  const worker = navigator.serviceWorker.ready;
  worker.then((ready) => ready.showNotification(title, options)).catch(() => undefined);
  const close = async (): Promise<void> => {
    for (const notice of await (await worker).getNotifications({ tag: options.tag })) notice.close();
  };
  return { close: () => void close().catch(() => undefined) };
}

export type Permission = NotificationPermission | "unsupported";

export function permission(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

// A tab that is looked at holds this lock together with the others, so a hidden
// one can see that it needn't notify.
const LOOKED_AT = "schmux:looked-at";

/** Lets the other tabs know while this one is visible, until the returned function is called. */
export function showThatWeLook(): () => void {
  let release: (() => void) | null = null;
  const follow = (): void => {
    if (document.visibilityState !== "visible") {
      release?.();
      release = null;
    } else if (release === null && "locks" in navigator) {
      const held = new Promise<void>((resolve) => (release = resolve));
      void navigator.locks.request(LOOKED_AT, { mode: "shared" }, () => held);
    }
  };
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    release?.();
  };
}

/** Whether some tab of this browser is visible. */
export async function someoneLooks(): Promise<boolean> {
  if (document.visibilityState === "visible") return true;
  if (!("locks" in navigator)) return false;
  const { held } = await navigator.locks.query();
  return held?.some(({ name }) => name === LOOKED_AT) ?? false;
}
