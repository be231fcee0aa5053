//! Which programs are in front, asked for all panes of a server at once.

use schmux_core::fleet::Fact;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::{Purpose, Rooms};
use crate::host::HUB;
use crate::host::pane::Pane;
use crate::host::structure::{FRONT_FORMAT, parse_fronts};

/// At most this often: agents redraw all the time.
const PAUSE_MS: i64 = 1000;

impl Rooms {
    /// When to ask, because a pane's may have changed.
    pub(super) fn fronts_at(&self) -> Option<Moment> {
        let panes = self.panes.values().filter_map(Pane::front_at);
        let at = panes.min().filter(|_| self.down.is_none())?;
        Some(self.fronts_asked.map_or(at, |asked| at.max(Moment(asked.0 + PAUSE_MS))))
    }

    pub(super) fn ask_fronts(&mut self) {
        if self.fronts_at().is_none_or(|at| self.now < at) {
            return;
        }
        self.fronts_asked = Some(self.now);
        self.panes.values_mut().for_each(Pane::front_asked);
        let fronts = Command::new("list-panes").arg("-s").opt("-t", format!("={HUB}:"));
        self.ask(fronts.opt("-F", FRONT_FORMAT), Purpose::Fronts);
    }

    pub(super) fn fronts_told(&mut self, body: &[u8]) {
        for (pane, front) in parse_fronts(body) {
            let Some(room) = self.panes.get_mut(&pane) else { continue };
            if room.set_front(&front) {
                room.tell_desk_facts();
                self.facts.push((room.session.clone(), Fact::Front(front)));
            }
        }
    }
}
