//! What makes spawning quick (presets, recent workspaces), and how a session was started.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use schmux_core::fleet::Fleet;

use super::{WorkspaceKind, timestamp};
use crate::store::Recent;

/// `[presets.NAME]` of `config.toml`, for `GET /api/presets`. A spawn request
/// that names it gets what it doesn't say itself from here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Preset {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub targets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}

/// A directory where something was spawned, for `GET /api/recent`: the last used first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecentWorkspace {
    pub path: String,
    pub kind: WorkspaceKind,
    pub host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The workspace's id, while it has sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// How many sessions are in it now.
    pub sessions: u32,
    #[schema(value_type = String, format = DateTime)]
    pub last_used_at: Timestamp,
}

/// How a session was started, for `GET /api/sessions/{id}/details`, as tmux knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SessionDetails {
    /// The command line that tmux runs, hooks and all, for a shell. Secrets in it are masked.
    pub command: String,
    /// The directory that it was started in.
    pub dir: String,
    /// The pid of the pane's first program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// What was set for it, by name.
    pub env: Vec<EnvVariable>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EnvVariable {
    pub name: String,
    /// Of a secret only its length is shown.
    pub value: String,
    pub secret: bool,
}

pub fn recent_workspaces(recent: &[Recent], fleet: &Fleet) -> Vec<RecentWorkspace> {
    let told = recent.iter().map(|recent| {
        let is_it =
            |w: &&schmux_core::fleet::Workspace| w.path == recent.path && w.host == recent.host;
        let workspace = fleet.workspaces().find(is_it);
        let sessions = workspace.map_or(0, |workspace| {
            fleet.sessions().filter(|session| session.workspace == workspace.id).count()
        });
        RecentWorkspace {
            path: recent.path.clone(),
            kind: recent.kind.into(),
            host: recent.host.to_string(),
            branch: recent.branch.clone(),
            workspace_id: workspace.filter(|_| sessions > 0).map(|w| w.id.to_string()),
            sessions: u32::try_from(sessions).unwrap_or(u32::MAX),
            last_used_at: timestamp(recent.used_at),
        }
    });
    told.collect()
}
