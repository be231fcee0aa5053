//! Servers of the user's own, which are only watched: when one of them has ended.
//!
//! Our two sessions stay on it for as long as it lives. To end the one that our
//! client is on crashes tmux 3.3a now and then, and with it what is the user's.

use super::Server;

impl Server {
    /// The server itself has ended, and with it everything on it.
    pub fn handle_end(&mut self) {
        self.rooms.reconcile(&[]);
    }

    /// Whether nothing on a server of the user's is ours to watch.
    pub fn is_needless(&self) -> bool {
        self.rooms.users && self.rooms.expected.is_empty()
    }
}
