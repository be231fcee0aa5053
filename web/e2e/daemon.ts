// A whole instance of schmux for one test file: its own home, port and tmux
// server, all ended when the file ends.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { DaemonStatus, Session } from "../src/api/wire";

const run = promisify(execFile);

/** Programs that play the agent. Each is a target of `config.toml`. */
const TARGETS: Readonly<Record<string, string>> = {
  cat: "exec cat",
  shell: "exec bash --norc --noprofile",
  // 3,000 lines of history, then whatever is typed.
  history: "seq -f 'line %.0f' 1 3000; exec cat",
  // Shows control characters, and asks for framed pastes.
  framed: "printf '\\033[?2004h'; stty -echo; exec cat -v",
  // Asks the terminal who it is, which tmux answers, and shows the answers.
  curious: "stty -echo; printf '\\033[c\\033[6n\\033[>c\\033]11;?\\007asked\\r\\n'; exec cat -v",
  // Links, after Enter: as text, behind other words (OSC 8), and one that would run in the page.
  links:
    "read go; printf 'see https://example.org/docs?q=1 now\\r\\n\\033]8;;https://example.org/behind\\033\\\\behind words\\033]8;;\\033\\\\\\r\\n\\033]8;;javascript:alert(1)\\033\\\\a trap\\033]8;;\\033\\\\\\r\\n'; exec cat",
  hostile: "printf '\\033]2;<img src=x onerror=alert(1)>\\007<script>alert(2)</script>\\r\\n'; exec cat",
  ends: "echo bye; exit 3",
  // Nothing at first; rows in colours after Enter.
  bars: "stty -echo; read go; for i in 1 2 3 4 5 6; do printf '\\033[4%dm \\033[K\\033[0m\\r\\n' $i; done; echo drawn; exec cat",
  // Tells how often its terminal was resized, which is when agents draw everything again.
  redraws: "n=0; trap 'n=$((n+1)); echo redrawn $n' WINCH; echo ready; while :; do sleep 0.1; done",
  // Something to look at: colours, and a line that changes.
  lively: "printf '\\033[1;36m● build\\033[0m compiling shop v0.3.1\\r\\n\\033[32m✓\\033[0m 211 tests passed\\r\\n\\033[33m●\\033[0m 3 tests ignored\\r\\n\\033[7m watch \\033[0m waiting for changes in src/\\r\\n'; exec cat",
};

export class Daemon {
  readonly home = mkdtempSync(join(tmpdir(), "schmux-e2e-"));
  private readonly bin: string;
  private port = "0";
  private tmuxSocket = "";
  /** tmux servers of one's own that it was shown, to be ended after it. */
  readonly watched: string[] = [];

  constructor(settings = "") {
    const bin = process.env.SCHMUX_BIN;
    if (bin === undefined || bin === "") throw new Error("set SCHMUX_BIN to the schmux binary to test");
    this.bin = bin;
    this.configure(settings);
  }

  /** Settings that stand before the targets in its `config.toml`; it reads them when it starts. */
  configure(settings: string): void {
    const targets = Object.entries(TARGETS).map(
      ([name, script]) => `[targets.${name}]\ncommand = ["sh", "-c", ${JSON.stringify(script)}]\n`,
    );
    writeFileSync(join(this.home, "config.toml"), [settings, ...targets].join("\n"));
  }

  /** Starts it, on the port that it had before if it was started before. */
  async start(): Promise<DaemonStatus> {
    await this.schmux("start", "--json");
    const status = await this.status();
    this.know(status);
    return status;
  }

  private know(status: DaemonStatus): void {
    this.port = String(status.port);
    this.tmuxSocket = status.tmux_socket;
  }

