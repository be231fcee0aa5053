//! `schmux attach` as a person uses it: in a terminal, which is a tmux of its own.

use schmux::wire::{AttachMessage, AttachNote, Session, TypedKeys};
use serde_json::json;

use crate::support::{Daemon, until};

/// A terminal beside the daemon: another tmux server.
struct Outer<'a> {
    daemon: &'a Daemon,
}

const OUTER: &str = "own-terminal";

impl Outer<'_> {
    /// Opens a terminal with a shell in it, of 80 by 24.
    fn open(daemon: &Daemon) -> Outer<'_> {
        let outer = Outer { daemon };
        outer.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            "PS1=ready sh",
        ]);
        outer
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output = self.daemon.tmux_on(OUTER, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn type_in(&self, text: &str) {
        self.tmux(&["send-keys", "-l", "--", text]);
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    async fn sees(&self, text: &str) {
        until(&format!("{text:?} on the terminal"), || async {
            self.tmux(&["capture-pane", "-p"]).contains(text).then_some(())
        })
        .await;
    }

    fn run(&self, line: &str) {
        self.type_in(line);
        self.press(&["Enter"]);
    }

    async fn attach(&self, session: &Session) {
        let exe = env!("CARGO_BIN_EXE_schmux");
        let home = self.daemon.home();
        let home = home.dir().display();
        let tmpdir = self.daemon.path("");
        self.run(&format!(
            "clear; TMUX= TMUX_TMPDIR={} SCHMUX_HOME={home} {exe} attach {}; echo code=$?",
            tmpdir.display(),
            session.id
        ));
    }
}

/// Echoes each line in brackets, and says the size when it changes.
const ECHO: &str = "trap 'echo size=$(stty size)' WINCH; echo hello; \
    while true; do read -r line && echo \"[$line]\"; done";

#[tokio::test]
async fn it_is_a_terminal_like_any_other() {
    let daemon = Daemon::start();
    let session = daemon.run(ECHO).await;
    let outer = Outer::open(&daemon);
    outer.attach(&session).await;
    outer.sees("hello").await;
    outer.run("one — ünïcode; and \\ all");
    outer.sees("[one — ünïcode; and \\ all]").await;
    outer.tmux(&["resize-window", "-x", "100", "-y", "30"]);
    // The last line is tmux's own.
    outer.sees("size=29 100").await;
    // Suspended and brought back, as any job.
    outer.press(&["C-b", "C-z"]);
    outer.sees("Stopped").await;
    outer.run("echo in the shell");
    outer.sees("in the shell").await;
    outer.run("fg");
    outer.run("two");
    outer.sees("[two]").await;
    // The daemon may come and go.
    daemon.kill().await;
    outer.run("three");
    outer.sees("[three]").await;
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    outer.sees("[detached").await;
    daemon.schmux(&["start"]);
    outer.attach(&session).await;
    outer.sees("[three]").await;
    daemon.schmux(&["dispose", &session.id, "--yes"]);
    outer.sees("code=").await;
    // The terminal is as it was: what is typed is seen.
    outer.run("echo still a $((40 + 2))");
    outer.sees("still a 42").await;
}
