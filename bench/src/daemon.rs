//! A schmux daemon with a home of its own, spoken to as any program would.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bare::{Tmux, socket_dir};
use crate::machine::wait_for;
use crate::play::READY;

/// A running daemon; it ends with its tmux servers when this is dropped.
pub struct Daemon {
    home: TempDir,
    schmux: PathBuf,
    agent: ureq::Agent,
    token: String,
    pub status: Status,
}

#[derive(Debug, Deserialize)]
pub struct Status {
    pub pid: u32,
    pub port: u16,
    pub tmux_socket: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Session {
    pub id: String,
    pub tmux_session: String,
    pub status_file: String,
    pub attach_cmd: String,
}

impl Session {
    /// The tmux server it lives in; a daemon may have several.
    pub fn tmux(&self) -> Result<Tmux> {
        Ok(Tmux::named(self.socket()?))
    }

    /// The name of its socket, here or on its host.
    pub fn socket(&self) -> Result<&str> {
        let mut words = self.attach_cmd.split_whitespace().skip_while(|word| *word != "-L");
        words.nth(1).context("attach_cmd names no tmux server")
    }
}

impl Daemon {
    /// With more settings, and files that say what agents look like.
    pub fn start(schmux: &Path, more: &str, looks: &[(&str, String)]) -> Result<Daemon> {
        let home = tempfile::Builder::new().prefix("schmux-bench-").tempdir()?;
        let program = std::env::current_exe()?;
        // A JSON string is a TOML string too.
        let config = format!(
            "[targets.bench]\ncommand = [{}]\n[targets.cat]\ncommand = [\"cat\"]\n{more}",
            Value::from(program.to_string_lossy())
        );
        for dir in ["work", "agents"] {
            fs::create_dir(home.path().join(dir))?;
        }
        for (name, text) in looks {
            fs::write(home.path().join("agents").join(format!("{name}.toml")), text)?;
        }
        fs::write(home.path().join("config.toml"), config)?;
        let mut daemon = Daemon {
            home,
            schmux: schmux.to_owned(),
            agent: ureq::Agent::config_builder().http_status_as_error(false).build().into(),
            token: String::new(),
            status: Status { pid: 0, port: 0, tmux_socket: String::new() },
        };
        daemon.cli(&["start"])?;
        daemon.status = serde_json::from_str(&daemon.cli(&["status", "--json"])?)?;
        daemon.token = fs::read_to_string(daemon.home.path().join("token"))?.trim().to_owned();
        Ok(daemon)
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs a verb of the command line and returns what it printed.
    fn cli(&self, args: &[&str]) -> Result<String> {
        let output = Command::new(&self.schmux)
            .args(args)
            .env("SCHMUX_HOME", self.home.path())
            .env("SCHMUX_PORT", "0")
            .env_remove("TMUX")
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("running {}", self.schmux.display()))?;
        if !output.status.success() {
            bail!("schmux {}: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A directory for the reports of what plays in the panes.
    pub fn dir(&self) -> &Path {
        self.home.path()
    }

    pub fn tmux(&self) -> Tmux {
        Tmux::named(&self.status.tmux_socket)
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.status.port)
    }

    pub fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub fn connect(&self) -> Result<TcpStream> {
        let stream = TcpStream::connect(self.address())?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    pub fn get(&self, path: &str) -> Result<String> {
        let url = format!("http://{}{path}", self.address());
        let mut reply = self.agent.get(url).header("Authorization", self.bearer()).call()?;
        let (status, text) = (reply.status(), reply.body_mut().read_to_string()?);
        if !status.is_success() {
            bail!("GET {path}: {status} {text}");
        }
        Ok(text)
    }

    pub fn post(&self, path: &str, body: &Value) -> Result<String> {
        let url = format!("http://{}{path}", self.address());
        let request = self.agent.post(url).header("Authorization", self.bearer());
        let mut reply = request.content_type("application/json").send(body.to_string())?;
        let (status, text) = (reply.status(), reply.body_mut().read_to_string()?);
        if !status.is_success() {
            bail!("POST {path}: {status} {text}");
        }
        Ok(text)
    }

    pub fn spawn(&self, target: &str, args: &[String], count: usize) -> Result<Vec<Session>> {
        let body = json!({
            "target": target, "args": args, "count": count, "cols": 120, "rows": 40,
            "workspace": self.home.path().join("work"),
        });
        Ok(serde_json::from_str(&self.post("/api/spawn", &body)?)?)
    }

    /// A session that plays a part, when it is ready for its key.
    pub fn play(&self, args: &[String]) -> Result<Session> {
        Ok(self.play_many(args, 1)?.remove(0))
    }

    pub fn play_many(&self, args: &[String], count: usize) -> Result<Vec<Session>> {
        let mut all = vec!["play".to_owned()];
        all.extend_from_slice(args);
        let sessions = self.spawn("bench", &all, count)?;
        for session in &sessions {
            self.wait_for_text(session, READY)?;
        }
        Ok(sessions)
    }

    pub fn wait_for_text(&self, session: &Session, text: &str) -> Result<()> {
        wait_for(&format!("{text} on {}", session.id), Duration::from_secs(120), || {
            self.capture(session).ok()?.contains(text).then_some(())
        })
    }

    /// The screen as the daemon knows it.
    pub fn capture(&self, session: &Session) -> Result<String> {
        let reply = self.get(&format!("/api/sessions/{}/capture", session.id))?;
        let reply: Value = serde_json::from_str(&reply)?;
        Ok(reply["text"].as_str().context("a capture without text")?.to_owned())
    }

    /// Types a text into a session.
    pub fn keys(&self, session: &Session, text: &str) -> Result<()> {
        self.post(&format!("/api/sessions/{}/keys", session.id), &json!({ "text": text })).map(drop)
    }

    pub fn dispose(&self, session: &Session) -> Result<()> {
        self.post(&format!("/api/sessions/{}/dispose", session.id), &json!({})).map(drop)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.cli(&["stop"]);
        // Stopping leaves agents running, as it should. These were only for show.
        let sockets = fs::read_dir(socket_dir()).into_iter().flatten().flatten();
        for socket in sockets {
            let name = socket.file_name().to_string_lossy().into_owned();
            if !self.status.tmux_socket.is_empty() && name.starts_with(&self.status.tmux_socket) {
                Tmux::named(&name).end();
            }
        }
    }
}
