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
use std::io::{self, copy, sink};
use std::process::Child;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::{attach, proc};

/// How often the daemon's heart beats.
pub(super) const BEAT: Duration = Duration::from_millis(400);

/// How long it may be silent. Longer than tmux's `pause-after` of a second: what
/// waits is then old enough to be given up at once, rather than kept in memory.
const STALLED: Timespec = Timespec { tv_sec: 1, tv_nsec: 300_000_000 };

/// Runs until stdin ends. `client` is the command that attaches one.
pub fn run(client: &[String]) -> anyhow::Result<()> {
    let mut standing_in: Option<Child> = None;
    loop {
        match listen()? {
            Heard::Nothing => {
                let alive = standing_in.as_mut().is_some_and(|c| matches!(c.try_wait(), Ok(None)));
                if !alive {
                    standing_in = Some(stand_in(client)?);
                }
            }
            Heard::Beat => dismiss(standing_in.take()),
            Heard::End => {
                dismiss(standing_in.take());
                return Ok(());
            }
        }
    }
}

enum Heard {
    Beat,
    /// Not for too long.
    Nothing,
    /// The daemon has ended.
    End,
}

fn listen() -> io::Result<Heard> {
    let stdin = io::stdin();
    match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&STALLED)) {
        Ok(0) => return Ok(Heard::Nothing),
        Ok(_) => {}
        // Nobody sends it signals that it outlives; waiting anew makes it late at worst.
        Err(Errno::INTR) => return listen(),
        Err(error) => return Err(error.into()),
    }
    // Past the standard library's buffer, which `poll` doesn't know of.
    match rustix::io::retry_on_intr(|| rustix::io::read(&stdin, &mut [0; 64]))? {
        0 => Ok(Heard::End),
        _ => Ok(Heard::Beat),
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
