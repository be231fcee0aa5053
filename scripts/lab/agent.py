"""A real agent in a schmux session of the lab, and the fake LLM's word on what it got."""
import http.client
import json
import fcntl
import os
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path
from types import SimpleNamespace

REPO = Path(__file__).resolve().parents[2]
# What agents send besides the user's words.
ASIDE = ("<system-reminder>", "<environment_context>", "<session_context>", "<tool_result>", "<permissions",
         "<command-", "<user_instructions", "# AGENTS.md", "This is the Gemini CLI", "<local-command", "<turn_aborted",
         "<user_shell_command", "<skills_instructions", "<collaboration_mode", "<hook_context>")
# The file is copied, and comes back empty: reading a field also clears it.
SPY = """#!/bin/sh
for file; do :; done
seen="$SPY_DIR/$SCHMUX_SESSION_ID"
cp "$file" "$seen.new" && mv "$seen.new" "$seen"
: > "$file"
"""


class Unreadable(Exception):
    """The field couldn't be brought to a known state."""


class Socket(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(10)
        self.sock.connect(str(self.path))


class Lab:
    """A daemon of its own, with the lab's agents on its PATH."""

    def __init__(self):
        self.dir = Path(os.environ.get("LAB_DIR", Path.home() / ".cache/schmux-lab"))
        self.port = os.environ.get("LAB_PORT", "18777")
        self.work = Path(os.environ.get("LAB_TRUST", self.dir / "work"))
        self.schmux_bin = os.environ.get("SCHMUX_BIN", str(REPO / "target/debug/schmux"))
        self.home = Path(tempfile.mkdtemp(prefix="schmux-lab-"))
        (self.home / "config.toml").write_text('[log]\nlevel = "debug"\n')
        self.spy = self.home / "spy"
        self.spy.mkdir()
        editor = self.home / "spy-editor"
        editor.write_text(SPY)
        editor.chmod(0o755)
        self.env = {k: v for k, v in os.environ.items() if k not in ("TMUX", "VISUAL", "TMUX_PANE")}
        self.env.update(SCHMUX_HOME=str(self.home), SCHMUX_PORT="0", EDITOR=str(editor), SPY_DIR=str(self.spy),
                        PATH=f"{self.dir / 'bin'}:{os.environ['PATH']}", NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")
        self.log = self.dir / "received.jsonl"
        self.read_to, self.open, self.reading = self.mark(), {}, threading.Lock()

    def __enter__(self):
        self.schmux("start")
        self.socket = json.loads(self.schmux("status", "--json"))["tmux_socket"]
        return self

    def __exit__(self, *_):
        self.schmux("stop", check=False)
        for log in (self.home / "logs").glob("schmux.*"):
            shutil.copy(log, self.dir / "daemon.log")
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], env=self.env, capture_output=True)
        shutil.rmtree(self.home, ignore_errors=True)

    def schmux(self, *words, check=True):
        run = subprocess.run([self.schmux_bin, *words], env=self.env, cwd=self.work, capture_output=True, text=True)
        if check and run.returncode:
            raise SystemExit(f"schmux {' '.join(words)}: {run.stderr}")
        return run.stdout

    def api(self, method, path, body=None):
        connection = Socket(self.home / "schmux.sock")
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read() or "null")
        connection.close()
        return answer

    def control(self, agent, **what):
        query = urllib.parse.urlencode({"agent": agent, **what})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/__ctl?{query}") as answer:
            answer.read()

    def mark(self):
        return self.log.stat().st_size if self.log.exists() else 0

    def entries(self, agent, mark):
        if not self.log.exists():
            return []
        with open(self.log, encoding="utf-8") as log:
            log.seek(mark)
            lines = [json.loads(line) for line in log if line.endswith("\n")]
        return [line for line in lines if line.get("agent") == agent and line.get("main")]

    def received(self, agent, mark):
        """The user's words in the order of their first arrival, and whether a reply was cut."""
        entries = self.entries(agent, mark)
        messages = []
        for entry in (e for e in entries if e["event"] == "request"):
            words = [text for text in entry["user"] if not text.lstrip().startswith(ASIDE) and text.strip()]
            fresh = (entry.get("users"), tuple(words))
            if words and fresh not in [seen for seen, _ in messages]:
                messages.append((fresh, words))
        texts = [text for _, words in messages for text in words]
        return SimpleNamespace(messages=texts, closed=any(e["event"] == "closed" for e in entries))

    def is_asked(self, agent):
        """Whether a reply is under way; reads on from where it stopped."""
        if self.log.exists():
            with self.reading, open(self.log, encoding="utf-8") as log:
                log.seek(self.read_to)
                for line in iter(log.readline, ""):
                    if not line.endswith("\n"):
                        break
                    self.read_to = log.tell()
                    self.note(json.loads(line))
        return self.open.get(agent, 0) > 0

    def note(self, entry):
        if entry.get("main"):
            change = 1 if entry["event"] == "request" else -1
            self.open[entry["agent"]] = self.open.get(entry["agent"], 0) + change

    def until_asked(self, agent):
        wait(lambda: self.is_asked(agent), 20, f"{agent} asks the LLM")


