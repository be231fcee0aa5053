// A session's screen as a small picture that stays up to date. It is a viewer
// like any other, but never asks for the size, keeps no scrollback and draws a
// few times a second.
import { Terminal } from "@xterm/xterm";
import { socketAddress } from "../api/address";
import type { TerminalRequest } from "../api/wire";
import { LiveSocket } from "../live/socket";
import { Acks } from "./acks";
import { Painter } from "./paint";
import { swallowQueries, swallowStrange } from "./queries";
import { TerminalStream, type Step } from "./stream";
import { currentTheme, followTheme } from "./theme";
import { countLikeTmux } from "./widths";

// Four times a second looks alive at this size; sixty would draw what nobody can read.
const DRAW_MS = 250;

// What is drawn small is read from afar: the cells of the canvas, before it is scaled to its place.
const CELL = { width: 5, height: 10 };

export class Miniature {
  private readonly terminal: Terminal;
  private readonly socket: LiveSocket;
  private readonly stream = new TerminalStream();
  private readonly acks = new Acks();
  private readonly painter: Painter;
  private readonly stops: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  // What is left is still parsed after that, and calls back.
  private disposed = false;

  constructor(
    id: string,
    canvas: HTMLCanvasElement,
    private readonly onDrawn: () => void,
  ) {
    this.painter = new Painter(canvas, getComputedStyle(canvas).getPropertyValue("--mono") || "monospace");
    this.terminal = new Terminal({ allowProposedApi: true, scrollback: 0 });
    countLikeTmux(this.terminal);
    swallowQueries(this.terminal);
    swallowStrange(this.terminal);
    this.stops.push(followTheme(() => this.soon()));
    this.socket = new LiveSocket(() => socketAddress(`ws/terminal/${encodeURIComponent(id)}?history=0&ack=1`), {
      link: (link) => {
        if (link.phase !== "live") return;
        this.stream.restart();
        this.acks.restart();
      },
      text: (frame) => this.apply(this.stream.text(frame)),
      bytes: (frame) => this.apply(this.stream.bytes(frame)),
    });
    this.socket.open();
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    this.socket.close();
    this.terminal.dispose();
  }

  private apply(step: Step | null): void {
    if (step === null) return;
    const { terminal } = this;
    if (step.step === "notice") {
      const { message } = step;
      if (message.type === "gone") this.socket.close();
      if (message.type === "size") terminal.write("", () => this.resize(message.cols, message.rows));
      return;
    }
    if (step.step === "keyframe") {
      const { cols, rows } = step.frame;
      terminal.write("\x18", () => {
        this.resize(cols, rows);
        terminal.reset();
      });
    }
    terminal.write(step.bytes, () => {
      this.acks.drew(step.bytes.length, -Infinity);
      this.soon();
    });
  }

  private resize(cols: number, rows: number): void {
    if (this.terminal.cols !== cols || this.terminal.rows !== rows) this.terminal.resize(cols, rows);
    this.soon();
  }

  private soon(): void {
    if (!this.disposed) this.timer ??= setTimeout(() => this.draw(), DRAW_MS);
  }

  private draw(): void {
    this.timer = undefined;
    // Acknowledged when it is drawn, so a flood is skipped by keyframes rather than parsed.
    const due = this.acks.due(Infinity);
    const ack: TerminalRequest | null = due === null ? null : { type: "ack", bytes: due };
    if (ack !== null) this.socket.send(JSON.stringify(ack));
    this.painter.paint(this.terminal, currentTheme(), CELL);
    this.onDrawn();
  }
}
