//! The judge of one session: takes evidence, shows a verdict, and doesn't waver.
//!
//! Commands: [`Judge::handle`] for each piece of evidence, [`Judge::verdict`] for
//! what is so now. [`Judge::due`] says when to ask again although nothing came.
//! A change on weak evidence is shown only after it has held for a while; what is
//! sure is shown at once. After a gap (tmux couldn't be reached, or the daemon was
//! started again) it stands as it stood before, until its screen is read or something
//! is told: that nobody has looked yet is no change of its state.

use std::collections::VecDeque;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::rules::{self, Basis, Finding, Rule};
use super::votes::Vote;
use super::{Confidence, Evidence, Kind, State};
use crate::reading::{Dialog, Sight};
use crate::time::Moment;

/// How long a change must hold before it is shown. Half a second is longer than a
/// repaint; three are longer than any pause between two bursts of output.
const HOLD_MEDIUM_MS: i64 = 500;
const HOLD_LOW_MS: i64 = 3_000;

/// How long after a gap a session stands as it stood before, if its screen isn't read.
/// Here that takes some milliseconds, with a thousand sessions or a slow host a few
/// seconds; the screens of some programs never are.
const BLIND_MS: i64 = 5_000;

/// How many changes are remembered for `schmux why`.
const HISTORY: usize = 32;

/// What a session is doing, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub state: State,
    pub confidence: Confidence,
    pub rule: Rule,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Since when it is in this state.
    pub since: Moment,
}

/// One change of what is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    pub at: Moment,
    pub from: State,
    pub to: State,
    pub confidence: Confidence,
    pub rule: Rule,
}

/// What was told is not what is seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drift {
    pub at: Moment,
    /// What hooks or the agent's own words said, and how long ago.
    pub told: State,
    pub by: Basis,
    pub age_ms: u64,
    pub seen: State,
    pub confidence: Confidence,
    pub rule: Rule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judge {
    facts: Facts,
    shown: Verdict,
    /// A state that would be shown if it holds, and since when.
    pending: Option<(State, Moment)>,
    due: Option<Moment>,
    /// What was shown before a gap that lasts.
    before: Option<Verdict>,
    /// Something was told since that gap began.
    heard: bool,
    /// The gap is over, and nobody has looked: until when what is shown stands.
    blind_until: Option<Moment>,
    history: VecDeque<Change>,
    drifts: u64,
    drift: Option<Drift>,
    dialogs: u64,
    dialog_since: Option<Moment>,
}

impl Judge {
    /// `born`: when the session was made.
    pub fn new(born: Moment, kind: Kind) -> Judge {
        let shown = Verdict {
            state: State::Unknown,
            confidence: Confidence::Low,
            rule: Rule::Nothing,
            message: None,
            since: born,
        };
        Judge {
            facts: Facts::new(born, kind),
            shown,
            pending: None,
            due: None,
            before: None,
            heard: false,
            blind_until: None,
            history: VecDeque::new(),
            drifts: 0,
            drift: None,
            dialogs: 0,
            dialog_since: None,
        }
    }

    /// It was so before a restart; whatever is remembered of it has been taken already,
    /// and nobody can see it yet. `stands`: nothing that we know of has put an end to it.
    pub fn resume(&mut self, before: Verdict, stands: bool) {
        self.facts.resume(before.state, before.rule, before.since);
        self.before = Some(before).filter(is_known).filter(|_| stands);
        self.heard = false;
    }

    /// Takes evidence from the moment `at` when it was so, which may be before now.
    pub fn handle(&mut self, evidence: Evidence, at: Moment, now: Moment) {
        let asked = self.dialog().map(|(dialog, _)| dialog.fingerprint);
        match &evidence {
            Evidence::Screen(_) => self.blind_until = None,
            Evidence::Said { .. } | Evidence::Hook(_) | Evidence::Delivered => self.heard = true,
            _ => {}
        }
        self.facts.take(evidence, at);
        match self.facts.sight() {
            Some(Sight::Dialog(dialog)) if asked != Some(dialog.fingerprint) => {
                self.dialogs += 1;
                self.dialog_since = Some(at);
            }
            Some(Sight::Dialog(_)) => {}
            _ => self.dialog_since = None,
        }
        self.settle(now);
    }

    /// What the session is doing now.
    pub fn verdict(&mut self, now: Moment) -> &Verdict {
        self.settle(now);
        &self.shown
    }

    /// What was shown last.
    pub fn shown(&self) -> &Verdict {
        &self.shown
    }

    /// Whether what is shown is of before a gap, and nobody has looked since.
    pub fn is_blind(&self) -> bool {
        self.blind_until.is_some()
    }

    /// When to ask for the verdict again if no evidence comes: nothing changes before.
    pub fn due(&self) -> Option<Moment> {
        self.due
    }

    /// What every source says.
    pub fn votes(&self, now: Moment) -> Vec<Vote> {
        self.facts.votes(now)
    }

    /// The last changes, oldest first.
    pub fn history(&self) -> impl Iterator<Item = &Change> {
        self.history.iter()
    }

    /// How often what was told was not what was seen.
    pub fn drifts(&self) -> u64 {
        self.drifts
    }

    /// The drift since the last call, for the log.
    pub fn take_drift(&mut self) -> Option<Drift> {
        self.drift.take()
    }

    /// The dialog on the screen, and which one it is: two dialogs with the same
    /// words, one after the other, have different numbers.
    pub fn dialog(&self) -> Option<(&Dialog, u64)> {
        match self.facts.sight() {
            Some(Sight::Dialog(dialog)) => Some((dialog, self.dialogs)),
            _ => None,
        }
    }

    /// What its screen shows.
    pub fn sight(&self) -> Option<&Sight> {
        self.facts.sight()
    }

