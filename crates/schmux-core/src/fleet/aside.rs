//! What follows from an aside: evidence at once, and a call if nobody else makes it.
//!
//! An aside has no words. A dialog's question and an error line are on the screen
//! a moment later, and a hook that tells of the same has better ones; so a call
//! waits for them, and is made without if they don't come.
//!
//! Nothing keeps an aside for those who didn't listen, but what it was about stays on
//! the screen. So what the screen showed while someone listened is stored, and a
//! question or an error that it shows after a gap and didn't show before was said in it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Effects, Fleet, Item, News};
use crate::evidence::{self, Evidence, Hook};
use crate::ids::SessionId;
use crate::nudge::Heard;
use crate::reading::{DialogKind, Reading, Sight, TitleSays};
use crate::signal::State;
use crate::signal::aside::Aside;
use crate::signal::hook::{self, Told};
use crate::signal::text::clean;
use crate::time::Moment;

/// How long a call waits for words. Hooks come within some tens of milliseconds and
/// a screen is read 150 ms after it is still; a loaded machine takes several times that.
const WORDS_MS: i64 = 1_000;

/// How long after a gap its screen isn't believed yet. In this time the files are read
/// in which hooks told of the same; those of a host take a second or two.
const CATCH_UP_MS: i64 = 3_000;

/// What an agent told its terminal, and the call that may come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Overheard {
    /// It is known to say something aside.
    #[serde(default)]
    speaks: bool,
    /// What its screen shows, as far as it is no news any more.
    #[serde(default)]
    known: Option<Known>,
    #[serde(skip)]
    last: Option<Aside>,
    /// Its hooks were heard, which tell of dialogs and ends of turns, too.
    #[serde(skip)]
    hooked: bool,
    /// A call that waits for words, and since when.
    #[serde(skip)]
    waits: Option<(Aside, Moment)>,
    /// Nobody listened for a time, and since when its screen can be seen again.
    #[serde(skip)]
    gap: Option<Moment>,
}

/// A question or an error on a screen, of which it tells aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    says: Aside,
    /// Empty if they have not been seen.
    words: String,
}

impl Known {
    fn new(says: Aside, words: &str) -> Option<Known> {
        matches!(says, Aside::Failed | Aside::Asking).then(|| Known { says, words: words.into() })
    }

    fn on(sight: &Sight) -> Option<Known> {
        match sight {
            Sight::Error(line) => Known::new(Aside::Failed, &told(line)),
            Sight::Dialog(dialog) => match dialog.kind {
                // The human has opened it, or it comes before there is a conversation.
                DialogKind::Menu | DialogKind::Trust | DialogKind::Login => None,
                _ => Known::new(Aside::Asking, &told(&dialog.question)),
            },
            _ => None,
        }
    }

    /// Whether both are the same: a narrower screen shows less of the words.
    fn is(&self, other: &Known) -> bool {
        let (mine, theirs) = (self.words.as_str(), other.words.as_str());
        self.says == other.says && (mine.starts_with(theirs) || theirs.starts_with(mine))
    }
}

impl Overheard {
    pub(super) fn note_hook(&mut self, told: &Told) {
        self.hooked |= !told.child;
        match &told.news {
            _ if !self.speaks => {}
            hook::News::Asked { .. } => self.known = Known::new(Aside::Asking, ""),
            hook::News::TurnFailed { .. } if !told.child => {
                self.known = Known::new(Aside::Failed, "");
            }
            hook::News::TurnBegan { .. } if !told.child => {
                // What comes now is of another turn, though it be the same.
                self.known = None;
                self.last = None;
            }
            _ => {}
        }
    }

    /// Takes what its screen shows; `unheard`: nobody listened before this. Whether
    /// that changes what should be stored.
    pub(super) fn look(&mut self, reading: &Reading, unheard: bool, at: Moment) -> bool {
        if unheard {
            self.speaks = true;
            self.gap = Some(at);
        }
        if !self.speaks {
            return false;
        }
        let titled = reading.title == TitleSays::Working;
        let shown = match &reading.sight {
            Sight::Working(_) => None,
            Sight::Prompt | Sight::Error(_) if titled => None,
            _ if self.gap.is_some() || self.waits.is_some() => return false,
            sight => match Known::on(sight) {
                None => return false,
                shown => shown,
            },
        };
        if shown.is_none() && self.gap.take().is_some() {
            self.last = Some(Aside::Working);
        }
        let is_news = self.known != shown;
        self.known = shown;
        is_news
    }

    fn is_waiting(&self) -> bool {
        self.waits.is_some() || self.gap.is_some()
    }

    /// When a call is made whether there are words or not, or a gap is closed.
    pub(super) fn due(&self) -> Option<Moment> {
        let waits = self.waits.map(|(_, since)| since.0.saturating_add(WORDS_MS));
        let gap = self.gap.map(|since| since.0.saturating_add(CATCH_UP_MS));
        waits.into_iter().chain(gap).min().map(Moment)
    }

