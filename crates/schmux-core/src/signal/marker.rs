//! Finds markers in a pane's output.
//!
//! Nearly all output holds none, so it is only searched for a few literals. A
//! line where one of them stands is stripped and read; `ledger` then decides
//! whether a marker that was found is news. What is found depends on the bytes
//! alone, not on how they were cut into chunks; only [`Detector::flush`] looks
//! at an unfinished line.
//!
//! Sequences that go over a line feed before a literal are not followed, and of
//! a line that is longer than [`CONTEXT`] before the literal only that much is
//! read. Letters of `schmux` that are styled one by one are not recognised.

use std::sync::LazyLock;
use std::time::Duration;

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

use super::marker_line::{self, Joined, Line};
use super::strip::{Stripper, take_back};
use super::{Signal, Source, State, fingerprint, text};
use crate::time::Moment;

/// How long a line without its end is waited for: an agent that signals and falls
/// silent writes no newline.
pub const FLUSH_AFTER: Duration = Duration::from_millis(500);

/// How much of a line before a literal is read: the widest terminals with
/// colours.
const CONTEXT: usize = 4 << 10;

/// How much output before a literal is searched for signs of a redraw: a whole
/// screen with colours. Each session keeps that much, so not more.
const LOOKBACK: usize = 16 << 10;

/// The longest line that is read. Real ones that an agent draws have some
/// kilobytes with their colours; 4 kB lost signals.
const MAX_LINE: usize = 64 << 10;

/// The most that is read for one literal where no line ever ends.
const MAX_BYTES: usize = 4 * MAX_LINE;

/// Output is worked on in pieces of this size, which stay in the cache.
const PIECE: usize = 16 << 10;

/// What makes a line worth reading: a marker or its beginning, or the screen
/// being cleared, after which old markers are painted again.
static LITERALS: LazyLock<[Finder<'static>; 5]> =
    LazyLock::new(|| ["schmux", "--<[", "\x1b[2J", "\x1b[3J", "\x1b[?1049"].map(Finder::new));

/// One less than the longest literal: so much of one may stand before a cut.
const OVERLAP: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    pub state: State,
    pub message: String,
    /// The cursor was moved up or placed shortly before: a program that redraws
    /// wrote it, maybe again.
    pub redrawn: bool,
}

impl Marker {
    pub fn signal(&self) -> Signal {
        Signal::new(self.state, &self.message, Source::Marker)
    }

    /// The same for the same words, wherever the lines were broken.
    pub fn key(&self) -> u64 {
        let mut words = format!("{}:", self.state);
        words.extend(self.message.chars().filter(|c| !c.is_whitespace()));
        fingerprint(words.as_bytes())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Marker(Marker),
    /// A line with `schmux` and a bracket that is no marker: to be logged.
    NearMiss {
        line: String,
    },
    /// The screen was cleared: tell the ledger that a repaint may follow.
    Cleared,
}

/// Feed it what a pane writes, and the moment when; flush it when it says so.
#[derive(Debug, Clone, Default)]
pub struct Detector {
    /// The last output, at least [`LOOKBACK`] of it.
    tail: Vec<u8>,
    /// Up to here, the tail has been searched.
    searched: usize,
    /// Where in the tail this turn's output begins.
    turn: usize,
    /// A line that is being read.
    line: Option<Reading>,
    flush_at: Option<Moment>,
}

impl Detector {
    /// Takes output in any chunks and returns what complete lines hold.
    pub fn feed(&mut self, bytes: &[u8], now: Moment) -> Vec<Found> {
        let mut found = Vec::new();
        for piece in bytes.chunks(PIECE) {
            self.feed_piece(piece, &mut found);
        }
        if !bytes.is_empty() {
            let wait = FLUSH_AFTER.as_millis() as i64;
            self.flush_at = self.line.is_some().then_some(Moment(now.0.saturating_add(wait)));
        }
        found
    }

    /// When to flush, if nothing comes before.
    pub fn flush_at(&self) -> Option<Moment> {
        self.flush_at
    }

