//! When the human is called, and when a call is over. One [`Attention`] per session.
//!
//! Everything that an agent says comes in by [`Attention::hear`], whatever way it
//! took; the same thing said by several ways is one call. `seq` only grows: it
//! counts the direct signals other than `working`, and never what was guessed.
//! Who was told of which call is in the same record, so that of a phone, two
//! tabs and a notifier only the first rings ([`Attention::claim`]).

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::signal::hook::{Behind, News, Told};
use crate::signal::{Signal, Source, State};
use crate::time::Moment;

/// Within this time the same words by another way are the same call: a hook
/// fires at the end of the turn in which the status file was written, and
/// agents tell of a dialog a second time some six seconds into it.
const SAME_CALL: Duration = Duration::from_secs(10);

/// How long after the human's answer to a dialog the agent's reminder of it is
/// stale news. Only agents that name what a dialog is about remind of it, and they
/// do that without the name.
const REMINDER: Duration = Duration::from_secs(30);

/// How long after a submission that we saw a hook may tell of it. Those of a host come
/// with its files, a second or two later; a loaded machine takes several times that.
const LATE: Duration = Duration::from_secs(10);

/// How many ids of hook calls are remembered. A hook that got no answer in time
/// writes itself to the events file at once, so its double is never far behind.
const REMEMBERED: usize = 64;

/// A call for the human.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nudge {
    pub seq: u64,
    pub state: State,
    pub message: String,
    pub source: Source,
    pub at: Moment,
    /// What the agent asks permission for, so that only its own end closes it.
    #[serde(default)]
    about: Option<String>,
}

/// Something that bears on the calls of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// The agent said it: in a file, by a marker, on the command line.
    Said(Signal),
    /// It added details to what it said last.
    Added(Signal),
    /// A turn began: something was submitted to the agent.
    TurnBegan,
    /// It asks for permission or an answer, in a dialog.
    Asked {
        about: Option<String>,
        message: String,
    },
    ToolBegan,
    ToolEnded {
        about: String,
    },
    /// Its turn ended; `goes_on` if something of it still runs in the background.
    TurnEnded {
        message: String,
        goes_on: bool,
    },
    /// Its turn ended, and its last words say how, by a marker.
    Signed(Signal),
    TurnFailed {
        message: String,
    },
    /// Its turn or its program stopped, and it doesn't wait for an answer any more.
    Stopped,
    /// The human pressed Enter, Tab or Shift-Tab in its terminal.
    Answered {
        enter: bool,
    },
    /// Its screen shows that the call is over.
    Stale,
}

impl Heard {
    /// What a hook's news mean for the calls of its session, if anything. A
    /// child's turn is not its parent's, but its dialogs are.
    pub fn of_hook(told: &Told) -> Option<Heard> {
        let heard = match told.news.clone() {
            News::Asked { about, message } => Heard::Asked { about, message },
            News::ToolEnded { about, .. } | News::Answered { about: Some(about) } => {
                Heard::ToolEnded { about }
            }
            News::Answered { about: None } => Heard::Stopped,
            _ if told.child => return None,
            News::TurnBegan { .. } => Heard::TurnBegan,
            News::ToolBegan { .. } => Heard::ToolBegan,
            News::TurnEnded { message, behind } => {
                Heard::TurnEnded { message, goes_on: behind == Behind::Agents }
            }
            News::Signed { state, message } => {
                Heard::Signed(Signal::new(state, message, Source::Hook))
            }
            News::TurnFailed { message } => Heard::TurnFailed { message },
            News::SessionStarted { .. } | News::Interrupted | News::SessionEnded { .. } => {
                Heard::Stopped
            }
            News::Waiting | News::SubagentEnded | News::Compacting | News::Other => return None,
        };
        Some(heard)
    }
}

/// What hearing something has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Nothing,
    /// Only what is shown: details, a better message, `working` again.
    Shown,
    Cleared,
    /// A new call, which `seq` counts.
    Nudged,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Attention {
    pub seq: u64,
    pub nudge: Option<Nudge>,
    /// The newest direct signal, `working` included, with its details.
    pub said: Option<Signal>,
    pub last_signal_at: Option<Moment>,
    /// The newest call that the human has seen.
    #[serde(default)]
    pub acked: u64,
    /// Which call each way of calling has taken last, and who took it.
    #[serde(default)]
    told: BTreeMap<String, (u64, String)>,
    /// How often the agent began anew, by what it said elsewhere than on its screen,
    /// without a submission that we saw.
    #[serde(default)]
    pub turns: u64,
    /// The agent has said itself in this turn how it stands.
    #[serde(default)]
    spoke: bool,
    /// When the human last answered a dialog of which the agent may still remind.
    #[serde(default)]
    answered_at: Option<Moment>,
    /// When something was last submitted to it before our eyes. No hook has told since
    /// that a turn ended. Who wasn't there doesn't know: it isn't stored.
    #[serde(skip)]
    submitted: Option<Moment>,
    #[serde(default)]
    ids: VecDeque<String>,
}

