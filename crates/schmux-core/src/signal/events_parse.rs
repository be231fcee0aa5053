//! What stands next in an events file.
//!
//! A half-written object never parses, so an object is taken as soon as it is
//! whole, newline or not; objects on one line are taken one by one.

use serde_json::{Map, Value};

use super::events_file::MAX_LINE;
use super::{Signal, Source, State, text};

/// What an event says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// `{"type":"status","state":…,"message":…}`.
    Signal { signal: Signal, ts: Option<String> },
    /// Any other object, for the history.
    Record { kind: String, ts: Option<String>, json: String },
    /// To be warned of.
    Invalid { text: String },
}

impl Event {
    /// Its time as it was written: it is for people and for comparing.
    pub fn timestamp(&self) -> Option<&str> {
        match self {
            Event::Signal { ts, .. } | Event::Record { ts, .. } => ts.as_deref(),
            Event::Invalid { .. } => None,
        }
    }
}

pub(super) enum Item {
    Event(Box<Event>),
    Invalid(String),
    Blank,
    /// A line beyond the limit, and whether its end has been seen.
    TooLong {
        ended: bool,
    },
}

/// The next item and its length, or nothing if more bytes are needed.
pub(super) fn next_item(bytes: &[u8], skipping: bool) -> Option<(Item, usize)> {
    let newline = memchr::memchr(b'\n', bytes);
    let line = &bytes[..newline.unwrap_or(bytes.len())];
    let consumed = newline.map_or(bytes.len(), |at| at + 1);
    if line.len() > MAX_LINE || (skipping && !bytes.is_empty()) {
        return Some((Item::TooLong { ended: newline.is_some() }, consumed));
    }
    let start = line.iter().position(|b| !is_blank(*b)).unwrap_or(line.len());
    let content = &line[start..];
    if content.is_empty() {
        return newline.map(|_| (Item::Blank, consumed));
    }
    if let Some((object, length)) = first_object(content) {
        return Some((event(&object, &content[..length]), start + length));
    }
    newline?;
    // What isn't UTF-8 is repaired, which only a whole line can be.
    let repaired = String::from_utf8_lossy(content);
    let item = match serde_json::from_str(&repaired) {
        Ok(Value::Object(object)) => event(&object, repaired.trim().as_bytes()),
        _ => Item::Invalid(text::clean(content)),
    };
    Some((item, consumed))
}

/// Holes and byte order marks are blanks, too.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0xef | 0xbb | 0xbf)
}

fn first_object(content: &[u8]) -> Option<(Map<String, Value>, usize)> {
    let mut values = serde_json::Deserializer::from_slice(content).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::Object(object))) => Some((object, values.byte_offset())),
        _ => None,
    }
}

fn event(object: &Map<String, Value>, json: &[u8]) -> Item {
    let kind = object.get("type").map(plain).unwrap_or_default();
    let ts = object.get("ts").map(plain).filter(|ts| !ts.is_empty());
    if kind != "status" {
        let kind = text::clean_to(kind.as_bytes(), text::MAX_KEY);
        let json = String::from_utf8_lossy(json).into_owned();
        return Item::Event(Box::new(Event::Record { kind, ts, json }));
    }
    let state = object.get("state").and_then(Value::as_str).and_then(|s| s.parse::<State>().ok());
    let Some(state) = state else { return Item::Invalid(text::clean(json)) };
    let message = object.get("message").map(plain).unwrap_or_default();
    let mut signal = Signal::new(state, message, Source::EventsFile);
    for (key, value) in object {
        if !matches!(key.as_str(), "ts" | "type" | "state" | "message") {
            signal.add_detail(key, plain(value));
        }
    }
    Item::Event(Box::new(Event::Signal { signal, ts }))
}

/// A value as people would write it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text::clean(text.as_bytes()),
        other => text::clean(other.to_string().as_bytes()),
    }
}
