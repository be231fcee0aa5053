//! `schmux keeper`: keeps agents from freezing while the daemon is stalled.
//!
//! tmux stops reading a pane when every attached client is a control client that
//! can't take more. That is right while the daemon reads: the flood waits and
//! nothing is lost. If the daemon doesn't read at all (stopped, swapped out), it
//! would freeze the agents. So this small process listens to the daemon's
//! heartbeat; when that is late it attaches another client, with which tmux goes on
//! reading and pauses the daemon's client instead, and detaches it when the heart
//! beats again. It ends with the daemon.
//!
//! That client is an ordinary one, on a terminal that nobody sees: tmux 3.3a crashes,
//! with every agent on it, if a session begins or ends in the moment in which a
//! control client is let in (about one in two hundred, tried with both at once).

use std::fs::File;
use std::io::{Read, copy, sink};
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::{attach, proc};

/// How often the daemon's heart beats.
pub(super) const BEAT: Duration = Duration::from_millis(400);

/// How long it may be silent. Longer than tmux's `pause-after` of a second: what
/// waits is then old enough to be given up at once, rather than kept in memory.
const STALLED: Duration = Duration::from_millis(1300);

/// Runs until stdin ends. `client` is the command that attaches one.
pub fn run(client: &[String]) -> anyhow::Result<()> {
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
                    standing_in = Some(stand_in(client)?);
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

fn stand_in(client: &[String]) -> anyhow::Result<Child> {
    let (mut screen, terminal) = attach::pty::open().map(|(a, b)| (File::from(a), b))?;
    let client = proc::on_terminal(client, terminal, &["TMUX"])?;
    // What it draws has to go somewhere; the terminal ends with the client.
    thread::spawn(move || copy(&mut screen, &mut sink()));
    Ok(client)
}

fn dismiss(client: Option<Child>) {
    if let Some(mut client) = client {
        // Both fail only if it has ended already.
        let _ = client.kill();
        let _ = client.wait();
    }
}
