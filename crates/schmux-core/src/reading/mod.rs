//! What a screen shows: a dialog, work, a field that waits, an error, a shell.
//!
//! [`Reader::read`] takes a screen's rows and its title and says what stands
//! there, and how sure that is. It looks at the live region only: the field, the
//! rows right above and below it, and a dialog at the bottom. Prose in the
//! history is never evidence: an agent that prints "Do you want to proceed?" in
//! its text isn't asking.
//!
//! What agents look like is data (`agents/*.toml`, see [`Library`]); the shapes
//! that they have in common are code: `field` finds the input field, `dialog`
//! finds choices, `describe` says what they are about. It keeps nothing between
//! two screens: time, and everything else that is known, is the business of
//! [`crate::evidence`].

mod answer;
mod choices;
mod describe;
mod dialog;
mod field;
mod knowledge;
mod library;
mod pattern;
mod report;
mod shapes;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::evidence::Confidence;
use crate::screen::Rows;
pub use answer::{AnswerError, Answering, Step};
pub use field::{Content, Field};
pub use knowledge::Reader;
pub use library::{Library, LibraryError};
pub use report::Case;

/// What one screen shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub sight: Sight,
    /// How sure the sight is by itself, without anything else that is known.
    pub confidence: Confidence,
    /// What decided, for people: "numbered choices", "working line".
    pub why: &'static str,
    pub field: Option<Field>,
    pub title: TitleSays,
    /// This agent says on its screen when it works, so a screen that doesn't is telling.
    pub shows_work: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// It asks, and waits for a choice.
    Dialog(Box<Dialog>),
    /// A spinner or a working line, and its text.
    Working(String),
    /// Its field is there, and nothing says that it works.
    Prompt,
    /// As [`Sight::Prompt`], and the newest thing above the field is this error.
    Error(String),
    /// A shell's prompt where the agent was.
    Shell,
    /// Nothing that is known.
    Unknown,
}

/// What an agent's terminal title says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TitleSays {
    Working,
    Idle,
    Asking,
    #[default]
    Nothing,
}

/// A dialog: what it is about, and what can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dialog {
    pub kind: DialogKind,
    pub title: Option<String>,
    pub question: String,
    /// What stands between the title and the question: a command, a diff, an explanation.
    pub body: Vec<String>,
    pub choices: Vec<Choice>,
    /// Which choice Enter takes.
    pub selected: Option<usize>,
    /// Several may be ticked before it is sent.
    pub multiple: bool,
    /// The same for the same dialog wherever its selection stands. An answer is
    /// meant for one fingerprint: look again before the keys are sent, take the
    /// keys from that look, and send nothing if it shows another.
    pub fingerprint: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DialogKind {
    Permission,
    Question,
    Plan,
    Trust,
    Login,
    /// A picker that the human has opened: models, themes, settings.
    Menu,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The keys that choose it, by their names in tmux, from where the selection
    /// stands now. Empty if no safe ones are known.
    pub keys: Vec<String>,
}

impl Sight {
    pub fn name(&self) -> &'static str {
        match self {
            Sight::Dialog(_) => "dialog",
            Sight::Working(_) => "working",
            Sight::Prompt => "prompt",
            Sight::Error(_) => "error",
            Sight::Shell => "shell",
            Sight::Unknown => "unknown",
        }
    }
}

impl DialogKind {
    pub fn name(self) -> &'static str {
        match self {
            DialogKind::Permission => "permission",
            DialogKind::Question => "question",
            DialogKind::Plan => "plan",
            DialogKind::Trust => "trust",
            DialogKind::Login => "login",
            DialogKind::Menu => "menu",
            DialogKind::Other => "other",
        }
    }
}

impl Reader {
    /// Reads one screen. The order is that of certainty: a dialog covers the field,
    /// a working line stands beside it, an error is history that nothing followed.
    pub fn read(&self, rows: &Rows, title: &str) -> Reading {
        let live = field::find(self, rows);
        let (sight, confidence, why) = self.sight(rows, &live);
        let title = self.title_says(title);
        let reading = Reading {
            sight,
            confidence,
            why,
            field: live.field,
            title,
            shows_work: self.work.shown,
        };
        reading.squared_with_title()
    }

    fn sight(&self, rows: &Rows, live: &field::Live) -> (Sight, Confidence, &'static str) {
        if let Some((dialog, confidence, why)) = dialog::find(self, rows, live) {
            return (Sight::Dialog(Box::new(dialog)), confidence, why);
        }
        if let Some(line) = self.working_line(rows, live) {
            return (Sight::Working(line), self.confidence, "working line");
        }
        match &live.field {
            Some(_) => match self.error_line(rows, live) {
                Some(line) => (Sight::Error(line), self.confidence, "error line"),
                None => (Sight::Prompt, self.confidence, "field"),
            },
            None if shapes::is_shell_prompt(rows) => {
                (Sight::Shell, Confidence::Medium, "shell prompt")
            }
            None => (Sight::Unknown, Confidence::Low, "nothing known"),
        }
    }
}

impl Reading {
    /// A title that contradicts the screen takes certainty from both.
    fn squared_with_title(mut self) -> Reading {
        let agrees = match (&self.sight, self.title) {
            (Sight::Working(_), TitleSays::Idle | TitleSays::Asking) => false,
            (Sight::Prompt | Sight::Error(_), TitleSays::Working | TitleSays::Asking) => false,
            _ => true,
        };
        if !agrees {
            self.confidence = self.confidence.min(Confidence::Medium);
        }
        self
    }
}
