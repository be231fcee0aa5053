//! Hosts, on the wire.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How it stands with a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HostState {
    /// Nobody has needed it yet, or it was disconnected.
    Idle,
    Connecting,
    Connected,
    /// It is tried again and again; `reason` says why it fails.
    Unreachable,
}

/// A place where agents can live, besides this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostStatus {
    pub name: String,
    /// The command that reaches it.
    pub connect: Vec<String>,
    pub state: HostState,
    /// Since when it is in this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What its connect command asks the human, and waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<HostPrompt>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tmux_version: Option<String>,
    /// Like `Linux x86_64`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// How far its clock is ahead of this machine's, in milliseconds, to the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_skew_ms: Option<i64>,
    /// Whether writes to signal files are noticed there at once, or polled for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified: Option<bool>,
    /// Agents that were found there.
    pub agents: Vec<String>,
    pub sessions: u32,
    /// Whether it stands in `config.toml`, rather than being added by `host add`.
    pub from_config: bool,
    /// Whether a command of its own ends what runs there when it is let go.
    #[serde(default)]
    pub releases: bool,
}

/// A question of a connect command: a passphrase, a host key, a second factor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostPrompt {
    pub id: u64,
    /// In the command's own words. Untrusted text.
    pub text: String,
    /// Whether the answer must not be shown.
    pub secret: bool,
}

/// A host to be known from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostRequest {
    pub name: String,
    /// A command that runs the rest of its arguments there.
    pub connect: Vec<String>,
    /// The same with a terminal, for `schmux attach`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attach: Vec<String>,
}

/// A question, for `POST /api/hosts/{name}/ask`; the answer comes when a human gave it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AskRequest {
    pub text: String,
    pub secret: bool,
}

/// What a human answers to a host's prompt. Without `answer` it is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptAnswer {
    pub id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}
