//! The JSON of the API: the only module that knows it.
//!
//! Every type here is part of the public contract: it goes out by HTTP, over
//! the sockets and through `--json`, and `web/src/api/schema.d.ts` is generated
//! from it. Nothing in here decides anything.

mod attach;
mod attention;
mod edit;
mod git;
mod hosts;
mod launch;
mod mail;
mod replay;
mod settings;
mod state;

use jiff::Timestamp;
use schmux_core::evidence;
use schmux_core::fleet::{self, Fleet, Life, Socket};
use schmux_core::sh;
use schmux_core::signal::State;
use schmux_core::time::Moment;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub use attach::*;
pub use attention::*;
pub use edit::*;
pub use git::*;
pub use hosts::*;
pub use launch::*;
pub use mail::*;
pub use replay::*;
pub use settings::*;
pub use state::*;

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// Keys for a pane: first `text` (as typed), then `paste`, then `keys` by tmux name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeysRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Text that arrives as one bracketed paste where the program asked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paste: Option<String>,
    /// tmux key names: `Enter`, `C-c`, `Up`, …
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

/// How much to capture.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
pub struct CaptureQuery {
    /// Lines of history above the visible screen. Default 0.
    #[serde(default)]
    pub history: u32,
    /// Keep colours and attributes as escape sequences.
    #[serde(default)]
    pub ansi: bool,
}

/// A pane's screen as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Capture {
    pub text: String,
    pub cols: u16,
    pub rows: u16,
    /// Column and row of the cursor, from 0.
    pub cursor: (u16, u16),
    /// Whether the program shows it.
    #[serde(default)]
    #[schema(required = true)]
    pub cursor_visible: bool,
    pub alternate_screen: bool,
}

/// A tmux session outside schmux in which an agent runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adoptable {
    /// The path of the tmux server's socket.
    pub socket: String,
    pub tmux_session: String,
    pub pane: String,
    /// The known agent that runs in it, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    pub command: String,
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AdoptRequest {
    /// The tmux session to take over.
    pub tmux_session: String,
    /// A socket's path, or a name as for `tmux -L`. Default: tmux's own default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
}

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
}

/// Text frames from the daemon on `/ws/terminal/{id}`. Binary frames are
/// terminal bytes: right after a `keyframe` the one that redraws everything,
/// otherwise the pane's output as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TerminalMessage {
    /// The next binary frame replaces the whole terminal, which has this size.
    Keyframe {
        cols: u16,
        rows: u16,
        /// How many lines of history precede the screen in it. With `null` the
        /// terminal keeps the scrollback it has: only the screen is redrawn.
        history: Option<u32>,
        reason: KeyframeReason,
    },
    /// The pane's size, and whether this viewer is the one that sets it.
    Size { cols: u16, rows: u16, owner: bool },
    /// The program has ended. The socket stays open for reading.
    Exited { exit_code: Option<i32> },
    /// The tmux server was lost; a keyframe follows when it is back.
    Unreachable { reason: String },
    /// The session was disposed. The socket closes.
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyframeReason {
    /// The first one of this connection.
    Attached,
    /// This viewer fell behind and what it missed was skipped.
    Behind,
    /// The pane was resized, or tmux was read again after a pause or a reconnect.
    Reseeded,
    /// This viewer asked.
    Requested,
}

/// Text frames from the browser on `/ws/terminal/{id}`. Binary frames are keys, as bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TerminalRequest {
    /// How many bytes of binary frames have been drawn since the connection began.
    Ack { bytes: u64 },
    /// The size that this viewer would like. Granted to the owner; with `claim` it becomes the owner.
    Resize {
        cols: u16,
        rows: u16,
        #[serde(default)]
        claim: bool,
    },
    /// Text to paste; tmux frames it if the program asked for bracketed paste.
    Paste { text: String },
    /// Asks for a keyframe with this many lines of history.
    Refresh { history: u32 },
}

/// The query of `/ws/terminal/{id}`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
pub struct TerminalQuery {
    /// Lines of history in the first keyframe. Default 1000.
    pub history: Option<u32>,
    /// With `ack=1` the viewer acknowledges what it has drawn, and gets no more
    /// than 1 MB ahead of that.
    #[serde(default)]
    pub ack: u8,
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
        attach_cmd: attach_command(&session.address),
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

    fn of_life(life: &Life) -> Status {
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

/// A command line for a shell.
fn attach_command(address: &fleet::Address) -> String {
    let (flag, socket) = match &address.socket {
        Socket::Name(name) => ("-L", name),
        Socket::Path(path) => ("-S", path),
    };
    let target = format!("={}", address.tmux_session);
    if address.via.is_empty() {
        let words = ["tmux", flag, socket, "attach", "-t", &target];
        return shlex::try_join(words).unwrap_or_else(|_| words.join(" "));
    }
    // A shell over there may read these words once more: none of them is
    // anything but letters, digits, dashes and slashes.
    let words = ["tmux", "-u", flag, socket, "attach", "-t", &address.tmux_session];
    let via = address.via.iter().map(String::as_str);
    sh::join(via.chain(words))
}

pub(crate) fn timestamp(moment: Moment) -> Timestamp {
    Timestamp::from_millisecond(moment.0).unwrap_or_default()
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