    /// What its screen says in words of its own, and when that was read: the question
    /// of a dialog, or an error.
    pub fn words(&self) -> Option<(&str, Moment)> {
        self.facts.words()
    }

    /// Since when that dialog is open.
    pub fn dialog_since(&self) -> Option<Moment> {
        self.dialog_since
    }

    fn settle(&mut self, now: Moment) {
        let (found, due) = rules::judge(&self.facts, now);
        self.due = due;
        if let Some(until) = self.stands_until(&found, now) {
            self.pending = None;
            self.due = Some(due.map_or(until, |due| due.min(until)));
            return;
        }
        if found.state == self.shown.state {
            self.pending = None;
            self.show(found);
            return;
        }
        let since = match self.pending {
            Some((state, since)) if state == found.state => since,
            _ => now,
        };
        let ready = Moment(since.0.saturating_add(self.hold(&found)));
        if now >= ready {
            self.pending = None;
            self.change(found, now);
        } else {
            self.pending = Some((found.state, since));
            self.due = Some(due.map_or(ready, |due| due.min(ready)));
        }
    }

    /// Until when it stands as before a gap, whatever is found.
    fn stands_until(&mut self, found: &Finding, now: Moment) -> Option<Moment> {
        let is_back = self.shown.state == State::Unreachable && found.state != State::Unreachable;
        if is_back
            && let Some(before) = self.before.take()
            && !self.is_told(found)
        {
            let Verdict { state, confidence, rule, .. } = before;
            self.note_change(now, state, confidence, rule);
            self.shown = before;
            self.blind_until = Some(Moment(now.0.saturating_add(BLIND_MS)));
        }
        let until = self.blind_until.filter(|until| now < *until && !self.is_told(found));
        self.blind_until = until;
        until
    }

    /// Whether it needs no look at the screen.
    fn is_told(&self, found: &Finding) -> bool {
        match found.rule.basis() {
            Basis::Life => found.rule != Rule::Starting,
            Basis::Claim | Basis::Hook | Basis::Message => self.heard,
            _ => false,
        }
    }

    /// How long a finding must hold before it takes the place of what is shown.
    fn hold(&self, found: &Finding) -> i64 {
        // It is there again, so what is shown is surely over.
        if self.shown.state == State::Unreachable {
            return 0;
        }
        let blank = matches!(self.shown.state, State::Unknown | State::Starting);
        // What is shown was its own word, and that has been answered.
        let answered = match (self.shown.rule, self.shown.rule.basis()) {
            (_, Basis::Claim) => self.facts.open_claim().is_none(),
            (Rule::Asked | Rule::Failed, _) => self.facts.is_answered(self.shown.since),
            _ => false,
        };
        match found.confidence {
            Confidence::High => 0,
            // Anything that is known is better than nothing.
            Confidence::Medium if blank => 0,
            Confidence::Medium => HOLD_MEDIUM_MS,
            Confidence::Low if answered => HOLD_MEDIUM_MS,
            Confidence::Low if blank && found.state != State::Unknown => HOLD_MEDIUM_MS,
            Confidence::Low => HOLD_LOW_MS,
        }
    }

    fn show(&mut self, found: Finding) {
        let Finding { state, confidence, rule, message } = found;
        let since = self.shown.since;
        self.shown = Verdict { state, confidence, rule, message, since };
    }

    fn note_change(&mut self, at: Moment, to: State, confidence: Confidence, rule: Rule) {
        if self.history.len() == HISTORY {
            self.history.pop_front();
        }
        let from = self.shown.state;
        self.history.push_back(Change { at, from, to, confidence, rule });
    }

    fn change(&mut self, found: Finding, now: Moment) {
        self.note_change(now, found.state, found.confidence, found.rule);
        if found.state == State::Unreachable {
            let given = self.facts.submitted.max(self.facts.delivered);
            let stands = |shown: &Verdict| {
                shown.state == State::Working || given.is_none_or(|at| at < shown.since)
            };
            self.before = Some(self.shown.clone()).filter(is_known).filter(stands);
            self.heard = false;
        }
        self.notice_drift(&found, now);
        if matches!(found.rule, Rule::IdlePrompt | Rule::ErrorLine) {
            self.facts.rest();
        }
        self.show(found);
        self.shown.since = now;
    }

    /// The screen has overruled what was told last.
    fn notice_drift(&mut self, found: &Finding, now: Moment) {
        if !matches!(found.rule.basis(), Basis::Screen | Basis::Title) {
            return;
        }
        let Some((told, by, at)) = self.facts.told() else { return };
        if told != found.state {
            self.drifts += 1;
            let age_ms = u64::try_from(now.since(at).as_millis()).unwrap_or(u64::MAX);
            let (seen, confidence, rule) = (found.state, found.confidence, found.rule);
            self.drift = Some(Drift { at: now, told, by, age_ms, seen, confidence, rule });
        }
    }
}

/// Whether it says anything that could stand.
fn is_known(verdict: &Verdict) -> bool {
    !matches!(verdict.state, State::Unknown | State::Unreachable)
}

impl Default for Judge {
    /// Of a session that nothing is known of yet.
    fn default() -> Judge {
        Judge::new(Moment::default(), Kind::Other)
    }
}

impl fmt::Display for Drift {
    /// As `was working by hook 40 s ago, now idle by screen, medium`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = if self.by == Basis::Hook { "hook" } else { "its own word" };
        let seen = if self.rule.basis() == Basis::Title { "title" } else { "screen" };
        let (told, age) = (self.told.as_str(), self.age_ms / 1000);
        let (state, confidence) = (self.seen.as_str(), self.confidence.as_str());
        write!(f, "was {told} by {by} {age} s ago, now {state} by {seen}, {confidence}")
    }
}
