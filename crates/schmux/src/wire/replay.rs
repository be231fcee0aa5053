//! Recordings of what sessions printed.
//!
//! Moments in here are milliseconds since 1970, because there are many of them.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::HistoryEntry;

/// A recording, for `GET /api/replays`: newest first. Those of sessions that
/// were disposed stay until they are the oldest and the space is needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Recording {
    pub session_id: String,
    /// Absent when the session was disposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    /// The first and the last moment in it.
    pub from: i64,
    pub to: i64,
    /// What it takes on disk.
    pub bytes: u64,
}

/// An overview of a recording, for `GET /api/sessions/{id}/replay`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Replay {
    #[serde(flatten)]
    pub recording: Recording,
    /// How much was printed when, for a time line.
    pub activity: Vec<Activity>,
    /// When nothing was recorded, and why.
    pub gaps: Vec<Gap>,
    /// Signals, calls, messages and ends within it, oldest first.
    pub marks: Vec<HistoryEntry>,
}

/// A stretch of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Activity {
    pub from: i64,
    pub to: i64,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Gap {
    pub from: i64,
    pub to: i64,
    pub reason: GapReason,
}

/// Why a part of a recording is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GapReason {
    /// It printed more than anyone could read.
    Flood,
    /// The disk could not keep up.
    Behind,
    /// The daemon or its connection to tmux was away.
    Away,
}

/// The query of `GET /api/sessions/{id}/replay/frames`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FramesQuery {
    /// The moment to begin at. Frames start with the keyframe at or before it,
    /// so play those up to `from` at once. Default: the beginning.
    pub from: Option<i64>,
    /// Only those before this moment.
    pub to: Option<i64>,
    /// Goes on where an answer ended (its `next`); `from` is not looked at then.
    pub after: Option<String>,
    /// About how many bytes of output in one answer. Default 1 MB, at most 8 MB.
    pub limit: Option<u32>,
}

/// A part of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplayFrames {
    pub frames: Vec<ReplayFrame>,
    /// The `after` of the next question; absent at the end of the recording (or at `to`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// One step of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ReplayFrame {
    /// Resets the terminal, gives it this size, and redraws it with `data`.
    Keyframe { at: i64, cols: u16, rows: u16, data: String },
    /// What was printed. Characters are never cut.
    Output { at: i64, data: String },
    /// Nothing was recorded from here to the next keyframe.
    Gap { at: i64, reason: GapReason },
}

/// The query of `GET /api/sessions/{id}/replay/cast`, which answers with an
/// asciicast file; signals are its markers.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CastQuery {
    pub from: Option<i64>,
    pub to: Option<i64>,
    /// 2 or 3. Default 2, which every player reads.
    pub version: Option<u8>,
    /// Pauses longer than this many milliseconds are shortened to it.
    pub idle: Option<u32>,
}
