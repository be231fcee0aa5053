//! `[replay]`: whether and how much of what sessions print is recorded.

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Replay {
    pub enabled: bool,
    /// Of one session, compressed.
    pub session_mb: u32,
    /// Of all of them.
    pub total_mb: u32,
    pub days: u32,
}

impl Default for Replay {
    fn default() -> Self {
        // An agent prints some tens of MB a day, which take a tenth of that on disk.
        Replay { enabled: true, session_mb: 50, total_mb: 500, days: 14 }
    }
}
