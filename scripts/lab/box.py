"""A host for the lab: a real sshd with keys, a home and tmux servers of its own."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from daemon import Daemon, SchmuxStage

NAME = "box"
# A login shell's usual ones; node is where this machine has it.
PATHS = ["/usr/local/bin", "/usr/bin", "/bin"]


class Box:
    def __init__(self, base):
        self.dir = base / NAME
        for name in ("home", "bin", "tmux"):
            (self.dir / name).mkdir(parents=True)
        self.dir.chmod(0o700)
        self.program = next((p for p in ("/usr/sbin/sshd", "/usr/lib/ssh/sshd") if os.path.exists(p)), None)
        if not self.program:
            raise SystemExit("hosts: no sshd was found (install openssh-server)")

    def __enter__(self):
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.dir / key], check=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        config = self.dir / "sshd_config"
        config.write_text(f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.dir}/host\nUsePAM no\nPidFile none\n"
                          f"AuthorizedKeysFile {self.dir}/user.pub\nStrictModes no\nPermitRootLogin yes\n"
                          "PasswordAuthentication no\nMaxStartups 100\n")
        pathlib.Path("/run/sshd").mkdir(parents=True, exist_ok=True)
        self.sshd = subprocess.Popen([self.program, "-D", "-e", "-f", config], stdin=subprocess.DEVNULL,
                                     stderr=open(self.dir / "sshd.log", "wb"))
        self.wait_for_port()
        return self

    def wait_for_port(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit("hosts: sshd did not start: " + (self.dir / "sshd.log").read_text())

    def __exit__(self, *_):
        for place in (self.dir / "tmux").glob("*/*"):
            subprocess.run(["tmux", "-S", place, "kill-server"], check=False, capture_output=True)
        self.sshd.terminate()
        self.sshd.wait()

    def connect(self):
        """The command that reaches it: ssh, and an environment as a machine of its own would have it."""
        node = shutil.which("node")
        paths = [str(self.dir / "bin"), *PATHS, *([os.path.dirname(node)] if node else [])]
        ssh = ["ssh", "-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR", "-o",
               f"UserKnownHostsFile={self.dir}/known", "-i", str(self.dir / "user"), "-p", str(self.port), "127.0.0.1"]
        return [*ssh, "env", "-i", "SHELL=/bin/sh", "TERM=screen", "LANG=C.UTF-8", f"HOME={self.dir}/home",
                f"PATH={':'.join(paths)}", f"TMUX_TMPDIR={self.dir}/tmux"]


class FarDaemon(Daemon):
    """A daemon whose sessions are in the box."""

    def __init__(self, program, base, box):
        super().__init__(program, base)
        # Agents are found over there, and nowhere else.
        self.bin = box.dir / "bin"
        self.box = box

    def __enter__(self):
        super().__enter__()
        print(self.schmux("host", "add", NAME, "--", *self.box.connect()), flush=True)
        return self

    def spawn(self, target, workspace):
        made = json_of(self.schmux("spawn", "--host", NAME, "-t", target, "-w", str(workspace), "--json"))
        return SchmuxStage(self, made["id"])


def json_of(text):
    value = json.loads(text)
    return value[0] if isinstance(value, list) else value
