// The connection's life against a world in which time and sockets are ours.
import { expect, test } from "vitest";
import { waitBefore } from "./backoff";
import { LiveSocket, type Link } from "./socket";

class FakeSocket {
  readyState = 0;
  binaryType = "";
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];
  send(frame: unknown): void {
    this.sent.push(frame);
  }
  close(): void {
    this.readyState = 3;
  }
  frame(data: unknown): void {
    this.readyState = 1;
    this.onmessage?.({ data });
  }
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

function world() {
  const sockets: FakeSocket[] = [];
  const timers = new Map<number, { at: number; act: () => void }>();
  let now = 1_000_000;
  let ids = 0;
  const log: string[] = [];
  const live = new LiveSocket(
    () => "ws://daemon/",
    {
      link: (link: Link) => log.push(link.phase === "lost" ? `lost at ${link.since - 1_000_000}` : link.phase),
      text: (frame) => log.push(`text ${frame}`),
      bytes: (frame) => log.push(`bytes ${frame.length}`),
      refused: () => log.push("refused"),
      silent: () => log.push(`silent since ${live.lastHeard - 1_000_000}`),
    },
    {
      connect: () => {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket as unknown as WebSocket;
      },
      now: () => now,
      chance: () => 0.999,
      after: (ms, act) => {
        const id = ids++;
        timers.set(id, { at: now + ms, act });
        return () => timers.delete(id);
      },
    },
  );
  const pass = (ms: number): void => {
    now += ms;
    for (const [id, timer] of timers) {
      if (timer.at > now) continue;
      timers.delete(id);
      timer.act();
    }
  };
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("no connection was tried");
    return socket;
  };
  return { live, log, sockets, pass, last };
}

test("it is live from the first frame on, and not before", () => {
  const { live, log, last } = world();
  live.open();
  last().readyState = 1;
  expect(log).toEqual([]);
  last().frame("a");
  last().frame(new ArrayBuffer(3));
  expect(log).toEqual(["live", "text a", "bytes 3"]);
});

test("a broken connection is told with its time, once, and tried again", () => {
  const { live, log, sockets, pass, last } = world();
  live.open();
  last().frame("a");
  pass(500);
  last().break();
  expect(log.slice(2)).toEqual(["lost at 500"]);
  pass(199);
  expect(sockets.length).toBe(1);
  pass(1);
  expect(sockets.length).toBe(2);
  last().break();
  expect(log.slice(3)).toEqual(["refused"]);
  pass(400);
  last().frame("b");
  expect(log.slice(4)).toEqual(["live", "text b"]);
});

test("waking tries at once, and only if there is nothing to wait for", () => {
  const { live, sockets, last } = world();
  live.open();
  live.wake();
  expect(sockets.length).toBe(1);
  last().break();
  live.wake();
  expect(sockets.length).toBe(2);
});

test("a connection that is not answered is given up", () => {
  const { live, sockets, pass } = world();
  live.open();
  pass(8_000);
  pass(200);
  expect(sockets.length).toBe(2);
  expect(sockets[0]?.readyState).toBe(3);
});

test("restart gives up a live connection", () => {
  const { live, log, sockets, last } = world();
  live.open();
  last().frame("a");
  live.restart();
  expect(log.slice(2)).toEqual(["lost at 0"]);
  expect(sockets.length).toBe(2);
});

test("a silence is told if something was promised, again while it lasts, and not of the next connection", () => {
  const { live, log, pass, last } = world();
  live.open();
  last().frame("a");
  pass(60_000);
  expect(log.slice(2)).toEqual([]);
  live.expect(6_000);
  pass(5_000);
  last().frame("b");
  pass(5_999);
  expect(log.slice(3)).toEqual([]);
  pass(1);
  pass(6_000);
  expect(log.slice(3)).toEqual(["silent since 65000", "silent since 65000"]);
  live.restart(live.lastHeard);
  expect(log.slice(5)).toEqual(["lost at 65000"]);
  last().frame("c");
  pass(60_000);
  expect(log.slice(6)).toEqual(["live", "text c"]);
});

test("closed is closed: no frames, no tries", () => {
  const { live, log, sockets, pass, last } = world();
  live.open();
  const socket = last();
  live.close();
  socket.frame("late");
  socket.break();
  live.wake();
  pass(60_000);
  expect([log, sockets.length]).toEqual([[], 1]);
});

test("nothing is sent into a line that is not open", () => {
  const { live, last } = world();
  live.open();
  expect(live.send("early")).toBe(false);
  last().frame("a");
  expect(live.send("now")).toBe(true);
  expect(last().sent).toEqual(["now"]);
});

test("waits double from 200 ms to 5 s, spread over half of each", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 100].map((attempt) => waitBefore(attempt, 1))).toEqual([
    200, 400, 800, 1600, 3200, 5000, 5000, 5000,
  ]);
  expect(waitBefore(0, 0)).toBe(100);
});
