//! The newest evidence of every source, with its time.
//!
//! Evidence may come late, twice or out of order: what is older than what its
//! source said already is dropped, so that order doesn't matter within a source.
//! The one thing that is worked out here is when a turn began, because a claim
//! ("completed") is about the turn in which it was made.

use super::rules::{Basis, Rule};
use super::{Confidence, Evidence, Front, Hook, Kind, Life, News, State, Typed};
use crate::reading::{Reading, Sight, TitleSays};
use crate::signal;
use crate::time::Moment;

/// Something, and when it was so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct At<T> {
    pub what: T,
    pub at: Moment,
}

/// What an agent said of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub state: signal::State,
    pub message: String,
    pub source: signal::Source,
}

/// What a model thinks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Opinion {
    pub state: signal::State,
    pub confidence: Confidence,
    pub summary: String,
}

/// All that is known of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub(super) life: Option<At<Life>>,
    /// When the session was made.
    pub(super) born: Moment,
    pub(super) claim: Option<At<Claim>>,
    /// The claim was answered, or a later turn has begun.
    pub(super) claim_closed: bool,
    pub(super) hook: Option<At<Hook>>,
    /// Agents that it has started and that haven't ended, and when one last stirred.
    pub(super) children: u32,
    pub(super) child: Option<Moment>,
    pub(super) screen: Option<At<Reading>>,
    /// Since when the screen shows this kind of thing.
    pub(super) sight_since: Moment,
    pub(super) title: Option<At<TitleSays>>,
    /// The title has said "working" at some time, so its silence is telling.
    pub(super) title_speaks: bool,
    /// When work was last seen on the screen or in the title.
    pub(super) work_seen: Option<Moment>,
    /// An error that stood above its field for a while, until it works again.
    pub(super) failed: Option<String>,
    /// When a dialog was last seen.
    pub(super) dialog_seen: Option<Moment>,
    /// It has shown something that is known: it isn't starting any more.
    pub(super) came_up: bool,
    /// Since when its field waited when it was last seen before a restart. If it is there
    /// at the first look it has waited all along, as far as anyone can tell.
    waited: Option<Moment>,
    /// Since when it was seen to rest. What told of work before that is over,
    /// though no hook said so: agents tell nothing of an interruption.
    pub(super) rested: Option<Moment>,
    pub(super) output: Option<Moment>,
    pub(super) bell: Option<Moment>,
    pub(super) front: Option<At<Front>>,
    pub(super) typed: Option<Moment>,
    pub(super) submitted: Option<Moment>,
    /// When the human last pressed a key that ends a call.
    pub(super) answered: Option<Moment>,
    /// An error on its screen that the human has seen and put aside.
    pub(super) put_aside: Option<String>,
    pub(super) delivered: Option<Moment>,
    pub(super) opinion: Option<At<Opinion>>,
    pub(super) kind: Kind,
}

/// An agent that says how it ends still has its last words to write: what it does
/// in this time belongs to the claim.
pub(super) const SIGN_OFF_MS: i64 = 10_000;

/// A field that was there for so long, and then work: a new turn. Between two
/// tools spinners vanish for a few frames only.
const TURN_GAP_MS: i64 = 2_000;

/// An error that is seen for so long was the end of a turn, not one frame of it.
const ERROR_MS: i64 = 1_000;

/// Work that comes so soon after Enter comes from it.
const ANSWERED_MS: i64 = 10_000;

impl Facts {
    /// `born`: when the session was made.
    pub fn new(born: Moment, kind: Kind) -> Facts {
        Facts { born, kind, ..Facts::default() }
    }

    /// Before a restart it was shown so, by that rule, since then. What was told is
    /// evidence again; this is what was seen.
    pub(super) fn resume(&mut self, state: State, rule: Rule, since: Moment) {
        self.came_up = state != State::Starting;
        match rule {
            Rule::WorkSeen | Rule::TitleWorks | Rule::Frozen => latest(&mut self.work_seen, since),
            Rule::IdlePrompt | Rule::ErrorLine => self.waited = Some(since),
            _ => {}
        }
    }

