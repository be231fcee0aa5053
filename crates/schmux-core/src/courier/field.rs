//! Finds an agent's input field on a screen, and reads what stands in it.
//!
//! The cursor finds it: every agent keeps the terminal's cursor at its insertion
//! point, and a prompt glyph stands left of the first row. Ghost text is faint
//! and no draft. What is read here is what can be *seen*: a pasted block behind a
//! stand-in, or rows that were scrolled away, are not. Nothing in here decides.

use std::ops::Range;

use super::adapter::Adapter;
use crate::screen::{Glyph, Ink, Row, View};

/// What a field is for at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Text,
    /// What is submitted runs as a command.
    Shell,
}

/// A field as it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub mode: Mode,
    /// All that stands left of its first row: `❯ `, `│ > `.
    pub guard: String,
    /// The row of the screen where it begins.
    pub top: u16,
    /// Its rows, without what is faint and without blanks at their ends.
    pub rows: Vec<String>,
    /// The row (of its own) and the column (from its left edge) of the cursor.
    pub cursor: (usize, u16),
    /// What stands in the cursor's row before it, blanks included.
    before: String,
    /// What stands in the cursor's row after it.
    after: String,
    /// A line or a border stands above it, so that its rows are its own.
    pub framed: bool,
    /// How many columns its rows have.
    pub width: u16,
}

impl Field {
    /// The field that the cursor is in.
    pub fn find(view: &View, adapter: &Adapter) -> Option<Field> {
        if adapter.wraps_to_edge {
            return Field::find_line(view, adapter);
        }
        let cursor = view.cursor;
        let mut above = (0..=cursor.row).rev();
        let (top, guard) = above.find_map(|row| match Guard::of(view.row(row)?, adapter) {
            Some(guard) => Some(Some((row, guard))),
            // Nothing above a line belongs to a field below it.
            None => is_rule(view.row(row)?).then_some(None),
        })??;
        if cursor.col < guard.left || !guard.is_left_of(view, top + 1..=cursor.row) {
            return None;
        }
        let framed = top.checked_sub(1).and_then(|row| view.row(row)).is_some_and(is_rule);
        let mut rows: Vec<String> = Vec::new();
        for row in top..view.size.rows {
            let shown = view.row(row)?;
            if row > cursor.row && !guard.goes_on(shown, framed) {
                break;
            }
            let here = (row == cursor.row).then_some(cursor.col);
            let text = text_of(shown, &guard, here, guard.left..u16::MAX);
            rows.push(text.trim_end().to_owned());
        }
        let at = usize::from(cursor.row - top);
        let last = rows.iter().rposition(|row| !row.is_empty()).unwrap_or(0);
        rows.truncate(last.max(at) + 1);
        let (before, after) = split_at_cursor(view, &guard);
        Some(Field {
            mode: guard.mode,
            guard: guard.text,
            top,
            rows,
            cursor: (at, cursor.col - guard.left),
            before,
            after,
            framed,
            width: view.size.cols.saturating_sub(guard.left + guard.right),
        })
    }

