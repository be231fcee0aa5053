//! The status file: `STATE MESSAGE`, then `key: value` lines.
//!
//! [`parse`] says what bytes mean, [`Reading`] whether they are news. The file
//! is read by others: whoever reads passes the bytes and the [`Stamp`] of the
//! write, and does as it is told.
//!
//! What is a new signal: another content, or the same content with another time
//! of modification, because an agent that says the same words again means it.
//! Two writes of the same words within one tick of the file system's clock are
//! one. A copy that keeps its times (restored, remounted) is not a new write;
//! only where times have whole seconds does another inode make one. `touch`
//! can't be told from a write.

use serde::{Deserialize, Serialize};

use super::{Signal, Source, State, fingerprint, text};

/// How much of a status file is worth reading: a message and details, with room.
/// What a file holds beyond is not looked at.
pub const MAX_FILE: usize = 64 << 10;

/// What the bytes of a status file mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Signal(Signal),
    /// Nothing but blanks: truncated, and to be written in a moment.
    Empty,
    /// The first line begins with no state.
    Invalid {
        text: String,
    },
}

pub fn parse(bytes: &[u8]) -> Content {
    let mut lines = lines(bytes);
    let Some(first) = lines.next() else { return Content::Empty };
    match state_line(first) {
        Some((state, message)) => Content::Signal(with_details(state, message, lines)),
        None => Content::Invalid { text: text::clean(first) },
    }
}

/// The lines that hold something, trimmed. NULs are what a file system shows
/// where a writer's hole is, and blanks to us.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = &bytes[..bytes.len().min(MAX_FILE)];
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.split(|&b| matches!(b, b'\n' | b'\r')).map(trim).filter(|line| !line.is_empty())
}

fn trim(line: &[u8]) -> &[u8] {
    let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0;
    let start = line.iter().position(|b| !blank(b)).unwrap_or(line.len());
    let end = line.iter().rposition(|b| !blank(b)).map_or(start, |at| at + 1);
    &line[start..end]
}

fn state_line(line: &[u8]) -> Option<(State, &[u8])> {
    let end = line.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    let state = std::str::from_utf8(&line[..end]).ok()?.parse().ok()?;
    Some((state, &line[end..]))
}

fn with_details<'a>(state: State, message: &[u8], lines: impl Iterator<Item = &'a [u8]>) -> Signal {
    let mut signal = Signal::new(state, message, Source::StatusFile);
    for line in lines {
        match detail(line) {
            Some((key, value)) => signal.add_detail(key, value),
            // Free text is kept under a name of its own rather than lost.
            None => signal.add_detail("text", line),
        }
    }
    signal
}

fn detail(line: &[u8]) -> Option<(&str, &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let key = std::str::from_utf8(&line[..colon]).ok()?.trim_end();
    let value = &line[colon + 1..];
    let is_key = (1..=text::MAX_KEY).contains(&key.len())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    // An address is no key with a value.
    (is_key && !value.starts_with(b"//")).then_some((key, value))
}

/// What the file system says of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stamp {
    pub inode: u64,
    /// Nanoseconds since 1970.
    pub modified: i64,
}

/// Whether the writer may still be at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Closed after a write, renamed into place, or unchanged since the last look.
    Yes,
    /// Just seen to change: half a line may be missing.
    No,
}

/// What a read of the file was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taken {
    /// A new signal.
    New(Signal),
    /// The signal that was taken last, with details added to it: to be shown,
    /// not to be told.
    Updated(Signal),
    /// The write that was taken already.
    Same,
    /// Empty or half-written; the next event brings the rest.
    Wait,
    /// To be warned of, once.
    Invalid { text: String },
}

/// What was last taken from a status file. Stored, so that a restart tells
/// nothing twice and misses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reading {
    last: Option<Last>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Last {
    stamp: Stamp,
    size: usize,
    hash: u64,
}

impl Reading {
    /// Decides what a read of the file means. `bytes` are the file's first
    /// [`MAX_FILE`], `stamp` was taken from the open file before they were read.
    pub fn take(&mut self, stamp: Stamp, bytes: &[u8], settled: Settled) -> Taken {
        let bytes = &bytes[..bytes.len().min(MAX_FILE)];
        if lines(bytes).next().is_none() {
            return Taken::Wait;
        }
        if settled == Settled::No && bytes.last() != Some(&b'\n') {
            return Taken::Wait;
        }
        let now = Last { stamp, size: bytes.len(), hash: fingerprint(bytes) };
        if self.last.is_some_and(|last| last.is_same_write(&now)) {
            return Taken::Same;
        }
        let grown = self.last.and_then(|last| last.appended(&now, bytes));
        self.last = Some(now);
        if let Some(added) = grown {
            return appended(bytes, added);
        }
        match parse(bytes) {
            Content::Signal(signal) => Taken::New(signal),
            Content::Empty => Taken::Wait,
            Content::Invalid { text } => Taken::Invalid { text },
        }
    }
}

impl Last {
    fn is_same_write(&self, now: &Last) -> bool {
        let whole_seconds = now.stamp.modified % 1_000_000_000 == 0;
        (self.size, self.hash, self.stamp.modified) == (now.size, now.hash, now.stamp.modified)
            && (self.stamp.inode == now.stamp.inode || !whole_seconds)
    }

    /// What stands behind the old content, if that is still there.
    fn appended<'a>(&self, now: &Last, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (old, added) = bytes.split_at_checked(self.size)?;
        let grew = self.stamp.inode == now.stamp.inode
            && (old.last() == Some(&b'\n') || matches!(added.first(), Some(b'\n' | b'\r')))
            && !added.is_empty()
            && fingerprint(old) == self.hash;
        grew.then_some(added)
    }
}

/// Agents append, too, with `>>`: then the last state among the added lines is
/// what they say now; without one, they add to what they said.
fn appended(bytes: &[u8], added: &[u8]) -> Taken {
    let states = lines(added).enumerate().filter_map(|(n, line)| Some((n, state_line(line)?)));
    if let Some((n, (state, message))) = states.last() {
        return Taken::New(with_details(state, message, lines(added).skip(n + 1)));
    }
    let all: Vec<_> = lines(bytes).collect();
    let last = all.iter().rposition(|line| state_line(line).is_some());
    match last.and_then(|n| Some((n, state_line(all[n])?))) {
        Some((n, (state, message))) => {
            Taken::Updated(with_details(state, message, all[n + 1..].iter().copied()))
        }
        None => Taken::Invalid { text: text::clean(added) },
    }
}

#[cfg(test)]
#[path = "status_file_tests.rs"]
mod tests;
