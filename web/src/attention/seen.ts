// What the human has seen. A call is seen when its session is opened, or when it
// comes up in a session that a person is looking at: a tab in front proves
// nobody in front of it, so there must have been a sign of someone.
import { acknowledge, asFailure } from "../api/http";
import { waitBefore } from "../live/backoff";
import { readRoute } from "../route";
import { findSession, store } from "../store";
import { unseenSeq } from "./call";

// Who moved or typed less than this ago still looks. With more, one who just
// left the desk would never hear the call.
export const PRESENT_MS = 5_000;

/** What is known of the person in front of the page. */
export interface Gaze {
  visible: boolean;
  focused: boolean;
  /** When there was a sign of them last: they opened the view, moved, typed or came back. */
  signAt: number;
}

export function looks(gaze: Gaze, now: number): boolean {
  return gaze.visible && gaze.focused && now - gaze.signAt < PRESENT_MS;
}

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

/** Acknowledges what is seen, until the returned function is called. */
export function watchSeeing(): () => void {
  let signAt = Date.now();
  const look = (): void => {
    const route = readRoute(location.hash);
    if (route.view !== "session") return;
    const session = findSession(store.get(), route.id);
    const seq = session === null ? null : unseenSeq(session);
    if (seq === null) return;
    const gaze = { visible: document.visibilityState === "visible", focused: document.hasFocus(), signAt };
    if (looks(gaze, Date.now())) markSeen(route.id, seq);
  };
  const sign = (): void => {
    signAt = Date.now();
    look();
  };
  for (const name of SIGNS) window.addEventListener(name, sign, { capture: true, passive: true });
  window.addEventListener("hashchange", sign);
  document.addEventListener("visibilitychange", sign);
  const leave = store.subscribe(look);
  return () => {
    for (const name of SIGNS) window.removeEventListener(name, sign, { capture: true });
    window.removeEventListener("hashchange", sign);
    document.removeEventListener("visibilitychange", sign);
    leave();
  };
}

/** The human has seen the calls of a session up to this one: here at once, elsewhere when the daemon knows. */
export function markSeen(id: string, seq: number): void {
  store.saw(id, seq);
  void tell(id, seq);
}

async function tell(id: string, seq: number): Promise<void> {
  // As long as the page lives: what was seen is not to ring on the phone later.
  for (let attempt = 0; ; attempt++) {
    try {
      await acknowledge(id, seq);
      return;
    } catch (thrown) {
      // The daemon answered that there is no such session any more.
      if (asFailure(thrown).status === 404) return;
      await new Promise((resolve) => setTimeout(resolve, waitBefore(attempt, Math.random())));
    }
  }
}