    /// Takes evidence from the moment when it was so.
    pub fn take(&mut self, evidence: Evidence, at: Moment) {
        match evidence {
            Evidence::Life(life) => newest(&mut self.life, life, at),
            Evidence::Said { state, message, source } => {
                self.said(Claim { state, message, source }, at);
            }
            Evidence::Hook(hook) => self.hooked(hook, at),
            Evidence::Screen(reading) => self.saw(reading, at),
            Evidence::Title(says) => self.titled(says, at),
            Evidence::Output => latest(&mut self.output, at),
            Evidence::Bell => latest(&mut self.bell, at),
            Evidence::Front(front) => {
                // Since when it is in front is what counts, not when it was last said.
                if self.front.as_ref().is_none_or(|known| known.what != front) {
                    newest(&mut self.front, front, at);
                }
            }
            Evidence::Typed(typed) => {
                latest(&mut self.typed, at);
                self.answered(typed, at);
            }
            Evidence::Delivered => {
                latest(&mut self.delivered, at);
                self.turn_began(at);
            }
            Evidence::Opinion { state, confidence, summary } => {
                newest(&mut self.opinion, Opinion { state, confidence, summary }, at);
            }
        }
    }

    /// What it said before this is answered, as its call is.
    fn answered(&mut self, typed: Typed, at: Moment) {
        match typed {
            Typed::Other => return,
            Typed::Submit => {
                latest(&mut self.submitted, at);
                self.turn_began(at);
            }
            Typed::Tab => {
                self.close_claim(at);
                // Nothing was sent, so an error that stays on the screen is this one.
                let failed = self.error().map(str::to_owned).or(self.failed.take());
                self.put_aside = failed.or(self.put_aside.take());
            }
        }
        latest(&mut self.answered, at);
    }

    fn said(&mut self, claim: Claim, at: Moment) {
        if self.claim.as_ref().is_none_or(|known| known.at <= at) {
            self.claim = Some(At { what: claim, at });
            // A claim that comes late may be about a turn that is over.
            let newer = self.hook.as_ref().filter(|hook| hook.at > at);
            self.claim_closed = newer.is_some_and(|hook| hook.what.news == News::TurnBegan);
        }
    }

    fn hooked(&mut self, mut hook: Hook, at: Moment) {
        if hook.child {
            latest(&mut self.child, at);
            match hook.news {
                News::TurnBegan => self.children = self.children.saturating_add(1),
                News::TurnEnded | News::Failed => self.children = self.children.saturating_sub(1),
                News::ToolUsed => {}
                // A child's question is a question to the human all the same.
                News::Asked => newest(&mut self.hook, hook, at),
            }
            return;
        }
        if hook.news == News::TurnBegan {
            self.turn_began(at);
            // What ran before was started in another turn, or its end was lost.
            self.children = 0;
        }
        if hook.news == News::ToolUsed {
            self.worked(at);
        }
        // Told by two ways, once with words: these stay.
        if let Some(known) = self.hook.as_ref().filter(|known| known.what.news == hook.news)
            && hook.text.is_empty()
        {
            hook.text.clone_from(&known.what.text);
        }
        newest(&mut self.hook, hook, at);
    }

    fn saw(&mut self, reading: Reading, at: Moment) {
        let Some(known) = &self.screen else {
            let waits = matches!(reading.sight, Sight::Prompt | Sight::Error(_));
            self.sight_since = self.waited.take().filter(|_| waits).unwrap_or(at);
            self.look(reading, at);
            return;
        };
        if known.at > at {
            return;
        }
        let (before, seen) = (known.what.sight.name(), known.at);
        let rested = matches!(known.what.sight, Sight::Prompt | Sight::Error(_));
        let works = matches!(reading.sight, Sight::Working(_));
        if let Some(line) = self.error()
            && at.0 - self.sight_since.0 >= ERROR_MS
        {
            self.failed = Some(line.to_owned());
        }
        if rested && works && at.0 - self.sight_since.0 >= TURN_GAP_MS {
            // It began after that field was seen; what was said since may be of this turn.
            self.turn_began(seen);
        }
        if before != reading.sight.name() {
            self.sight_since = at;
        }
        self.look(reading, at);
    }

