//! Sessions and their workspaces, as everyone sees them.

use jiff::Timestamp;
use schmux_core::evidence;
use schmux_core::fleet::{self, Fleet, Life};
use schmux_core::signal::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Dialog, HostStatus, MessageReceipt, Said, Verdict, attention, receipt, state, timestamp,
};

/// What a session is doing, as far as schmux can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was asked for and its pane is not there yet.
    Starting,
    Working,
    /// It asks for permission or an answer.
    NeedsInput,
    /// It wants the human to try something.
    NeedsTesting,
    Completed,
    Error,
    /// Its turn ended, and it did not say how.
    Idle,
    /// Its program runs and nothing has told us more.
    Unknown,
    /// Its program has ended; the last screen is still there.
    Exited,
    /// Its tmux server can't be reached at the moment.
    Unreachable,
}

/// One agent in one tmux session, in a workspace, on a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Session {
    /// `<workspace id>-<8 characters>`.
    pub id: String,
    pub workspace_id: String,
    /// What was asked to run: `claude`, `demo`, a name from `config.toml`.
    pub target: String,
    #[serde(default)]
    pub nickname: Option<String>,
    /// `local`, or the name of another host.
    pub host: String,
    pub status: Status,
    /// How sure the status is, why, and since when.
    #[serde(default)]
    #[schema(required = true)]
    pub verdict: Verdict,
    /// The dialog on its screen, if one is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<Dialog>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When its pane last printed something, to the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_output_at: Option<Timestamp>,
    /// Why it is unreachable, or how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The title that the program gave its terminal. Untrusted text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The command line that runs in the pane.
    pub command: Vec<String>,
    /// Whether the user started it by hand and schmux only watches it.
    pub adopted: bool,
    pub cols: u16,
    pub rows: u16,
    pub tmux_session: String,
    /// tmux's id of its pane, for one that was adopted: `%5`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<String>,
    /// A command that attaches a terminal to it without schmux.
    pub attach_cmd: String,
    pub status_file: String,
    pub events_file: String,
    #[serde(flatten)]
    pub said: Said,
    /// Messages to it whose fate is not known yet, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mail: Vec<MessageReceipt>,
}

/// How a workspace's directory came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceKind {
    /// It was there before; schmux never removes it.
    Directory,
    Worktree,
    Clone,
}

/// A directory where agents work, with the sessions in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Workspace {
    /// Like `myproj-001`.
    pub id: String,
    pub path: String,
    pub kind: WorkspaceKind,
    pub host: String,
    /// The branch that a worktree was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    pub sessions: Vec<Session>,
}

/// What `/ws/dashboard` sends: everything of a kind, whenever something of it changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DashboardMessage {
    Sessions {
        workspaces: Vec<Workspace>,
    },
    /// Other hosts, and what their connect commands ask.
    Hosts {
        hosts: Vec<HostStatus>,
    },
    /// Nothing changed for a while, and the daemon is there.
    Alive {},
}

/// All workspaces with their sessions: newest workspace first, and in each the
/// newest session first.
pub fn workspaces(fleet: &Fleet) -> Vec<Workspace> {
    let mut workspaces: Vec<Workspace> = fleet
        .workspaces()
        .map(|workspace| {
            let own = fleet.sessions().filter(|session| session.workspace == workspace.id);
            let mut sessions: Vec<Session> =
                own.map(|session| session_of(session, &workspace.path)).collect();
            sessions.sort_by(|a, b| b.created_at.cmp(&a.created_at).then(a.id.cmp(&b.id)));
            Workspace {
                id: workspace.id.to_string(),
                path: workspace.path.clone(),
                kind: workspace.kind.into(),
                host: workspace.host.to_string(),
                branch: workspace.branch.clone(),
                created_at: timestamp(workspace.created_at),
                sessions,
            }
        })
        .collect();
    workspaces.sort_by(|a, b| b.created_at.cmp(&a.created_at).then(a.id.cmp(&b.id)));
    workspaces
}

