//! The presses of the editor key that an agent has yet to answer, and until when
//! an editor has the terminal.

use super::{Courier, Effect, timing};
use crate::time::Moment;

/// The presses of the editor key that an agent has yet to answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Presses {
    unanswered: u32,
    /// Until when those behind one that was answered may still come.
    strays: Moment,
    not_before: Moment,
    /// Until when a key that could not be pressed isn't tried again, unless the
    /// way to its pane is back before that.
    away: Moment,
    /// Until when an editor may have the terminal.
    editing: Moment,
    misses: usize,
    /// The ticket of the last one.
    ticket: Moment,
}

impl Presses {
    pub fn after_restart(&mut self, now: Moment) {
        // Whether one is unanswered isn't known.
        self.unanswered = 1;
        self.not_before = Moment(now.0 + timing::STRAY);
    }

    /// Nothing answered the last one. An agent that has just taken a text of this
    /// length may be busy with it.
    pub fn missed(&mut self, owed: bool, length: usize, now: Moment) {
        let wait = match owed {
            true => timing::OWED_AGAIN[self.misses.min(timing::OWED_AGAIN.len() - 1)],
            false => timing::PRESS_AGAIN,
        };
        self.misses += 1;
        let busy = i64::try_from(length / timing::BYTES_A_MS_AFTER).unwrap_or(0);
        self.not_before = Moment(now.0 + wait + busy);
    }

    pub fn pressed(&mut self, ticket: Moment) {
        self.ticket = ticket;
        self.unanswered += 1;
        self.strays = Moment::default();
    }

    /// The last one was not made after all: nothing answers it. One that is owed
    /// is tried again later; of the others their message takes care.
    pub fn refused(&mut self, owed: bool, now: Moment) {
        self.unanswered = self.unanswered.saturating_sub(1);
        if owed {
            let wait = timing::OWED_AGAIN[self.misses.min(timing::OWED_AGAIN.len() - 1)];
            self.misses += 1;
            self.away = Moment(now.0 + wait);
        }
    }

    /// The way to the pane is back.
    pub fn is_back(&mut self) {
        self.away = Moment::default();
    }

    /// Whether a call may be the answer to a press of ours.
    pub fn is_unanswered(&self, now: Moment) -> bool {
        self.unanswered > 0 && (self.strays == Moment::default() || now <= self.strays)
    }

    /// A call is the answer to the first. Those behind it, pressed while the agent
    /// read nothing, come at once or were read by something else.
    pub fn answered(&mut self, now: Moment) {
        let left = if self.is_unanswered(now) { self.unanswered - 1 } else { 0 };
        let strays = Moment(now.0 + timing::STRAYS);
        let strays = if left > 0 { strays } else { Moment::default() };
        *self = Presses { unanswered: left, strays, editing: self.editing, ..Presses::default() };
    }

    /// An editor that found this ticket came and went unheard. True if it was the
    /// answer to our only press: of several it isn't known which.
    pub fn answered_unheard(&mut self, ticket: Moment, now: Moment) -> bool {
        let only = self.unanswered == 1 && self.strays == Moment::default();
        let ours = only && self.ticket == ticket;
        if ours {
            self.answered(now);
        }
        ours
    }

    /// Until when presses behind one that was answered may still come, if any may.
    pub fn strays(&self) -> Option<Moment> {
        (self.unanswered > 0 && self.strays != Moment::default()).then_some(self.strays)
    }

    /// They were read by something else.
    pub fn forget_strays(&mut self) {
        (self.unanswered, self.strays) = (0, Moment::default());
    }

    /// Takes presses of ours out of what an editor caught.
    pub fn take_out(&mut self, caught: &[u8], press: &[u8], now: Moment) -> Vec<u8> {
        let mut rest = caught.to_vec();
        while self.is_unanswered(now) && self.strays != Moment::default() {
            let Some(at) = rest.windows(press.len().max(1)).position(|keys| keys == press) else {
                break;
            };
            rest.drain(at..at + press.len());
            self.unanswered -= 1;
        }
        rest
    }

    /// An editor was answered, or says that it exits: it has the terminal until then.
    pub fn edits_until(&mut self, until: Moment) {
        self.editing = until;
    }

    /// Whether the last editor was answered so long ago that what it caught is not
    /// about the field as it is.
    pub fn was_answered_long_ago(&self, now: Moment) -> bool {
        now.0 - self.editing.0 > timing::RECENT
    }

    /// Until when an editor has the terminal, if one does.
    pub fn editing(&self, now: Moment) -> Option<Moment> {
        (self.editing > now).then_some(self.editing)
    }

    /// Until when an editor has the terminal, or a press that waits may open one: a
    /// key other than that would be the editor's.
    pub fn opens_until(&self, now: Moment) -> Option<Moment> {
        let stray = self.strays().map(|until| Moment(until.0 + 1));
        self.editing(now).max(stray).filter(|until| *until > now)
    }

    pub fn wait(&mut self, until: Moment) {
        self.not_before = self.not_before.max(until);
    }

    pub fn forget_wait(&mut self, now: Moment) {
        self.not_before = self.not_before.min(now);
    }

    /// When the key may be pressed, if not now.
    pub fn ready_at(&self, now: Moment) -> Option<Moment> {
        let strays = if self.unanswered > 0 { self.strays } else { Moment::default() };
        let at = self.not_before.max(self.away).max(self.editing).max(strays);
        (at > now).then_some(at)
    }
}

impl Courier {
    /// Takes the ticket away once no press of ours can come any more.
    pub(super) fn tend_strays(&mut self) {
        match self.presses.strays() {
            Some(until) if until >= self.now => self.wake_at(Moment(until.0 + 1)),
            Some(_) => {
                self.presses.forget_strays();
                self.effects.push(Effect::Ticket(None));
            }
            None => {}
        }
    }
}

#[cfg(test)]
#[path = "presses_tests.rs"]
mod tests;
