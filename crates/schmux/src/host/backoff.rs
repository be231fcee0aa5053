//! How long to wait before a broken connection is tried again.

use std::time::Duration;

/// Pauses that grow after failures and begin small again after a connection that held.
pub(super) struct Backoff {
    failures: u32,
    /// How often the first pause may be doubled.
    most: u32,
}

/// The failures after which the pause is 1.6 s.
const ASKED: u32 = 5;

impl Backoff {
    pub fn new(most: u32) -> Backoff {
        Backoff { failures: 0, most }
    }

    pub fn lasted(&mut self, time: Duration) {
        if time > Duration::from_secs(10) {
            self.failures = 0;
        }
    }

    /// A human asked for it. If that fails it is not tried again at once: each
    /// attempt may ask them something.
    pub fn asked(&mut self) {
        self.failures = ASKED;
    }

    pub fn next(&mut self) -> Duration {
        // 50 ms after the first failure, and never in step with others.
        let base = 50u64 << self.failures.min(self.most);
        self.failures += 1;
        Duration::from_millis(base + rand::random_range(0..=base / 4))
    }
}
