//! A real daemon with a home, a port and tmux servers of its own, and viewers of
//! its panes. Everything ends with the test.

use std::cell::RefCell;
use std::fs;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use schmux::client::Client;
use schmux::home::Home;
use schmux::http::openapi::UNDOCUMENTED;
use schmux::wire::{DaemonStatus, Session, SpawnRequest, TerminalMessage};
use schmux_core::screen::{META_FORMAT, Screen, Seed, Size};
use serde_json::json;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A loaded machine may take this long; a test that passes takes far less.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Polls until `condition` gives a value.
pub async fn until<T, F: Future<Output = Option<T>>>(
    what: &str,
    condition: impl FnMut() -> F,
) -> T {
    until_for(PATIENCE, what, condition).await
}

pub async fn until_for<T, F: Future<Output = Option<T>>>(
    patience: Duration,
    what: &str,
    mut condition: impl FnMut() -> F,
) -> T {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(value) = condition().await {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Until a screen stands still for longer than any habit takes an Enter for part
/// of a paste.
pub async fn until_still(screen: impl Fn() -> String) {
    const STILL: Duration = Duration::from_millis(300);
    let last = RefCell::new((screen(), Instant::now()));
    until("a screen at rest", || async {
        let now = screen();
        let mut last = last.borrow_mut();
        if now != last.0 {
            *last = (now, Instant::now());
        }
        (last.1.elapsed() >= STILL).then_some(())
    })
    .await;
}

/// Until no delivery is under way any more. A ticket for a press that was never
/// answered lies there until its time is over; then nothing moves for longer than
/// the daemon waits before it asks what is in a field.
pub async fn until_left_alone(ticket: &Path, screen: impl Fn() -> String) {
    const LONGER: Duration = Duration::from_secs(8);
    let look = || (fs::read(ticket).ok(), screen());
    let last = RefCell::new((look(), Instant::now()));
    until("the end of a delivery", || async {
        let now = look();
        let is_gone = now.0.is_none();
        let mut last = last.borrow_mut();
        if now != last.0 {
            *last = (now, Instant::now());
        }
        (is_gone || last.1.elapsed() > LONGER).then_some(())
    })
    .await;
}

/// How much of a daemon's log a test that fails shows: a delivery with all its steps.
const LAST_WORDS: usize = 150;

pub struct Daemon {
    dir: TempDir,
}

/// Whether there is such a process, and not only what is left of it.
pub fn runs(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
    state.first().is_some_and(|first| *first != b'Z')
}

impl Daemon {
    /// Starts a daemon whose `config.toml` has a target `sh` (`sh -c`) besides the known ones.
    pub fn start() -> Daemon {
        Daemon::with_config("")
    }

    pub fn with_config(extra: &str) -> Daemon {
        let daemon = Daemon { dir: TempDir::new().unwrap() };
        fs::create_dir_all(daemon.home().dir()).unwrap();
        let config = format!("[targets.sh]\ncommand = [\"sh\", \"-c\"]\n{extra}");
        fs::write(daemon.home().config(), config).unwrap();
        fs::create_dir_all(daemon.path("work")).unwrap();
        daemon.schmux(&["start"]);
        daemon
    }

    pub fn home(&self) -> Home {
        Home::at(self.path("home"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs the CLI, which must succeed.
    pub fn schmux(&self, args: &[&str]) -> String {
        let output = self.try_schmux(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn try_schmux(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs the CLI beside the test.
    pub fn begin_schmux(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until someone else is connected to the daemon's Unix socket.
    pub async fn is_asked(&self) {
        let home = self.home().dir().to_string_lossy().into_owned();
        until("a connection", || async {
            let table = fs::read_to_string("/proc/net/unix").unwrap();
            // The sixth column is the state, and 03 a connection.
            let connected =
                |line: &&str| line.contains(&home) && line.split_whitespace().nth(5) == Some("03");
            table.lines().find(connected).map(|_| ())
        })
        .await;
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schmux"));
        command
            .args(args)
            .env("SCHMUX_HOME", self.home().dir())
            .env("SCHMUX_PORT", "0")
            .env("TMUX_TMPDIR", self.dir.path())
            .env_remove("TMUX")
            .env_remove("SCHMUX_TOKEN")
            .env_remove("SCHMUX_SESSION_ID")
            .current_dir(self.path("work"))
            .stdin(Stdio::null());
        // As in a container or in cron: tmux then takes its clients for no UTF-8 terminals.
        for locale in ["LC_ALL", "LC_CTYPE", "LANG"] {
            command.env_remove(locale);
        }
        command
    }

    pub fn client(&self) -> Client {
        Client::new(&self.home())
    }

    pub async fn status(&self) -> DaemonStatus {
        self.client().get("/api/status").await.unwrap()
    }

    /// `kill -9`.
    pub async fn kill(&self) {
        let pid = self.status().await.pid.to_string();
        assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        let client = self.client();
        until("the daemon's end", || async {
            client.get::<serde_json::Value>("/api/healthz").await.err()
        })
        .await;
    }

    /// A session that runs a shell script.
    pub async fn run(&self, script: &str) -> Session {
        self.run_sized(script, 80, 24).await
    }

    pub async fn run_sized(&self, script: &str, cols: u16, rows: u16) -> Session {
        let request = SpawnRequest {
            target: "sh".into(),
            workspace: Some(self.path("work").to_string_lossy().into_owned()),
            args: vec![script.into()],
            cols: Some(cols),
            rows: Some(rows),
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> = self.client().post("/api/spawn", &request).await.unwrap();
        made.remove(0)
    }

    /// The file that says that an editor is expected in a session.
    pub fn ticket(&self, id: &str) -> PathBuf {
        self.home().dir().join("tickets").join(id)
    }

    pub async fn session(&self, id: &str) -> Option<Session> {
        let all: Vec<Session> = self.client().get("/api/sessions").await.unwrap();
        all.into_iter().find(|session| session.id == id)
    }

    pub fn tmux(&self, args: &[&str]) -> Vec<u8> {
        let output = self.tmux_on(&self.home().tmux_socket(), args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout).to_vec()
    }

    pub fn tmux_on(&self, socket: &str, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-u", "-L", socket]).args(args).env("TMUX_TMPDIR", self.dir.path());
        command.env_remove("TMUX").output().unwrap()
    }

    /// What tmux itself shows, as a screen.
    pub fn truth(&self, session: &Session) -> Screen {
        truth(session, |args| self.tmux(args))
    }

    pub async fn view(&self, session: &Session, query: &str) -> View {
        let status = self.status().await;
        let url = format!("ws://127.0.0.1:{}/ws/terminal/{}{query}", status.port, session.id);
        let mut request = url.into_client_request().unwrap();
        let token = fs::read_to_string(self.home().token()).unwrap();
        let bearer = format!("Bearer {}", token.trim());
        request.headers_mut().insert("Authorization", bearer.parse().unwrap());
        let (socket, _) = connect_async(request).await.unwrap();
        View { socket, screen: None, announced: false, bytes: Vec::new(), messages: Vec::new() }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.try_schmux(&["stop"]);
        let logs = fs::read_dir(self.home().logs()).into_iter().flatten().flatten();
        let logs: String =
            logs.map(|log| fs::read_to_string(log.path()).unwrap_or_default()).collect();
        let undocumented: Vec<&str> =
            logs.lines().filter(|line| line.contains(UNDOCUMENTED)).collect();
        if std::thread::panicking() {
            let lines: Vec<&str> = logs.lines().collect();
            let last = &lines[lines.len().saturating_sub(LAST_WORDS)..];
            eprintln!("the daemon's log ends with:\n{}", last.join("\n"));
        }
        let base = self.home().tmux_socket();
        for entry in fs::read_dir(self.dir.path()).into_iter().flatten().flatten() {
            for socket in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
                let name = socket.file_name().to_string_lossy().into_owned();
                if name.starts_with(&base) || name.starts_with("own") {
                    self.tmux_on(&name, &["kill-server"]);
                }
            }
        }
        let is_fine = undocumented.is_empty() || std::thread::panicking();
        assert!(is_fine, "add the statuses to the handlers' lists: {undocumented:#?}");
    }
}

/// What a tmux that is asked by `tmux` shows, as a screen.
pub fn truth(session: &Session, tmux: impl Fn(&[&str]) -> Vec<u8>) -> Screen {
    let target = format!("={}:", session.tmux_session);
    let meta = tmux(&["display-message", "-p", "-t", &target, META_FORMAT]);
    let capture = tmux(&["capture-pane", "-p", "-e", "-N", "-t", &target]);
    let beneath = tmux(&["capture-pane", "-a", "-q", "-p", "-e", "-N", "-t", &target]);
    Seed::new(&meta, &capture, &beneath).unwrap().screen(None)
}

/// A viewer as the browser is one: it draws what it is sent.
pub struct View {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub screen: Option<Screen>,
    /// The next binary frame is a keyframe.
    announced: bool,
    /// Output since the last keyframe.
    pub bytes: Vec<u8>,
    pub messages: Vec<TerminalMessage>,
}

impl View {
    /// Takes one frame; `None` when the socket has ended.
    pub async fn step(&mut self) -> Option<()> {
        let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.unwrap()?.ok()?;
        match message {
            Message::Text(text) => {
                let message: TerminalMessage = serde_json::from_str(&text).unwrap();
                if let TerminalMessage::Keyframe { cols, rows, history, .. } = message {
                    self.announced = true;
                    let size = Size { cols, rows };
                    if history.is_some() || self.screen.as_ref().map(Screen::size) != Some(size) {
                        self.screen = Some(Screen::new(size));
                    }
                }
                self.messages.push(message);
            }
            Message::Binary(bytes) => {
                let screen = self.screen.as_mut().expect("a keyframe comes first");
                screen.advance(&bytes);
                if std::mem::take(&mut self.announced) {
                    self.bytes.clear();
                } else {
                    self.bytes.extend_from_slice(&bytes);
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Takes frames until the drawn screen shows `text`.
    pub async fn sees(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.rows().iter().any(|row| row.contains(text)) {
            assert!(Instant::now() < deadline, "never saw {text:?}: {:#?}", self.rows());
            self.step().await.expect("the socket stays open");
        }
    }

    /// Takes frames until the drawn screen is tmux's.
    pub async fn settles(&mut self, daemon: &Daemon, session: &Session) {
        self.settles_to(|| daemon.truth(session)).await;
    }

    pub async fn settles_to(&mut self, truth: impl Fn() -> Screen) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            // All that is on its way first: looking at tmux takes longer than a frame.
            while let Ok(Some(())) =
                tokio::time::timeout(Duration::from_millis(50), self.step()).await
            {}
            let truth = truth();
            let drawn = self.screen.as_ref();
            if drawn.is_some_and(|drawn| drawn.shows_same_as(&truth)) {
                return;
            }
            if Instant::now() > deadline {
                return assert_same(drawn.expect("a keyframe came"), &truth);
            }
        }
    }

    pub fn rows(&self) -> Vec<String> {
        self.screen.as_ref().map(Screen::rows).unwrap_or_default()
    }

    pub async fn type_in(&mut self, keys: impl AsRef<[u8]>) {
        self.socket.send(Message::Binary(keys.as_ref().to_vec().into())).await.unwrap();
    }

    pub async fn request(&mut self, request: serde_json::Value) {
        self.socket.send(Message::Text(request.to_string().into())).await.unwrap();
    }

    pub async fn resize(&mut self, cols: u16, rows: u16) {
        self.request(json!({"type": "resize", "cols": cols, "rows": rows})).await;
    }

    /// Whether a message of this kind was received.
    pub fn was_told(&self, is: impl Fn(&TerminalMessage) -> bool) -> bool {
        self.messages.iter().any(is)
    }
}

/// Panics with both pictures if they differ.
pub fn assert_same(drawn: &Screen, truth: &Screen) {
    let told = |s: &Screen| format!("{:?} {:?}\n{}", s.size(), s.cursor(), s.rows().join("\n"));
    assert!(drawn.shows_same_as(truth), "drawn: {}\n\ntmux: {}", told(drawn), told(truth));
}
