// One session's terminal: its socket, its emulator and what happens between
// them. React gives it an element and gets a `View` back whenever it changes.
//
// Invariant: what the daemon says is applied in its order. xterm.js parses
// later than it is given bytes, so resizes and resets wait in the same queue.
import { socketAddress } from "../api/address";
import type { TerminalRequest } from "../api/wire";
import { LiveSocket, type Link } from "../live/socket";
import { onWake } from "../live/wake";
import { store } from "../store";
import { ACK_MS, Acks } from "./acks";
import { Early } from "./early";
import { openEmulator, type Emulator } from "./emulator";
import { withControl } from "./control";
import { copyOnSelect } from "./copy";
import { keepScreen, lastScreen, storeScreen } from "./lastScreen";
import { Lag } from "./lag";
import { Latency } from "./latency";
import { pasting } from "./pasting";
import { installProbe } from "./probe";
import { isFocusReport } from "./queries";
import { isSet } from "../attention/preferences";
import { copyText } from "../view/clipboard";
import { Scrollback, FIRST_HISTORY } from "./scrollback";
import { TerminalStream, type Step } from "./stream";

export interface Size {
  cols: number;
  rows: number;
}

/** What the header shows of a terminal. */
export interface View {
  link: Link;
  /** The daemon let this terminal in no more, the last time it was tried. */
  refused: boolean;
  /** What is drawn is behind what has come. */
  behind: boolean;
  size: (Size & { owner: boolean }) | null;
  /** Set while the session can't be drawn live, in the daemon's words. */
  unreachable: string | null;
  gone: boolean;
  /** What a program wants on the clipboard, until a person has decided. */
  clipboard: string | null;
  /** Why a paste was not sent, until a person has read it. */
  notPasted: string | null;
  /** How long keys took to be drawn, in milliseconds, if that is to be shown. */
  latency: Latency["figures"];
}

export const FIRST_VIEW: View = { link: { phase: "connecting" }, refused: false, behind: false, size: null, unreachable: null, gone: false, clipboard: null, notPasted: null, latency: null };

// Dragging a window's edge makes a resize per frame. 60 ms joins them to a few
// a second, and is too short to be felt as a wait.
const RESIZE_MS = 60;

export class TerminalScreen {
  readonly emulator: Emulator;
  private readonly socket: LiveSocket;
  private readonly stream = new TerminalStream();
  private readonly acks = new Acks();
  readonly scrollback: Scrollback;
  private readonly early = new Early<string | Uint8Array<ArrayBuffer>>();
  private readonly stops: (() => void)[] = [];
  private ackTimer: ReturnType<typeof setTimeout> | undefined;
  private resizeTimer: ReturnType<typeof setTimeout> | undefined;
  // Counts connections: a callback of xterm.js may come after its connection ended.
  private connection = 0;
  // The size that was asked for and not answered yet.
  private wanted: Size | null = null;
  // Another tab may set the pane's size: this one then doesn't ask for it by itself,
  // also not on a new connection, when it may be the first to be back.
  private isGuest = false;
  private view: View = FIRST_VIEW;
  private readonly latency = new Latency();
  private readonly lag = new Lag();
  private control: (() => void) | null = null;
  private picture: HTMLElement | null = null;

  constructor(
    readonly id: string,
    private readonly container: HTMLElement,
    private readonly onView: (view: View) => void,
  ) {
    this.emulator = openEmulator(container, (text) => this.offerClipboard(text));
    this.showLastScreen();
    this.scrollback = new Scrollback(this.emulator.terminal, (history) =>
      this.request({ type: "refresh", history }),
    );
    const path = `ws/terminal/${encodeURIComponent(id)}?history=${FIRST_HISTORY}&ack=1`;
    this.socket = new LiveSocket(() => socketAddress(path), {
      link: (link) => this.linked(link),
      text: (frame) => this.apply(this.stream.text(frame)),
      bytes: (frame) => this.apply(this.stream.bytes(frame)),
      refused: () => this.view.refused || this.show({ refused: true }),
    });
    this.listen();
    this.socket.open();
  }

  focus(): void {
    this.emulator.terminal.focus();
  }