fn session_of(session: &fleet::Session, workspace: &str) -> Session {
    let (reason, exit_code) = match &session.life {
        Life::Starting | Life::Running => (None, None),
        Life::Exited { code, reason } => (reason.clone(), *code),
        Life::Unreachable { reason } => (Some(reason.clone()), None),
    };
    let size = session.size.unwrap_or(schmux_core::screen::Size { cols: 0, rows: 0 });
    let file = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    let (workspace, id) = (std::path::Path::new(workspace), session.id.as_str());
    Session {
        id: id.to_owned(),
        workspace_id: session.workspace.to_string(),
        target: session.target.clone(),
        nickname: session.nickname.clone(),
        host: session.host.to_string(),
        status: session.judge.shown().state.into(),
        verdict: state::verdict(session.judge.shown()),
        dialog: state::dialog(session),
        created_at: timestamp(session.created_at),
        last_output_at: session.last_output_at.map(timestamp),
        reason,
        exit_code,
        title: session.title.clone(),
        command: session.command.clone(),
        adopted: session.adopted,
        cols: size.cols,
        rows: size.rows,
        tmux_session: session.address.tmux_session.clone(),
        pane: session.address.pane.as_ref().map(|pane| pane.id.to_string()),
        attach_cmd: session.address.attach_command(),
        status_file: file(crate::workspaces::status_file(workspace, id)),
        events_file: file(crate::workspaces::events_file(workspace, id)),
        said: attention::said(session),
        mail: session.mail.iter().map(receipt).collect(),
    }
}

impl Status {
    pub const ALL: [Status; 10] = [
        Status::Starting,
        Status::Working,
        Status::NeedsInput,
        Status::NeedsTesting,
        Status::Completed,
        Status::Error,
        Status::Idle,
        Status::Unknown,
        Status::Exited,
        Status::Unreachable,
    ];

    /// Its name in JSON, and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Status::Starting => "starting",
            Status::Working => "working",
            Status::NeedsInput => "needs_input",
            Status::NeedsTesting => "needs_testing",
            Status::Completed => "completed",
            Status::Error => "error",
            Status::Idle => "idle",
            Status::Unknown => "unknown",
            Status::Exited => "exited",
            Status::Unreachable => "unreachable",
        }
    }

    /// Whether it waits for the human: it asks, wants something tried, or failed.
    pub fn needs_human(self) -> bool {
        matches!(self, Status::NeedsInput | Status::NeedsTesting | Status::Error)
    }

    pub(super) fn of_life(life: &Life) -> Status {
        match life {
            Life::Starting => Status::Starting,
            Life::Running => Status::Unknown,
            Life::Exited { .. } => Status::Exited,
            Life::Unreachable { .. } => Status::Unreachable,
        }
    }
}

impl From<evidence::State> for Status {
    fn from(state: evidence::State) -> Status {
        match state {
            evidence::State::Completed => Status::Completed,
            evidence::State::NeedsInput => Status::NeedsInput,
            evidence::State::NeedsTesting => Status::NeedsTesting,
            evidence::State::Error => Status::Error,
            evidence::State::Working => Status::Working,
            evidence::State::Idle => Status::Idle,
            evidence::State::Unknown => Status::Unknown,
            evidence::State::Starting => Status::Starting,
            evidence::State::Exited => Status::Exited,
            evidence::State::Unreachable => Status::Unreachable,
        }
    }
}

impl From<State> for Status {
    fn from(state: State) -> Status {
        match state {
            State::Completed => Status::Completed,
            State::NeedsInput => Status::NeedsInput,
            State::NeedsTesting => Status::NeedsTesting,
            State::Error => Status::Error,
            State::Working => Status::Working,
        }
    }
}

impl From<WorkspaceKind> for fleet::WorkspaceKind {
    fn from(kind: WorkspaceKind) -> Self {
        match kind {
            WorkspaceKind::Directory => fleet::WorkspaceKind::Directory,
            WorkspaceKind::Worktree => fleet::WorkspaceKind::Worktree,
            WorkspaceKind::Clone => fleet::WorkspaceKind::Clone,
        }
    }
}

impl From<fleet::WorkspaceKind> for WorkspaceKind {
    fn from(kind: fleet::WorkspaceKind) -> Self {
        match kind {
            fleet::WorkspaceKind::Directory => WorkspaceKind::Directory,
            fleet::WorkspaceKind::Worktree => WorkspaceKind::Worktree,
            fleet::WorkspaceKind::Clone => WorkspaceKind::Clone,
        }
    }
}
