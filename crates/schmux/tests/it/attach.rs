//! `schmux attach` as a person uses it: in a terminal, which is a tmux of its own.

use std::time::Instant;

use futures_util::{SinkExt, StreamExt};
use schmux::wire::{AttachMessage, AttachNote, Message, MessageState, Session, TypedKeys};
use schmux_core::courier::receipt::Hold;
use schmux_core::courier::timing::QUIET;
use tokio::net::UnixStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;

use crate::courier::look_up;
use crate::support::{Daemon, PATIENCE, until};

/// A terminal beside the daemon: another tmux server.
pub struct Outer<'a> {
    daemon: &'a Daemon,
}

const OUTER: &str = "own-terminal";

impl Outer<'_> {
    /// Opens a terminal with a shell in it, of 80 by 24.
    pub fn open(daemon: &Daemon) -> Outer<'_> {
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

    pub fn tmux(&self, args: &[&str]) -> String {
        let output = self.daemon.tmux_on(OUTER, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn type_in(&self, text: &str) {
        self.tmux(&["send-keys", "-l", "--", text]);
    }

    pub fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    pub async fn sees(&self, text: &str) {
        until(&format!("{text:?} on the terminal"), || async {
            self.tmux(&["capture-pane", "-p"]).contains(text).then_some(())
        })
        .await;
    }

    pub fn run(&self, line: &str) {
        self.type_in(line);
        self.press(&["Enter"]);
    }

    pub async fn attach(&self, session: &Session) {
        let exe = env!("CARGO_BIN_EXE_schmux");
        let home = self.daemon.home();
        let home = home.dir().display();
        let tmpdir = self.daemon.path("");
        self.run(&format!(
            "clear; LC_ALL=C.UTF-8 TMUX= TMUX_TMPDIR={} SCHMUX_HOME={home} {exe} attach {}; echo code=$?",
            tmpdir.display(),
            session.id
        ));
    }
}

/// Echoes each line in brackets, and says the size when it changes.
pub const ECHO: &str = "trap 'echo size=$(stty size)' WINCH; echo hello; \
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
    outer.sees("[detached").await;
    // Without a daemon it is a plain one.
    outer.attach(&session).await;
    outer.run("four");
    outer.sees("[four]").await;
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    daemon.schmux(&["start"]);
    outer.attach(&session).await;
    outer.sees("[three]").await;
    daemon.schmux(&["dispose", &session.id, "--yes"]);
    outer.sees("code=").await;
    // The terminal is as it was: what is typed is seen.
    outer.run("echo still a $((40 + 2))");
    outer.sees("still a 42").await;
}

/// The daemon's line to an attached terminal, without the terminal.
struct Line {
    socket: WebSocketStream<UnixStream>,
}

impl Line {
    async fn open(daemon: &Daemon, session: &Session) -> Line {
        let stream = UnixStream::connect(daemon.home().socket()).await.unwrap();
        let url = format!("ws://localhost/ws/attach/{}", session.id);
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        Line { socket }
    }

    async fn hears(&mut self) -> AttachMessage {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.unwrap();
            if let Frame::Text(text) = frame.unwrap().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    async fn says(&mut self, note: AttachNote) {
        let text = serde_json::to_string(&note).unwrap();
        self.socket.send(Frame::Text(text.into())).await.unwrap();
    }
}

#[tokio::test]
async fn a_message_is_written_once_the_terminal_s_keys_wait() {
    let daemon = Daemon::start();
    let made: Vec<Session> =
        serde_json::from_str(&daemon.schmux(&["spawn", "-t", "demo", "--json"])).unwrap();
    let session = &made[0];
    let mut line = Line::open(&daemon, session).await;
    let screen = || daemon.schmux(&["capture", &session.id]);
    until("the agent's field", || async { screen().contains('❯').then_some(()) }).await;
    // It waits from the first moment on.
    let pane = format!("={}:", session.tmux_session);
    daemon.tmux(&["copy-mode", "-t", &pane]);
    let sent = daemon.schmux(&["tell", &session.id, "--json", "wait for the keys"]);
    let sent: Vec<Message> = serde_json::from_str(&sent).unwrap();
    let message = || look_up(&daemon, &sent[0]);
    until("a message that waits", || async { message().await.reason }).await;
    // Whoever types is not disturbed.
    daemon.tmux(&["send-keys", "-t", &pane, "-X", "cancel"]);
    let deadline = Instant::now() + PATIENCE;
    let typed = loop {
        let typed = Instant::now();
        line.says(AttachNote::Typed { keys: TypedKeys::Text }).await;
        if message().await.reason == Some(Hold::HumanTyping.to_string()) {
            break typed;
        }
        assert!(typed < deadline, "{:?}", message().await);
    };
    let AttachMessage::Close { number } = line.hears().await else { panic!("it closes first") };
    let waited = typed.elapsed();
    assert!(waited.as_millis() >= QUIET as u128, "it began {waited:?} after a key");
    assert!(!screen().contains("wait for the keys"), "nothing before the keys wait");
    line.says(AttachNote::Closed { number }).await;
    assert_eq!(line.hears().await, AttachMessage::Open { replay: true });
    until("the message's proof", || async {
        (message().await.state == MessageState::Confirmed).then_some(())
    })
    .await;
    assert!(screen().contains("wait for the keys"));
}
