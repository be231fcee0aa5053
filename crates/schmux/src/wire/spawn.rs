//! What can be run, and what is asked for: spawning and adopting.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What to run, where, and how many of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpawnRequest {
    /// What to run. Needed unless `targets` or `preset` says it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
    /// Several at once, each `count` times; `target` comes before them if it is given too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// A preset of `config.toml`: it says what this request doesn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Where to run it: `local`, or the name of a host. Default: where the
    /// workspace is, or this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// A directory, or the id of a known workspace. Default: the home directory of the daemon's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// A branch: makes (or reuses) a git worktree for it, off the repository in `workspace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// A git URL to clone into a new workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clone: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Default 1, at most 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// More arguments for the target's command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cols: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u16>,
}

/// What kind of thing a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// The agent that comes with schmux and needs no key.
    Demo,
    /// A known agent.
    Agent,
    /// A model that a known agent runs.
    Model,
    /// A command from `config.toml`.
    Command,
}

/// Something that can be spawned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Target {
    pub name: String,
    pub kind: TargetKind,
    /// A few words for a person.
    pub description: String,
    /// The known agent behind it, if there is one (`claude-opus` → `claude`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    pub command: Vec<String>,
    /// Whether its program was found.
    pub available: bool,
    /// Where it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How to get it, if it was not found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
}

/// A pane of tmux outside schmux in which an agent runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adoptable {
    /// The host that it is on, if it isn't this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The path of the tmux server's socket.
    pub socket: String,
    pub tmux_session: String,
    /// tmux's id of the pane: `%5`.
    pub pane: String,
    /// The pane by its session, window and index, as tmux shows it: `work:2.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The known agent that runs in it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    pub command: String,
    pub path: String,
}

/// The query of `GET /api/adoptable`.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AdoptableQuery {
    /// Looks on this host only (`local` is this machine). Default: this machine and
    /// all hosts that are connected.
    #[serde(default)]
    pub host: Option<String>,
    /// Looks at this tmux server only, and tells of all its panes: a socket's path,
    /// or a name as for `tmux -L`.
    #[serde(default)]
    pub socket: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdoptRequest {
    /// The host that it is on. Default: this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The tmux session to take over. Of several panes it is the one in which an
    /// agent runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tmux_session: Option<String>,
    /// Which of its panes: an id (`%5`, which needs no session), a window (`2`, by
    /// its index or its name) or one in a window (`2.1`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<String>,
    /// A socket's path, or a name as for `tmux -L`. Default: tmux's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
}