    /// Takes what it says; whether that is news.
    fn hear(&mut self, says: Aside, at: Moment) -> bool {
        self.speaks = true;
        let again = self.last.replace(says) == Some(says);
        if again && self.gap.is_none() {
            return false;
        }
        if !matches!(says, Aside::Idle | Aside::Done) {
            // It told what there is to tell.
            self.gap = None;
        }
        if says == Aside::Working {
            self.known = None;
        }
        self.waits = match says {
            // Hooks tell of it with the answer.
            Aside::Done if self.hooked => None,
            Aside::Asking | Aside::Failed | Aside::Done => Some((says, at)),
            // An end stays one while the human types; a question is over.
            Aside::Idle => self.waits.filter(|(says, _)| *says != Aside::Asking),
            Aside::Working => None,
        };
        true
    }

    /// The call whose time has come, given what its screen shows and the words on it.
    fn ripe(
        &mut self,
        sight: Option<&Sight>,
        words: Option<(&str, Moment)>,
        now: Moment,
    ) -> Option<(Aside, String)> {
        let is_due = self.due().is_some_and(|due| due <= now);
        let call = match self.waits {
            Some((says, since)) => {
                let words = words.filter(|(_, read)| *read >= since && says != Aside::Done);
                let words = words.map(|(words, _)| told(words));
                let is_best = says == Aside::Failed || !self.hooked;
                if !is_due && (words.is_none() || !is_best) {
                    return None;
                }
                self.waits = None;
                (says, words.unwrap_or_default())
            }
            None if is_due => self.close_gap(sight)?,
            None => return None,
        };
        self.known = Known::new(call.0, &call.1);
        Some(call)
    }

    /// What was said while nobody listened, by what its screen shows now.
    fn close_gap(&mut self, sight: Option<&Sight>) -> Option<(Aside, String)> {
        self.gap = None;
        let shown = sight.and_then(Known::on);
        self.last = shown.as_ref().map(|shown| shown.says);
        let shown = shown?;
        let is_known = self.known.as_ref().is_some_and(|known| known.is(&shown));
        (!is_known).then_some((shown.says, shown.words))
    }
}

/// A line of a screen as a call tells it.
fn told(line: &str) -> String {
    clean(plain(line).as_bytes())
}

/// A line of a screen without the mark that stands before it. Of a service's answer
/// that is shown as it came, only the words for people.
fn plain(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '{');
    let message = line.find("\"message\"").map(|at| &line[at + "\"message\"".len()..]);
    let message = message.and_then(|rest| rest.trim_start_matches([':', ' ']).strip_prefix('"'));
    let end = message.and_then(|words| words.split('"').next()).filter(|words| !words.is_empty());
    end.unwrap_or(line)
}

impl Fleet {
    pub(super) fn overhear(
        &mut self,
        id: &SessionId,
        says: Aside,
        at: Moment,
        now: Moment,
    ) -> Effects {
        let Some(session) = self.sessions.get_mut(id).map(Arc::make_mut) else {
            return Effects::default();
        };
        let Overheard { speaks, known, .. } = session.overheard.clone();
        if !session.overheard.hear(says, at) {
            return Effects::default();
        }
        let is_news = !speaks || session.overheard.known != known;
        let mut effects = self.weigh(id, [evidence(says, "")], at, now);
        effects.save.extend(self.session_save(id).filter(|_| is_news));
        effects
    }

    /// Makes the call that waits, if its time has come.
    pub(super) fn ripen(&mut self, id: &SessionId, now: Moment) -> Effects {
        let session = self.sessions.get_mut(id).filter(|session| session.overheard.is_waiting());
        let Some(session) = session.map(Arc::make_mut) else { return Effects::default() };
        let is_gap = session.overheard.waits.is_none();
        let (sight, words) = (session.judge.sight(), session.judge.words());
        let Some((says, message)) = session.overheard.ripe(sight, words, now) else {
            return Effects::default();
        };
        let heard = match says {
            Aside::Asking => Heard::Asked { about: None, message: message.clone() },
            Aside::Failed => Heard::TurnFailed { message: message.clone() },
            Aside::Done => Heard::TurnEnded { message: String::new(), goes_on: false },
            Aside::Working | Aside::Idle => return Effects::default(),
        };
        // Another failure than the one that is open: a turn lay between them.
        let open = session.attention.nudge.as_ref().map(|nudge| nudge.state);
        let is_other = is_gap && says == Aside::Failed && open == Some(State::Error);
        let heard = is_other.then_some(Heard::Stale).into_iter().chain([heard]);
        let items = heard.map(|heard| Item::Heard { heard, id: None }).collect();
        let news = News { session: id.clone(), items, place: None, at: now };
        let effects = self.hear(news, now);
        effects.and(self.weigh(id, [evidence(says, &message)], now, now))
    }
}

/// What an aside says of the state.
fn evidence(says: Aside, text: &str) -> Evidence {
    let news = match says {
        Aside::Working => evidence::News::ToolUsed,
        Aside::Idle | Aside::Done => evidence::News::TurnEnded,
        Aside::Asking => evidence::News::Asked,
        Aside::Failed => evidence::News::Failed,
    };
    Evidence::Hook(Hook::aside(news, text))
}

#[cfg(test)]
#[path = "aside_tests.rs"]
mod tests;