    pub fn should_flush(&self, now: Moment) -> bool {
        self.flush_at.is_some_and(|at| at <= now)
    }

    /// Reads the unfinished line as if it had ended. A marker is told now and
    /// not again when its newline comes; anything else is awaited further.
    pub fn flush(&mut self) -> Vec<Found> {
        self.flush_at = None;
        self.line.as_mut().and_then(Reading::flush).into_iter().collect()
    }

    /// A turn began: redraws before it say nothing about what comes.
    pub fn begin_turn(&mut self) {
        self.turn = self.tail.len();
        if let Some(line) = &mut self.line {
            line.redrawn = false;
        }
    }

    fn feed_piece(&mut self, piece: &[u8], found: &mut Vec<Found>) {
        let mut at = self.tail.len();
        self.tail.extend_from_slice(piece);
        loop {
            if let Some(line) = &mut self.line {
                match line.read(&self.tail[at..], &mut Some(&mut *found)) {
                    None => break,
                    Some(used) => {
                        at += used;
                        self.searched = at;
                        self.line = None;
                    }
                }
            }
            let Some(literal) = find(&self.tail[self.searched..]) else { break };
            at = self.searched + literal;
            self.line = Some(self.begin_line(at));
        }
        let len = self.tail.len();
        self.searched = self.searched.max(len.saturating_sub(OVERLAP));
        if len > LOOKBACK + PIECE {
            // With an overlap, because that much is searched again, and a byte
            // more, so that it never passes for the beginning of all output.
            let gone = len - (LOOKBACK + OVERLAP + 1);
            self.tail.drain(..gone);
            self.searched = self.searched.saturating_sub(gone);
            self.turn = self.turn.saturating_sub(gone);
        }
    }