  /** Types: as if a person pressed the keys. */
  type(text: string): void {
    if (isSet("latency")) this.latency.typed(performance.now());
    this.emulator.sight.return();
    this.put(new TextEncoder().encode(text));
  }

  paste(text: string): void {
    if (text === "") return;
    this.emulator.sight.return();
    const paste = pasting(text);
    if ("frame" in paste) this.put(paste.frame);
    this.show({ notPasted: "tooLong" in paste ? paste.tooLong : null });
  }

  /** A person has read why a paste was not sent. */
  settlePaste(): void {
    this.show({ notPasted: null });
  }

  /** The next key that is typed is sent with Ctrl, and then `released` is called. */
  holdControl(held: boolean, released: () => void): void {
    this.control = held ? released : null;
  }

  /** What a person said to the program that wants to copy. */
  settleClipboard(allow: boolean): void {
    const text = this.view.clipboard;
    this.show({ clipboard: null });
    if (allow && text !== null) void copyText(text);
  }

  /** Makes this tab the one that the pane is fitted to. */
  claimSize(): void {
    const size = this.fitted();
    if (size === null) return;
    this.wanted = size;
    this.request({ type: "resize", ...size, claim: true });
  }

  dispose(): void {
    if (this.view.size !== null) keepScreen(this.id, this.emulator.terminal);
    this.picture?.remove();
    this.connection += 1;
    clearTimeout(this.ackTimer);
    clearTimeout(this.resizeTimer);
    for (const stop of this.stops) stop();
    this.socket.close();
    this.emulator.dispose();
  }

  private listen(): void {
    const { terminal } = this.emulator;
    terminal.onData((data) => {
      if (isFocusReport(data)) return;
      this.type(this.control === null ? data : withControl(data));
      this.control?.();
    });
    terminal.onBinary((data) => this.put(Uint8Array.from(data, (char) => char.charCodeAt(0))));
    this.stops.push(this.scrollback.watch(), onWake(() => this.socket.wake()), this.followDashboard());
    this.stops.push(installProbe(this.id, terminal), copyOnSelect(terminal, this.container));
    const leave = (): void => storeScreen(this.id, terminal);
    window.addEventListener("pagehide", leave);
    this.stops.push(() => window.removeEventListener("pagehide", leave));

    const paste = (event: ClipboardEvent): void => {
      // tmux knows whether the program asked for framed pastes; xterm.js only thinks so.
      event.preventDefault();
      event.stopPropagation();
      this.paste(event.clipboardData?.getData("text/plain") ?? "");
    };
    this.container.addEventListener("paste", paste, { capture: true });
    this.stops.push(() => this.container.removeEventListener("paste", paste, { capture: true }));

    const observer = new ResizeObserver(() => {
      clearTimeout(this.resizeTimer);
      this.resizeTimer = setTimeout(() => {
        this.emulator.sight.fit();
        this.offerSize();
      }, RESIZE_MS);
    });
    observer.observe(this.container);
    this.stops.push(() => observer.disconnect());
  }

  /** The dashboard's socket finds out first when a line was cut or the daemon is back. */
  private followDashboard(): () => void {
    let before = store.get().link.phase;
    return store.subscribe(() => {
      const { link } = store.get();
      if (link.phase === before) return;
      before = link.phase;
      if (link.phase === "live") this.socket.wake();
      if (link.phase === "lost" && this.socket.link.phase === "live") this.socket.restart(link.since);
    });
  }

  private linked(link: Link): void {
    if (link.phase === "live") {
      this.connection += 1;
      this.acks.restart();
      this.stream.restart();
      this.scrollback.restart();
      this.wanted = null;
      // The server grants the size if nobody owns it; `offerSize` asks once per size.
      if (!this.isGuest) this.offerSize(true);
      for (const frame of this.early.take(performance.now())) this.socket.send(frame);
    }
    this.show({ link, ...(link.phase === "live" ? { unreachable: null, refused: false } : {}) });
  }

