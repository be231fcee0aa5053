"""A tmux server with one pane in which an agent plays, and how its screen is kept.

Every wait is for a condition on the screen, with a deadline. Nothing in here knows any agent.
"""

import os
import re
import subprocess
import time

# Long enough for an agent's first start on a loaded machine.
PATIENCE = 60
# How long a screen must be the same before it counts as settled.
STILL = 0.7


class Stage:
    def __init__(self, socket, directory, environment, command, size):
        self.base = ["tmux", "-f", "/dev/null", "-L", socket]
        self.directory = directory
        env = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG", "TERM")}
        self.env = env | {"LC_ALL": "C.UTF-8", "SHELL": "/bin/sh", "TERM": "xterm-256color"}
        self.cols, self.rows = size
        self.run("new-session", "-d", "-s", "s", "-x", str(size[0]), "-y", str(size[1]), "-c", directory,
                 *[word for k, v in environment.items() for word in ("-e", f"{k}={v}")],
                 # The shell is what remains when the agent leaves.
                 "env", "PS1=$ ", "ENV=/dev/null", "sh", "-i")
        self.run("set-option", "-g", "status", "off")
        self.until(r"\$ *$")
        self.run("send-keys", "-t", "s", "-l", f"clear; {command}")
        self.keys("Enter")

    def run(self, *words, check=True):
        return subprocess.run([*self.base, *words], env=self.env, check=check, capture_output=True, timeout=20).stdout.decode()

    def keys(self, *names):
        self.run("send-keys", "-t", "s", *names)

    def type(self, text):
        self.run("send-keys", "-t", "s", "-l", "--", text)

    def paste(self, text):
        self.run("set-buffer", "-b", "p", "--", text)
        self.run("paste-buffer", "-p", "-r", "-d", "-b", "p", "-t", "s")

    def blur(self):
        """What a terminal sends when it loses the focus, as tmux does where nobody is attached."""
        self.run("send-keys", "-t", "s", "-H", "1b", "5b", "4f")

    def text(self):
        return self.run("capture-pane", "-p", "-t", "s")

    def facts(self):
        wanted = "cursor_x cursor_y cursor_flag alternate_on pane_current_command pane_title"
        line = self.run("display-message", "-p", "-t", "s", "\x1f".join(f"#{{{name}}}" for name in wanted.split()))
        return dict(zip(wanted.split(), line.rstrip("\n").split("\x1f")))

    def shows(self, pattern):
        return re.search(pattern, self.text(), re.M) is not None

    def until(self, pattern, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while not self.shows(pattern):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never showed {pattern!r}:\n{self.text()}")
            time.sleep(0.05)

    def until_gone(self, pattern, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while self.shows(pattern):
            if time.monotonic() > deadline:
                raise TimeoutError(f"still shows {pattern!r}:\n{self.text()}")
            time.sleep(0.05)

    def settle(self, still=STILL, patience=15):
        """Waits until nothing moves; an animation that never rests is left alone after a while."""
        deadline = time.monotonic() + patience
        last, since = None, time.monotonic()
        while time.monotonic() < deadline:
            now = self.text(), self.facts()
            if now != last:
                last, since = now, time.monotonic()
            elif time.monotonic() - since >= still:
                return
            time.sleep(0.05)

    def resize(self, cols, rows):
        self.cols, self.rows = cols, rows
        self.run("resize-window", "-t", "s", "-x", str(cols), "-y", str(rows))

    def capture(self):
        """The screen with its attributes, and what tmux knows besides."""
        # Two equal looks, so that the cursor belongs to the rows.
        while True:
            facts, rows = self.facts(), self.run("capture-pane", "-p", "-e", "-N", "-t", "s")
            if facts["cursor_y"] == self.facts()["cursor_y"]:
                return facts, rows

    def close(self):
        self.run("kill-server", check=False)
