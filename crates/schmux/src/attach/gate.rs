//! The gate at this end: keys pass, or wait in their order.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The daemon opens its gate after 1.5 s, and after 5 s whatever happens. This is
/// for one whose word doesn't arrive.
const LONGEST_CLOSED: Duration = Duration::from_secs(6);

pub(super) struct Gate<W> {
    out: W,
    /// Until when it is closed at the most.
    closed: Option<Instant>,
    held: Vec<u8>,
}

impl<W: Write> Gate<W> {
    pub fn new(out: W) -> Gate<W> {
        Gate { out, closed: None, held: Vec::new() }
    }

    /// Takes what was typed; true if it went on.
    pub fn type_in(&mut self, keys: &[u8]) -> io::Result<bool> {
        if self.closed.is_some() {
            self.held.extend_from_slice(keys);
            return Ok(false);
        }
        self.out.write_all(keys)?;
        Ok(true)
    }

    pub fn close(&mut self, now: Instant) {
        self.closed.get_or_insert(now + LONGEST_CLOSED);
    }

    /// When it opens by itself.
    pub fn due(&self) -> Option<Instant> {
        self.closed
    }

    /// Opens it and lets through what waited. Without `replay` a dialog has opened
    /// meanwhile, which this was not meant for: it is returned instead.
    pub fn open(&mut self, replay: bool) -> io::Result<Vec<u8>> {
        self.closed = None;
        let held = std::mem::take(&mut self.held);
        if !replay {
            return Ok(held);
        }
        self.out.write_all(&held)?;
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_wait_in_their_order() {
        let mut gate = Gate::new(Vec::new());
        let now = Instant::now();
        assert!(gate.type_in(b"a").unwrap());
        gate.close(now);
        gate.close(now + Duration::from_secs(3));
        assert_eq!(gate.due(), Some(now + LONGEST_CLOSED), "closed once, not for longer");
        assert!(!gate.type_in(b"b").unwrap());
        assert!(!gate.type_in(b"\x1b[A").unwrap());
        assert_eq!(gate.out, b"a");
        assert!(gate.open(true).unwrap().is_empty());
        assert!(gate.type_in(b"c").unwrap());
        assert_eq!(gate.out, b"ab\x1b[Ac");
        gate.close(now);
        gate.type_in(b"y\r").unwrap();
        assert_eq!(gate.open(false).unwrap(), b"y\r");
        assert_eq!((gate.out.as_slice(), gate.due()), (&b"ab\x1b[Ac"[..], None));
    }
}