def wait(condition, seconds, what):
    deadline = time.time() + seconds
    while time.time() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.03)
    raise Unreadable(f"waited in vain: {what}")


class Terminal:
    """A person's own terminal with a plain `tmux attach` in it."""

    def __init__(self, lab, session, size=(41, 120)):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            env = lab.env | {"TERM": "xterm-256color"}
            os.execvpe("tmux", ["tmux", "-L", lab.socket, "attach", "-t", f"={session}"], env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        threading.Thread(target=self.drain, daemon=True).start()

    def drain(self):
        """What tmux draws is nobody's; it only must not wait for a reader."""
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass

    def type(self, text):
        os.write(self.fd, text.encode())

    def close(self):
        os.kill(self.pid, signal.SIGHUP)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


class Agent:
    def __init__(self, lab, name, more=0):
        """`more`: so many seconds longer it may read nothing, busy with long messages."""
        self.lab, self.name, self.more = lab, name, more
        self.spawn()

    def spawn(self):
        made = json.loads(self.lab.schmux("spawn", "-t", self.name, "--json"))[0]
        self.session = made["id"]
        self.pane = f"={self.session}:"
        wait(lambda: self.has_field(), 60, f"{self.name}'s field")
        # A first start draws tips and checks for updates behind the field.
        self.rest(1.5)
        self.field()

    def respawn(self):
        self.dispose()
        self.lab.control(self.name, delay=0, tool="", once=0)
        self.spawn()

    def dispose(self):
        self.lab.schmux("dispose", self.session, check=False)

    def tmux(self, *words):
        run = subprocess.run(["tmux", "-L", self.lab.socket, *words], env=self.lab.env, capture_output=True, text=True)
        return run.stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", self.pane)

    def has_field(self):
        return any(line.lstrip("│ ").startswith(("❯", "›", ">")) for line in self.screen().splitlines())

    def type(self, text):
        # tmux takes a final `;` for the end of its command.
        text = text[:-1] + "\\;" if text.endswith(";") else text
        self.tmux("send-keys", "-t", self.pane, "-l", "--", text)

    def attach(self):
        """Someone sits at a plain `tmux attach` of this session."""
        terminal = Terminal(self.lab, self.session)
        wait(lambda: self.tmux("list-clients", "-t", self.pane), 10, "an attached terminal")
        return terminal

    def type_by_gate(self, text):
        """As the page does it."""
        self.lab.api("POST", f"/api/sessions/{self.session}/keys", {"text": text})

    def key(self, name):
        self.tmux("send-keys", "-t", self.pane, name)

    def paste(self, text):
        buffer = f"lab-{self.name}"
        subprocess.run(["tmux", "-L", self.lab.socket, "load-buffer", "-b", buffer, "-"], env=self.lab.env,
                       input=text, text=True, check=True)
        self.tmux("paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", self.pane)

    def play(self, steps):
        for step in steps:
            if isinstance(step, str):
                self.type(step)
            else:
                kind, value = step
                self.key(value) if kind == "key" else self.paste(value)
            # Faster than this some agents take keys for a paste.
            time.sleep(0.15)

    def submit(self, text):
        self.leave_modes()
        self.type(text)
        wait(lambda: text in self.screen(), 10, f"the echo of {text!r}")
        time.sleep(0.3)
        self.key("Enter")

    def rest(self, still=0.7):
        """Until the agent's turn is over and its screen is still."""
        wait(lambda: not self.lab.is_asked(self.name), 40, "the turn's end")
        last, since = self.screen(), time.time()
        deadline = time.time() + 30
        while time.time() - since < still and time.time() < deadline:
            time.sleep(0.05)
            now = self.screen()
            if now != last:
                last, since = now, time.time()

    def field(self):
        """What is in the field, by the agent's own editor key; it is empty afterwards."""
        seen = self.lab.spy / self.session
        for attempt in range(3):
            seen.unlink(missing_ok=True)
            self.key("C-g")
            deadline = time.time() + 5 + self.more
            while time.time() < deadline and not seen.exists():
                time.sleep(0.02)
            if seen.exists():
                content = seen.read_text()
                time.sleep(0.4)
                self.leave_modes()
                return content
            # A list of completions is open.
            self.key("Escape")
            time.sleep(0.3)
        raise Unreadable(f"{self.name}'s editor key does nothing:\n{self.screen()}")

    def in_shell_mode(self):
        """Whether the prompt says that what is typed would run."""
        return any(row.lstrip("│ ").startswith("!") for row in self.screen().rstrip().splitlines()[-12:])

    def shows_empty_field(self):
        """Gemini CLI is blank for a moment after its editor, and its conversation looks like a field."""
        return "Type your" in self.screen() if self.name == "gemini" else self.has_field()

    def leave_modes(self):
        """Back from shell mode, whose prompt stays when its text is gone: Gemini CLI leaves it by Escape,
        the others by a backspace. An agent that has just left its editor drops keys: it is asked again."""
        for _ in range(5):
            wait(self.shows_empty_field, 10 + self.more, "the field after a look")
            if not self.in_shell_mode():
                return
            self.key("Escape" if self.name == "gemini" else "BSpace")
            try:
                wait(lambda: not self.in_shell_mode(), 2, "the end of shell mode")
            except Unreadable:
                pass  # once more
        raise Unreadable(f"{self.name} stays in shell mode:\n{self.screen()}")

    def shown(self, most=12):
        """The field's rows as they stand on the screen, without what agents count up."""
        rows = [row.strip("│ ") for row in self.screen().splitlines()]
        tops = [n for n, row in enumerate(rows) if row.startswith(("❯", "›", ">"))]
        return [re.sub(r"#\d+", "#", row) for row in rows[tops[-1]:tops[-1] + most]] if tops else []

    def play_surely(self, steps, shown):
        """Plays steps until the field shows what it did before: an agent that has just left its
        editor drops what is typed in that moment."""
        lines = 1 + steps.count(("key", "C-j"))

        def is_there():
            # In shell mode, and with a list open, other things stand where the field is looked for.
            if steps[:1] == ["!"]:
                return self.in_shell_mode() and steps[1] in self.screen()
            if steps and str(steps[0]).startswith("/"):
                return any(row.strip("│❯›>\xa0 ").startswith(steps[0]) for row in self.screen().splitlines())
            return self.shown(lines) == shown[:lines]

        for _ in range(4):
            self.play(steps)
            try:
                return wait(is_there, 3, "the draft on the screen")
            except Unreadable:
                self.field()
        raise Unreadable(f"the lab could not type the draft {shown[:lines]!r}:\n{self.screen()}")

    def content_of(self, steps):
        """What the field shows and what is in it after some steps, twice the same."""
        last = None
        for _ in range(5):
            self.play(steps)
            self.rest(1.0)
            now = (self.shown(), self.field())
            if last and now[1] == last[1]:
                return now
            last = now
        raise Unreadable(f"{self.name} makes something else of the same keys each time")

    def tell(self, text):
        return self.lab.api("POST", "/api/messages", {"to": [self.session], "text": text})[0]

    def state(self, posted):
        mine = self.lab.api("GET", f"/api/messages?session={self.session}&all=true&limit=5")
        return next(m for m in mine if m["id"] == posted["id"])

    def fate(self, posted, patience):
        """What became of a message, as far as it is known when patience ends."""
        deadline = time.time() + patience
        while True:
            now = self.state(posted)
            if now["state"] in ("confirmed", "indeterminate", "failed") or time.time() > deadline:
                break
            time.sleep(0.05)
        now["ms"] = milliseconds(now)
        return now

    def cancel(self, posted):
        held = self.state(posted)
        self.lab.api("POST", f"/api/messages/{posted['id']}/cancel", {})
        now = self.fate(posted, 10)
        now["held_for"] = held.get("reason")
        return now

    def until_left_alone(self, was_sent):
        """Until no delivery is under way: the draft is back then. Where the editor key did nothing
        and nothing was sent, the ticket stays for a late call, which `field` will make."""
        ticket = self.lab.home / "tickets" / self.session
        if was_sent:
            wait(lambda: not ticket.exists(), 150, "the end of a delivery")

    def in_mode(self):
        return self.tmux("display-message", "-p", "-t", self.pane, "#{pane_in_mode}").strip()

    def in_dialog(self):
        screen = self.screen()
        return any(words in screen for words in (
            "Do you want to proceed", "Would you like to run", "Allow execution", "Apply this change", "Yes, allow once",
            "Action Required", "Allow once"))

    def until_dialog(self):
        wait(self.in_dialog, 20, "the dialog")

    def answer_dialog(self):
        self.key("Enter")


def milliseconds(message):
    """From `tell` to the moment at which the agent had taken Enter."""
    def moment(text):
        head, _, fraction = text.rstrip("Z").partition(".")
        seconds = time.mktime(time.strptime(head, "%Y-%m-%dT%H:%M:%S"))
        return seconds * 1000 + float("0." + (fraction or "0")) * 1000
    taken = [r["at"] for r in message["receipts"] if r["state"] in ("submitted", "confirmed")]
    return round(moment(taken[0]) - moment(message["created_at"])) if taken else None
