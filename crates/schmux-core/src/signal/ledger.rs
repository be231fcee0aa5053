//! Which markers are news: each is told once a turn, however often it is painted.
//!
//! A terminal shows, it doesn't say: the same marker comes again when a program
//! redraws, when the window changes its size, when a screen is cleared and
//! painted anew. The words alone don't tell a repaint from an agent that says
//! the same in its next turn. The rules, for a marker by its words:
//!
//! 1. Never seen: told.
//! 2. Seen in this turn: a repaint, unless it was printed plainly, [`QUIET`]
//!    after it was last painted. Where no cursor moves and no screen is cleared
//!    a terminal can only append: the agent has said it again.
//! 3. Seen in an earlier turn: told, except
//!    - within [`REPAINT`] after a resize, a cleared screen or a reattachment
//!      (and as long as old markers keep coming): a repaint;
//!    - from a program that redraws, within [`QUIET`] after the turn's beginning
//!      or after the marker was last painted: a repaint. Such programs paint
//!      what is already there when the human presses Enter, and go on doing so.
//!
//!    One that is redrawn with blanks where the last one had characters is that one:
//!    programs skip cells that are right already.
//! 4. `working` redrawn in this turn, with another marker after it: either a
//!    repaint of both, and then the other follows at once, or the agent has
//!    begun anew without our having seen why. It waits for [`SETTLE`]; if no
//!    other marker comes, it is told.
//!
//! A later turn begins when the human or a message is submitted, a prompt hook
//! fires, another source says `working` ([`Ledger::begin_turn`] for all of
//! these), or a `working` marker is told.
//!
//! The limits: without any of these, a program that redraws and says the same
//! twice is heard once, and so is one that does within two seconds of Enter or
//! of a resize. Old output that is printed again plainly (`cat` of a log) is
//! told again. Hooks and files know no such doubt, and are there for that.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::State;
use super::marker::Marker;
use crate::time::Moment;

/// How long a repaint may take to begin and to pause: agents repaint a long
/// conversation within some hundred milliseconds on a loaded machine.
const REPAINT: Duration = Duration::from_secs(2);

/// How long a marker must not have been painted, to be new when it is. Frames
/// come ten times a second; a model's answer takes seconds.
const QUIET: Duration = Duration::from_secs(2);

/// How soon a repaint brings the markers that follow: they are in one burst.
const SETTLE: Duration = Duration::from_secs(1);

/// How many markers are remembered. A conversation on a screen and its
/// scrollback holds some dozens; what is older is not painted again.
const REMEMBERED: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Tell,
    Repaint,
    /// Ask [`Ledger::poll`] at [`Ledger::due`].
    Wait,
}

/// One session's markers. Stored together with each signal that it lets through.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ledger {
    turn: u64,
    submitted: Option<Moment>,
    repaint_until: Option<Moment>,
    /// In the order in which they were last told.
    told: Vec<Entry>,
    /// The words of the last of them.
    #[serde(default)]
    last: Option<(State, String)>,
    waiting: Option<(Marker, Moment)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    key: u64,
    turn: u64,
    painted: Moment,
}

impl Ledger {
    /// Something was said to the agent, or it said elsewhere that it works.
    pub fn begin_turn(&mut self, at: Moment) {
        self.turn += 1;
        self.submitted = Some(at);
        // A repaint is over by the time that a human has answered.
        self.repaint_until = None;
    }

    /// The pane was resized, cleared, switched or attached anew.
    pub fn expect_repaint(&mut self, at: Moment) {
        self.repaint_until = self.repaint_until.max(Some(later(at, REPAINT)));
    }

