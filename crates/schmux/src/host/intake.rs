//! Reads what tmux writes: at once, and in a flood with short rests.
//!
//! A reader that waits for every piece is woken by every write of tmux's, and tmux
//! pays for that: a twentieth of its throughput on a small machine. Even a reader
//! that doesn't read is woken while its pipe is registered with the runtime, so it
//! is not registered during a flood, and looked into once in a while.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::ChildStdout;
use tokio::time::{Instant, sleep_until};

use super::pace::Pace;

/// A flood is more than this beyond [`RATE`]: what a few panes draw at once is none.
const BURST: usize = 64 << 10;

/// Bytes in a second at which tmux is still at ease: a quarter of what it can do.
const RATE: usize = 2 << 20;

/// How long it rests. The runtime makes one or two milliseconds of it, in which a
/// flood brings some 15 kB; a key typed beside a flood waits for half of it.
const REST: Duration = Duration::from_millis(1);

/// How much may wait in the pipe, where that can be chosen: on a busy machine a rest
/// takes longer, and tmux stands still while the pipe is full.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 512 << 10;

pub(super) struct Intake {
    pipe: OwnedFd,
    /// The same pipe, registered with the runtime; none while it rests.
    awake: Option<Receiver>,
    rests_until: Instant,
    pace: Pace,
}

impl Intake {
    pub fn new(stdout: ChildStdout) -> io::Result<Intake> {
        let pipe = stdout.into_owned_fd()?;
        // It is as good as it was if that is refused.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&pipe, PIPE_BYTES);
        // The other handle of it has the mode of this one.
        let awake = Some(Receiver::from_owned_fd(pipe.try_clone()?)?);
        Ok(Intake { pipe, awake, rests_until: Instant::now(), pace: Pace::new(BURST, RATE) })
    }

    /// Reads what there is, or waits for it. Cancel-safe.
    pub async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.awake {
                Some(pipe) => pipe.read(buffer).await,
                None => {
                    sleep_until(self.rests_until).await;
                    rustix::io::read(&self.pipe, &mut *buffer).map_err(io::Error::from)
                }
            };
            let came = read.as_ref().map_or(0, |count| *count);
            if self.pace.is_flood(came, std::time::Instant::now()) {
                self.awake = None;
                // More waits already if this was all that the buffer holds.
                if came < buffer.len() {
                    self.rests_until = Instant::now() + REST;
                }
            } else if self.awake.is_none() {
                self.awake = Some(Receiver::from_owned_fd_unchecked(self.pipe.try_clone()?)?);
            }
            match read {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;
    use crate::proc;

    const FLOOD: usize = 8 << 20;

    #[tokio::test]
    async fn a_flood_is_read_with_rests_and_what_follows_at_once() {
        let script = format!("head -c {FLOOD} /dev/zero; read -r _; printf more");
        let mut child = proc::piped(&["sh", "-c", &script]).unwrap();
        let mut intake = Intake::new(child.stdout.take().unwrap()).unwrap();
        let mut buffer = vec![0; 64 << 10];
        let (mut came, mut rests) = (0, 0);
        while came < FLOOD {
            came += intake.read(&mut buffer).await.unwrap();
            rests += usize::from(intake.awake.is_none());
        }
        assert_eq!(came, FLOOD);
        assert!(rests > FLOOD / RATE, "it rested {rests} times only");
        // It wakes up by itself, because nothing more comes.
        for _ in 0..1000 {
            let more = tokio::time::timeout(Duration::from_millis(10), intake.read(&mut buffer));
            assert!(more.await.is_err(), "more than was written");
            if intake.awake.is_some() {
                break;
            }
        }
        assert!(intake.awake.is_some(), "it rests for ever");
        child.stdin.take().unwrap().write_all(b"\n").await.unwrap();
        let count = intake.read(&mut buffer).await.unwrap();
        assert_eq!(&buffer[..count], b"more");
        assert_eq!(intake.read(&mut buffer).await.unwrap(), 0);
    }
}
