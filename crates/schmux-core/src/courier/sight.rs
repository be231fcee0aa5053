//! What a screen proves: that a text stands in the field, and that it stands in
//! the conversation.
//!
//! Agents wrap, indent and colour texts, turn tabs into blanks and draw emoji in
//! their own ways, so texts are compared by their [`essence`]. The exact text is
//! what the editor handshake tells; a screen only has to show that nothing else
//! is in the field.

use super::adapter::Adapter;
use super::field::{Field, is_border, is_rule};
use crate::screen::View;

/// How much of a text a field shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// It stands there, and nothing else does.
    Whole,
    /// Its end stands before the cursor; the rest is scrolled away.
    End,
    /// The agent shows a stand-in for a pasted block.
    StandIn,
    No,
}

impl Echo {
    pub fn is_there(self) -> bool {
        self != Echo::No
    }
}

/// Whether the field shows `text` and nothing besides.
pub fn echo(view: &View, field: Option<&Field>, text: &str, adapter: &Adapter) -> Echo {
    if let Some(field) = field {
        let before = field.before_cursor();
        if field.ends_at_cursor() && essence(&before) == essence(text) {
            return Echo::Whole;
        }
        if field.ends_at_cursor() && is_long(text) && is_stand_in(before.trim(), adapter) {
            return Echo::StandIn;
        }
    }
    if shows_end(view, text) { Echo::End } else { Echo::No }
}

/// How often `text` stands on the screen outside the field, by its beginning; by its
/// last line as well if it is so tall that its beginning is soon scrolled away.
pub fn mentions(view: &View, field: Option<&Field>, text: &str, adapter: &Adapter) -> u32 {
    let bottom = field.map_or(view.size.rows, |field| field.top);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or(text);
    let first = Words::of(first, view);
    // A short line is found in many places. Where no field is seen, the last one may
    // stand in it.
    let last = text.lines().map(|line| Words::of(line, view)).rfind(|words| !words.is_short());
    let last = last.filter(|_| field.is_some() && is_tall(text, view));
    let says = |row: &str| first.are_in(row) || last.as_ref().is_some_and(|last| last.are_in(row));
    let stands_in = |row: &str| {
        is_long(text) && adapter.placeholders.iter().any(|prefix| row.contains(prefix.as_str()))
    };
    let rows = view.rows.iter().take(usize::from(bottom)).map(|row| row.text());
    let count = rows.filter(|row| says(row) || stands_in(row)).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The beginning of a line, as it is looked for in rows.
struct Words(String);

impl Words {
    fn of(line: &str, view: &View) -> Words {
        // Half a row is enough to know a text by, and is never wrapped.
        let most = usize::from(view.size.cols / 2).min(24);
        Words(essence(line).chars().take(most).collect())
    }

    fn is_short(&self) -> bool {
        self.0.chars().count() < 8
    }

    fn are_in(&self, row: &str) -> bool {
        fn bare(words: &str) -> &str {
            words.trim_start_matches(|c: char| !c.is_alphanumeric())
        }
        let row = essence(row);
        // A word is found in many places; only a row of its own is a message.
        match self.is_short() {
            true => bare(&row) == bare(&self.0) || row == self.0,
            false => row.contains(&self.0),
        }
    }
}

/// Whether a text takes half of the screen, or more.
fn is_tall(text: &str, view: &View) -> bool {
    let cols = usize::from(view.size.cols).max(1);
    let rows: usize = text.lines().map(|line| line.chars().count() / cols + 1).sum();
    rows * 2 > usize::from(view.size.rows)
}

/// A text without what terminals and agents draw each in their own way: blanks,
/// marks, joiners and emoji. A text of nothing else is kept but for its blanks.
pub fn essence(text: &str) -> String {
    let solid = |c: char| !c.is_whitespace() && !c.is_control();
    let sure = |c: char| {
        !matches!(u32::from(c),
            0x300..=0x36f | 0x200b..=0x200f | 0x2060..=0x2064 | 0xfe00..=0xfe0f
            | 0x20d0..=0x20ff | 0x2600..=0x27bf | 0x1f000.. | 0xfffd)
    };
    let strict: String = text.chars().filter(|c| solid(*c) && sure(*c)).collect();
    if strict.is_empty() { text.chars().filter(|c| solid(*c)).collect() } else { strict }
}

/// Whether a text is long enough for an agent to hide it behind a stand-in.
fn is_long(text: &str) -> bool {
    text.lines().count() > 1 || text.len() > 200
}

fn is_stand_in(shown: &str, adapter: &Adapter) -> bool {
    let closes_at_end = shown.find(']') == Some(shown.len().saturating_sub(1));
    closes_at_end && adapter.placeholders.iter().any(|prefix| shown.starts_with(prefix.as_str()))
}

/// Whether the rows up to the cursor are the end of a text that is too long for
/// the field.
fn shows_end(view: &View, text: &str) -> bool {
    /// Fewer rows than this fit any field whole.
    const ROWS: usize = 5;
    const CHARS: usize = 40;
    let whole = essence(text);
    let mut left = whole.as_str();
    let mut seen = 0;
    for row in (0..=view.cursor.row).rev().filter_map(|row| view.row(row)) {
        if is_rule(row) {
            break;
        }
        let shown =
            essence(row.text().trim_matches(|c: char| is_border(c.encode_utf8(&mut [0; 4]))));
        match left.strip_suffix(shown.as_str()) {
            Some(rest) => left = rest,
            None => break,
        }
        seen += 1;
    }
    seen >= ROWS && whole.chars().count() - left.chars().count() >= CHARS && !left.is_empty()
}

#[cfg(test)]
#[path = "sight_tests.rs"]
mod tests;