  /** Starts it in a terminal, and tells what stood there when `has` was content with it. */
  async startInTerminal(has: (rows: readonly string[]) => boolean, deadline: number): Promise<string[]> {
    const socket = `e2e-start-${process.pid}`;
    const tmux = (...args: string[]): string => execFileSync("tmux", ["-L", socket, ...args], { encoding: "utf8", env: this.env() });
    this.watched.push(socket);
    tmux("-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "60", "-c", this.home, `${this.bin} start; exec cat`);
    for (;;) {
      const rows = tmux("capture-pane", "-p").split("\n");
      if (has(rows)) {
        await this.status().then((status) => this.know(status));
        return rows;
      }
      if (Date.now() > deadline) throw new Error(`schmux start printed this:\n${rows.join("\n")}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async status(): Promise<DaemonStatus> {
    return JSON.parse(await this.schmux("status", "--json")) as DaemonStatus;
  }

  /** The link that logs a browser in. */
  async loginUrl(): Promise<string> {
    return (await this.schmux("url")).trim();
  }

  async spawn(target: string, ...more: string[]): Promise<Session> {
    const place = more.includes("-w") ? [] : ["-w", this.home];
    const printed = await this.schmux("spawn", "-t", target, ...place, "--json", ...more);
    const [session] = JSON.parse(printed) as Session[];
    if (session === undefined) throw new Error(`nothing was spawned for ${target}`);
    return session;
  }

  /** Another machine that a command reaches. */
  async addHost(name: string, command: string): Promise<void> {
    await this.schmux("host", "add", name, "--", command);
  }

  async list(): Promise<Session[]> {
    return JSON.parse(await this.schmux("list", "--json")) as Session[];
  }

  /** The directory that a session works in: its status file is `.schmux/signal/ID` there. */
  pathOf(session: Session): string {
    return dirname(dirname(dirname(session.status_file)));
  }

  async dispose(session: Session): Promise<void> {
    await this.schmux("dispose", session.id, "--yes");
  }

  /** What an agent does to say how it stands: it writes its status file. */
  say(session: Session, ...lines: string[]): void {
    mkdirSync(dirname(session.status_file), { recursive: true });
    writeFileSync(session.status_file, `${lines.join("\n")}\n`);
  }

  /** Ends its tmux session behind schmux's back. */
  endOutside(session: Session): void {
    this.tmux("kill-session", "-t", `=${session.tmux_session}`);
  }

  /** A directory of its own, below its home. */
  makeDirectory(name: string): string {
    const path = join(this.home, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  removeDirectory(name: string): void {
    rmSync(join(this.home, name), { recursive: true, force: true });
  }

  /** As a crash would: nothing is written, nothing is said. */
  async kill(): Promise<void> {
    process.kill((await this.status()).pid, "SIGKILL");
  }

  /** Has it hang, as a machine that swaps does, until the returned function is called. */
  async hang(): Promise<() => void> {
    const { pid } = await this.status();
    process.kill(pid, "SIGSTOP");
    return () => void process.kill(pid, "SIGCONT");
  }

  /** The screen that tmux itself has, without trailing blanks, as many rows as there are. */
  screen(session: Session): string[] {
    const captured = this.tmux("capture-pane", "-p", "-t", `=${session.tmux_session}:`);
    return captured.replace(/\n$/, "").split("\n").map((row) => row.trimEnd());
  }

  /** Columns and rows, as tmux has them. */
  size(session: Session): [number, number] {
    const told = this.tmux("display-message", "-p", "-t", `=${session.tmux_session}:`, "#{pane_width} #{pane_height}");
    const [cols = 0, rows = 0] = told.trim().split(" ").map(Number);
    return [cols, rows];
  }

  async end(): Promise<void> {
    await this.schmux("stop").catch(() => undefined);
    for (const socket of this.servers()) {
      try {
        execFileSync("tmux", ["-L", socket, "kill-server"], { stdio: "ignore" });
      } catch {
        // It ended with its last session.
      }
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Those of its own, of which there are more with many sessions, and those that it watches. */
  private servers(): string[] {
    if (this.tmuxSocket === "") return this.watched;
    const dir = join(process.env.TMUX_TMPDIR ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`);
    return [...readdirSync(dir).filter((name) => name.startsWith(this.tmuxSocket)), ...this.watched];
  }

  private tmux(...args: string[]): string {
    return execFileSync("tmux", ["-u", "-L", this.tmuxSocket, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  private async schmux(...args: string[]): Promise<string> {
    const { stdout } = await run(this.bin, args, { env: this.env(), cwd: this.home });
    return stdout;
  }

  /** A test that runs inside of tmux is not to be taken for part of it. Shells in it take letters, whatever CI's locale is. */
  private env(): NodeJS.ProcessEnv {
    return { LANG: "C.UTF-8", ...process.env, TMUX: "", SCHMUX_HOME: this.home, SCHMUX_PORT: this.port };
  }
}
