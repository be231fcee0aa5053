//! The presses of the editor key that an agent has yet to answer, and until when
//! an editor has the terminal.

use super::timing;
use crate::time::Moment;

/// The presses of the editor key that an agent has yet to answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Presses {
    pub unanswered: bool,
    not_before: Moment,
    /// Until when an editor may have the terminal.
    editing: Moment,
    misses: usize,
}

impl Presses {
    pub fn after_restart(&mut self, now: Moment) {
        // Whether one is unanswered isn't known.
        self.unanswered = true;
        self.not_before = Moment(now.0 + timing::STRAY);
    }

    pub fn missed(&mut self, owed: bool, now: Moment) {
        let wait = match owed {
            true => timing::OWED_AGAIN[self.misses.min(timing::OWED_AGAIN.len() - 1)],
            false => timing::PRESS_AGAIN,
        };
        self.misses += 1;
        self.not_before = Moment(now.0 + wait);
    }

    pub fn answered(&mut self) {
        *self = Presses { editing: self.editing, ..Presses::default() };
    }

    /// An editor was answered, or says that it exits: it has the terminal until then.
    pub fn edits_until(&mut self, until: Moment) {
        self.editing = until;
    }

    /// Until when an editor has the terminal, if one does.
    pub fn editing(&self, now: Moment) -> Option<Moment> {
        (self.editing > now).then_some(self.editing)
    }

    pub fn wait(&mut self, until: Moment) {
        self.not_before = self.not_before.max(until);
    }

    pub fn forget_wait(&mut self, now: Moment) {
        self.not_before = self.not_before.min(now);
    }

    pub fn ready_at(&self, now: Moment) -> Option<Moment> {
        let at = self.not_before.max(self.editing);
        (at > now).then_some(at)
    }
}
