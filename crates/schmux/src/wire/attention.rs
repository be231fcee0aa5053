//! Calls for the human, who has seen them, and the history of what was said.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schmux_core::evidence::{self, Rule};
use schmux_core::fleet::{Entry, Life, Session, What};
use schmux_core::nudge;
use schmux_core::signal::{Signal, Source};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{MessageReceipt, Status, timestamp};

/// A call for the human, as it is open now, or what was made of a silent agent's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Nudge {
    /// `Completed`, `Needs Authorization`, `Needs User Testing` or `Error`.
    pub state: String,
    pub confidence: Confidence,
    /// What it follows from, for people: `status file`, `hook`, …; of an opinion
    /// whose it is, and the words that it rests on. Untrusted text.
    pub evidence: Vec<String>,
    /// What the agent said, or what it seems to want. Untrusted text.
    pub summary: String,
    pub source: NudgeSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    High,
    Medium,
    Low,
}

impl From<evidence::Confidence> for Confidence {
    fn from(confidence: evidence::Confidence) -> Confidence {
        match confidence {
            evidence::Confidence::High => Confidence::High,
            evidence::Confidence::Medium => Confidence::Medium,
            evidence::Confidence::Low => Confidence::Low,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NudgeSource {
    /// The agent said it.
    Agent,
    /// It was made out from its last words, by a language model or without one.
    /// It never rings and is not counted.
    Llm,
}

/// What a session has said, as part of the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Said {
    /// How the open call is shown: `Needs Authorization`, … Absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudge_state: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudge_summary: Option<String>,
    /// Counts the calls of this session. It only grows.
    #[serde(default)]
    #[schema(required = true)]
    pub nudge_seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nudge: Option<Nudge>,
    /// Since when the call is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub nudge_at: Option<Timestamp>,
    /// The newest call that the human has seen, on any device.
    #[serde(default)]
    #[schema(required = true)]
    pub acked_seq: u64,
    /// The newest call that some device has rung for.
    #[serde(default)]
    #[schema(required = true)]
    pub rung_seq: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_signal_at: Option<Timestamp>,
    /// What the agent adds to its state: `progress`, `task`, `blocker` and others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub details: BTreeMap<String, String>,
}

/// The channel of everything that rings for a person who looks at a page.
pub const RING: &str = "ring";

pub(super) fn said(session: &Session) -> Said {
    let attention = &session.attention;
    let nudge = attention.nudge.as_ref();
    let shown = nudge.map(spoken).or_else(|| guessed(session));
    Said {
        nudge_state: shown.as_ref().map(|nudge| nudge.state.clone()),
        nudge_summary: shown.as_ref().map(|nudge| nudge.summary.clone()),
        nudge_seq: attention.seq,
        nudge: shown,
        nudge_at: nudge.map(|nudge| timestamp(nudge.at)),
        acked_seq: attention.acked,
        rung_seq: attention.told(RING),
        last_signal_at: attention.last_signal_at.map(timestamp),
        details: attention.said.iter().flat_map(|said: &Signal| said.details.clone()).collect(),
    }
}

fn spoken(nudge: &nudge::Nudge) -> Nudge {
    Nudge {
        state: nudge.state.display_name().unwrap_or_default().to_owned(),
        confidence: Confidence::High,
        evidence: vec![source_name(nudge.source).to_owned()],
        summary: nudge.message.clone(),
        source: NudgeSource::Agent,
    }
}

/// What was made of its last words, while nothing better is known. It has no
/// number and no time, because nobody was called.
fn guessed(session: &Session) -> Option<Nudge> {
    let verdict = session.verdict.as_ref().filter(|verdict| verdict.rule == Rule::Opinion)?;
    let read = session.read.as_ref()?;
    let state = read.opinion.state.display_name()?;
    let quotes = read.opinion.evidence.iter().cloned();
    Some(Nudge {
        state: state.to_owned(),
        confidence: verdict.confidence.into(),
        evidence: std::iter::once(read.by.clone()).chain(quotes).collect(),
        summary: read.opinion.summary.clone(),
        source: NudgeSource::Llm,
    })
}

fn source_name(source: Source) -> &'static str {
    match source {
        Source::StatusFile => "status file",
        Source::EventsFile => "events file",
        Source::Marker => "marker",
        Source::Hook => "hook",
        Source::Cli => "schmux signal",
    }
}

/// The human has seen the calls of a session up to this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AckRequest {
    pub seq: u64,
}

/// A device wants to ring for a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RingRequest {
    pub seq: u64,
    /// A name for this device, so that it may ask again if the answer got lost.
    #[serde(default)]
    pub claim: String,
}

/// Whether this device is the one that rings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RingReply {
    pub granted: bool,
}

/// Which lines of the history to tell.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Those after this number, oldest first. Without it: the newest ones.
    pub after: Option<u64>,
    /// Only of this session: its id, its nickname or the beginning of its id.
    pub session: Option<String>,
    /// Default 100, at most 1000.
    pub limit: Option<u32>,
    /// With `after`: waits up to this many milliseconds (at most 25,000) for a line.
    pub wait_ms: Option<u64>,
}

/// One line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// Grows by one with every line, over all sessions.
    pub number: u64,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    pub session_id: String,
    #[serde(flatten)]
    pub what: HistoryWhat,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HistoryWhat {
    /// The agent said something of itself.
    Signal {
        state: Status,
        /// Untrusted text.
        message: String,
        /// `status_file`, `events_file`, `marker`, `hook` or `cli`.
        source: String,
        /// The number of the call that it made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nudge_seq: Option<u64>,
    },
    /// The call is over.
    Cleared { nudge_seq: u64 },
    /// The session runs, has ended, was lost or found.
    Life {
        status: Status,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// It is in another state, by all that is known of it.
    Verdict {
        state: Status,
        confidence: Confidence,
        /// Why, in words.
        rule: String,
    },
    /// What became of a message to it.
    Message { receipt: MessageReceipt },
    /// Anything else that was written to its events file, as it was written.
    Record { kind: String, data: String },
}

pub fn history_entry(entry: &Entry) -> HistoryEntry {
    let what = match entry.what.clone() {
        What::Signal { state, message, source, nudge_seq } => HistoryWhat::Signal {
            state: state.into(),
            message,
            source: source_word(source).to_owned(),
            nudge_seq,
        },
        What::Cleared { nudge_seq } => HistoryWhat::Cleared { nudge_seq },
        What::Life { life } => {
            let (reason, exit_code) = match &life {
                Life::Exited { code, reason } => (reason.clone(), *code),
                Life::Unreachable { reason } => (Some(reason.clone()), None),
                _ => (None, None),
            };
            HistoryWhat::Life { status: Status::of_life(&life), reason, exit_code }
        }
        What::Verdict { state, confidence, rule } => {
            HistoryWhat::Verdict { state: state.into(), confidence: confidence.into(), rule }
        }
        What::Message { stamp } => HistoryWhat::Message { receipt: super::receipt(&stamp) },
        What::Record { kind, data } => HistoryWhat::Record { kind, data },
    };
    HistoryEntry {
        number: entry.number,
        at: timestamp(entry.at),
        session_id: entry.session.to_string(),
        what,
    }
}

fn source_word(source: Source) -> &'static str {
    match source {
        Source::StatusFile => "status_file",
        Source::EventsFile => "events_file",
        Source::Marker => "marker",
        Source::Hook => "hook",
        Source::Cli => "cli",
    }
}
