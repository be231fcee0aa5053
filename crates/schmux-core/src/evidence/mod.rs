//! Everything that bears on a session's state, and the verdict that follows from it.
//!
//! [`Evidence`] comes in with its time; [`Judge`] keeps the newest of every source
//! (`facts`), finds the first rule that applies (`rules`), and changes what it
//! shows only when that holds (`judge`). `votes` is what each source says, for
//! `schmux why`. Nothing in here looks at a screen: [`crate::reading`] does, and
//! what it has read is evidence like any other.
//!
//! **Invariant:** no guess is shown as a fact. What isn't known is
//! [`State::Unknown`], and [`State::Idle`] needs a reason.

#[cfg(test)]
mod answer_tests;
mod facts;
mod judge;
#[cfg(test)]
mod judge_tests;
mod rules;
#[cfg(test)]
mod rules_tests;
#[cfg(test)]
mod simulation_tests;
mod votes;

use serde::{Deserialize, Serialize};

use crate::reading::{Reading, TitleSays};
use crate::signal;

pub use facts::Facts;
pub use judge::{Change, Drift, Judge, Verdict};
pub use rules::{Basis, Finding, Rule, judge as find};
pub use votes::{Voice, Vote};

/// What a session is doing, as everyone is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Completed,
    NeedsInput,
    NeedsTesting,
    Error,
    Working,
    /// Its turn has ended and it didn't say how.
    Idle,
    Unknown,
    Starting,
    Exited,
    Unreachable,
}

/// How sure something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    Low,
    Medium,
    High,
}

/// Something that bears on the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// What tmux knows of the program.
    Life(Life),
    /// The agent said it of itself.
    Said { state: signal::State, message: String, source: signal::Source },
    /// One of its hooks told it, or an aside to its terminal.
    Hook(Hook),
    /// Its screen was read. Also while it moves, a few times a second at most.
    Screen(Reading),
    /// Its title has changed, perhaps without its screen.
    Title(TitleSays),
    /// It printed something.
    Output,
    /// It rang the bell.
    Bell,
    /// Which program is in front in its terminal.
    Front(Front),
    /// The human pressed keys in its terminal.
    Typed(Typed),
    /// A message of ours was submitted to it.
    Delivered,
    /// What a model thinks of its screen.
    Opinion { state: signal::State, confidence: Confidence, summary: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    Starting,
    Running,
    Exited,
    Unreachable,
}

/// What a hook tells, or an aside to its terminal: both are the agent's own report
/// of its turn, and the newer of them stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    pub news: News,
    pub by: Teller,
    /// A question, an error, the last words of a turn.
    pub text: String,
    /// It is about an agent that this one has started. That one's end isn't this one's.
    pub child: bool,
}

/// By which way an agent reports its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Teller {
    #[default]
    Hook,
    /// [`crate::signal::aside`].
    Aside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum News {
    TurnBegan,
    ToolUsed,
    Asked,
    TurnEnded,
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Front {
    Shell,
    Other,
}

/// What kind of program a session runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// An agent whose screens are known: it will show a field.
    Agent,
    /// A shell, so that one in front doesn't mean that an agent has gone.
    Shell,
    #[default]
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// Enter: it may send a message or answer a dialog.
    Submit,
    /// Tab or Shift-Tab: the human has seen what it said, and sent nothing.
    Tab,
    /// Anything else.
    Other,
}

impl State {
    pub const ALL: [State; 10] = [
        State::Completed,
        State::NeedsInput,
        State::NeedsTesting,
        State::Error,
        State::Working,
        State::Idle,
        State::Unknown,
        State::Starting,
        State::Exited,
        State::Unreachable,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            State::Completed => "completed",
            State::NeedsInput => "needs_input",
            State::NeedsTesting => "needs_testing",
            State::Error => "error",
            State::Working => "working",
            State::Idle => "idle",
            State::Unknown => "unknown",
            State::Starting => "starting",
            State::Exited => "exited",
            State::Unreachable => "unreachable",
        }
    }
}

impl From<signal::State> for State {
    fn from(state: signal::State) -> State {
        match state {
            signal::State::Completed => State::Completed,
            signal::State::NeedsInput => State::NeedsInput,
            signal::State::NeedsTesting => State::NeedsTesting,
            signal::State::Error => State::Error,
            signal::State::Working => State::Working,
        }
    }
}

impl Confidence {
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

impl News {
    /// What state it speaks for.
    pub fn state(self) -> State {
        match self {
            News::TurnBegan | News::ToolUsed => State::Working,
            News::Asked => State::NeedsInput,
            News::TurnEnded => State::Idle,
            News::Failed => State::Error,
        }
    }
}

impl Hook {
    pub fn new(news: News, text: impl Into<String>) -> Hook {
        Hook { news, by: Teller::Hook, text: text.into(), child: false }
    }

    /// What it told its terminal.
    pub fn aside(news: News, text: impl Into<String>) -> Hook {
        Hook { by: Teller::Aside, ..Hook::new(news, text) }
    }

    /// News of an agent that this one has started.
    pub fn of_child(news: News) -> Hook {
        Hook { child: true, ..Hook::new(news, "") }
    }
}
