//! What is known of a session and of the workspace it is in.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Overheard, is_shell};
use crate::courier::receipt::Stamp;
use crate::evidence::{Judge, Kind, Verdict};
use crate::ids::{HostId, PaneId, SessionId, WorkspaceId};
use crate::nudge::Attention;
use crate::nudgenik::Read;
use crate::screen::Size;
use crate::time::Moment;

/// How a workspace's directory came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceKind {
    Directory,
    Worktree,
    Clone,
}

/// A directory where agents work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub path: String,
    pub kind: WorkspaceKind,
    pub branch: Option<String>,
    pub host: HostId,
    pub created_at: Moment,
}

/// Where in tmux a session lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub socket: Socket,
    /// The tmux session's name. For ours it is the session's id.
    pub tmux_session: String,
    /// The pane in it, for one that the user started or moved; without one it is the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pane: Option<TmuxPane>,
    /// For a session elsewhere: the command that brings a terminal there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// And the tmux there, if it isn't found by that name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tmux: String,
}

/// A pane, whatever its tmux session is called and wherever in it it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TmuxPane {
    pub id: PaneId,
    /// Which run of the tmux server it belongs to, in the server's own words: the
    /// next one gives the same ids again, to others.
    pub server: String,
}

/// A tmux server, by the name or the path of its socket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Socket {
    /// As for `tmux -L`.
    Name(String),
    /// As for `tmux -S`.
    Path(String),
}

/// What has become of a session's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    Starting,
    Running,
    Exited { code: Option<i32>, reason: Option<String> },
    Unreachable { reason: String },
}

/// What a program was given to begin with, so that another one can be started like it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Arguments besides the target's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}

/// How a session stood before a gap in which nobody could see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stood {
    pub verdict: Verdict,
    /// Something was submitted to it since: if it stands so after the gap it does so again,
    /// and that is news.
    #[serde(default)]
    pub given: bool,
}

/// One agent in one tmux session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: SessionId,
    pub workspace: WorkspaceId,
    pub target: String,
    /// The known agent behind the target, if there is one.
    #[serde(default)]
    pub agent: Option<String>,
    pub nickname: Option<String>,
    pub host: HostId,
    pub address: Address,
    /// Started by the user and only watched by us.
    pub adopted: bool,
    pub command: Vec<String>,
    /// Not known of what was adopted, or started before this was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
    /// The shell that its program is a script of: tmux calls that the program in
    /// front as long as it runs.
    #[serde(default)]
    pub script_of: Option<String>,
    pub created_at: Moment,
    pub life: Life,
    /// When its program was seen to have ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Moment>,
    /// What it has said, and who was told.
    #[serde(default)]
    pub attention: Attention,
    /// Its messages whose fate is not known yet, in their order, with the last
    /// receipt of each.
    #[serde(default)]
    pub mail: Vec<Stamp>,
    #[serde(default)]
    pub overheard: Overheard,
    #[serde(skip)]
    pub judge: Judge,
    /// What the judge says.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
    /// How it stood when it could last be seen. In the words of another version it is
    /// as if it weren't known.
    #[serde(default, deserialize_with = "if_known", skip_serializing_if = "Option::is_none")]
    pub stood: Option<Stood>,
    /// It ran when it was stored, so that it runs is no news.
    #[serde(skip)]
    pub ran: bool,
    /// What was last made of its words. It counts only while the verdict rests on it.
    #[serde(skip)]
    pub read: Option<Read>,
    /// How often what was told was not what was seen, and the last time in words.
    #[serde(skip)]
    pub drifts: (u64, String),
    /// Lines that looked like markers and were none, since the daemon started,
    /// and the last of them.
    #[serde(skip)]
    pub near_misses: (u64, String),
    #[serde(skip)]
    pub title: Option<String>,
    /// The name of the program in front, as tmux tells it.
    #[serde(skip)]
    pub front: Option<String>,
    #[serde(skip)]
    pub last_output_at: Option<Moment>,
    #[serde(skip)]
    pub size: Option<Size>,
}

impl Session {
    pub(super) fn new_judge(&self) -> Judge {
        let kind = match (&self.agent, self.command.first()) {
            (Some(_), _) => Kind::Agent,
            (None, Some(program)) if is_shell(program) => Kind::Shell,
            _ => Kind::Other,
        };
        Judge::new(self.created_at, kind)
    }

    /// A session that was just asked for, of which nothing more is known.
    pub fn new(
        id: SessionId,
        workspace: WorkspaceId,
        host: HostId,
        address: Address,
        created_at: Moment,
    ) -> Session {
        Session {
            id,
            workspace,
            target: String::new(),
            agent: None,
            nickname: None,
            host,
            address,
            adopted: false,
            command: Vec::new(),
            asked: None,
            script_of: None,
            created_at,
            life: Life::Starting,
            ended_at: None,
            attention: Attention::default(),
            mail: Vec::new(),
            overheard: Overheard::default(),
            judge: Judge::default(),
            verdict: None,
            stood: None,
            ran: false,
            read: None,
            drifts: (0, String::new()),
            near_misses: (0, String::new()),
            title: None,
            front: None,
            last_output_at: None,
            size: None,
        }
    }
}

/// Reads what may have been written by a version that knows more.
fn if_known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Stood>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Read {
        Known(Stood),
        Other(IgnoredAny),
    }
    Ok(match Read::deserialize(deserializer)? {
        Read::Known(stood) => Some(stood),
        Read::Other(_) => None,
    })
}
