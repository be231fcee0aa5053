//! One request to the daemon within a few milliseconds, or none.
//!
//! `client` is for people, who can wait. This is for hooks: no runtime, no
//! connection that blocks, and a moment at which it gives up whatever happens.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};

/// The longest answer that is read: a message of 1 MB whose every byte is escaped.
const MOST: usize = 8 << 20;

/// Posts JSON and returns the body of the answer, if it is one of success.
pub(super) fn post(
    daemon: &Path,
    path: &str,
    body: &[u8],
    deadline: Instant,
) -> io::Result<Vec<u8>> {
    let mut stream = open(daemon)?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    write_all(&mut stream, &[head.as_bytes(), body].concat(), deadline)?;
    let mut answer = Vec::new();
    loop {
        if let Some(body) = body_of(&answer)? {
            return Ok(body);
        }
        if !read_some(&mut stream, &mut answer, deadline)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// Connects at once or fails: with a stopped daemon's full queue, `connect` would wait.
fn open(daemon: &Path) -> io::Result<UnixStream> {
    let fd = socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
    rustix::io::ioctl_fionbio(&fd, true)?;
    connect(&fd, &SocketAddrUnix::new(daemon)?)?;
    Ok(UnixStream::from(fd))
}

fn write_all(stream: &mut UnixStream, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                wait(&stream, PollFlags::OUT, deadline)?;
            }
            Err(err) => return Err(err),
        }
    }
    Ok(())
}

/// Whether there was something to read.
fn read_some(stream: &mut UnixStream, into: &mut Vec<u8>, deadline: Instant) -> io::Result<bool> {
    let mut piece = [0; 16 << 10];
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(false),
            Ok(read) if into.len() + read <= MOST => {
                into.extend_from_slice(&piece[..read]);
                return Ok(true);
            }
            Ok(_) => return Err(io::Error::other("the answer is too long")),
            Err(err) if err.kind() == io::ErrorKind::WouldBlock => {
                wait(&stream, PollFlags::IN, deadline)?;
            }
            Err(err) => return Err(err),
        }
    }
}

/// Waits until something can be done, but not beyond the deadline.
pub(super) fn wait(fd: &impl AsFd, what: PollFlags, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let limit = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(&mut [PollFd::new(fd, what)], Some(&limit)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(err) => return Err(err.into()),
        }
    }
}

/// The body, once it is whole. The daemon always says how long it is.
fn body_of(answer: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let bad = || io::Error::new(io::ErrorKind::InvalidData, "the answer isn't the daemon's");
    let Some(end) = memchr::memmem::find(answer, b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&answer[..end]).map_err(|_| bad())?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).ok_or_else(bad)?;
    if !status.starts_with('2') {
        return Err(io::Error::other(format!("the daemon answered {status}")));
    }
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(Ok(0), |(_, value)| value.trim().parse::<usize>().map_err(|_| bad()))?;
    Ok(answer[end + 4..].get(..length).map(<[u8]>::to_vec))
}
