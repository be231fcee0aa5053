//! What can be asked of a tmux server's task, and how it can fail.

use schmux_core::ids::SessionId;
use schmux_core::screen::Size;
use schmux_core::signal::ledger::Ledger;
use tokio::sync::oneshot;

use super::viewer::{Viewer, ViewerId};
use crate::wire::Capture;

#[derive(Debug, Clone, thiserror::Error)]
pub enum HostError {
    #[error("{0} has no pane in tmux any more: dispose it, or spawn a new session")]
    NoPane(SessionId),
    #[error("the program of {0} has ended")]
    Ended(SessionId),
    /// Nothing was asked of it.
    #[error("tmux can't be reached at the moment: {0}")]
    Unreachable(String),
    /// Whether it did what it was asked is not known.
    #[error("the connection to tmux broke before it answered: {0}")]
    Lost(String),
    #[error("tmux refused: {0}")]
    Refused(String),
    #[error("the daemon is shutting down")]
    ShuttingDown,
}

pub type Answer<T> = oneshot::Sender<Result<T, HostError>>;

/// What to start in a new tmux session.
#[derive(Debug, Clone)]
pub struct Spec {
    pub session: SessionId,
    pub argv: Vec<String>,
    pub env: Vec<(String, String)>,
    pub dir: String,
    pub size: Size,
}

pub(super) enum Request {
    /// A session that should be there already, from before or by the user's hand.
    Expect {
        session: SessionId,
        tmux_session: String,
        adopted: bool,
        markers: Box<Ledger>,
    },
    /// Something was submitted to the agent, or it said elsewhere that it works.
    BeginTurn {
        session: SessionId,
    },
    Create {
        spec: Spec,
        answer: Answer<()>,
    },
    /// Ends the session's program; an adopted one can be let go instead.
    Dispose {
        session: SessionId,
        end: bool,
        answer: Answer<()>,
    },
    Watch {
        session: SessionId,
        viewer: Viewer,
        history: u32,
        answer: Answer<()>,
    },
    Unwatch {
        session: SessionId,
        viewer: ViewerId,
    },
    /// A keyframe: with history if the viewer asked for it, without if it fell behind.
    Refresh {
        session: SessionId,
        viewer: ViewerId,
        history: Option<u32>,
    },
    Resize {
        session: SessionId,
        viewer: ViewerId,
        size: Size,
        claim: bool,
    },
    /// Raw bytes, as a terminal would send them.
    Keys {
        session: SessionId,
        bytes: Vec<u8>,
        answer: Option<Answer<()>>,
    },
    /// Keys by tmux's names for them.
    NamedKeys {
        session: SessionId,
        keys: Vec<String>,
        answer: Answer<()>,
    },
    Paste {
        session: SessionId,
        text: Vec<u8>,
        answer: Option<Answer<()>>,
    },
    Capture {
        session: SessionId,
        history: u32,
        ansi: bool,
        answer: Answer<Capture>,
    },
}
