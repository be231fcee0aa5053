//! The terminal while `schmux edit` runs: raw, so that nothing the human types
//! is lost, echoed or a signal. It is given back as it was.

use std::fs::File;
use std::io::IsTerminal;

use rustix::process::getpgrp;
use rustix::termios::{
    OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// The most that is read: a terminal's queue holds 4 kB.
const MOST: usize = 64 << 10;

pub(super) struct Terminal {
    tty: File,
    before: Termios,
}

impl Terminal {
    /// Takes the terminal, if there is one and it is ours: whoever sets the modes
    /// of a terminal from the background is stopped.
    pub fn take() -> Option<Terminal> {
        let tty = File::open("/dev/tty").ok().filter(File::is_terminal)?;
        if tcgetpgrp(&tty).ok()? != getpgrp() {
            return None;
        }
        let before = tcgetattr(&tty).ok()?;
        let mut raw = before.clone();
        raw.make_raw();
        // A read gives what is there, and never waits.
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        // What was typed already stays in the queue.
        tcsetattr(&tty, OptionalActions::Now, &raw).ok()?;
        Some(Terminal { tty, before })
    }

    /// What was typed until now.
    pub fn caught(&self) -> Vec<u8> {
        let mut keys = Vec::new();
        let mut piece = [0; 4096];
        while let Ok(read @ 1..) = rustix::io::read(&self.tty, &mut piece) {
            keys.extend_from_slice(&piece[..read]);
            if keys.len() > MOST {
                break;
            }
        }
        keys
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Whoever started us sets the modes it needs anyway.
        let _ = tcsetattr(&self.tty, OptionalActions::Now, &self.before);
    }
}