    /// The one line of a line prompt; a full row goes on in the next.
    fn find_line(view: &View, adapter: &Adapter) -> Option<Field> {
        let (cursor, cols) = (view.cursor, view.size.cols);
        let is_full = |row: u16| view.row(row).is_some_and(|row| row.end() >= cols);
        let mut top = cursor.row;
        let guard = loop {
            match Guard::of(view.row(top)?, adapter) {
                Some(guard) => break guard,
                None if top > 0 && is_full(top - 1) => top -= 1,
                None => return None,
            }
        };
        if cursor.row == top && cursor.col < guard.left {
            return None;
        }
        let left = |row: u16| if row == top { guard.left } else { 0 };
        let last = (top..view.size.rows).find(|row| *row >= cursor.row && !is_full(*row))?;
        let part = |row: u16, cols: Range<u16>| {
            let here = (row == cursor.row).then_some(cursor.col);
            view.row(row).map(|shown| text_of(shown, &guard, here, cols)).unwrap_or_default()
        };
        let mut before: String = (top..cursor.row).map(|row| part(row, left(row)..cols)).collect();
        let at_cursor = part(cursor.row, left(cursor.row)..cursor.col);
        let end = view.row(cursor.row)?.end().clamp(left(cursor.row), cursor.col);
        before.push_str(&at_cursor);
        before.extend(std::iter::repeat_n(' ', usize::from(cursor.col - end)));
        let mut after = part(cursor.row, cursor.col..cols);
        after.extend((cursor.row + 1..=last).map(|row| part(row, 0..cols)));
        let width = (cursor.row - top) * cols + cursor.col - guard.left;
        Some(Field {
            mode: guard.mode,
            guard: guard.text,
            top,
            rows: vec![format!("{before}{after}").trim_end().to_owned()],
            cursor: (0, width),
            before,
            after: after.trim().to_owned(),
            framed: false,
            width: cols.saturating_sub(guard.left),
        })
    }

    /// Nothing was typed: the cursor is at its start, and all else is blank or faint.
    pub fn is_empty(&self) -> bool {
        self.cursor == (0, 0) && self.rows.iter().all(String::is_empty)
    }

    /// What stands before the cursor, row by row.
    pub fn before_cursor(&self) -> String {
        let mut text = self.rows[..self.cursor.0].join("\n");
        if self.cursor.0 > 0 {
            text.push('\n');
        }
        text + &self.before
    }

    /// Whether the cursor stands at the end of its row.
    pub fn ends_at_cursor(&self) -> bool {
        self.after.is_empty()
    }

    /// Whether the cursor stands in an empty last row: what was typed last is a
    /// line break.
    pub fn ends_in_line_break(&self) -> bool {
        let (row, col) = self.cursor;
        row > 0 && col == 0 && row + 1 == self.rows.len() && self.rows[row].is_empty()
    }

    /// Whether both show the same, wherever on the screen.
    pub fn reads_as(&self, other: &Field) -> bool {
        (&self.guard, &self.rows, self.cursor) == (&other.guard, &other.rows, other.cursor)
    }
}

/// What stands left of a field.
struct Guard {
    mode: Mode,
    text: String,
    /// The first column of the field's text.
    left: u16,
    /// Columns that a border takes on the right.
    right: u16,
    bordered: bool,
}

impl Guard {
    /// The prompt at the beginning of a row, if there is one. It stands in the
    /// first two columns, or right after a border that does: further in, a `>`
    /// is a quotation in a draft.
    fn of(row: &Row, adapter: &Adapter) -> Option<Guard> {
        let mut marks = row.glyphs().filter(|glyph| glyph.text != " ");
        let first = marks.next().filter(|glyph| glyph.col <= 1)?;
        let bordered = is_border(first.text);
        let inner = marks.next().filter(|glyph| bordered && glyph.col <= first.col + 2);
        let mut near = inner.into_iter().chain([first]);
        let (glyph, mode) = near.find_map(|glyph| Some((glyph, mode_of(glyph.text, adapter)?)))?;
        let left = glyph.col + u16::from(glyph.width) + adapter.indent;
        let blank = |glyph: Glyph<'_>| glyph.text == " ";
        let mut gap = row.glyphs().filter(|g| (glyph.col + 1..left).contains(&g.col));
        if !gap.all(blank) {
            return None;
        }
        let text = row.glyphs().take_while(|g| g.col <= glyph.col).map(|g| g.text).collect();
        Some(Guard { mode, text, left, right: if bordered { 2 } else { 0 }, bordered })
    }

    /// Whether nothing but borders stands left of the field in these rows.
    fn is_left_of(&self, view: &View, mut rows: impl Iterator<Item = u16>) -> bool {
        rows.all(|row| view.row(row).is_some_and(|row| self.leaves_room(row)))
    }

    fn leaves_room(&self, row: &Row) -> bool {
        let mut left = row.glyphs().filter(|glyph| glyph.col < self.left);
        left.all(|glyph| glyph.text == " " || (self.bordered && is_border(glyph.text)))
    }

