// A WebSocket that comes back by itself and is honest about whether it is live.
// It knows nothing of what the frames mean. `live` begins with the first frame
// of the daemon, not with the open connection: a proxy may accept one and have
// nobody behind it.
import { waitBefore } from "./backoff";

export type Link =
  | { phase: "connecting" }
  | { phase: "live" }
  /** It was live until `since` (ms since the epoch) and is being tried again. */
  | { phase: "lost"; since: number };

export interface LiveHandlers {
  link(link: Link): void;
  text(frame: string): void;
  bytes(frame: Uint8Array<ArrayBuffer>): void;
  /** A try failed before a frame came. Browsers don't say why. */
  refused?(): void;
  /** It looks live, and the frame that was promised by `expect` has not come. */
  silent?(): void;
}

/** What the socket needs of the world, so that tests can bring their own. */
export interface LiveWorld {
  connect(url: string): WebSocket;
  now(): number;
  chance(): number;
  after(ms: number, act: () => void): () => void;
}

const browser: LiveWorld = {
  connect: (url) => new WebSocket(url),
  now: () => Date.now(),
  chance: () => Math.random(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

// A connection that is neither refused nor answered within this time (a
// laptop that changed its network) is given up. The daemon answers in
// milliseconds; only a phone on a bad line needs seconds.
const ANSWER_MS = 8_000;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private cancel: () => void = () => undefined;
  private attempt = 0;
  private state: Link = { phase: "connecting" };
  private closed = true;
  private heardAt = 0;
  /** The longest silence that is to be expected of this connection. */
  private promised: number | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly address: () => string,
    private readonly handlers: LiveHandlers,
    private readonly world: LiveWorld = browser,
  ) {}

  get link(): Link {
    return this.state;
  }

  /** When the newest frame came. */
  get lastHeard(): number {
    return this.heardAt;
  }

  open(): void {
    if (!this.closed) return;
    this.closed = false;
    this.connect();
  }

  /** Ends it for good, or until `open`. */
  close(): void {
    this.closed = true;
    this.drop();
  }

  /** Sends if it is open. What is typed into a dead line is not kept: it would arrive unexpected. */
  send(frame: string | Uint8Array<ArrayBuffer>): boolean {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(frame);
    return true;
  }

  /** Tries at once if it is waiting: the page became visible, or the network is back. */
  wake(): void {
    if (this.closed || this.socket !== null) return;
    this.attempt = 0;
    this.connect();
  }

  /** This connection is to be heard of at least this often from now on. */
  expect(ms: number): void {
    this.promised = ms;
    this.heard();
  }

  /** Gives up a connection that is known to be dead since then, and tries at once. */
  restart(since?: number): void {
    if (this.closed) return;
    this.attempt = 0;
    this.drop();
    this.lose(since);
    this.connect();
  }

  private connect(): void {
    this.cancel();
    const socket = this.world.connect(this.address());
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.cancel = this.world.after(ANSWER_MS, () => this.failed(socket));
    socket.onmessage = (event: MessageEvent<unknown>) => {
      if (socket !== this.socket) return;
      this.heard();
      this.answered();
      if (typeof event.data === "string") this.handlers.text(event.data);
      else if (event.data instanceof ArrayBuffer) this.handlers.bytes(new Uint8Array(event.data));
    };
    socket.onclose = () => this.failed(socket);
  }

  private answered(): void {
    if (this.state.phase === "live") return;
    this.cancel();
    this.attempt = 0;
    this.tell({ phase: "live" });
  }

  private failed(socket: WebSocket): void {
    if (socket !== this.socket) return;
    const answered = this.state.phase === "live";
    this.drop();
    this.lose();
    this.cancel = this.world.after(waitBefore(this.attempt++, this.world.chance()), () =>
      this.connect(),
    );
    if (!answered) this.handlers.refused?.();
  }

  private heard(): void {
    this.heardAt = this.world.now();
    this.stopListening();
    if (this.promised !== null) this.listen(this.promised);
  }

  private listen(ms: number): void {
    this.stopListening = this.world.after(ms, () => {
      this.listen(ms);
      this.handlers.silent?.();
    });
  }

  private lose(since = this.world.now()): void {
    if (this.state.phase === "live") this.tell({ phase: "lost", since });
  }

  private drop(): void {
    this.cancel();
    this.stopListening();
    this.promised = null;
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  private tell(link: Link): void {
    this.state = link;
    this.handlers.link(link);
  }
}
