//! tmux servers without a connection of ours: those that the user runs, where they
//! are and what is on them, and what a daemon that has ended leaves behind.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::is_own_session;
use crate::proc;

/// A user's tmux server answers at once; one that doesn't is passed over.
const QUICK: Duration = Duration::from_secs(2);

/// How often it is looked whether a server has ended.
const AGAIN: Duration = Duration::from_millis(10);

/// A session that we could watch, by its first pane.
pub struct Outsider {
    pub socket: PathBuf,
    pub session: String,
    pub pane: String,
    pub pid: u32,
    pub command: String,
    pub path: String,
}

/// Where a socket is that was named by its path or as for `tmux -L`.
pub fn socket_path(named: Option<&str>) -> PathBuf {
    match named.unwrap_or("default") {
        path if path.contains('/') => PathBuf::from(path),
        name => socket_dir().join(name),
    }
}

/// The sockets of this user's tmux servers, without those of any schmux.
pub fn sockets(own: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(socket_dir()).into_iter().flatten().flatten();
    let foreign = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !name.starts_with(own) && !name.starts_with("schmux")
    };
    entries.map(|entry| entry.path()).filter(|path| foreign(path)).collect()
}

/// The sockets of an instance's own servers, whose first one has the name `base`.
pub fn own_sockets(base: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(socket_dir()).into_iter().flatten().flatten();
    let ours = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = name.strip_prefix(base).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() < 4)
    };
    entries.map(|entry| entry.path()).filter(|path| ours(path)).collect()
}

/// Ends those of an instance's own servers on which no agent is any more. For when
/// its daemon has ended: tmux lets go of that one's clients a moment later.
pub async fn end_empty(base: &str) {
    for socket in own_sockets(base) {
        let path = socket.to_string_lossy();
        let tmux = async |words: &[&str]| {
            let argv = [&["tmux", "-N", "-S", &path], words].concat();
            let said = proc::output(&argv, None, QUICK).await.ok()?;
            Some(String::from_utf8_lossy(&said).into_owned())
        };
        let deadline = Instant::now() + QUICK;
        let list = ["list-sessions", "-F", "#{session_attached} #{session_name}"];
        while let Some(sessions) = tmux(&list).await.filter(|_| Instant::now() < deadline) {
            let names = || sessions.lines().filter_map(|line| line.split_once(' '));
            if !names().all(|(_, name)| is_own_session(name)) {
                break;
            }
            if names().all(|(clients, _)| clients == "0") {
                // By their names, so that whatever begins meanwhile goes on.
                tmux(&["set-option", "-g", "exit-empty", "on"]).await;
                for (_, name) in names() {
                    tmux(&["kill-session", "-t", &format!("={name}")]).await;
                }
            }
            sleep(AGAIN).await;
        }
    }
}

fn socket_dir() -> PathBuf {
    let dir = std::env::var_os("TMUX_TMPDIR").filter(|dir| !dir.is_empty());
    let uid = rustix::process::getuid().as_raw();
    dir.map_or_else(|| "/tmp".into(), PathBuf::from).join(format!("tmux-{uid}"))
}

/// What tmux is asked of each pane. The session's name comes last: it may hold
/// blanks. Tabs can't be in any of these.
pub const FORMAT: &str = "#{socket_path}\t#{pane_id}\t#{pane_pid}\t#{pane_current_command}\t\
                          #{pane_current_path}\t#{session_name}";

/// The sessions of one server, each once.
pub async fn sessions(socket: PathBuf) -> Vec<Outsider> {
    let path = socket.to_string_lossy().into_owned();
    let argv = ["tmux", "-N", "-S", &path, "list-panes", "-a", "-F", FORMAT];
    let Ok(output) = proc::output(&argv, None, QUICK).await else { return Vec::new() };
    let found = parse(&String::from_utf8_lossy(&output));
    // tmux has its own idea of what the same socket is called.
    found.into_iter().map(|one| Outsider { socket: socket.clone(), ..one }).collect()
}

/// What servers said to [`FORMAT`]: their sessions, each once.
pub fn parse(said: &str) -> Vec<Outsider> {
    let mut seen = HashSet::new();
    let parse = |line: &str| {
        let mut fields = line.splitn(6, '\t');
        let socket = PathBuf::from(fields.next()?);
        let (pane, pid) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        let (command, path) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        let session = fields.next()?.to_owned();
        Some(Outsider { socket, session, pane, pid, command, path })
    };
    said.lines()
        .filter_map(parse)
        .filter(|c| !is_own_session(&c.session))
        .filter(|c| seen.insert((c.socket.clone(), c.session.clone())))
        .collect()
}
