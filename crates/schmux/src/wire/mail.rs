//! Messages to agents, and what became of them.

use jiff::Timestamp;
use schmux_core::courier::message::{self, Sender};
use schmux_core::courier::receipt::{Receipt, Stamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::timestamp;
use crate::store::Letter;

/// A text for one agent or several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageRequest {
    /// Sessions: ids, nicknames or beginnings of ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to: Vec<String>,
    /// All sessions that run.
    #[serde(default)]
    pub all: bool,
    /// Those that wait for the human.
    #[serde(default)]
    pub needs_me: bool,
    /// Up to 1 MB, of any lines and characters.
    pub text: String,
    /// Goes before the others, and while the agent works where that is safe.
    #[serde(default)]
    pub urgent: bool,
    /// Seconds after which it isn't worth delivering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_s: Option<u64>,
}

/// How far a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageState {
    Queued,
    /// It waits, and `reason` says for what.
    Held,
    /// It stands in the agent's field.
    Written,
    /// The agent took Enter.
    Submitted,
    /// The agent has it for sure.
    Confirmed,
    /// It may or may not have been sent; it will not be sent again.
    Indeterminate,
    /// It was not sent, and will not be.
    Failed,
}

impl MessageState {
    pub fn word(self) -> &'static str {
        match self {
            MessageState::Queued => "queued",
            MessageState::Held => "held",
            MessageState::Written => "written",
            MessageState::Submitted => "submitted",
            MessageState::Confirmed => "confirmed",
            MessageState::Indeterminate => "indeterminate",
            MessageState::Failed => "failed",
        }
    }

    /// Whether nothing more is going to happen.
    pub fn is_final(self) -> bool {
        use MessageState::{Confirmed, Failed, Indeterminate};
        matches!(self, Confirmed | Indeterminate | Failed)
    }
}

/// One step in a message's life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageReceipt {
    pub message_id: i64,
    pub state: MessageState,
    /// Why it waits, how it was proven, or why it failed, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// A message with all that became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Message {
    pub id: i64,
    pub session_id: String,
    /// The session that sent it; absent for a human.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub text: String,
    pub urgent: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    pub state: MessageState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Oldest first.
    pub receipts: Vec<MessageReceipt>,
}

/// Which messages to tell.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Only of this session: its id, its nickname or the beginning of its id.
    pub session: Option<String>,
    /// Also those whose fate is known.
    #[serde(default)]
    pub all: bool,
    /// Default 100, at most 1000.
    pub limit: Option<u32>,
}

/// A message that the agent has fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InboxMessage {
    pub id: i64,
    /// The session that sent it; absent for a human.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// With the line above it that says who wrote it, and how to answer.
    pub text: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// A hook has passed on the message that came with its answer, or couldn't.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PassedRequest {
    pub session_id: String,
    /// The hook's call, as in its `HookRequest`.
    pub id: String,
    pub passed: bool,
}

/// The call that a record of the events file tells of.
pub fn passed_call(record: &str) -> Option<String> {
    let told: PassedRequest = serde_json::from_str(record).ok()?;
    told.passed.then_some(told.id)
}

pub fn inbox_message(message: &message::Message) -> InboxMessage {
    InboxMessage {
        id: message.id.0,
        from: match &message.from {
            Sender::Human => None,
            Sender::Agent(session) => Some(session.to_string()),
        },
        text: message.words().into_owned(),
        at: timestamp(message.created_at),
    }
}

pub fn receipt(stamp: &Stamp) -> MessageReceipt {
    let (state, reason) = match &stamp.receipt {
        Receipt::Queued => (MessageState::Queued, None),
        Receipt::Held(hold) => (MessageState::Held, Some(hold.to_string())),
        Receipt::Overdue(hold) => (MessageState::Held, Some(format!("{hold}; it waits for long"))),
        Receipt::Written => (MessageState::Written, None),
        Receipt::Submitted => (MessageState::Submitted, None),
        Receipt::Handed(_) => (MessageState::Written, Some("given to its hook".to_owned())),
        Receipt::Passed => (MessageState::Submitted, Some("passed on without a key".to_owned())),
        Receipt::Confirmed(proof) => (MessageState::Confirmed, Some(proof.to_string())),
        Receipt::Indeterminate(doubt) => (MessageState::Indeterminate, Some(doubt.to_string())),
        Receipt::Failed(failure) => (MessageState::Failed, Some(failure.to_string())),
    };
    MessageReceipt { message_id: stamp.message.0, state, reason, at: timestamp(stamp.at) }
}

pub fn message(letter: &Letter) -> Message {
    let receipts: Vec<MessageReceipt> = letter.receipts.iter().map(receipt).collect();
    let last = receipts.last();
    Message {
        id: letter.message.id.0,
        session_id: letter.session.to_string(),
        from: match &letter.message.from {
            Sender::Human => None,
            Sender::Agent(session) => Some(session.to_string()),
        },
        text: letter.message.text.clone(),
        urgent: letter.message.urgent,
        created_at: timestamp(letter.message.created_at),
        expires_at: letter.message.expires_at.map(timestamp),
        state: last.map_or(MessageState::Queued, |last| last.state),
        reason: last.and_then(|last| last.reason.clone()),
        receipts,
    }
}
