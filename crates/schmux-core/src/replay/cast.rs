//! A recording as an asciicast, version 2 or 3: one line of JSON after the other.

use serde_json::json;

use super::{Reason, Record, What};
use crate::screen::Size;
use crate::time::Moment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Times since the beginning.
    Two,
    /// Times since the line before.
    Three,
}

/// Something to find again on the time line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub at: Moment,
    pub label: String,
}

/// Turns records into lines, as they come.
#[derive(Debug)]
pub struct Cast {
    version: Version,
    title: String,
    idle_ms: Option<u32>,
    /// What comes before this happens at once, so that it begins with a whole picture.
    from: Moment,
    /// Oldest first.
    marks: std::vec::IntoIter<Mark>,
    next_mark: Option<Mark>,
    size: Option<Size>,
    last: Moment,
}

impl Cast {
    pub fn new(
        version: Version,
        title: String,
        from: Moment,
        idle_ms: Option<u32>,
        mut marks: Vec<Mark>,
    ) -> Cast {
        marks.sort_by_key(|mark| mark.at);
        marks.retain(|mark| mark.at >= from);
        let mut marks = marks.into_iter();
        let next_mark = marks.next();
        Cast { version, title, idle_ms, from, marks, next_mark, size: None, last: from }
    }

    /// The lines for a record, each with its end.
    pub fn add(&mut self, record: &Record) -> String {
        let mut out = String::new();
        if let (None, What::Keyframe(size, _)) = (self.size, &record.what) {
            out.push_str(&self.head(*size));
        }
        if self.size.is_none() {
            // Without a picture to begin with there is nothing to show yet.
            return out;
        }
        while let Some(mark) = self.next_mark.take_if(|mark| mark.at <= record.at) {
            out.push_str(&self.line(mark.at, "m", &mark.label));
            self.next_mark = self.marks.next();
        }
        match &record.what {
            What::Keyframe(size, data) => {
                if self.size != Some(*size) {
                    self.size = Some(*size);
                    let text = format!("{}x{}", size.cols, size.rows);
                    out.push_str(&self.line(record.at, "r", &text));
                }
                let drawing = String::from_utf8_lossy(data);
                out.push_str(&self.line(record.at, "o", &format!("\x1bc{drawing}")));
            }
            What::Output(data) => {
                out.push_str(&self.line(record.at, "o", &String::from_utf8_lossy(data)));
            }
            What::Gap(reason) => {
                let why = match reason {
                    Reason::Flood => "not recorded: too much at once",
                    Reason::Behind => "not recorded: the disk was too slow",
                    Reason::Away => "not recorded: schmux was away",
                };
                out.push_str(&self.line(record.at, "m", why));
            }
        }
        out
    }

    /// Marks after the last record.
    pub fn end(&mut self) -> String {
        let mut out = String::new();
        while let Some(mark) = self.next_mark.take().filter(|_| self.size.is_some()) {
            out.push_str(&self.line(mark.at, "m", &mark.label));
            self.next_mark = self.marks.next();
        }
        out
    }

    fn head(&mut self, size: Size) -> String {
        self.size = Some(size);
        let began = self.from.0.div_euclid(1000);
        let mut head = match self.version {
            Version::Two => json!({
                "version": 2, "width": size.cols, "height": size.rows, "timestamp": began,
                "title": self.title, "env": { "TERM": "tmux-256color" },
            }),
            Version::Three => json!({
                "version": 3, "timestamp": began, "title": self.title,
                "term": { "cols": size.cols, "rows": size.rows, "type": "tmux-256color" },
            }),
        };
        if let Some(idle) = self.idle_ms {
            head["idle_time_limit"] = json!(f64::from(idle) / 1000.0);
        }
        format!("{head}\n")
    }

    fn line(&mut self, at: Moment, code: &str, data: &str) -> String {
        let at = at.max(self.last);
        let base = match self.version {
            Version::Two => self.from,
            Version::Three => self.last,
        };
        self.last = at;
        // Milliseconds are all that is known, so three digits are all that is written.
        let time = (at.0 - base.0).max(0);
        let data = json!(data);
        format!("[{}.{:03}, {}, {data}]\n", time / 1000, time % 1000, json!(code))
    }
}
