//! Which programs are in front of the panes that have printed. tmux asks the kernel
//! for each of them, and serves nobody meanwhile, so few are asked for at once.

use schmux_core::fleet::Fact;
use schmux_core::ids::PaneId;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::{Purpose, Rooms};
use crate::host::structure::{FRONT_FORMAT, parse_front};

/// So many at once take tmux 0.2 ms, and that at most this often is enough for all
/// panes of a server in a second.
const AT_ONCE: usize = 8;
const PAUSE_MS: i64 = 100;

impl Rooms {
    /// When to ask, because a pane's may have changed.
    pub(super) fn fronts_at(&mut self) -> Option<Moment> {
        let at = self.panes.next_front().filter(|_| self.down.is_none())?;
        Some(self.fronts_asked.map_or(at, |asked| at.max(Moment(asked.0 + PAUSE_MS))))
    }

    pub(super) fn ask_fronts(&mut self) {
        if self.fronts_at().is_none_or(|at| self.now < at) {
            return;
        }
        self.fronts_asked = Some(self.now);
        let due: Vec<PaneId> = self.panes.fronts_due(self.now).take(AT_ONCE).collect();
        for id in due {
            if let Some(pane) = self.panes.get_mut(&id) {
                pane.front_asked(self.now);
            }
            let front = Command::new("display-message").arg("-p").opt("-t", id.to_string());
            self.ask(front.arg(FRONT_FORMAT), Purpose::Front(id));
        }
    }

    pub(super) fn front_told(&mut self, id: PaneId, body: &[u8]) {
        let (Some(room), Some(front)) = (self.panes.get_mut(&id), parse_front(body)) else {
            return;
        };
        if room.set_front(&front) {
            room.tell_desk_facts();
            self.facts.push((room.session.clone(), Fact::Front(front)));
        }
    }
}
