//! The durable part of a delivery: what must be on disk before the next byte.
//!
//! Each [`Step`] names the *last thing that may have happened*. It is stored
//! before that thing is done, so after a kill the truth is at most one step
//! behind, and [`recover`] says how to find out.

use serde::{Deserialize, Serialize};

use super::adapter::Adapter;
use super::message::MessageId;
use crate::time::Moment;

/// One delivery under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    pub message: MessageId,
    pub path: Path,
    pub step: Step,
    /// When this step was stored.
    pub at: Moment,
    /// What is written: the message, dressed for this agent.
    pub text: String,
    /// What the human had in the field; empty if nothing, or not known yet.
    pub draft: String,
    /// How often the text stood on the screen outside the field before.
    pub mentions: u32,
    /// The field has shown the text.
    pub shown: bool,
    /// How often Enter may have been pressed.
    pub enters: u8,
    /// Marks the lines of a draft that is taken away by keys.
    pub sentinel: String,
    /// Keys of the human's that the editor caught, for replay.
    pub keys: Vec<u8>,
    /// The names by which some of them are kept where they were caught.
    #[serde(default)]
    pub caught: Vec<String>,
    /// When a part of the draft may have gone back: given once more, it would be
    /// there twice.
    #[serde(default)]
    pub given: Option<Moment>,
    /// After Enter the message was taken out of the field, or may have to be: an
    /// empty field proves nothing then.
    #[serde(default)]
    pub emptied: bool,
    /// A human wants it back. Once Enter is pressed that is too late.
    #[serde(default)]
    pub cancelled: bool,
}

/// How a message gets into the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// The field is empty: a framed paste.
    Plain,
    /// The agent's own editor key: the file holds the draft, and takes the message.
    Editor,
    /// The draft is taken away by keys, line by line.
    Sentinel,
}

/// The last thing that may have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The editor key was pressed. Nothing has changed.
    Calling,
    /// The message stands where the draft was. It was not submitted by us.
    Swapping,
    /// Lines of the draft were taken out of the field.
    Clearing,
    /// The message was pasted into the empty field. It was not submitted by us.
    Pasting,
    /// Enter was pressed on it.
    Submitting,
    /// The message's fate is decided and stored; the draft must go back.
    Restoring,
}

/// How to go on with an attempt that was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing was changed: the message waits as before.
    Forget,
    /// The editor key tells what is in the field, in order behind all that was
    /// typed before; the field then gets back what the human had.
    Ask,
    /// The screen must tell whether the text stands in the field; if it does, it
    /// is submitted, and if not it is pasted once more. That can't double a
    /// message: Enter is pressed only on a field that shows it once.
    Resume,
    /// Whether Enter was taken is for the screen and the agent's own word to
    /// tell; it is not pressed again.
    Watch,
    /// Lines of the draft go back where they were.
    PutBack,
    /// The whole draft is pasted into the empty field.
    Repaste,
}

/// What to do about a stored attempt, at the daemon's start or after a
/// dialog or a human came between.
pub fn recover(attempt: &Attempt, adapter: &Adapter) -> Recovery {
    match (attempt.step, adapter.editor.is_some()) {
        (Step::Calling, _) => Recovery::Forget,
        (Step::Swapping, _) => Recovery::Ask,
        (Step::Clearing, _) => Recovery::PutBack,
        (Step::Pasting, true) => Recovery::Ask,
        (Step::Pasting, false) => Recovery::Resume,
        (Step::Submitting, _) => Recovery::Watch,
        (Step::Restoring, true) if attempt.emptied => Recovery::Ask,
        (Step::Restoring, _) if attempt.draft.is_empty() => Recovery::Forget,
        (Step::Restoring, true) => Recovery::Ask,
        (Step::Restoring, false) => Recovery::Repaste,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn attempt(step: Step, draft: &str) -> Attempt {
        Attempt {
            message: MessageId(1),
            path: Path::Plain,
            step,
            at: Moment(0),
            text: "text".into(),
            draft: draft.into(),
            mentions: 0,
            shown: false,
            enters: 0,
            sentinel: String::new(),
            keys: Vec::new(),
            caught: Vec::new(),
            given: None,
            emptied: false,
            cancelled: false,
        }
    }

    #[test]
    fn every_step_has_a_way_on() {
        let (editor, bare) = (Adapter::of(Some("claude")), Adapter::of(None));
        for (step, draft, with_editor, without) in [
            (Step::Calling, "", Recovery::Forget, Recovery::Forget),
            (Step::Swapping, "d", Recovery::Ask, Recovery::Ask),
            (Step::Clearing, "d", Recovery::PutBack, Recovery::PutBack),
            (Step::Pasting, "", Recovery::Ask, Recovery::Resume),
            (Step::Submitting, "", Recovery::Watch, Recovery::Watch),
            (Step::Submitting, "d", Recovery::Watch, Recovery::Watch),
            (Step::Restoring, "", Recovery::Forget, Recovery::Forget),
            (Step::Restoring, "d", Recovery::Ask, Recovery::Repaste),
        ] {
            let attempt = attempt(step, draft);
            assert_eq!(recover(&attempt, editor), with_editor, "{step:?}");
            assert_eq!(recover(&attempt, bare), without, "{step:?}");
        }
    }

    #[test]
    fn attempts_are_read_as_they_were_stored() {
        let stored = attempt(Step::Submitting, "a\n\tdraft \u{1f44d}");
        let json = serde_json::to_string(&stored).unwrap();
        assert_eq!(serde_json::from_str::<Attempt>(&json).unwrap(), stored);
    }
}
