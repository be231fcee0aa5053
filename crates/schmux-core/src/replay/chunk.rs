//! Records as chunks of bytes, and back. What can't be read ends a chunk; it
//! never fails.

use super::{Reason, Record, What};
use crate::screen::{Size, cut_at_end};
use crate::time::Moment;

/// A chunk is closed when it holds this much: enough to compress well, little
/// enough to be decoded in a millisecond.
const FULL: usize = 64 << 10;

/// Says that a chunk of ours begins here, of this layout.
const MAGIC: u32 = u32::from_le_bytes(*b"smr1");

/// What is known of a chunk without its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Of the compressed content that follows, and of the content itself.
    pub stored: u32,
    pub length: u32,
    pub first: Moment,
    pub last: Moment,
    /// It begins with a keyframe.
    pub is_key: bool,
    /// It is the first one that its writer wrote.
    pub is_fresh: bool,
    /// It ends with this gap.
    pub gap: Option<Reason>,
}

impl Head {
    pub const BYTES: usize = 32;

    pub fn to_bytes(self) -> [u8; Head::BYTES] {
        let gap = match self.gap {
            None => 0,
            Some(Reason::Flood) => 1,
            Some(Reason::Behind) => 2,
            Some(Reason::Away) => 3,
        };
        let flags = u32::from(self.is_key) | u32::from(self.is_fresh) << 1 | gap << 8;
        let mut bytes = [0; Head::BYTES];
        bytes[0..4].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.stored.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..16].copy_from_slice(&flags.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.first.0.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.last.0.to_le_bytes());
        bytes
    }

    /// None for anything that isn't a whole head.
    pub fn read(bytes: &[u8]) -> Option<Head> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let moment = |at: usize| Some(i64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        if word(0)? != MAGIC {
            return None;
        }
        let flags = word(12)?;
        Some(Head {
            stored: word(4)?,
            length: word(8)?,
            first: Moment(moment(16)?),
            last: Moment(moment(24)?),
            is_key: flags & 1 != 0,
            is_fresh: flags & 2 != 0,
            gap: match flags >> 8 & 0xff {
                1 => Some(Reason::Flood),
                2 => Some(Reason::Behind),
                3 => Some(Reason::Away),
                _ => None,
            },
        })
    }
}

/// A chunk that is complete. `head.stored` is set by whoever stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub head: Head,
    pub content: Vec<u8>,
}

/// One session's recording while it is made: takes records, gives chunks.
#[derive(Debug, Default)]
pub struct Stream {
    content: Vec<u8>,
    head: Option<Head>,
    /// The beginning of a character whose rest has not come yet.
    cut: Vec<u8>,
    began: bool,
    /// Since when there is more in it than a keyframe.
    waits: Option<Moment>,
}

impl Stream {
    /// Takes a record; returns the chunks that it completes, at most two. Output
    /// before the first keyframe shows nothing and is passed over.
    pub fn add(&mut self, record: Record) -> Vec<Recorded> {
        let Record { at, what } = record;
        let mut done = Vec::new();
        match what {
            What::Keyframe(size, data) => {
                done.extend(self.take());
                self.cut.clear();
                let head = self.open(at);
                head.is_key = true;
                let mut fields = size.cols.to_le_bytes().to_vec();
                fields.extend(size.rows.to_le_bytes());
                fields.extend(data);
                self.put(at, KEYFRAME, &fields);
            }
            What::Output(data) if self.began => {
                let mut data = [std::mem::take(&mut self.cut), data].concat();
                let whole = data.len() - cut_at_end(&data);
                self.cut = data.split_off(whole);
                if !data.is_empty() {
                    self.open(at);
                    self.waits.get_or_insert(at);
                    self.put(at, OUTPUT, &data);
                }
            }
            What::Gap(reason) if self.began => {
                self.open(at).gap = Some(reason);
                self.put(at, GAP, &[]);
                done.extend(self.take());
            }
            _ => {}
        }
        if self.content.len() >= FULL {
            done.extend(self.take());
        }
        done
    }

    /// The chunk so far, if there is anything in it.
    pub fn take(&mut self) -> Option<Recorded> {
        self.waits = None;
        let mut head = self.head.take()?;
        let content = std::mem::take(&mut self.content);
        head.length = u32::try_from(content.len()).unwrap_or(u32::MAX);
        Some(Recorded { head, content })
    }

    /// Since when something waits to be stored. A keyframe alone doesn't: until the
    /// pane prints, the next one will show the same.
    pub fn waits_since(&self) -> Option<Moment> {
        self.waits
    }

    fn open(&mut self, at: Moment) -> &mut Head {
        let is_fresh = !std::mem::replace(&mut self.began, true);
        let (first, last) = (at, at);
        let new = Head { stored: 0, length: 0, first, last, is_key: false, is_fresh, gap: None };
        self.head.get_or_insert(new)
    }

    fn put(&mut self, at: Moment, kind: u8, data: &[u8]) {
        let Some(head) = &mut self.head else { return };
        // A clock that was set back doesn't turn a recording round.
        let later = u64::try_from(at.0 - head.last.0).unwrap_or(0);
        head.last.0 += i64::try_from(later).unwrap_or(0);
        // A gap's reason is in the head.
        put_number(&mut self.content, later);
        self.content.push(kind);
        put_number(&mut self.content, data.len() as u64);
        self.content.extend_from_slice(data);
    }
}

const KEYFRAME: u8 = 1;
const OUTPUT: u8 = 2;
const GAP: u8 = 3;

/// The records of a chunk's content, up to where it can be read.
pub fn records(head: &Head, content: &[u8]) -> Vec<Record> {
    let mut found = Vec::new();
    let mut rest = content;
    let mut at = head.first;
    while let Some((later, kind, data)) = next(&mut rest) {
        at.0 = at.0.saturating_add(i64::try_from(later).unwrap_or(i64::MAX));
        let what = match kind {
            KEYFRAME => match data {
                [a, b, c, d, drawing @ ..] => {
                    let cols = u16::from_le_bytes([*a, *b]);
                    let rows = u16::from_le_bytes([*c, *d]);
                    What::Keyframe(Size { cols, rows }, drawing.to_vec())
                }
                _ => break,
            },
            OUTPUT => What::Output(data.to_vec()),
            GAP => What::Gap(head.gap.unwrap_or(Reason::Away)),
            // Of a later version: what it means isn't known, and it may be passed over.
            _ => continue,
        };
        found.push(Record { at, what });
    }
    found
}

fn next<'a>(rest: &mut &'a [u8]) -> Option<(u64, u8, &'a [u8])> {
    let later = number(rest)?;
    let (&kind, after) = rest.split_first()?;
    *rest = after;
    let length = usize::try_from(number(rest)?).ok()?;
    if length > rest.len() {
        return None;
    }
    let (data, after) = rest.split_at(length);
    *rest = after;
    Some((later, kind, data))
}

/// Seven bits a byte, the low ones first; the high bit says that more follow.
fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
