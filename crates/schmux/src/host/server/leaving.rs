//! Servers of the user's own, which are only watched: when one of them has ended,
//! and when we leave it alone again.

use schmux_core::tmux::Command;

use super::{Purpose, Server};
use crate::host::{HUB, link};

impl Server {
    /// The server itself has ended, and with it everything on it.
    pub fn handle_end(&mut self) {
        self.rooms.reconcile(&[]);
    }

    /// Whether nothing on a server of the user's is ours to watch.
    pub fn is_needless(&self) -> bool {
        self.rooms.users && self.rooms.expected.is_empty()
    }

    /// Takes our own sessions away from a server of the user's once nothing on it
    /// is watched any more and every answer is there: it would never end by itself
    /// with them.
    pub fn take_leave(&mut self) {
        let idle = self.rooms.asked.is_empty() && self.rooms.queue.is_empty();
        if self.is_needless() && idle && !self.rooms.leaving {
            self.rooms.leaving = true;
            for session in [link::KEEPER, HUB] {
                let end = Command::new("kill-session").opt("-t", format!("={session}"));
                self.rooms.ask(end, Purpose::Nothing);
            }
        }
    }
}
