//! What `schmux attach` and the daemon say to each other, over the Unix socket
//! only (`/ws/attach/{id}`).

use serde::{Deserialize, Serialize};

/// From the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AttachMessage {
    /// Keys wait from now on; the answer is [`AttachNote::Closed`].
    Close { number: u64 },
    /// They go on, those that waited first; without `replay` those are taken back.
    Open { replay: bool },
}

/// To the daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AttachNote {
    Closed {
        number: u64,
    },
    /// Someone has typed into the pane.
    Typed {
        keys: TypedKeys,
    },
    /// What waited and was not typed, because a dialog had opened.
    Withheld {
        text: String,
    },
}

/// The most that was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypedKeys {
    Text,
    /// Tab or Shift-Tab: agents switch between answers and modes by it.
    Tab,
    Enter,
}
