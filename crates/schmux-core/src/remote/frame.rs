//! Finds frames in a stream that is cut anywhere.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::{Edit, Edited, File, Frame, Heard, Kind, hex};

const OPEN: &[u8] = b"__SCHMUX_SIGNAL__";
const CLOSE: &[u8] = b"__END__";

/// The longest frame. The watcher sends at most 64 kB of a file at once, which
/// is twice as much in digits; a host that sends more must not fill our memory.
const MAX_FRAME: usize = 256 << 10;

/// The frames of one stream.
#[derive(Debug, Default)]
pub struct Frames {
    /// What may still become a frame.
    buffer: Vec<u8>,
    /// Everything before this was searched for the end of a frame.
    searched: usize,
}

impl Frames {
    /// Takes what was read, in pieces of any size.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.push(bytes);
        std::iter::from_fn(|| self.pop()).collect()
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// What came behind the frame that was taken last, for whoever reads on in
    /// another way.
    pub fn into_rest(self) -> Vec<u8> {
        self.buffer
    }

    /// Takes the next frame, if it is whole.
    pub fn pop(&mut self) -> Option<Heard> {
        let Some(begin) = memchr::memmem::find(&self.buffer, OPEN) else {
            // Only the beginning of a mark may be of use, and it is short.
            let kept = self.buffer.len().min(OPEN.len() - 1);
            self.buffer.drain(..self.buffer.len() - kept);
            self.searched = 0;
            return None;
        };
        if begin > 0 {
            self.buffer.drain(..begin);
            self.searched = 0;
        }
        let from = self.searched.max(OPEN.len());
        let Some(found) = memchr::memmem::find(&self.buffer[from..], CLOSE) else {
            self.searched = self.buffer.len().saturating_sub(CLOSE.len()).max(OPEN.len());
            if self.buffer.len() <= MAX_FRAME {
                return None;
            }
            self.buffer.drain(..OPEN.len());
            self.searched = 0;
            return Some(Heard::Torn);
        };
        let end = from + found;
        let body = &self.buffer[OPEN.len()..end];
        // A frame that lost its end runs into the next one, which is whole.
        if let Some(again) = memchr::memmem::find(body, OPEN) {
            self.buffer.drain(..OPEN.len() + again);
            self.searched = 0;
            return Some(Heard::Torn);
        }
        let heard = parse(body).map_or(Heard::Torn, Heard::Frame);
        self.buffer.drain(..end + CLOSE.len());
        self.searched = 0;
        Some(heard)
    }
}

fn parse(body: &[u8]) -> Option<Frame> {
    let text = std::str::from_utf8(body).ok()?;
    let mut words = text.split_ascii_whitespace();
    let frame = match words.next()? {
        "ready" => ready(&mut words)?,
        "done" => Frame::Done { nonce: words.next()?.to_owned(), status: number(words.next())? },
        "watching" => Frame::Watching { notified: words.next()? == "notified" },
        "status" => Frame::File(file(Kind::Status, &mut words)?),
        "events" => Frame::File(file(Kind::Events, &mut words)?),
        "edit" => {
            let (session, nonce) = (words.next()?.to_owned(), words.next()?.to_owned());
            Frame::Edit(Edit { session, nonce, content: counted(&mut words)? })
        }
        "unheard" => {
            Frame::Unheard { session: words.next()?.to_owned(), ticket: number(words.next())? }
        }
        "edited" => {
            let (session, call) = (words.next()?.to_owned(), number(words.next())?);
            let wrote = words.next()? == "yes";
            let (keys, kept) = (counted(&mut words)?, words.next().map(str::to_owned));
            Frame::Edited(Edited { session, call, wrote, keys, kept })
        }
        _ => return None,
    };
    words.next().is_none().then_some(frame)
}

/// Names with values in digits, or `-` for an empty one.
fn ready<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Frame> {
    let nonce = words.next()?.to_owned();
    let mut facts = BTreeMap::new();
    while let Some(name) = words.next() {
        let value = String::from_utf8_lossy(&bytes(words.next()?)?).into_owned();
        facts.insert(name.to_owned(), value);
    }
    Some(Frame::Ready { nonce, facts })
}

fn file<'a>(kind: Kind, words: &mut impl Iterator<Item = &'a str>) -> Option<File> {
    let workspace = number(words.next())?;
    let name = words.next()?.to_owned();
    let inode = number(words.next())?;
    let size = number(words.next())?;
    let modified = nanoseconds(words.next()?)?;
    let start = number(words.next())?;
    let bytes = counted(words)?;
    Some(File { kind, workspace, name, inode, size, modified, start, bytes })
}

/// Bytes with their count before them.
fn counted<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Vec<u8>> {
    let count: usize = number(words.next())?;
    bytes(words.next()?).filter(|bytes| bytes.len() == count)
}

fn bytes(word: &str) -> Option<Vec<u8>> {
    if word == "-" { Some(Vec::new()) } else { hex::decode(word.as_bytes()) }
}

fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

/// `1794823404.123456789`, with as many decimals as there are.
fn nanoseconds(word: &str) -> Option<i64> {
    let (seconds, decimals) = word.split_once(['.', ',']).unwrap_or((word, ""));
    let seconds: i64 = seconds.parse().ok()?;
    let mut rest: i64 = 0;
    for place in 0..9 {
        let digit = decimals.as_bytes().get(place).map_or(Some(0), |b| char::from(*b).to_digit(10));
        rest = rest * 10 + i64::from(digit?);
    }
    seconds.checked_mul(1_000_000_000)?.checked_add(rest)
}
