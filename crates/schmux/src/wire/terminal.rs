//! A pane: keys for it, its screen as text, and what goes over `/ws/terminal/{id}`.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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
#[into_params(parameter_in = Query)]
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
#[into_params(parameter_in = Query)]
pub struct TerminalQuery {
    /// Lines of history in the first keyframe. Default 1000.
    pub history: Option<u32>,
    /// With `ack=1` the viewer acknowledges what it has drawn, and gets no more
    /// than 1 MB ahead of that.
    #[serde(default)]
    pub ack: u8,
}
