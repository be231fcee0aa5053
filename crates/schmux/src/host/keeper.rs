//! `schmux keeper`: keeps agents from freezing while the daemon is stalled.
//!
//! tmux stops reading a pane when every attached client is a control client that
//! can't take more. That is right while the daemon reads: the flood waits and
//! nothing is lost. If the daemon doesn't read at all (stopped, swapped out), it
//! would freeze the agents. So this small process listens to the daemon's
//! heartbeat; when that is late it attaches a client that takes no output, with
//! which tmux goes on reading and pauses the daemon's client instead, and
//! detaches it when the heart beats again. It ends with the daemon.

use std::io::Read;
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::proc;

/// How often the daemon's heart beats.
pub(super) const BEAT: Duration = Duration::from_millis(400);

/// How long it may be silent. Longer than tmux's `pause-after` of a second: what
/// waits is then old enough to be given up at once, rather than kept in memory.
const STALLED: Duration = Duration::from_millis(1300);

/// Runs until stdin ends. `attach` is the command that attaches the client.
pub fn run(attach: &[String]) -> anyhow::Result<()> {
    let (beats, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [0; 64];
        while std::io::stdin().read(&mut buffer).is_ok_and(|count| count > 0) {
            if beats.send(()).is_err() {
                return;
            }
        }
    });
    let mut standing_in: Option<Child> = None;
    loop {
        match heard.recv_timeout(STALLED) {
            Err(RecvTimeoutError::Timeout) => {
                let alive = standing_in.as_mut().is_some_and(|c| matches!(c.try_wait(), Ok(None)));
                if !alive {
                    standing_in = Some(proc::deaf(attach)?);
                }
            }
            Ok(()) => dismiss(standing_in.take()),
            Err(RecvTimeoutError::Disconnected) => {
                dismiss(standing_in.take());
                return Ok(());
            }
        }
    }
}

fn dismiss(client: Option<Child>) {
    if let Some(mut client) = client {
        // Both fail only if it has ended already.
        let _ = client.kill();
        let _ = client.wait();
    }
}
