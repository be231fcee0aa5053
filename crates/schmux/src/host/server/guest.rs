//! How we live on a tmux server: our hub session, and, on a server of the user's
//! own, where we are guests, how we leave it as it was.
//!
//! **Invariant:** whoever ends the hub moves our client to another session. tmux
//! 3.3a crashes, with everything on the server, if a session is ended by
//! `destroy-unattached` while a client is on its way out.

use schmux_core::tmux::Command;

use super::{Purpose, Rooms, Server};
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

    /// Ends what is ours on a server of the user's, once nothing on it is watched any
    /// more and every answer is there: it would never end by itself with that. We are
    /// evicted then, and go.
    pub fn leave_if_needless(&mut self) {
        let idle = self.rooms.asked.is_empty() && self.rooms.queue.is_empty();
        if self.is_needless() && idle && !self.rooms.leaving {
            self.rooms.leaving = true;
            for session in [link::KEEPER, HUB] {
                let end = Command::new("kill-session").opt("-t", format!("={session}"));
                self.rooms.ask(end, Purpose::Nothing);
            }
        }
    }

    /// Whether we are on our way out. What is asked now can't be answered any more.
    pub fn is_leaving(&self) -> bool {
        self.rooms.leaving
    }

    /// Whether the hub was ended, and tmux has put us elsewhere.
    pub fn is_evicted(&self) -> bool {
        self.rooms.evicted
    }
}

impl Rooms {
    pub(super) fn move_into_hub(&mut self) {
        (self.leaving, self.evicted) = (false, false);
        let stay = Command::new("set-option").opt("-t", format!("={HUB}:"));
        self.ask(stay.arg("detach-on-destroy").arg("off"), Purpose::Nothing);
    }

    pub(super) fn moved_to(&mut self, session: &[u8]) {
        self.evicted = session != HUB.as_bytes();
    }
}