    /// Begins to read the line in which a literal stands.
    fn begin_line(&self, literal: usize) -> Reading {
        let earliest = literal.saturating_sub(CONTEXT);
        let window = &self.tail[earliest..literal];
        let start = match memchr::memrchr(b'\n', window) {
            Some(newline) => newline + 1,
            None if earliest == 0 => 0,
            // It may begin within a sequence: the next one is sound.
            None => memchr::memchr(0x1b, window).unwrap_or(0),
        };
        let mut line = Reading::default();
        line.read(&window[start..], &mut None);
        let recent = literal.saturating_sub(LOOKBACK).max(self.turn).min(literal);
        // Only for what may become a marker: a path with `schmux` in it is
        // frequent where someone works on schmux.
        let may_be_one = line.text.ends_with(b"[") || self.tail[literal..].starts_with(b"--");
        line.redrawn &= earliest + start >= self.turn;
        line.redrawn |= may_be_one && is_redrawing(&self.tail[recent..literal]);
        line.bytes = 0;
        line
    }
}

/// Whether the cursor goes up or to a place of its own in there. Lines with a
/// literal can be frequent, so this is cheaper than to strip all of it.
fn is_redrawing(bytes: &[u8]) -> bool {
    memchr::memchr_iter(0x1b, bytes).any(|at| match &bytes[at + 1..] {
        [b'M' | b'8' | b'c', ..] => true,
        [b'[', csi @ ..] => csi
            .iter()
            .find(|b| !matches!(b, b'0'..=b'9' | b';'))
            .is_some_and(|last| b"AFHfdu".contains(last)),
        _ => false,
    })
}

fn find(bytes: &[u8]) -> Option<usize> {
    let mut end = bytes.len();
    let mut first = None;
    for literal in LITERALS.iter() {
        if let Some(at) = literal.find(&bytes[..end]) {
            first = Some(at);
            // Only what begins before it matters now.
            end = (at + OVERLAP).min(end);
        }
    }
    first
}

/// A line with a literal, and what belongs to it.
#[derive(Debug, Clone, Default)]
struct Reading {
    stripper: Stripper,
    text: Vec<u8>,
    too_long: bool,
    /// A flush has told of this line.
    told: bool,
    redrawn: bool,
    open: Option<Joined>,
    /// Bytes read since the last literal's line began.
    bytes: usize,
}

impl Reading {
    /// Reads up to the end of the line and returns how much that was, or
    /// nothing if there is no end yet. Programs that place the cursor write no
    /// line feeds, so a limit is an end too.
    fn read(&mut self, bytes: &[u8], found: &mut Option<&mut Vec<Found>>) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            let room = (MAX_BYTES - self.bytes).min(MAX_LINE - self.text.len());
            let end = bytes.len().min(at + room);
            let plain = self.stripper.plain_run(&bytes[at..end]);
            self.text.extend_from_slice(&bytes[at..at + plain]);
            self.bytes += plain;
            at += plain;
            let Some(&byte) = bytes.get(at) else { break };
            self.step(byte, found);
            at += 1;
            let at_rest = self.open.is_none() && !self.stripper.in_sequence();
            let ended = byte == b'\n' || (self.bytes > MAX_LINE && self.text.is_empty());
            if (at_rest && ended) || self.bytes > MAX_BYTES {
                return Some(at);
            }
        }
        None
    }

    fn step(&mut self, byte: u8, found: &mut Option<&mut Vec<Found>>) {
        self.bytes += 1;
        let piece = self.stripper.step(byte);
        self.redrawn |= piece.moved || piece.cleared;
        if piece.cleared
            && let Some(found) = found
        {
            found.push(Found::Cleared);
        }
        (0..piece.back).for_each(|_| take_back(&mut self.text));
        if piece.breaks > 0 {
            self.end_line(found);
        }
        if piece.breaks > 1 {
            self.end_line(found);
        }
        if self.text.len() + usize::from(piece.spaces) < MAX_LINE && !self.too_long {
            self.text.resize(self.text.len() + usize::from(piece.spaces), b' ');
            self.text.extend(piece.byte);
        } else {
            self.too_long = true;
        }
    }

    fn end_line(&mut self, found: &mut Option<&mut Vec<Found>>) {
        let text = std::mem::take(&mut self.text);
        let skip = std::mem::take(&mut self.told) || std::mem::take(&mut self.too_long);
        let Some(found) = found else { return };
        let text = if skip { "".into() } else { String::from_utf8_lossy(&text) };
        if let Some(open) = self.open.take() {
            match open.with(&text) {
                Some(joined) => return self.take(&joined.text.clone(), Some(joined), found),
                None => found.extend(near_miss(&open.text)),
            }
        }
        self.take(&text, None, found);
    }

    fn take(&mut self, line: &str, joined: Option<Joined>, found: &mut Vec<Found>) {
        match marker_line::read(line) {
            Line::Marker { state, message } => {
                self.bytes = 0;
                found.push(Found::Marker(Marker { state, message, redrawn: self.redrawn }));
            }
            Line::Open => self.open = Some(joined.unwrap_or_else(|| Joined::new(line))),
            Line::NearMiss => found.extend(near_miss(line)),
            Line::Other => {}
        }
    }

    fn flush(&mut self) -> Option<Found> {
        let text = String::from_utf8_lossy(&self.text);
        let joined = self.open.as_ref().and_then(|open| open.with(&text));
        let line = joined.map_or(text.into_owned(), |joined| joined.text);
        let Line::Marker { state, message } = marker_line::read(&line) else { return None };
        if self.told || self.too_long {
            return None;
        }
        self.told = true;
        self.open = None;
        Some(Found::Marker(Marker { state, message, redrawn: self.redrawn }))
    }
}

fn near_miss(line: &str) -> Option<Found> {
    (marker_line::read(line) != Line::Other && line.contains("schmux"))
        .then(|| Found::NearMiss { line: text::clean(line.as_bytes()) })
}

/// What a whole capture holds, in its order: a screen's rows or a scrollback.
pub fn find_all(capture: &[u8]) -> Vec<Found> {
    let mut detector = Detector::default();
    let mut found = detector.feed(capture, Moment::default());
    found.extend(detector.feed(b"\n\n", Moment::default()));
    found
}

#[cfg(test)]
#[path = "marker_tests.rs"]
mod tests;
