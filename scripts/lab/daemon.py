"""A schmux daemon of its own, a notifier that writes down what it is told, and one session of it
that can be played like any other stage."""

import json
import os
import subprocess
import time

from stage import Stage

# The notifier's lines: session, number, state, words.
NOTIFIER = """[notify.all]
command = ["sh", "-c", 'printf "%s\\t%s\\t%s\\t%s\\n" "$SCHMUX_SESSION_ID" "$SCHMUX_NUDGE_SEQ" "$SCHMUX_NUDGE_STATE" "$SCHMUX_NUDGE_MESSAGE" >> "$SCHMUX_HOME/told"']
states = ["completed", "needs_input", "needs_testing", "error"]
[log]
level = "debug"
"""


class Daemon:
    def __init__(self, program, base):
        self.program, self.home, self.bin = program.resolve(), base / "schmux", base / "bin"
        self.home.mkdir()
        self.bin.mkdir()
        (self.home / "config.toml").write_text(NOTIFIER)
        usual = {k: v for k, v in os.environ.items() if not k.startswith("SCHMUX_") and k not in ("TMUX", "TMUX_PANE")}
        self.env = usual | {"SCHMUX_HOME": str(self.home), "SCHMUX_PORT": "0", "TMUX_TMPDIR": str(base),
                            "LC_ALL": "C.UTF-8", "PATH": f"{self.bin}:{os.environ['PATH']}"}

    def __enter__(self):
        self.schmux("start")
        return self

    def __exit__(self, *_):
        socket = json.loads(self.schmux("status", "--json"))["tmux_socket"]
        self.schmux("stop")
        subprocess.run(["tmux", "-L", socket, "kill-server"], env=self.env, check=False, capture_output=True)

    def schmux(self, *words):
        done = subprocess.run([self.program, *words], env=self.env, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise RuntimeError(f"schmux {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def install(self, name, program, home):
        """Puts an agent on the daemon's PATH, in a home of its own."""
        lines = [f"export {key}={quoted(value)}" for key, value in home.env.items() if key != "EDITOR"]
        path = self.bin / name
        path.write_text("\n".join(["#!/bin/sh", *lines, f'exec {quoted(str(program))} "$@"', ""]))
        path.chmod(0o755)

    def spawn(self, target, workspace):
        made = json.loads(self.schmux("spawn", "-t", target, "-w", str(workspace), "--json"))
        return SchmuxStage(self, (made[0] if isinstance(made, list) else made)["id"])

    def told(self, session):
        """The numbers of the calls that the notifier told of."""
        path = self.home / "told"
        lines = path.read_text().splitlines() if path.exists() else []
        return [int(line.split("\t")[1]) for line in lines if line.startswith(session + "\t")]


class SchmuxStage(Stage):
    """A session of the daemon as a stage: seen and typed into as a person would."""

    def __init__(self, daemon, session):
        self.daemon, self.session = daemon, session

    def keys(self, *names):
        self.daemon.schmux("send-keys", self.session, *names)

    def type(self, text):
        self.daemon.schmux("send-keys", self.session, "--text", text)

    def text(self):
        return self.daemon.schmux("capture", self.session)

    def facts(self):
        return {}

    def state(self):
        sessions = json.loads(self.daemon.schmux("list", "--json"))
        found = [s for s in flat(sessions) if s["id"] == self.session]
        return found[0]

    def history(self):
        lines = self.daemon.schmux("events", self.session, "--json").splitlines()
        return [json.loads(line) for line in lines if line.strip()]

    def wait(self, what, condition, patience=30):
        deadline = time.monotonic() + patience
        while True:
            state = self.state()
            if condition(state):
                return state
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: {state['status']}, call {state.get('nudge_state')} {state.get('nudge_summary')!r}, seq {state['nudge_seq']}")
            time.sleep(0.05)


def flat(value):
    """The sessions in what `schmux list --json` prints, however they are grouped."""
    if isinstance(value, dict):
        if "nudge_seq" in value:
            yield value
        else:
            for inner in value.values():
                yield from flat(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from flat(inner)


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


