//! `schmux attach`: the real `tmux attach` in a pty of its own, so that keys can
//! wait while the courier writes into the pane.
//!
//! Bytes go both ways as they are: no screen is kept and nothing is understood,
//! so everything that works in tmux works here. Two threads carry them, because
//! the terminal's own descriptors must stay blocking: they are shared with the
//! shell. What the daemon says of its gate comes by [`link`]; without a daemon
//! the gate is open, and this is a plain attach.

mod gate;
mod keys;
mod link;
pub(crate) mod pty;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitOptions, ioctl_tiocsctty, kill_process, waitpid};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use crate::home::Home;
use crate::proc;
use crate::wire::TypedKeys;
use gate::Gate;

/// What is read at once; a terminal's paste comes in pieces of at most 4 kB.
const PIECE: usize = 64 << 10;

/// How many notes on typing may wait for the daemon. One that doesn't fit is
/// left out: those before it say the same.
const NOTES: usize = 64;

type Shared = Arc<Mutex<Gate<File>>>;

/// Attaches until tmux ends; returns its exit code.
pub(crate) async fn run<S: AsRef<std::ffi::OsStr>>(
    argv: &[S],
    session: &str,
    daemon: &Home,
) -> anyhow::Result<u8> {
    let terminal = Terminal::take()?;
    let (master, slave) = pty::open()?;
    pty::copy_size(&io::stdin(), &master)?;
    let child = proc::on_terminal(argv, slave, &["TMUX"])?;
    let pid = Pid::from_child(&child);
    let gate: Shared = Arc::new(Mutex::new(Gate::new(File::from(master.try_clone()?))));
    let (notes, noted) = mpsc::channel(NOTES);
    let (stop, stopped) = rustix::pipe::pipe()?;
    let keys = thread::spawn({
        let gate = gate.clone();
        move || carry_keys(&gate, &notes, &stop)
    });
    let from = File::from(master.try_clone()?);
    let output = thread::spawn(move || carry_output(from));
    let link = tokio::spawn(link::follow(daemon.clone(), session.to_owned(), gate, noted));
    let code = tend(pid, &terminal, &master).await;
    link.abort();
    // What tmux said last is shown before the terminal is given back.
    let _ = output.join();
    drop(stopped);
    let _ = keys.join();
    drop(terminal);
    code
}

/// A command line that starts a program with the terminal on its stdin as its
/// own, where it can ask for a password.
pub(crate) fn with_terminal(argv: Vec<String>) -> Result<Vec<String>, proc::ProcError> {
    let program = "schmux".to_owned();
    let exe =
        std::env::current_exe().map_err(|source| proc::ProcError::Start { program, source })?;
    let ours = [exe.to_string_lossy().into_owned(), "own-terminal".into(), "--".into()];
    Ok(ours.into_iter().chain(argv).collect())
}

/// Becomes that program; returns only if that failed.
pub(crate) fn own_terminal(argv: &[String]) -> anyhow::Error {
    let taken = rustix::process::setsid().and_then(|_| ioctl_tiocsctty(io::stdin()));
    match taken {
        Ok(()) => proc::replace(argv, &[]).into(),
        Err(error) => anyhow::Error::new(error).context("the terminal can't be had"),
    }
}

/// Passes on sizes and signals until the child has ended.
async fn tend(pid: Pid, terminal: &Terminal, master: &OwnedFd) -> anyhow::Result<u8> {
    let mut resized = signal(SignalKind::window_change())?;
    let mut terminated = signal(SignalKind::terminate())?;
    let mut hung_up = signal(SignalKind::hangup())?;
    let mut continued = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
    loop {
        let waited = tokio::task::spawn_blocking(move || waitpid(Some(pid), WaitOptions::UNTRACED));
        tokio::pin!(waited);
        let status = loop {
            tokio::select! {
                status = &mut waited => break status??,
                _ = resized.recv() => {
                    pty::copy_size(&io::stdin(), master)?;
                    // The pty is no one's controlling terminal, so nobody else tells it.
                    let _ = kill_process(pid, Signal::WINCH);
                }
                // tmux then leaves as it is left, and we with it.
                _ = terminated.recv() => drop(kill_process(pid, Signal::TERM)),
                _ = hung_up.recv() => drop(kill_process(pid, Signal::HUP)),
            }
        };
        match status {
            Some((_, status)) if status.stopped() => {
                // tmux was told to suspend its client: so do we, until the shell's `fg`.
                terminal.restore()?;
                kill_process(rustix::process::getpid(), Signal::TSTP)?;
                continued.recv().await;
                terminal.make_raw()?;
                // The shell wakes the whole job; once more does no harm.
                kill_process(pid, Signal::CONT)?;
                pty::copy_size(&io::stdin(), master)?;
                let _ = kill_process(pid, Signal::WINCH);
            }
            Some((_, status)) => {
                let code = status.exit_status().unwrap_or(1);
                return Ok(u8::try_from(code).unwrap_or(1));
            }
            None => {}
        }
    }
}

/// From the person's terminal to tmux, through the gate. Ends with the pipe, so
/// that no key is taken which the shell should have.
fn carry_keys(gate: &Shared, notes: &mpsc::Sender<TypedKeys>, stop: &OwnedFd) {
    let stdin = io::stdin();
    let mut piece = vec![0; PIECE];
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
            Ok(_) if !fds[1].revents().is_empty() => return,
            Ok(_) => {}
        }
        let read = match rustix::io::read(stdin.as_fd(), &mut piece) {
            Ok(0) => return,
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
            Ok(read) => read,
        };
        let typed = &piece[..read];
        let passed = gate.lock().unwrap_or_else(PoisonError::into_inner).type_in(typed);
        match passed {
            Ok(true) => {
                if let Some(kind) = keys::typed(typed) {
                    let _ = notes.try_send(kind);
                }
            }
            Ok(false) => {}
            // tmux is gone.
            Err(_) => return,
        }
    }
}

/// From tmux to the person's terminal. A terminal that stops reading stops tmux's
/// client, as it would without us.
fn carry_output(mut from: File) {
    let mut piece = vec![0; PIECE];
    let mut stdout = io::stdout().lock();
    loop {
        match from.read(&mut piece) {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            // EIO: the last one who had the other end has closed it.
            Ok(0) | Err(_) => return,
            Ok(read) => {
                if stdout.write_all(&piece[..read]).and_then(|()| stdout.flush()).is_err() {
                    return;
                }
            }
        }
    }
}

/// The person's terminal, raw as long as this lives.
struct Terminal {
    before: Termios,
}

impl Terminal {
    fn take() -> io::Result<Terminal> {
        let terminal = Terminal { before: tcgetattr(io::stdin())? };
        terminal.make_raw()?;
        Ok(terminal)
    }

    fn make_raw(&self) -> io::Result<()> {
        let mut raw = self.before.clone();
        raw.make_raw();
        Ok(tcsetattr(io::stdin(), OptionalActions::Now, &raw)?)
    }

    fn restore(&self) -> io::Result<()> {
        Ok(tcsetattr(io::stdin(), OptionalActions::Drain, &self.before)?)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing.
        let _ = self.restore();
    }
}
