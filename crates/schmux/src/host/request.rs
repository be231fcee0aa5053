//! What can be asked of a tmux server's task, and how it can fail.

use std::sync::Arc;

use schmux_core::courier;
use schmux_core::fleet::TmuxPane;
use schmux_core::ids::SessionId;
use schmux_core::reading::{AnswerError, Reader};
use schmux_core::screen::Size;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use tokio::sync::{mpsc, oneshot};

use super::desk::Input;
use super::errand::Errand;
use super::viewer::{Viewer, ViewerId};
use crate::wire::{Capture, SessionDetails, TypedKeys};

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
    #[error("a dialog opened while this waited to be typed; it was not typed")]
    Withheld,
    /// A dialog was not answered; nothing was chosen in it.
    #[error("{}", why_unanswered(.0))]
    Dialog(AnswerError),
    #[error("the daemon is shutting down")]
    ShuttingDown,
}

fn why_unanswered(error: &AnswerError) -> &'static str {
    match error {
        AnswerError::Gone => "that dialog is not on the screen any more",
        AnswerError::NoKeys => "no keys are known that choose this for sure",
        AnswerError::Stuck => "the dialog's selection did not move as it should",
    }
}

/// What becomes of a session that is disposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Its program is ended; an adopted one is let go instead.
    pub kill: bool,
    /// It is forgotten also if its server can't be reached now.
    pub forget: bool,
}

/// Which dialog is meant, and which of its choices.
#[derive(Debug, Clone, Copy)]
pub struct DialogAnswer {
    pub fingerprint: u64,
    /// Since when it is known to be open, at the latest.
    pub since: Moment,
    /// From 0.
    pub choice: usize,
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
    /// Reads its screen.
    pub reader: Arc<Reader>,
}

pub(super) enum Request {
    /// A session that should be there already, from before or by the user's hand.
    Expect {
        session: SessionId,
        tmux_session: String,
        /// Its pane there; without one it is the first.
        at: Option<TmuxPane>,
        adopted: bool,
        markers: Box<Ledger>,
        reader: Arc<Reader>,
    },
    /// Something was submitted to the agent, or it said elsewhere that it works.
    BeginTurn {
        session: SessionId,
    },
    Create {
        spec: Spec,
        answer: Answer<()>,
    },
    Dispose {
        session: SessionId,
        end: End,
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
    /// A human types.
    Type {
        session: SessionId,
        input: Input,
        answer: Option<Answer<()>>,
    },
    /// A human has typed, by a terminal of their own.
    Typed {
        session: SessionId,
        keys: TypedKeys,
    },
    /// Answers the dialog on its screen; whether that was seen to close.
    AnswerDialog {
        session: SessionId,
        wanted: DialogAnswer,
        answer: Answer<bool>,
    },
    Courier(CourierRequest),
    /// A script of ours runs in a hidden window.
    Errand(Errand),
    /// Files of ours are written where the server is, in this order.
    Put {
        files: Vec<(String, Vec<u8>)>,
        answer: Answer<()>,
    },
    Capture {
        session: SessionId,
        history: u32,
        ansi: bool,
        answer: Answer<Capture>,
    },
    Details {
        session: SessionId,
        answer: Answer<SessionDetails>,
    },
}

impl Request {
    /// The session whose pane it needs, if it can't do without.
    pub fn needs_pane_of(&self) -> Option<&SessionId> {
        match self {
            Request::BeginTurn { session }
            | Request::Unwatch { session, .. }
            | Request::Refresh { session, .. }
            | Request::Resize { session, .. }
            | Request::Type { session, .. }
            | Request::Typed { session, .. }
            | Request::AnswerDialog { session, .. }
            | Request::Capture { session, .. }
            | Request::Details { session, .. }
            | Request::Dispose { session, .. } => Some(session),
            // The courier asks again by itself; viewers may come early.
            Request::Courier(_)
            | Request::Watch { .. }
            | Request::Expect { .. }
            | Request::Create { .. }
            | Request::Errand(_)
            | Request::Put { .. } => None,
        }
    }
}

/// What the courier asks for. It has nobody to tell if the pane is gone: it
/// learns of that by the fleet.
pub(super) enum CourierRequest {
    /// Shows it the pane from now on.
    SitDown {
        session: SessionId,
        events: mpsc::Sender<courier::Event>,
    },
    /// Asks tmux for the pane's facts; the answer comes by the events.
    Look {
        session: SessionId,
        number: u64,
    },
    /// Keys that go past the gate are noted from now on.
    Watch {
        session: SessionId,
    },
    /// Presses Enter, unless one was noted: the answer tells whether it did.
    Submit {
        session: SessionId,
        answer: Answer<bool>,
    },
    /// Types into the pane, past the gate.
    Write {
        session: SessionId,
        input: Input,
        answer: Answer<()>,
    },
    Gate {
        session: SessionId,
        gate: courier::Gate,
    },
    Repaint {
        session: SessionId,
    },
}
