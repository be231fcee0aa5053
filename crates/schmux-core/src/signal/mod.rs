//! What an agent says of itself: a state, a message, and where it said it.
//!
//! Each source has a file: `status_file`, `events_file`, `marker` (with `strip`
//! beneath it and `ledger` above, which tells a repaint from a new word), `hook`,
//! `aside`.
//! Nothing in here reads: the bytes and the facts about them come in, decisions
//! go out. **Invariant:** a [`Signal`]'s texts have passed [`text::clean`].

pub mod aside;
pub mod events_file;
mod events_parse;
pub mod hook;
pub mod ledger;
pub mod marker;
mod marker_line;
pub mod status_file;
pub mod strip;
pub mod text;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The states that an agent may signal, by their names on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Completed,
    NeedsInput,
    NeedsTesting,
    Error,
    Working,
}

impl State {
    pub const ALL: [State; 5] =
        [State::Completed, State::NeedsInput, State::NeedsTesting, State::Error, State::Working];

    pub fn as_str(self) -> &'static str {
        match self {
            State::Completed => "completed",
            State::NeedsInput => "needs_input",
            State::NeedsTesting => "needs_testing",
            State::Error => "error",
            State::Working => "working",
        }
    }

    /// What people read; nothing for `working`, which only clears.
    pub fn display_name(self) -> Option<&'static str> {
        match self {
            State::Completed => Some("Completed"),
            State::NeedsInput => Some("Needs Authorization"),
            State::NeedsTesting => Some("Needs User Testing"),
            State::Error => Some("Error"),
            State::Working => None,
        }
    }

    /// Whether it is a nudge, which `nudge_seq` counts.
    pub fn counts(self) -> bool {
        self != State::Working
    }

    /// Whether the human is called by a sound.
    pub fn rings(self) -> bool {
        matches!(self, State::NeedsInput | State::Error)
    }
}

impl FromStr for State {
    type Err = UnknownState;

    /// Strict: other spellings are told to the human as a warning, not guessed.
    fn from_str(name: &str) -> Result<Self, UnknownState> {
        State::ALL.into_iter().find(|state| state.as_str() == name).ok_or(UnknownState)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownState;

impl fmt::Display for UnknownState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such state; the states are ")?;
        f.write_str(&State::ALL.map(State::as_str).join(", "))
    }
}

impl std::error::Error for UnknownState {}

/// Where a signal was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    StatusFile,
    EventsFile,
    Marker,
    Hook,
    Cli,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    pub state: State,
    pub message: String,
    /// `progress`, `task`, `blocker` and whatever else was said, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<(String, String)>,
    pub source: Source,
}

/// How many details are kept. A status is a few lines; a log file written
/// there by mistake must not fill the database.
const MAX_DETAILS: usize = 32;

impl Signal {
    /// A signal whose message is cleaned here, whatever bytes it is made of.
    pub fn new(state: State, message: impl AsRef<[u8]>, source: Source) -> Signal {
        Signal { state, message: text::clean(message.as_ref()), details: Vec::new(), source }
    }

    /// Adds a detail, cleaned; beyond the limit it is dropped.
    pub fn add_detail(&mut self, key: &str, value: impl AsRef<[u8]>) {
        let key = text::clean_to(key.as_bytes(), text::MAX_KEY);
        if self.details.len() < MAX_DETAILS && !key.is_empty() {
            self.details.push((key, text::clean(value.as_ref())));
        }
    }

    pub fn detail(&self, key: &str) -> Option<&str> {
        self.details.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// FNV-1a: a fingerprint that stays the same over builds and machines, because
/// it is stored. It guards against mistakes, not against malice: all that an
/// agent could gain by a collision is that its own signal is overlooked.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_names_and_manners() {
        for (name, display, counts, rings) in [
            ("completed", Some("Completed"), true, false),
            ("needs_input", Some("Needs Authorization"), true, true),
            ("needs_testing", Some("Needs User Testing"), true, false),
            ("error", Some("Error"), true, true),
            ("working", None, false, false),
        ] {
            let state: State = name.parse().unwrap();
            assert_eq!(state.to_string(), name);
            assert_eq!(state.display_name(), display);
            assert_eq!((state.counts(), state.rings()), (counts, rings), "{name}");
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{name:?}"));
        }
        for bad in ["", "Completed", "COMPLETED", "done", "needs-input", " error", "idle"] {
            assert_eq!(bad.parse::<State>(), Err(UnknownState), "{bad}");
        }
    }

    #[test]
    fn details_are_cleaned_and_bounded() {
        let mut signal = Signal::new(State::Working, "  x\u{202e} ", Source::Hook);
        signal.add_detail("pro\x1b[31mgress", " 4\x070 ");
        signal.add_detail(" ", "nameless");
        assert_eq!(signal.message, "x");
        assert_eq!(signal.detail("progress"), Some("40"));
        (0..100).for_each(|n| signal.add_detail(&n.to_string(), "x"));
        assert_eq!(signal.details.len(), MAX_DETAILS);
    }
}