    fn look(&mut self, reading: Reading, at: Moment) {
        if reading.title != TitleSays::Nothing || self.title.is_some() {
            self.titled(reading.title, at);
        }
        if matches!(reading.sight, Sight::Working(_)) {
            latest(&mut self.work_seen, at);
            self.worked(at);
            self.failed = None;
            self.put_aside = None;
        }
        if matches!(reading.sight, Sight::Dialog(_)) {
            latest(&mut self.dialog_seen, at);
        }
        self.came_up |= !matches!(reading.sight, Sight::Unknown | Sight::Shell);
        self.screen = Some(At { what: reading, at });
    }

    fn titled(&mut self, says: TitleSays, at: Moment) {
        if says == TitleSays::Working {
            self.title_speaks = true;
            latest(&mut self.work_seen, at);
            self.worked(at);
        }
        newest(&mut self.title, says, at);
    }

    /// It works: the human's last answer was taken, and what the agent asked or
    /// complained of before is over.
    fn worked(&mut self, at: Moment) {
        let Some(claim) = &self.claim else { return };
        let (said, made) = (claim.what.state, claim.at);
        let answered = self
            .submitted
            .is_some_and(|submit| submit > made && submit <= at && at.0 - submit.0 <= ANSWERED_MS);
        let waits = matches!(said, signal::State::NeedsInput | signal::State::Error);
        if answered || (waits && at.0 - made.0 > SIGN_OFF_MS) {
            self.claim_closed = true;
        }
    }

    fn turn_began(&mut self, at: Moment) {
        self.failed = None;
        self.put_aside = None;
        self.close_claim(at);
    }

    /// What it said before this doesn't stand any more.
    fn close_claim(&mut self, at: Moment) {
        if self.claim.as_ref().is_some_and(|claim| claim.at < at) {
            self.claim_closed = true;
        }
    }

    /// The claim that stands.
    pub(super) fn open_claim(&self) -> Option<&At<Claim>> {
        self.claim
            .as_ref()
            .filter(|claim| !self.claim_closed && claim.what.state != signal::State::Working)
    }

    /// What hooks or the agent's own words said last, and when.
    pub(super) fn told(&self) -> Option<(State, Basis, Moment)> {
        let hook = self.hook.as_ref().map(|hook| (hook.what.news.state(), Basis::Hook, hook.at));
        let claim = self.claim.as_ref().filter(|_| !self.claim_closed);
        let claim = claim.map(|claim| (claim.what.state.into(), Basis::Claim, claim.at));
        hook.into_iter().chain(claim).max_by_key(|(_, _, at)| *at)
    }

    /// Whether the human has answered what was told then.
    pub(super) fn is_answered(&self, told: Moment) -> bool {
        self.answered.is_some_and(|answered| answered > told)
    }

    /// The error that is the last thing on its screen, unless it was put aside.
    pub(super) fn error(&self) -> Option<&str> {
        match self.sight()? {
            Sight::Error(line) if self.put_aside.as_ref() != Some(line) => Some(line),
            _ => None,
        }
    }

    /// It is shown as resting, by its screen.
    pub(super) fn rest(&mut self) {
        self.rested = self.rested.max(self.stirred());
    }

    /// Whether something that was told of a turn is still about the present one.
    pub(super) fn is_current(&self, at: Moment) -> bool {
        self.rested.is_none_or(|rested| at > rested)
    }

    pub(super) fn sight(&self) -> Option<&Sight> {
        self.screen.as_ref().map(|screen| &screen.what.sight)
    }

    /// The question of the dialog or the error that its screen shows.
    pub(super) fn words(&self) -> Option<(&str, Moment)> {
        let screen = self.screen.as_ref()?;
        match &screen.what.sight {
            Sight::Dialog(dialog) => Some((&dialog.question, screen.at)),
            Sight::Error(line) => Some((line, screen.at)),
            _ => None,
        }
    }

    /// When anything last moved: output, or the human's keys that make it.
    pub(super) fn stirred(&self) -> Option<Moment> {
        self.output.max(self.screen.as_ref().map(|_| self.sight_since))
    }
}

/// Keeps what is newer.
fn newest<T>(known: &mut Option<At<T>>, what: T, at: Moment) {
    if known.as_ref().is_none_or(|known| known.at <= at) {
        *known = Some(At { what, at });
    }
}

fn latest(known: &mut Option<Moment>, at: Moment) {
    *known = (*known).max(Some(at));
}