    /// A marker was found in the output.
    pub fn found(&mut self, marker: &Marker, at: Moment) -> Decision {
        let key = marker.key();
        self.waiting = None;
        let Some(index) = self.told.iter().position(|entry| entry.key == key) else {
            if marker.redrawn && self.is_patched(marker) {
                return Decision::Repaint;
            }
            self.tell(marker, at);
            return Decision::Tell;
        };
        let last = std::mem::replace(&mut self.told[index].painted, at);
        let entry = self.told[index];
        let repainting = self.repaint_until.is_some_and(|until| at < until);
        let rested = at.since(last) >= QUIET;
        if repainting {
            self.expect_repaint(at);
            return Decision::Repaint;
        }
        if entry.turn == self.turn && (marker.redrawn || !rested) {
            let begins_anew = marker.state == State::Working && index + 1 < self.told.len();
            if !(begins_anew && rested) {
                return Decision::Repaint;
            }
            self.waiting = Some((marker.clone(), at));
            return Decision::Wait;
        }
        let answered = self.submitted.is_none_or(|submitted| at.since(submitted) >= QUIET);
        if marker.redrawn && !(rested && answered) {
            return Decision::Repaint;
        }
        self.tell(marker, at);
        Decision::Tell
    }

    /// When to poll.
    pub fn due(&self) -> Option<Moment> {
        self.waiting.as_ref().map(|(_, at)| later(*at, SETTLE))
    }

    /// A marker that waited, and is to be told now.
    pub fn poll(&mut self, now: Moment) -> Option<Marker> {
        let (marker, at) = self.waiting.take_if(|(_, at)| later(*at, SETTLE) <= now)?;
        self.tell(&marker, at);
        Some(marker)
    }

    /// The markers of a whole screen and scrollback, after a time when nobody
    /// listened: returns those to tell. They are what was never told, and all that
    /// stands behind the marker that was told last. What comes last of all is the
    /// newest word: behind any of these it is said again, whatever it says.
    pub fn replay(&mut self, markers: &[Marker], at: Moment) -> Vec<Marker> {
        let last = self.told_last();
        let known = markers.iter().rposition(|marker| Some(marker.key()) == last);
        let (before, behind) = markers.split_at(known.map_or(markers.len(), |index| index + 1));
        // Of what was forgotten it can't be known whether it was told.
        let forgot = known.is_some() && self.told.len() == REMEMBERED;
        let is_new =
            |marker: &&Marker| !forgot && !self.told.iter().any(|entry| entry.key == marker.key());
        let mut found: Vec<&Marker> = before.iter().filter(is_new).chain(behind).collect();
        if !found.is_empty() {
            found.extend(markers.last());
        }
        let mut news: Vec<Marker> = Vec::new();
        for marker in found {
            news.retain(|other| other.key() != marker.key());
            news.push(marker.clone());
        }
        news.iter().for_each(|marker| self.tell(marker, at));
        news
    }

    /// Whether this is the last marker again, painted by a program that skips the
    /// cells which are right already: they came as blanks.
    fn is_patched(&self, marker: &Marker) -> bool {
        let Some((state, words)) = &self.last else { return false };
        *state == marker.state && has_gaps_of(&marker.message, words)
    }

    fn told_last(&self) -> Option<u64> {
        self.told.last().map(|entry| entry.key)
    }

    fn tell(&mut self, marker: &Marker, at: Moment) {
        if marker.state == State::Working {
            self.turn += 1;
        }
        let key = marker.key();
        self.told.retain(|entry| entry.key != key);
        if self.told.len() == REMEMBERED {
            self.told.remove(0);
        }
        self.told.push(Entry { key, turn: self.turn, painted: at });
        self.last = Some((marker.state, marker.message.clone()));
    }
}

/// Whether `seen` is `words` with blanks in place of some of its characters.
fn has_gaps_of(seen: &str, words: &str) -> bool {
    let mut words = words.chars().peekable();
    let mut gap = false;
    for c in seen.chars() {
        if gap {
            // What was skipped, up to what is seen again.
            while words.next_if(|word| *word != c).is_some() {}
        }
        gap = false;
        match words.next_if_eq(&c) {
            Some(_) => {}
            None if c == ' ' => gap = true,
            None => return false,
        }
    }
    gap || words.next().is_none()
}

fn later(at: Moment, by: Duration) -> Moment {
    Moment(at.0.saturating_add(by.as_millis() as i64))
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
