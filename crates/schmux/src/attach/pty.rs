//! A pty whose other end is for tmux.
//!
//! It becomes no one's controlling terminal: tmux needs none, and so its client
//! stays in our process group, where the shell's job control reaches it. Only a
//! program that reaches another host makes it its own (`own_terminal`).

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{tcgetwinsize, tcsetwinsize};

/// Our end, and the other one.
pub(crate) fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?;
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let slave = rustix::fs::open(name.as_c_str(), flags, Mode::empty())?;
    Ok((master, slave))
}

/// Gives a pty the size of a terminal.
pub(super) fn copy_size(from: &impl AsFd, to: &OwnedFd) -> io::Result<()> {
    Ok(tcsetwinsize(to, tcgetwinsize(from)?)?)
}
