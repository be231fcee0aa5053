//! Where a tmux server is: on this machine, or at the far end of a command.

use std::path::PathBuf;
use std::sync::Arc;

use schmux_core::fleet::Socket;
use tokio::sync::watch;

use super::now;
use super::remote::{Facts, Reach, State, Wish};

/// Where a tmux server is, and what it starts with.
#[derive(Clone)]
pub(super) struct Place {
    pub socket: Socket,
    /// Only for servers of our own; a user's server has its own configuration.
    pub config: Option<PathBuf>,
    /// `None` for this machine; else the way there, or why there is none.
    pub far: Option<Result<Arc<Reach>, String>>,
}

impl Place {
    /// Whether it is a server of the user's own, which is only watched.
    pub fn is_users(&self) -> bool {
        match &self.far {
            None => self.config.is_none(),
            Some(_) => self.reach().is_some_and(|reach| reach.users.is_some()),
        }
    }

    /// Whether that is what tmux says of a server that isn't there.
    pub fn is_gone(&self, reason: &str) -> bool {
        let none = ["no server running on", "error connecting to"];
        self.is_users() && none.iter().any(|words| reason.contains(words))
    }

    /// A tmux command line for a server of this machine. By `-u` it is UTF-8 that tmux
    /// prints, tabs included, where no locale is set, as in a container or in cron.
    pub fn tmux(&self, words: &[&str]) -> Vec<String> {
        let (flag, socket) = match &self.socket {
            Socket::Name(name) => ("-L", name),
            Socket::Path(path) => ("-S", path),
        };
        let mut argv: Vec<String> = vec!["tmux".into(), "-u".into(), flag.into(), socket.clone()];
        if self.is_users() {
            // A server of the user's is never started by us.
            argv.insert(1, "-N".into());
        }
        if let Some(config) = &self.config {
            argv.extend(["-f".into(), config.to_string_lossy().into_owned()]);
        }
        argv.extend(words.iter().map(|&word| word.to_owned()));
        argv
    }

    pub fn label(&self) -> &str {
        match (&self.far, &self.socket) {
            (Some(Ok(reach)), _) => reach.name.as_str(),
            (_, Socket::Name(label) | Socket::Path(label)) => label,
        }
    }

    /// How often a pause of 50 ms is doubled at most: up to 6 s for a server of
    /// this machine, and up to 25 s for a host, where attempts may be counted.
    pub fn doublings(&self) -> u32 {
        if self.far.is_some() { 9 } else { 7 }
    }

    /// What is wanted of a host.
    pub fn wish(&self) -> Option<watch::Receiver<Wish>> {
        self.reach().map(|reach| reach.wish.subscribe())
    }

    pub fn tell_connecting(&self) {
        let change = |state: &mut State| match state {
            // It stays what it is until an attempt succeeds.
            State::Unreachable { .. } => false,
            _ => {
                *state = State::Connecting { since: now() };
                true
            }
        };
        if let Some(reach) = self.reach() {
            reach.state.send_if_modified(change);
        }
    }

    pub fn tell_connected(&self, facts: Facts) {
        if let Some(reach) = self.reach() {
            let (since, facts) = (now(), Arc::new(facts));
            reach.state.send_replace(State::Connected { since, facts });
        }
    }

    pub fn tell_lost(&self, why: &str) {
        if let Some(reach) = self.reach() {
            reach.state.send_modify(|state| match state {
                State::Unreachable { reason, .. } => why.clone_into(reason),
                _ => *state = State::Unreachable { since: now(), reason: why.to_owned() },
            });
        }
    }

    pub fn tell_idle(&self) {
        if let Some(reach) = self.reach() {
            reach.state.send_replace(State::Idle);
        }
    }

    fn reach(&self) -> Option<&Reach> {
        self.far.as_ref()?.as_deref().ok()
    }
}