  private apply(step: Step | null): void {
    if (step === null) return;
    const { terminal } = this.emulator;
    switch (step.step) {
      case "output":
        this.draw(step.bytes);
        break;
      case "keyframe": {
        const { cols, rows, history, reason } = step.frame;
        // CAN ends a sequence that the skipped bytes left unfinished.
        this.emulator.write("\x18", () => {
          this.scrollback.hold();
          if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows);
          if (history != null) terminal.reset();
        });
        this.draw(step.bytes, () => {
          if (history != null) this.emulator.wipe();
          this.scrollback.restore(history ?? null);
          if (reason === "behind") this.scrollback.skipped();
          this.picture?.remove();
        });
        if (this.view.unreachable !== null) this.show({ unreachable: null });
        // Who doesn't ask for a size isn't told of it, either.
        if (this.view.size !== null) this.show({ size: { ...this.view.size, cols, rows } });
        break;
      }
      case "notice":
        this.notice(step.message);
        break;
    }
  }

  private notice(message: Extract<Step, { step: "notice" }>["message"]): void {
    const { terminal } = this.emulator;
    switch (message.type) {
      case "size": {
        const { cols, rows, owner } = message;
        this.emulator.write("", () => {
          if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows);
        });
        this.isGuest = !owner;
        this.emulator.sight.loosen(!owner);
        const became = owner && this.view.size?.owner !== true;
        const answered = this.wanted?.cols === cols && this.wanted.rows === rows;
        if (!owner || answered) this.wanted = null;
        this.show({ size: { cols, rows, owner } });
        if (became) this.offerSize();
        break;
      }
      case "unreachable":
        this.show({ unreachable: message.reason });
        break;
      case "gone":
        this.socket.close();
        this.show({ gone: true });
        break;
      case "exited":
        // The session's status says so too, with its reason, and the screen stays.
        break;
    }
  }

  private draw(bytes: Uint8Array<ArrayBuffer>, then?: () => void): void {
    const connection = this.connection;
    const came = performance.now();
    this.lag.came();
    this.emulator.write(bytes, () => {
      then?.();
      if (this.lag.drew(came, performance.now())) this.show({ behind: this.lag.behind });
      if (isSet("latency")) this.clock();
      if (connection === this.connection) this.acknowledge(this.acks.drew(bytes.length, Date.now()));
    });
  }

  /** Notes when the echo of a key is on the screen, which is in the next frame. */
  private clock(): void {
    requestAnimationFrame(() => {
      if (this.latency.drew(performance.now())) this.show({ latency: this.latency.figures });
    });
  }

  private offerClipboard(text: string): void {
    if (text === "") return;
    if (!isSet("programs-may-copy")) this.show({ clipboard: text });
    // Some browsers want a press of a button for it all the same.
    else void copyText(text).then((copied) => copied || this.show({ clipboard: text }));
  }

  /** What was here last, until the first keyframe is drawn. */
  private showLastScreen(): void {
    this.picture = lastScreen(this.id);
    if (this.picture === null) return;
    this.picture.classList.add("last-screen");
    this.container.parentElement?.append(this.picture);
  }

  private acknowledge(due: number | null): void {
    if (due !== null) this.request({ type: "ack", bytes: due });
    if (!this.acks.pending || this.ackTimer !== undefined) return;
    this.ackTimer = setTimeout(() => {
      this.ackTimer = undefined;
      this.acknowledge(this.acks.due(Date.now()));
    }, ACK_MS);
  }

  private fitted(): Size | null {
    const size = this.emulator.sight.atNormal(() => this.emulator.fit.proposeDimensions());
    return size === undefined || Number.isNaN(size.cols) || Number.isNaN(size.rows) ? null : size;
  }

  /** Tells the size that fits here: the owner on every change, anyone once per connection. */
  private offerSize(first = false): void {
    const size = this.fitted();
    if (size === null || (!first && this.view.size?.owner !== true)) return;
    const current = this.wanted ?? this.view.size;
    if (!first && current?.cols === size.cols && current.rows === size.rows) return;
    this.wanted = size;
    this.request({ type: "resize", ...size });
  }

  /** Sends what a person put in. All of it waits for the first connection, so that it stays in order. */
  private put(frame: string | Uint8Array<ArrayBuffer>): void {
    if (this.view.link.phase === "connecting") this.early.keep(frame, performance.now());
    else this.socket.send(frame);
  }

  private request(request: TerminalRequest): boolean {
    return this.socket.send(JSON.stringify(request));
  }

  private show(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.onView(this.view);
  }
}
