//! What a session is doing, how that is known, and the dialog that it shows.

use jiff::Timestamp;
use schmux_core::evidence::{self, Voice};
use schmux_core::fleet;
use schmux_core::reading;
use schmux_core::time::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Confidence, Status, timestamp};

/// What a session is doing, by all that is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The same as the session's `status`.
    pub state: Status,
    pub confidence: Confidence,
    /// Why, in words that stand behind "because".
    pub rule: String,
    /// The agent's words, a dialog's question, an error line. Untrusted text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Since when it is in this state.
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
}

impl Default for Verdict {
    /// Of a daemon that doesn't tell yet.
    fn default() -> Verdict {
        Verdict {
            state: Status::Unknown,
            confidence: Confidence::Low,
            rule: evidence::Rule::Nothing.text().to_owned(),
            message: None,
            since: Timestamp::default(),
        }
    }
}

/// A dialog on a session's screen. Everything that is written in it is untrusted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dialog {
    /// Names this very dialog, for an answer to it.
    pub id: String,
    pub kind: DialogKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub question: String,
    /// What stands between the title and the question: a command, a diff, an explanation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub body: Vec<String>,
    pub choices: Vec<DialogChoice>,
    /// Several may be ticked before it is sent, which only a person at its terminal can do.
    #[serde(default)]
    pub multiple: bool,
    #[schema(value_type = String, format = DateTime)]
    pub since: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DialogKind {
    Permission,
    Question,
    Plan,
    Trust,
    Login,
    /// A picker that the human has opened.
    Menu,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DialogChoice {
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Enter would take it.
    pub selected: bool,
    /// Whether schmux knows keys that choose it for sure.
    pub answerable: bool,
}

/// An answer to a dialog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// The dialog's `id`.
    pub dialog: String,
    /// Which of its choices, from 0.
    pub choice: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnswerReply {
    /// Whether the dialog was seen to close. If not, its keys were sent and it still stands there.
    pub closed: bool,
}

/// Why a session is shown as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Why {
    pub session_id: String,
    pub verdict: Verdict,
    /// What every source says, the strongest kinds first.
    pub votes: Vec<Vote>,
    /// The last changes since the daemon started, newest first.
    pub changes: Vec<StateChange>,
    /// How often what was told was not what was seen, and the last time in words.
    pub drifts: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_drift: Option<String>,
    /// Whose screens are read for it: a known agent's, or `generic`.
    pub reader: String,
}

/// What one source says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Vote {
    /// `screen`, `title`, `hook`, `aside`, `status_file`, `events_file`, `marker`, `cli`, `life`,
    /// `front`, `children`, `output`, `bell`, `human`, `message` or `model`.
    pub source: String,
    /// In words. Untrusted text.
    pub says: String,
    /// The state that it speaks for, if it speaks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Status>,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub age_ms: u64,
    /// The rule that won goes by it.
    pub decided: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StateChange {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub from: Status,
    pub to: Status,
    pub confidence: Confidence,
    pub rule: String,
}

pub(super) fn verdict(verdict: &evidence::Verdict) -> Verdict {
    Verdict {
        state: verdict.state.into(),
        confidence: verdict.confidence.into(),
        rule: verdict.rule.text().to_owned(),
        message: verdict.message.clone(),
        since: timestamp(verdict.since),
    }
}

pub fn dialog(session: &fleet::Session) -> Option<Dialog> {
    let (dialog, _) = session.judge.dialog()?;
    let since = session.judge.dialog_since().unwrap_or_default();
    let choice = |(at, choice): (usize, &reading::Choice)| DialogChoice {
        label: choice.label.clone(),
        detail: choice.detail.clone(),
        selected: dialog.selected == Some(at),
        answerable: !choice.keys.is_empty() && !dialog.multiple,
    };
    Some(Dialog {
        id: dialog_id(dialog.fingerprint, since),
        kind: dialog.kind.into(),
        title: dialog.title.clone(),
        question: dialog.question.clone(),
        body: dialog.body.clone(),
        choices: dialog.choices.iter().enumerate().map(choice).collect(),
        multiple: dialog.multiple,
        since: timestamp(since),
    })
}

/// Two dialogs with the same words, one after the other, have different ids.
fn dialog_id(fingerprint: u64, since: Moment) -> String {
    format!("{:x}-{fingerprint:016x}", since.0)
}

pub fn why(session: &fleet::Session, reader: &str, now: Moment) -> Why {
    let judge = &session.judge;
    let shown = judge.shown();
    let votes = judge.votes(now).into_iter().map(|vote| Vote {
        decided: shown.rule.goes_by(vote.voice),
        source: voice(vote.voice),
        says: vote.says,
        state: vote.state.map(Into::into),
        at: timestamp(vote.at),
        age_ms: vote.age_ms,
    });
    let change = |change: &evidence::Change| StateChange {
        at: timestamp(change.at),
        from: change.from.into(),
        to: change.to.into(),
        confidence: change.confidence.into(),
        rule: change.rule.text().to_owned(),
    };
    let mut changes: Vec<StateChange> = judge.history().map(change).collect();
    changes.reverse();
    let (drifts, last) = &session.drifts;
    Why {
        session_id: session.id.to_string(),
        verdict: verdict(shown),
        votes: votes.collect(),
        changes,
        drifts: *drifts,
        last_drift: Some(last.clone()).filter(|last| !last.is_empty()),
        reader: reader.to_owned(),
    }
}

fn voice(voice: Voice) -> String {
    // The same words as in its own JSON.
    let word = serde_json::to_value(voice).unwrap_or_default();
    word.as_str().unwrap_or_default().to_owned()
}

impl From<reading::DialogKind> for DialogKind {
    fn from(kind: reading::DialogKind) -> DialogKind {
        match kind {
            reading::DialogKind::Permission => DialogKind::Permission,
            reading::DialogKind::Question => DialogKind::Question,
            reading::DialogKind::Plan => DialogKind::Plan,
            reading::DialogKind::Trust => DialogKind::Trust,
            reading::DialogKind::Login => DialogKind::Login,
            reading::DialogKind::Menu => DialogKind::Menu,
            reading::DialogKind::Other => DialogKind::Other,
        }
    }
}
