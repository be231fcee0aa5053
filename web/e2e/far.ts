// A host for tests: a place with a home and a tmux of its own, reached by a plain
// command that can be made to ask for a passphrase, or to fail.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Far {
  private readonly dir = mkdtempSync(join(tmpdir(), "schmux-far-"));
  readonly work = join(this.dir, "work");
  /** What is typed into the page. */
  readonly command = join(this.dir, "reach");

  constructor() {
    for (const sub of ["home", "tmux", "work"]) mkdirSync(join(this.dir, sub));
    execFileSync("git", ["init", "-q", "-b", "main", this.work]);
    writeFileSync(join(this.work, "notes.md"), "Written over there.\n");
    const script = `#!/bin/sh
[ -e ${this.dir}/broken ] && { echo 'No route to far' >&2; exit 255; }
if [ -e ${this.dir}/locked ]; then
  answer=$("$SSH_ASKPASS" 'Passphrase for far: ') && [ "$answer" = sesame ] || { echo 'Permission denied' >&2; exit 255; }
fi
exec env -i SHELL=/bin/sh HOME=${this.dir}/home PATH=/usr/local/bin:/usr/bin:/bin TMUX_TMPDIR=${this.dir}/tmux "$@"
`;
    writeFileSync(this.command, script, { mode: 0o755 });
  }

  /** An agent in a tmux session that its user started over there: a program that is called like one. */
  startByHand(session: string): void {
    copyFileSync("/bin/cat", join(this.work, "codex"));
    writeFileSync(join(this.work, "banner"), "I am an agent\n");
    this.own("-f", "/dev/null", "new-session", "-d", "-s", session, "-c", this.work, "exec ./codex banner -");
  }

  /** The sessions of the user's own tmux over there, each with whether its program has ended. */
  byHand(): string {
    return this.own("list-panes", "-a", "-F", "#{session_name} #{pane_dead}");
  }

  /** Whether the way there is broken, or asks for a passphrase. */
  make(what: "broken" | "locked", is: boolean): void {
    const file = join(this.dir, what);
    if (is) writeFileSync(file, "");
    else rmSync(file, { force: true });
  }

  /** Ends every connection to it, as a network that breaks. */
  cut(): void {
    for (const pid of this.tmux("list-clients", "-F", "#{client_pid}").split("\n").filter((line) => line !== "")) {
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It ended by itself.
      }
    }
  }

  end(): void {
    try {
      this.tmux("kill-server");
    } catch {
      // Nothing was ever started there.
    }
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 10 });
  }

  private own(...args: string[]): string {
    return execFileSync("tmux", args, { encoding: "utf8", env: { PATH: process.env.PATH, HOME: this.dir, SHELL: "/bin/sh", TMUX_TMPDIR: join(this.dir, "tmux") } });
  }

  private tmux(...args: string[]): string {
    const [user = ""] = readdirSync(join(this.dir, "tmux"));
    const sockets = readdirSync(join(this.dir, "tmux", user));
    return sockets.map((name) => execFileSync("tmux", ["-S", join(this.dir, "tmux", user, name), ...args], { encoding: "utf8" })).join("");
  }
}
