//! What agents and scripts tell by themselves.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an agent's hook tells. The same object goes to the events file, as a
/// line of type `hook`, if the daemon doesn't answer in time: of two with the
/// same `id` the second is dropped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HookRequest {
    /// Random, one for each call of a hook.
    pub id: String,
    pub session_id: String,
    /// The known agent whose hook it is.
    pub agent: String,
    /// The agent's own name for what has happened.
    pub event: String,
    #[schema(value_type = String, format = DateTime)]
    pub ts: Timestamp,
    /// The agent's JSON. Long strings in it are cut.
    #[schema(value_type = Object)]
    pub payload: serde_json::Value,
    /// Nothing that it prints reaches the agent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deaf: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HookReply {
    /// What the hook prints, for the agent to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// There is a message in it: `POST /api/hook/passed` tells when it was printed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub message: bool,
}

/// A signal from a script, for `POST /api/sessions/{id}/signal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignalRequest {
    /// Random, so that a signal which is also in the events file counts once.
    pub id: String,
    #[schema(value_type = String)]
    pub state: schmux_core::signal::State,
    #[serde(default)]
    pub message: String,
    /// `progress`, `task`, `blocker` and whatever else there is to say.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub details: std::collections::BTreeMap<String, String>,
}
