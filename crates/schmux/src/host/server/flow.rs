//! Panes of a host that print more than the way to it carries. tmux is told to
//! send nothing of them for a while; meanwhile their screens are read from it now
//! and then, and keys for other panes find the way free.

use schmux_core::ids::PaneId;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::{Purpose, Rooms};
use crate::host::pane::Pane;

/// How long a pane rests that printed more than its share while nobody watched
/// it. Its screen is then read from tmux, so its state is known that often.
const UNWATCHED_REST_MS: i64 = 2000;

/// The same for one that somebody watches: a picture every half a second is what
/// an eye follows, and a screen of some kB fits into that on 250 kbit/s.
const SLOWED_REST_MS: i64 = 500;

/// An answer that takes longer than this stands behind output. Ways around the
/// world take 0.3 s; ssh keeps up to 2 MB on its way, which is less than this on
/// anything faster than 20 Mbit/s.
const LATE_MS: i64 = 800;

/// How long the next rest of a pane is; none for one that is streamed.
pub(super) fn rest_of(pane: &Pane) -> i64 {
    match (pane.is_watched(), pane.slowed) {
        (false, _) => UNWATCHED_REST_MS,
        (true, true) => SLOWED_REST_MS,
        (true, false) => 0,
    }
}

impl Rooms {
    /// An answer has come to what was asked at that time.
    pub(super) fn note_delay(&mut self, asked: Moment) {
        self.slow |= self.far && self.now.0 - asked.0 > LATE_MS;
    }

    /// A pane has printed something: stops it if that is too much for the way.
    pub(super) fn tend_flow(&mut self, id: PaneId) {
        let now = self.now;
        let is_late = self.probe.is_some_and(|at| now.0 - at.0 > LATE_MS);
        self.slow |= is_late;
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let too_much = (pane.spends() && is_late) || (pane.spends_much() && self.slow);
        if pane.is_watched() && too_much {
            pane.slowed = true;
        } else if !pane.overspends() {
            if pane.is_watched() && pane.spends() && self.probe.is_none() {
                self.probe = Some(now);
                let probe = Command::new("display-message").arg("-p").arg("probe");
                self.ask(probe, Purpose::Probe);
            }
            return;
        }
        let rest = rest_of(pane);
        pane.rest_until(Moment(now.0 + rest));
        let pause = Command::new("refresh-client").opt("-A", format!("{id}:pause"));
        self.ask(pause, Purpose::Nothing);
    }

    /// Has tmux send again what panes print that have rested long enough.
    pub(super) fn end_rests(&mut self) {
        let now = self.now;
        let rested = |pane: &&Pane| pane.rests_until.is_some_and(|until| now >= until);
        let due: Vec<PaneId> = self.panes.iter().filter(rested).map(|p| p.id).collect();
        for pane in due {
            let Some(room) = self.panes.get_mut(&pane) else { continue };
            // What begins again fills all that lies between us and a host before we
            // can stop it. So a pane there is looked at until it prints little.
            room.slowed |= self.slow && room.is_watched();
            let rest = rest_of(room);
            if self.far && rest > 0 && !room.is_still() {
                room.fall_out_of_step(now);
                room.ears.lose_thread();
                room.rest_until(Moment(now.0 + rest));
            } else {
                room.end_rest();
                room.fall_out_of_step(now);
                let again = Command::new("refresh-client").opt("-A", format!("{pane}:continue"));
                self.ask(again, Purpose::Nothing);
            }
            self.replay_if_wanted(pane);
            self.seed_if_wanted(pane);
        }
    }
}
