// Puts the parts together: what the store is told goes to the bell, to the
// notifications and to the marks. The only place that knows all of them.
import { asFailure, askToRing } from "../api/http";
import { go } from "../route";
import { allSessions, store } from "../store";
import { Bell } from "./bell";
import { Chime } from "./chime";
import { Marks } from "./marks";
import { Notices, permission, showNotification, showThatWeLook, someoneLooks } from "./notices";
import { isSet, onPreference } from "./preferences";
import { isQuietNow } from "./quiet";
import type { Answer, Ringable } from "./ring";
import { watchSeeing } from "./seen";

/** The page's one voice. */
export const chime = new Chime();

/** Calls the human until the returned function is called. */
export function callTheHuman(): () => void {
  const marks = new Marks();
  const bell = new Bell({
    sessions: () => allSessions(store.get()),
    marks,
    audible: () => chime.able() && !isSet("muted") && !isQuietNow(),
    ready: () => chime.ready(),
    sound: () => chime.sound(),
    ask,
    alone,
    after: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
    chance: () => Math.random(),
  });
  const notices = new Notices({
    wanted: async () => permission() === "granted" && !isSet("quiet-notices") && !isQuietNow() && !(await someoneLooks()),
    show: (session, call, tag) =>
      showNotification(session, call, tag, () => {
        window.focus();
        go({ view: "session", id: session.id });
      }),
  });

  // Seeing comes first: what is seen at once doesn't ring.
  const stops = [watchSeeing(), showThatWeLook(), chime.warmByGestures()];
  let before = store.get();
  stops.push(
    store.subscribe(() => {
      const state = store.get();
      const [was, told] = [before, state.workspaces !== before.workspaces];
      before = state;
      if (told && state.workspaces !== null) {
        const sessions = allSessions(state);
        marks.prune(new Set(sessions.map(({ id }) => id)));
        void notices.look(sessions);
      }
      if (state.link.phase === "live" && was.link.phase !== "live") bell.retryNow();
      else bell.look();
    }),
    chime.subscribe(() => bell.look()),
    onPreference(() => bell.look()),
    () => bell.stop(),
  );
  const leave = (): void => notices.closeAll();
  window.addEventListener("pagehide", leave);
  return () => {
    window.removeEventListener("pagehide", leave);
    for (const stop of stops) stop();
  };
}

async function ask({ id, seq }: Ringable): Promise<Answer> {
  try {
    return (await askToRing(id, seq)) ? "granted" : "refused";
  } catch (thrown) {
    // A session that is gone needs no ring. Anything else may be over soon.
    return asFailure(thrown).status === 404 ? "refused" : "unanswered";
  }
}

/** Where the browser has no locks, two tabs ask and the daemon grants one of them. */
async function alone(act: () => Promise<void>): Promise<void> {
  if ("locks" in navigator) await navigator.locks.request("schmux:ring", act);
  else await act();
}
