//! The events file: JSON objects, appended line by line, each told once.
//!
//! [`Position`] is how far a file has been told. It is stored in the same
//! transaction as what was told. Whoever reads asks [`Position::read_from`],
//! reads from there, passes what it got to [`Position::take`], and goes on
//! while the batch says `again`.
//!
//! A file that shrank, or whose bytes before the position are others now, was
//! truncated or replaced. Then it is searched for the last events that were
//! told, and goes on behind them; if they are not in it, it is new from its
//! first line. After a truncation in place only events with a `ts` can be
//! recognised: a bare `{"type":"status","state":"completed"}` written with `>`
//! again and again is a signal each time. A rewrite in place with the very same
//! bytes is not seen.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

pub use super::events_parse::Event;
use super::events_parse::{Item, next_item};
use super::fingerprint;

/// The longest line that is read. Hooks carry whole tool inputs, but an event
/// of more than this is a mistake, and must not fill our memory.
pub const MAX_LINE: usize = 256 << 10;

/// How much to read at once: some lines of the longest kind.
pub const MAX_READ: usize = 1 << 20;

/// How many bytes before the position are compared, to see that it is the same
/// file still: a few lines, with their times.
const WINDOW: usize = 512;

/// How many of the last events are remembered, to find them in a replaced file.
const REMEMBERED: usize = 16;

/// What the file system says of the file, before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    pub inode: u64,
    pub size: u64,
}

/// What a read brought.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Batch {
    pub events: Vec<Event>,
    /// Ask for the place and read again at once.
    pub again: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Position {
    /// Everything before it has been told.
    offset: u64,
    inode: u64,
    before: Before,
    /// The line at the offset is too long; skip to its end.
    #[serde(default)]
    skipping: bool,
    told: VecDeque<Mark>,
    #[serde(default)]
    search: Option<Search>,
}

/// The fingerprint of the bytes before the offset, and how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Before {
    length: u64,
    hash: u64,
}

/// An event that was told: its bytes' hash, and whether it has a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Mark(u64, bool);

/// A replaced file is being searched for what was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Search {
    in_place: bool,
    seen: VecDeque<Mark>,
    /// Behind the longest beginning of the file that ends what was told.
    found: Option<u64>,
}

impl Position {
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Where to read from, at most [`MAX_READ`] bytes.
    pub fn read_from(&self) -> u64 {
        self.offset - self.window()
    }

    fn window(&self) -> u64 {
        if self.search.is_some() { 0 } else { self.before.length }
    }

    /// Takes what was read from [`Position::read_from`]. The facts are of the
    /// open file, asked before reading; bytes may be newer than the facts.
    pub fn take(&mut self, facts: Facts, bytes: &[u8]) -> Batch {
        let window = self.window() as usize;
        let is_same = facts.size >= self.offset
            && bytes
                .get(..window)
                .is_some_and(|b| window == 0 || fingerprint(b) == self.before.hash);
        if !is_same {
            self.start_again(facts);
            return Batch { events: Vec::new(), again: facts.size > 0 };
        }
        self.inode = facts.inode;
        if self.search.is_some() { self.search(facts, bytes) } else { self.tell(bytes, window) }
    }

    /// The file is not the one that was told: look for what it has of that.
    fn start_again(&mut self, facts: Facts) {
        let in_place = self.inode == facts.inode;
        self.inode = facts.inode;
        self.offset = 0;
        self.before = Before::default();
        self.skipping = false;
        self.search = (!self.told.is_empty()).then(|| Search {
            in_place,
            seen: VecDeque::new(),
            found: None,
        });
    }

    fn tell(&mut self, bytes: &[u8], window: usize) -> Batch {
        let mut batch = Batch::default();
        let mut at = window;
        while let Some((item, length)) = next_item(&bytes[at..], self.skipping) {
            self.skipping = matches!(item, Item::TooLong { ended: false });
            let mark = item.mark(&bytes[at..at + length]);
            at += length;
            match item {
                Item::Event(event) => {
                    self.told.extend(mark);
                    batch.events.push(*event);
                }
                Item::Invalid(line) => batch.events.push(Event::Invalid { text: line }),
                Item::TooLong { ended: true } => batch
                    .events
                    .push(Event::Invalid { text: format!("a line longer than {MAX_LINE} bytes") }),
                Item::Blank | Item::TooLong { ended: false } => {}
            }
        }
        while self.told.len() > REMEMBERED {
            self.told.pop_front();
        }
        self.offset += (at - window) as u64;
        self.before = Before::of(&bytes[..at]);
        // A full read may have been cut short by its limit.
        batch.again = bytes.len() >= MAX_READ && at > window;
        batch
    }

    fn search(&mut self, facts: Facts, bytes: &[u8]) -> Batch {
        let Some(mut search) = self.search.take() else { return Batch::default() };
        let mut at = 0;
        let mut whole = false;
        while let Some((item, length)) = next_item(&bytes[at..], self.skipping) {
            self.skipping = matches!(item, Item::TooLong { ended: false });
            let mark = item.mark(&bytes[at..at + length]);
            at += length;
            let Some(mark) = mark else { continue };
            match search.see(mark, &self.told) {
                Match::None => {}
                Match::Part => search.found = Some(self.offset + at as u64),
                Match::Whole => {
                    search.found = Some(self.offset + at as u64);
                    whole = true;
                    break;
                }
            }
        }
        if whole || bytes.len() < MAX_READ || self.offset + at as u64 >= facts.size {
            self.resume_at(search.found.unwrap_or(0), bytes);
        } else {
            self.offset += at as u64;
            self.search = Some(search);
        }
        Batch { events: Vec::new(), again: true }
    }

    /// Goes on telling behind what was found.
    fn resume_at(&mut self, found: u64, bytes: &[u8]) {
        let read = found.saturating_sub(self.offset) as usize;
        self.skipping = false;
        self.offset = found;
        self.before = Before::of(&bytes[..read]);
    }
}

impl Before {
    fn of(read: &[u8]) -> Before {
        let window = &read[read.len() - read.len().min(WINDOW)..];
        Before { length: window.len() as u64, hash: fingerprint(window) }
    }
}

enum Match {
    None,
    /// The file begins with the end of what was told.
    Part,
    /// All that we remember stands here.
    Whole,
}

impl Search {
    fn see(&mut self, mark: Mark, told: &VecDeque<Mark>) -> Match {
        self.seen.push_back(mark);
        let from_start = self.seen.len() <= told.len();
        if !from_start {
            self.seen.pop_front();
        }
        let tail = told.iter().skip(told.len() - self.seen.len());
        let is_same = self.seen.iter().eq(tail)
            && (!self.in_place || self.seen.iter().any(|Mark(_, timed)| *timed));
        match (is_same, self.seen.len() == told.len()) {
            (false, _) => Match::None,
            (true, true) => Match::Whole,
            (true, false) if from_start => Match::Part,
            (true, false) => Match::None,
        }
    }
}

impl Item {
    fn mark(&self, bytes: &[u8]) -> Option<Mark> {
        match self {
            Item::Event(event) => {
                Some(Mark(fingerprint(bytes.trim_ascii()), event.timestamp().is_some()))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
#[path = "events_file_tests.rs"]
mod tests;
