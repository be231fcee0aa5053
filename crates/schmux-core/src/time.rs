//! Moments, as numbers that come in from outside.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970, by the daemon's clock.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Moment(pub i64);

impl Moment {
    /// How long ago `earlier` was; zero if the clock went backwards.
    pub fn since(self, earlier: Moment) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}
