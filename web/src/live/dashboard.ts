// Feeds the store from `/ws/dashboard`, and finds out why it can't: a refused
// socket looks the same to a browser whether the daemon is away or wants a
// login, so a plain request asks.
import { socketAddress } from "../api/address";
import { asFailure, getAdoptable, getStatus } from "../api/http";
import { readDashboardFrame } from "../api/wire";
import { store } from "../store";
import { LiveSocket } from "./socket";
import { onWake } from "./wake";

/** Keeps the store fed until the returned function is called. */
export function feedStore(): () => void {
  const socket = new LiveSocket(() => socketAddress("ws/dashboard"), {
    link: (link) => {
      store.update({ link });
      if (link.phase === "live") void loadAdoptable();
    },
    text: (frame) => {
      const message = readDashboardFrame(frame);
      if (message?.type === "sessions") store.told(message.workspaces);
      else if (message?.type === "hosts") store.update({ hosts: message.hosts });
    },
    bytes: () => undefined,
    refused: () => void check(),
  });

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
