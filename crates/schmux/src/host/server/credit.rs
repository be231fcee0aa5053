//! How far a host may send ahead of what we have read. ssh takes megabytes at once,
//! and on a slow link keys would wait behind them; a relay over there (`relay.pl`)
//! sends no further than it was told to. Where there is none, nothing is told.

use schmux_core::time::Moment;

/// The line by which a relay tells that it is there.
pub(super) const RELAY: &[u8] = b"%schmux-relay";

/// What may always be under way: a second on 1 Mbit/s, and what tmux may print
/// in one go over a way of 0.4 s without being taken for too slow. The relay
/// begins with as much.
const LEAST: u64 = 128 << 10;

/// What ssh itself would take.
const MOST: u64 = 2 << 20;

/// For how long what has come is counted, to know what the way carries. Twice as
/// much may be under way: a way around the world takes 0.3 s for there and back.
const COUNTED_MS: i64 = 250;

#[derive(Debug)]
pub(super) struct Credit {
    relayed: bool,
    received: u64,
    /// What had been received when the relay was last told.
    told: u64,
    window: u64,
    /// When the counting began, and what had been received by then.
    since: (Moment, u64),
}

impl Default for Credit {
    fn default() -> Credit {
        Credit { relayed: false, received: 0, told: 0, window: LEAST, since: Default::default() }
    }
}

impl Credit {
    /// There is a relay.
    pub fn relayed(&mut self) {
        self.relayed = true;
    }

    pub fn received(&mut self, bytes: usize, now: Moment) {
        self.received += bytes as u64;
        if now.0 - self.since.0.0 >= COUNTED_MS {
            // After a pause this is less than the way carries: it grows again soon.
            let carried = 2 * (self.received - self.since.1) * COUNTED_MS as u64;
            let took = (now.0 - self.since.0.0).unsigned_abs();
            self.window = (carried / took).clamp(LEAST, MOST);
            self.since = (now, self.received);
        }
    }

    /// What the relay should be told now, as a line.
    pub fn take(&mut self) -> Option<String> {
        if !self.relayed || self.received - self.told < LEAST / 4 {
            return None;
        }
        self.told = self.received;
        Some(format!("\x06{}\n", self.received + self.window))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_under_way_follows_what_the_way_carries() {
        let mut credit = Credit::default();
        credit.received(40_000, Moment(0));
        assert_eq!(credit.take(), None, "there is no relay");
        credit.relayed();
        assert_eq!(credit.take(), Some(format!("\x06{}\n", 40_000 + LEAST)));
        assert_eq!(credit.take(), None, "nothing new has come");
        // (bytes in each 10 ms, what may be under way after a second)
        for (bytes, expected) in
            [(1_250, LEAST..LEAST + 1), (10, LEAST..LEAST + 1), (1 << 20, MOST..MOST + 1)]
        {
            let mut credit = Credit::default();
            credit.relayed();
            for tick in 1..=100 {
                credit.received(bytes, Moment(1_000_000 + tick * 10));
                credit.take();
            }
            assert!(expected.contains(&credit.window), "{bytes}: {}", credit.window);
        }
    }
}
