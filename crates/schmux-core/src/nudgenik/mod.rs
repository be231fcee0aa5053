//! NudgeNik: what to make of an agent that says nothing, by reading its last words.
//!
//! The pure parts of it. [`Nudgenik`] decides whom to look at and when, [`extract`]
//! finds an agent's last answer on its screen, [`prompt`] asks a model about it and
//! [`parse`] reads the model's answer; [`classify`] answers where there is no model.
//! [`mask`] takes out what looks like a secret. Asking itself is done elsewhere.
//!
//! **Invariant:** an opinion never rings and never counts. It is about one screen,
//! and dies with the next output.

mod answer;
mod classify;
mod extract;
mod mask;
mod prompt;
mod retry;
mod when;

use serde::{Deserialize, Serialize};

use crate::evidence::Confidence;
use crate::signal::State;

pub use answer::{AnswerError, parse};
pub use classify::classify;
pub use extract::{Extract, LINES, extract};
pub use mask::{blot, mask};
pub use prompt::{Prompt, prompt};
pub use retry::{Refusal, pause};
pub use when::{Candidate, Habits, Nudgenik, Way};

/// What was made of a screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opinion {
    pub state: State,
    pub confidence: Confidence,
    pub summary: String,
    /// The words that it rests on.
    #[serde(default)]
    pub evidence: Vec<String>,
}

/// An opinion, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub opinion: Opinion,
    /// The model's name, or that there was none.
    pub by: String,
}
