//! The daemon itself, its health and its errors.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The daemon, as `schmux status --json` tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DaemonStatus {
    pub version: String,
    pub pid: u32,
    pub home: String,
    pub url: String,
    pub port: u16,
    /// The name of the first tmux server's socket (`tmux -L NAME`).
    pub tmux_socket: String,
    pub tmux_version: String,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    pub sessions: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`: a daemon that answers is well.
    pub status: String,
    pub version: String,
}

/// A link that logs a browser in. Told on the Unix socket only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Login {
    pub url: String,
    /// The same for other devices, if the daemon is bound to the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_url: Option<String>,
}

/// How one of `schmux doctor`'s checks came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    Ok,
    Warning,
    Error,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Check {
    pub name: String,
    pub result: CheckResult,
    pub detail: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Every error of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiError {
    /// A stable word for programs: `no_such_session`, `unknown_target`, …
    pub code: String,
    /// What failed, and on what.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}
