//! What can happen to the fleet, and what follows from it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Life, Session, TmuxPane, Workspace};
use crate::courier;
use crate::courier::message::{Message, MessageId};
use crate::courier::receipt::{Failure, Stamp};
use crate::evidence::{self, Confidence, Drift};
use crate::ids::{SessionId, WorkspaceId};
use crate::nudge::Heard;
use crate::nudgenik::Read;
use crate::reading::Reading;
use crate::screen::Size;
use crate::signal::aside::Aside;
use crate::signal::hook::Told;
use crate::signal::ledger::Ledger;
use crate::signal::{Signal, Source, State, events_file, status_file};
use crate::time::Moment;

/// What a host sees of a session's pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    Running,
    Exited {
        code: Option<i32>,
    },
    /// The pane is not in tmux any more.
    Gone {
        reason: String,
    },
    /// Its user has renamed its tmux session, or moved its pane to another one.
    Moved {
        tmux_session: String,
        pane: TmuxPane,
    },
    /// tmux can't be asked at the moment.
    Lost {
        reason: String,
    },
    Title(String),
    /// The name of the program in front.
    Front(String),
    Output {
        at: Moment,
    },
    Size(Size),
    /// The human typed something into it.
    Typed {
        at: Moment,
    },
    /// It rang the bell.
    Bell {
        at: Moment,
    },
    /// The human pressed Enter, Tab or Shift-Tab in it.
    Answered {
        at: Moment,
        enter: bool,
    },
    /// The courier pressed Enter behind a message.
    Submitted {
        at: Moment,
    },
    /// What it told its terminal of itself.
    Aside {
        says: Aside,
        at: Moment,
    },
    /// What its screen shows.
    Screen {
        reading: Box<Reading>,
        at: Moment,
        /// It may have told something aside before this that nobody heard.
        unheard: bool,
    },
    /// Markers in its output that are news, and what is known of markers now.
    Markers {
        signals: Vec<Signal>,
        ledger: Box<Ledger>,
        at: Moment,
    },
    /// What the human typed while a message was written, and was not typed in
    /// because a dialog had opened meanwhile, or may not have been because the way
    /// to its pane broke.
    Withheld {
        keys: String,
    },
    /// A line of its output that looks like a marker and is none.
    NearMiss {
        line: String,
    },
}

/// How far a source of a session has been read. It is stored in the same
/// transaction as what was read, so nothing is missed and nothing told twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Status(status_file::Reading),
    Events(events_file::Position),
    Markers(Ledger),
}

/// What a source brought of a session, oldest first.
#[derive(Debug, Clone)]
pub struct News {
    pub session: SessionId,
    pub items: Vec<Item>,
    /// How far the source has been read with that.
    pub place: Option<Place>,
    pub at: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Heard {
        heard: Heard,
        /// Names a call that may come by two ways; the second time it is passed over.
        id: Option<String>,
    },
    /// What a hook of the agent's told.
    Hook { told: Told, id: Option<String> },
    /// Nothing that changes a state, for the history.
    Record { kind: String, data: String },
}

/// One line of a session's history. Numbers only grow, over all sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub number: u64,
    pub at: Moment,
    pub session: SessionId,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum What {
    /// The agent said something of itself.
    Signal {
        state: State,
        message: String,
        source: Source,
        /// The number of the call that it made.
        nudge_seq: Option<u64>,
    },
    /// The call is over.
    Cleared { nudge_seq: u64 },
    /// The session began, ended, was lost or found.
    Life { life: Life },
    /// It is in another state, by all that is known.
    Verdict { state: evidence::State, confidence: Confidence, rule: String },
    /// What became of a message.
    Message { stamp: Stamp },
    /// Anything else that was written to its events file.
    Record { kind: String, data: String },
}

#[derive(Debug, Clone)]
pub enum Event {
    /// Sessions begin, and their workspace is known from now on: all of it or, if it
    /// can't be stored, nothing.
    SessionsAdded {
        workspace: Workspace,
        sessions: Vec<Session>,
    },
    /// Its directory is no more; it stays in the list while a session is in it.
    WorkspaceRemoved(WorkspaceId),
    /// The session is no more, and should not be remembered.
    SessionDisposed(SessionId),
    /// Its spawning failed before there was anything to see.
    SpawnFailed(SessionId, String),
    Seen(SessionId, Fact),
    News(News),
    /// Someone wants to tell the human of a call; only the first one may.
    Claim {
        session: SessionId,
        channel: String,
        seq: u64,
        /// Who asks; the same one is granted it again.
        by: String,
    },
    /// The human has seen the calls up to this one.
    Acknowledged {
        session: SessionId,
        seq: u64,
    },
    /// The time has come that [`super::Fleet::due`] told.
    Tick,
    /// A session's last words have been read, by a model or without one.
    Opinion {
        session: SessionId,
        read: Read,
        /// When the screen showed what it is about.
        at: Moment,
    },
    /// A message for the session's agent.
    Posted {
        session: SessionId,
        message: Message,
        /// Why it will not be delivered, if it won't.
        refused: Option<Failure>,
    },
    /// A human put a message before the others that wait.
    Promoted(MessageId),
    /// What became of messages, and how far the one under way is.
    Delivered {
        session: SessionId,
        save: Box<courier::Save>,
    },
}

/// How soon those who watch are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Urgency {
    #[default]
    Nothing,
    /// Together with whatever else changes within half a second.
    Soon,
    Now,
}

/// What follows from an event. Disk first, people second.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    pub save: Vec<Save>,
    pub tell: Urgency,
    /// Whether a claim was granted.
    pub granted: bool,
    /// Where what was told was not what was seen, for the log.
    pub drifts: Vec<(SessionId, Drift)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Save {
    Workspace(Workspace),
    Session(Arc<Session>),
    ForgetSession(SessionId),
    ForgetWorkspace(WorkspaceId),
    Place(SessionId, Place),
    Entry(Entry),
    /// A new message, with its receipts.
    Message(SessionId, Message, Vec<Stamp>),
    Promoted(MessageId, Moment),
    Delivery(SessionId, Box<courier::Save>),
}

impl Effects {
    /// Both, what came first first.
    pub(super) fn and(mut self, other: Effects) -> Effects {
        self.save.extend(other.save);
        self.tell = self.tell.max(other.tell);
        self.granted |= other.granted;
        self.drifts.extend(other.drifts);
        self
    }

    pub(super) fn now(save: Vec<Save>) -> Effects {
        Effects { save, tell: Urgency::Now, ..Effects::default() }
    }
}

impl Item {
    pub fn said(signal: Signal, id: Option<String>) -> Item {
        Item::Heard { heard: Heard::Said(signal), id }
    }
}
