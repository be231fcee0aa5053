//! Tells a flood from output that a person could follow. Does no IO.

use std::time::Instant;

/// How much came lately, as a bucket that leaks.
pub(crate) struct Pace {
    /// What fits into the bucket; more than that is a flood.
    burst: f64,
    /// Bytes that leak in a second.
    rate: f64,
    bytes: f64,
    at: Option<Instant>,
}

impl Pace {
    pub fn new(burst: usize, rate: usize) -> Pace {
        Pace { burst: burst as f64, rate: rate as f64, bytes: 0.0, at: None }
    }

    /// Whether there is a flood, with these bytes.
    pub fn is_flood(&mut self, more: usize, now: Instant) -> bool {
        let past = self.at.replace(now).map_or(0.0, |at| (now - at).as_secs_f64());
        let left = (self.bytes - past * self.rate).max(0.0);
        // It runs out soon after a flood of whatever length.
        self.bytes = (left + more as f64).min(2.0 * self.burst);
        self.bytes > self.burst
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_what_comes_fast_and_long_is_a_flood() {
        let (mut pace, mut now) = (Pace::new(32 << 10, 512 << 10), Instant::now());
        let mut comes = |bytes: usize, every_ms: u64, times: usize| {
            let flood = |_| {
                now += Duration::from_millis(every_ms);
                pace.is_flood(bytes, now)
            };
            (0..times).map(flood).filter(|floods| *floods).count()
        };
        assert_eq!(comes(100, 1, 1000), 0, "a busy agent");
        assert_eq!(comes(20 << 10, 100, 10), 0, "whole screens");
        assert!(comes(5 << 10, 1, 100) > 90, "5 MB/s");
        assert_eq!(comes(100, 100, 10), 0, "and after it");
    }
}
