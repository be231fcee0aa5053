//! Hosts that a command reaches: how, and how it stands with them.
//!
//! A connect command (`ssh box`, `docker exec -i c`) is started with one more
//! word, `sh`, and that shell reads a script from its stdin which turns into
//! `tmux -C`. So nothing is ever quoted for a shell between us and there, and
//! nothing is needed there but sh and tmux.

mod connect;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use schmux_core::ids::HostId;
use schmux_core::time::Moment;
use tokio::sync::watch;

pub(super) use connect::{Opened, connect};
pub(super) use words::Words;

/// A host that a command reaches. Shared by the task that speaks to it and by
/// those who want to know how it stands.
pub struct Reach {
    pub name: HostId,
    /// The command, to which `shell` is added.
    pub connect: Vec<String>,
    /// The word that starts a shell there; `None` if the command is one already.
    pub shell: Option<String>,
    /// Names our directory and our tmux server there: another daemon may use the
    /// same host, and another host the same home.
    pub instance: String,
    /// What tmux there starts with.
    pub conf: String,
    /// A command that is run before the connect command, on this machine.
    pub prepare: Vec<String>,
    /// Variables for the connect command.
    pub env: Vec<(String, String)>,
    /// The socket of a tmux server of the user's own there, which this is a
    /// second way to: it is never started, and nothing else is done by it.
    pub users: Option<String>,
    pub(super) state: watch::Sender<State>,
    pub(super) wish: watch::Sender<Wish>,
}

/// How it stands with a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nobody has needed it yet, or it was let go.
    Idle,
    Connecting {
        since: Moment,
    },
    Connected {
        since: Moment,
        facts: Arc<Facts>,
    },
    /// It is tried again and again.
    Unreachable {
        since: Moment,
        reason: String,
    },
}

/// What was found there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    pub tmux_version: String,
    /// Where tmux is, if only a login shell finds it.
    pub tmux: String,
    /// Our own directory there.
    pub dir: String,
    pub home: String,
    pub path: String,
    /// The user's own editors, as a login shell there knows them.
    pub editor: String,
    pub visual: String,
    pub system: String,
    pub inotify: bool,
    pub git: bool,
    /// How far its clock is ahead of ours, in milliseconds.
    pub skew_ms: i64,
}

/// Whether the connection is wanted. Every change is a reason to try at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wish {
    pub on: bool,
    times: u64,
}

impl Reach {
    pub fn new(
        name: HostId,
        connect: Vec<String>,
        shell: Option<String>,
        (instance, conf): (String, String),
        env: Vec<(String, String)>,
    ) -> Reach {
        let state = watch::Sender::new(State::Idle);
        let wish = watch::Sender::new(Wish { on: true, times: 0 });
        let prepare = Vec::new();
        let users = None;
        Reach { name, connect, shell, instance, conf, prepare, env, users, state, wish }
    }

    /// Another way to the same host, to a tmux server of the user's own. It is
    /// wanted as long as the host is.
    pub(super) fn beside(&self, socket: String) -> Reach {
        Reach {
            name: self.name.clone(),
            connect: self.connect.clone(),
            shell: self.shell.clone(),
            instance: self.instance.clone(),
            conf: self.conf.clone(),
            prepare: self.prepare.clone(),
            env: self.env.clone(),
            users: Some(socket),
            state: watch::Sender::new(State::Idle),
            wish: self.wish.clone(),
        }
    }

    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// How it stands from now on.
    pub fn states(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// What was found there, while the connection stands.
    pub fn facts(&self) -> Option<Arc<Facts>> {
        match &*self.state.borrow() {
            State::Connected { facts, .. } => Some(facts.clone()),
            _ => None,
        }
    }

    /// The name of our tmux server there.
    pub fn socket(&self) -> String {
        format!("schmux-{}", self.instance)
    }

    /// Asks for the connection at once, or for its end.
    pub fn want(&self, on: bool) {
        self.wish.send_modify(|wish| *wish = Wish { on, times: wish.times + 1 });
    }

    pub(super) fn argv(&self) -> Vec<String> {
        self.connect.iter().cloned().chain(self.shell.clone()).collect()
    }
}

/// The longest name of a directory that systems take.
const MOST_PATH: usize = 4096;

/// Whether a host may call a directory so: from the root, without detours, and
/// without what a terminal would take for more than text. Copies of its files are
/// made here, by such a name below a directory of ours.
pub fn is_plain_path(path: &str) -> bool {
    path.starts_with('/')
        && path.len() <= MOST_PATH
        && !path.chars().any(char::is_control)
        && !path.split('/').any(|part| matches!(part, "." | ".."))
}

impl Facts {
    /// `now` is ours, as the facts came in.
    pub(super) fn new(mut found: BTreeMap<String, String>, now: Moment) -> Facts {
        let mut take = |name: &str| found.remove(name).unwrap_or_default();
        // For people to read; a host can say anything.
        let plain = |text: String| text.chars().filter(|c| !c.is_control()).take(60).collect();
        let time: Option<i64> = take("time").trim().parse().ok();
        Facts {
            tmux_version: plain(take("tmux")),
            tmux: Some(take("found")).filter(|path| is_plain_path(path)).unwrap_or_default(),
            dir: take("dir"),
            home: take("home"),
            path: take("path"),
            editor: take("editor"),
            visual: take("visual"),
            system: plain(take("system")),
            inotify: take("inotify") == "yes",
            git: take("git") == "yes",
            // Its clock was read to the second.
            skew_ms: time.map_or(0, |time| time.saturating_sub(now.0 / 1000).saturating_mul(1000)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_can_t_name_a_directory_elsewhere() {
        for (path, good) in [
            ("/home/me", true),
            ("/", true),
            ("/it's a repo/..hidden", true),
            ("", false),
            ("work", false),
            ("/..", false),
            ("/home/../../etc", false),
            ("/./x", false),
            ("/x\u{1b}]0;owned\u{7}", false),
            ("/x\n", false),
        ] {
            assert_eq!(is_plain_path(path), good, "{path:?}");
        }
        assert!(!is_plain_path(&format!("/{}", "x".repeat(MOST_PATH))));
    }

    #[test]
    fn no_clock_over_there_overflows_ours() {
        for (time, skew) in [
            ("1000", 900_000),
            ("40", -60_000),
            ("nonsense", 0),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
        ] {
            let found = BTreeMap::from([("time".to_owned(), time.to_owned())]);
            assert_eq!(Facts::new(found, Moment(100_000)).skew_ms, skew);
        }
    }
}