impl Attention {
    /// Whether a call with this id was heard before. It is remembered from now on.
    pub fn is_double(&mut self, id: &str) -> bool {
        if self.ids.iter().any(|known| known == id) {
            return true;
        }
        if self.ids.len() == REMEMBERED {
            self.ids.pop_front();
        }
        self.ids.push_back(id.to_owned());
        false
    }

    /// A message was submitted to it.
    pub fn submit(&mut self, at: Moment) {
        self.submitted = Some(at);
        self.spoke = false;
    }

    /// Whether a hook tells of a turn's beginning after more of that turn was heard:
    /// what a terminal shows is here sooner than the hooks of a host. Such a hook
    /// ends nothing, for what is open is of its own turn.
    pub fn is_late(&mut self, told: &Told, at: Moment) -> bool {
        match told.news {
            _ if told.child => false,
            News::TurnBegan { .. } => self.seen_begin(at).is_some_and(|began| {
                self.spoke || self.nudge.as_ref().is_some_and(|nudge| nudge.at >= began)
            }),
            News::TurnEnded { .. }
            | News::Signed { .. }
            | News::TurnFailed { .. }
            | News::Interrupted => {
                // Hooks come in their order: the next turn that they tell of is another.
                self.submitted = None;
                false
            }
            _ => false,
        }
    }

    /// The submission that a hook tells of now, if we saw it.
    fn seen_begin(&self, at: Moment) -> Option<Moment> {
        self.submitted.filter(|then| at.since(*then) < LATE)
    }

    pub fn hear(&mut self, heard: Heard, at: Moment) -> Change {
        if !matches!(heard, Heard::Answered { .. } | Heard::Stale) {
            self.last_signal_at = Some(at);
        }
        match heard {
            Heard::Said(signal) => self.said(signal, at),
            Heard::Added(signal) => {
                if let Some(nudge) = self.nudge.as_mut().filter(|n| n.source == signal.source) {
                    nudge.message.clone_from(&signal.message);
                }
                self.said = Some(signal);
                Change::Shown
            }
            Heard::TurnBegan => self.begin_turn(at),
            Heard::Asked { about, message } => self.asked(about, message, at),
            Heard::ToolBegan => {
                self.clear_if(|nudge| nudge.about.is_none() && nudge.state != State::NeedsInput)
            }
            Heard::ToolEnded { about } => {
                self.clear_if(|nudge| nudge.about.as_ref().is_none_or(|asked| *asked == about))
            }
            Heard::Stopped => self.clear_if(|nudge| nudge.state == State::NeedsInput),
            // Those who go on may have a dialog open.
            Heard::TurnEnded { goes_on: true, .. } => Change::Nothing,
            Heard::TurnEnded { message, .. } => self.ended(State::Completed, message, at),
            Heard::TurnFailed { message } => self.ended(State::Error, message, at),
            // The terminal brings the same marker, sooner or later.
            Heard::Signed(_) if self.spoke && !self.has_open_question() => {
                self.spoke = false;
                Change::Nothing
            }
            Heard::Signed(signal) => self.said(signal, at),
            Heard::Stale => self.clear(),
            Heard::Answered { enter } => {
                self.submitted = if enter { Some(at) } else { self.submitted };
                self.spoke = false;
                let asked = self.nudge.as_ref().is_some_and(|nudge| nudge.about.is_some());
                self.answered_at = if asked { Some(at) } else { self.answered_at };
                self.clear()
            }
        }
    }

    /// Lets one of those who ask for it tell the human of a call: the first. It
    /// may ask again, because the answer may have been lost on the way.
    pub fn claim(&mut self, channel: &str, seq: u64, by: &str) -> bool {
        let is_open = self.nudge.as_ref().is_some_and(|nudge| nudge.seq == seq);
        if !is_open || self.acked >= seq {
            return false;
        }
        match self.told.get(channel) {
            Some((last, owner)) if *last >= seq => *last == seq && !by.is_empty() && owner == by,
            _ => {
                self.told.insert(channel.to_owned(), (seq, by.to_owned()));
                true
            }
        }
    }

    /// Which call this channel has told last.
    pub fn told(&self, channel: &str) -> u64 {
        self.told.get(channel).map_or(0, |(seq, _)| *seq)
    }

