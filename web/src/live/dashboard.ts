// Feeds the store from `/ws/dashboard`, and finds out why it can't: a refused
// socket looks the same to a browser whether the daemon is away or wants a
// login, so a plain request asks.
import { socketAddress } from "../api/address";
import { answersWithin, asFailure, getAdoptable, getStatus } from "../api/http";
import { readDashboardFrame, type HostStatus } from "../api/wire";
import { store } from "../store";
import { isOutdated } from "./edition";
import { LiveSocket } from "./socket";
import { onWake } from "./wake";

// The daemon answers after two seconds with what it knows of a host, and keeps what comes later.
const LOOKED_MS = 6_000;

// The daemon says every two seconds that it is there. Three missed words are a reason
// to ask; a long list on a slow line is one, too, so not much is concluded from silence.
const SILENT_MS = 6_000;
// It answers in milliseconds, and over a bad line in a second or two.
const ANSWER_MS = 4_000;
// No list takes this long. The daemon may answer others, and a router have forgotten this connection.
const FORGOTTEN_MS = 15_000;

/** Keeps the store fed until the returned function is called. */
export function feedStore(): () => void {
  const socket = new LiveSocket(() => socketAddress("ws/dashboard"), {
    link: (link) => {
      store.update({ link });
      if (link.phase !== "live") return;
      void loadAdoptable();
      // The daemon may have been updated while it was away, and a page from the browser's cache be older than it.
      void isOutdated().then((outdated) => store.update({ outdated }));
    },
    text: (frame) => {
      const message = readDashboardFrame(frame);
      if (message?.type === "alive") socket.expect(SILENT_MS);
      else if (message?.type === "sessions") store.told(message.workspaces);
      else if (message?.type === "hosts") {
        const before = connected(store.get().hosts);
        store.update({ hosts: message.hosts });
        if (connected(message.hosts) === before) return;
        // A host that was just reached may have agents to offer; to look for them takes it a moment.
        void loadAdoptable();
        setTimeout(() => void loadAdoptable(), LOOKED_MS);
      }
    },
    bytes: () => undefined,
    refused: () => void check(),
    silent: () => void doubt(),
  });

  /** A daemon that hangs keeps its connections open. */
  const doubt = async (): Promise<void> => {
    const since = socket.lastHeard;
    const answers = await answersWithin(ANSWER_MS);
    if (socket.lastHeard !== since || socket.link.phase !== "live") return;
    if (!answers || Date.now() - since > FORGOTTEN_MS) socket.restart(since);
  };

  const check = async (): Promise<void> => {
    try {
      await getStatus();
      store.update({ access: "granted", refusal: null });
      socket.open();
    } catch (thrown) {
      const failure = asFailure(thrown);
      if (failure.status === 401 || failure.status === 403) {
        socket.close();
        store.update({ access: "denied", refusal: failure });
      } else if (socket.link.phase === "live") {
        // The socket looks alive and the daemon doesn't answer: a line that
        // was cut while the machine slept.
        socket.restart();
      }
    }
  };

  const stopWaking = onWake(() => {
    socket.wake();
    void check();
    if (socket.link.phase === "live") void loadAdoptable();
  });
  const stopAsking = onAccessCheck(() => void check());
  socket.open();
  return () => {
    stopWaking();
    stopAsking();
    socket.close();
  };
}

const connected = (hosts: readonly HostStatus[]): string => hosts.filter(({ state }) => state === "connected").map(({ name }) => name).join(" ");

const askers = new Set<() => void>();

function onAccessCheck(act: () => void): () => void {
  askers.add(act);
  return () => askers.delete(act);
}

/** Asks the daemon again whether this browser may come in. */
export function checkAccess(): void {
  for (const ask of askers) ask();
}

/** Looks for agents in tmux sessions outside schmux. It is an offer: no answer, no offer. */
export async function loadAdoptable(): Promise<void> {
  try {
    store.update({ adoptable: await getAdoptable() });
  } catch {
    store.update({ adoptable: [] });
  }
}