    /// Whether a row below the cursor belongs to the field still.
    fn goes_on(&self, row: &Row, framed: bool) -> bool {
        if is_rule(row) || !self.leaves_room(row) {
            return false;
        }
        let mut inside = row.glyphs().filter(|g| g.text != " " && !is_border(g.text)).peekable();
        match inside.peek() {
            // A blank row may be an empty line of a draft or the end of the field.
            None => framed,
            Some(_) => !inside.all(|glyph| glyph.ink == Ink::Faint),
        }
    }
}

fn mode_of(glyph: &str, adapter: &Adapter) -> Option<Mode> {
    let among = |list: &[String]| list.iter().any(|prompt| prompt == glyph);
    match (among(&adapter.prompts), among(&adapter.shell_prompts)) {
        (true, _) => Some(Mode::Text),
        (_, true) => Some(Mode::Shell),
        _ => None,
    }
}

/// The text of one row of a field in these columns; faint characters count as blanks.
fn text_of(row: &Row, guard: &Guard, cursor: Option<u16>, cols: Range<u16>) -> String {
    let border = guard.bordered.then(|| row.glyphs().next_back()).flatten();
    let border = border.filter(|glyph| is_border(glyph.text)).map(|glyph| glyph.col);
    let ghost = cursor.filter(|col| is_ghost_at(row, *col));
    let mut text = String::new();
    let mut next = cols.start;
    for glyph in row.glyphs().filter(|glyph| cols.contains(&glyph.col)) {
        let skip = glyph.ink == Ink::Faint || [border, ghost].contains(&Some(glyph.col));
        text.extend(std::iter::repeat_n(' ', usize::from(glyph.col.saturating_sub(next))));
        text.push_str(if skip { " " } else { glyph.text });
        next = glyph.col + u16::from(glyph.width);
    }
    text
}

/// What stands in the cursor's row before it and after it. Blanks that were
/// typed at the end of a row are known by the cursor only.
fn split_at_cursor(view: &View, guard: &Guard) -> (String, String) {
    let Some(row) = view.row(view.cursor.row) else { return Default::default() };
    let col = view.cursor.col;
    let mut before = text_of(row, guard, Some(col), guard.left..col);
    let end = row.end().clamp(guard.left, col);
    before.extend(std::iter::repeat_n(' ', usize::from(col - end)));
    let after = text_of(row, guard, Some(col), col..u16::MAX);
    (before, after.trim().to_owned())
}

/// Whether the program draws its cursor on the first character of ghost text.
fn is_ghost_at(row: &Row, col: u16) -> bool {
    let mut at = row.glyphs().filter(|glyph| glyph.col == col && glyph.ink == Ink::Inverse);
    let mut right = row.glyphs().filter(|glyph| glyph.col > col && glyph.text != " ").peekable();
    at.next().is_some()
        && right.peek().is_some()
        && right.all(|glyph| glyph.ink == Ink::Faint || is_border(glyph.text))
}

/// Left and right edges of boxes.
pub(super) fn is_border(text: &str) -> bool {
    matches!(text, "│" | "┃" | "║" | "|" | "▌" | "▎" | "▏" | "▐" | "▕")
}

/// A line across the screen, or the top or bottom of a box: it begins and ends
/// with a stroke, near the left edge.
pub(super) fn is_rule(row: &Row) -> bool {
    let stroke = |text: &str| "─━═╌┄┈▀▄▔▁╭╮╰╯┌┐└┘├┤╔╗╚╝".contains(text);
    let mut marks = row.glyphs().filter(|glyph| glyph.text != " ");
    let first = marks.next().filter(|glyph| glyph.col <= 2);
    let last = marks.next_back();
    match (first, last) {
        (Some(first), Some(last)) => stroke(first.text) && stroke(last.text),
        _ => false,
    }
}

#[cfg(test)]
#[path = "field_tests.rs"]
mod tests;