    /// The human has seen the calls up to this one. Returns whether that is news.
    pub fn acknowledge(&mut self, seq: u64) -> bool {
        let seq = seq.min(self.seq);
        let is_news = seq > self.acked;
        self.acked = self.acked.max(seq);
        is_news
    }

    fn said(&mut self, signal: Signal, at: Moment) -> Change {
        self.said = Some(signal.clone());
        if signal.state == State::Working {
            self.spoke = false;
            self.turns += u64::from(signal.source != Source::Marker);
            return match self.clear() {
                Change::Nothing => Change::Shown,
                change => change,
            };
        }
        self.spoke = true;
        let Signal { state, message, source, .. } = signal;
        if let Some(nudge) = &mut self.nudge
            && nudge.is_same_call(state, &message, source, at)
        {
            // The agent's own words tell more than what a hook makes up.
            if nudge.source == Source::Hook && !message.is_empty() {
                nudge.message = message;
            }
            nudge.source = source;
            return Change::Shown;
        }
        self.call(state, message, source, at, None)
    }

    fn asked(&mut self, about: Option<String>, message: String, at: Moment) -> Change {
        if let Some(nudge) = &mut self.nudge
            && nudge.state == State::NeedsInput
        {
            let other = about.is_some() && nudge.about.is_some() && nudge.about != about;
            if !other && (nudge.source == Source::Hook || at.since(nudge.at) < SAME_CALL) {
                nudge.about = nudge.about.take().or(about);
                return nudge.put_words(message);
            }
        }
        let reminder =
            about.is_none() && self.answered_at.is_some_and(|then| at.since(then) < REMINDER);
        if reminder {
            return Change::Nothing;
        }
        self.say_by_hook(State::NeedsInput, &message);
        self.call(State::NeedsInput, message, Source::Hook, at, about)
    }

    /// The turn ended. If the agent has said how, that stands.
    fn ended(&mut self, state: State, message: String, at: Moment) -> Change {
        if std::mem::take(&mut self.spoke) && !self.has_open_question() {
            return Change::Nothing;
        }
        let told = self.nudge.as_mut().filter(|n| n.source == Source::Hook && n.state == state);
        if let Some(nudge) = told {
            return nudge.put_words(message);
        }
        self.say_by_hook(state, &message);
        self.call(state, message, Source::Hook, at, None)
    }

    /// A hook told of a dialog, and nothing has told of its end.
    fn has_open_question(&self) -> bool {
        let nudge = self.nudge.as_ref();
        nudge.is_some_and(|n| n.source == Source::Hook && n.state == State::NeedsInput)
    }

    fn begin_turn(&mut self, at: Moment) -> Change {
        self.spoke = false;
        self.turns += u64::from(self.seen_begin(at).is_none());
        self.say_by_hook(State::Working, "");
        match self.clear() {
            Change::Nothing => Change::Shown,
            change => change,
        }
    }

    fn say_by_hook(&mut self, state: State, message: &str) {
        self.said = Some(Signal::new(state, message, Source::Hook));
    }

    fn call(
        &mut self,
        state: State,
        message: String,
        source: Source,
        at: Moment,
        about: Option<String>,
    ) -> Change {
        self.seq += 1;
        self.nudge = Some(Nudge { seq: self.seq, state, message, source, at, about });
        Change::Nudged
    }

    /// Ends a call that a hook made, if it is one of these.
    fn clear_if(&mut self, over: impl FnOnce(&Nudge) -> bool) -> Change {
        match &self.nudge {
            Some(nudge) if nudge.source == Source::Hook && over(nudge) => {
                self.say_by_hook(State::Working, "");
                self.clear()
            }
            _ => Change::Nothing,
        }
    }

    fn clear(&mut self) -> Change {
        if self.nudge.take().is_some() { Change::Cleared } else { Change::Nothing }
    }
}

impl Nudge {
    /// Whoever was first may have had none.
    fn put_words(&mut self, message: String) -> Change {
        if !self.message.is_empty() || message.is_empty() {
            return Change::Nothing;
        }
        self.message = message;
        Change::Shown
    }

    /// Whether this is what was heard already, by another way.
    fn is_same_call(&self, state: State, message: &str, source: Source, at: Moment) -> bool {
        let same_words = || self.message.split_whitespace().eq(message.split_whitespace());
        self.state == state
            && self.source != source
            && at.since(self.at) < SAME_CALL
            && (self.source == Source::Hook || source == Source::Hook || same_words())
    }
}

#[cfg(test)]
#[path = "nudge_tests.rs"]
mod tests;
