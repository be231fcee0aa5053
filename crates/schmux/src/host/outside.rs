//! tmux servers without a connection of ours: those that the user runs, where they
//! are and what is on them, and what a daemon that has ended leaves behind.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use schmux_core::fleet::TmuxPane;
use schmux_core::ids::PaneId;
use tokio::time::sleep;

use super::is_own_session;
use crate::proc;

/// A user's tmux server answers at once; one that doesn't is passed over.
const QUICK: Duration = Duration::from_secs(2);

/// How often it is looked whether a server has ended.
const AGAIN: Duration = Duration::from_millis(10);

/// A pane that we could watch.
#[derive(Debug, Clone)]
pub struct Outsider {
    pub socket: PathBuf,
    pub session: String,
    pub pane: TmuxPane,
    /// The first one of its session.
    pub first: bool,
    /// The index and the name of its window, and whether its session shows that.
    pub window: (u32, String),
    pub in_front: bool,
    /// Its own index in the window, and whether it has the cursor there.
    pub index: u32,
    pub active: bool,
    pub pid: u32,
    pub command: String,
    pub path: String,
    /// The id of the session that a schmux made it for.
    pub made_for: Option<String>,
}

/// Where a socket is that was named by its path or as for `tmux -L`.
pub fn socket_path(named: Option<&str>) -> PathBuf {
    match named.unwrap_or("default") {
        path if path.contains('/') => PathBuf::from(path),
        name => socket_dir().join(name),
    }
}

/// The sockets of this user's tmux servers, without those of any schmux.
pub fn sockets() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(socket_dir()).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| !is_of_schmux(path)).collect()
}

/// Whether a schmux runs that server, this instance or another one: all of them are
/// called so.
pub fn is_of_schmux(socket: &Path) -> bool {
    let name = socket.file_name().unwrap_or_default().to_string_lossy();
    name == "schmux" || name.starts_with("schmux-")
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
            let argv = [&["tmux", "-u", "-N", "-S", &path], words].concat();
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

impl Outsider {
    /// As tmux itself names it: `work:2.1`.
    pub fn place(&self) -> String {
        format!("{}:{}.{}", self.session, self.window.0, self.index)
    }
}

/// What tmux is asked of each pane. Of these, only the path may have tabs in it.
pub const FORMAT: &str = "#{socket_path}\t#{pid}-#{start_time}\t#{pane_id}\t\
                          #{window_index}\t#{window_active}\t#{pane_index}\t#{pane_active}\t\
                          #{pane_pid}\t#{pane_current_command}\t#{@schmux}\t\
                          #{window_name}\t#{session_name}\t#{pane_current_path}";

/// The panes of one server, for each session that they are in.
pub async fn panes(socket: PathBuf) -> Vec<Outsider> {
    let path = socket.to_string_lossy().into_owned();
    let argv = ["tmux", "-u", "-N", "-S", &path, "list-panes", "-a", "-F", FORMAT];
    let Ok(output) = proc::output(&argv, None, QUICK).await else { return Vec::new() };
    let found = parse(&String::from_utf8_lossy(&output));
    // tmux has its own idea of what the same socket is called.
    found.into_iter().map(|one| Outsider { socket: socket.clone(), ..one }).collect()
}

/// What servers said to [`FORMAT`].
pub fn parse(said: &str) -> Vec<Outsider> {
    let mut seen = HashSet::new();
    let mut panes: Vec<Outsider> = said.lines().filter_map(parse_pane).collect();
    panes.retain(|one| !is_own_session(&one.session));
    for one in &mut panes {
        one.first = seen.insert((one.socket.clone(), one.session.clone()));
    }
    panes
}

fn parse_pane(line: &str) -> Option<Outsider> {
    let mut fields = line.splitn(13, '\t');
    let mut next = || fields.next();
    let (socket, server) = (PathBuf::from(next()?), next()?.to_owned());
    let pane = TmuxPane { id: PaneId::parse(next()?.as_bytes())?, server };
    let (window, in_front) = (next()?.parse().ok()?, next()? == "1");
    let (index, active) = (next()?.parse().ok()?, next()? == "1");
    let pid = next()?.parse().ok()?;
    let command = next()?.to_owned();
    let made_for = Some(next()?).filter(|id| !id.is_empty()).map(Into::into);
    let (window, session) = ((window, next()?.to_owned()), next()?.to_owned());
    let path = next()?.to_owned();
    let first = false;
    Some(Outsider {
        socket,
        session,
        pane,
        first,
        window,
        in_front,
        index,
        active,
        pid,
        command,
        path,
        made_for,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pane_is_read_and_ours_are_left_out() {
        let said = "/s\t7-17\t%0\t0\t0\t0\t1\t99\tbash\t\tsh\tmy own\t/w\n\
            /s\t7-17\t%2\t1\t1\t1\t0\t98\tnode\tw-1-a\tagents\tmy own\t/w\tx\n\
            /s\t7-17\t%2\t1\t1\t1\t0\t98\tnode\tw-1-a\tagents\tschmux-hub\t/w\tx\n\
            nonsense\n/t\t8-17\t%0\t0\t1\t0\t1\t97\tvi\t\tvi\tmy own\t/\n";
        let read: Vec<String> = parse(said)
            .iter()
            .map(|one| {
                let (window, front) = (&one.window.1, (one.in_front, one.active));
                let (id, made_for) = (one.pane.id, one.made_for.as_deref().unwrap_or("-"));
                let (place, path) = (one.place(), &one.path);
                format!("{place} {id} {window} {} {front:?} {made_for} {path}", one.first)
            })
            .collect();
        assert_eq!(
            read,
            [
                "my own:0.0 %0 sh true (false, true) - /w",
                "my own:1.1 %2 agents false (true, false) w-1-a /w\tx",
                "my own:0.0 %0 vi true (true, true) - /",
            ]
        );
    }
}
