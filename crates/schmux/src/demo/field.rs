//! The text of the input field: what is in it, where the cursor is, what each edit does.
//!
//! A pure value. It knows of two schools of editing (`Habits`), of rows that
//! are wrapped, and of pasted blocks that stand in the field as one short
//! placeholder; keys, history and what Enter means belong to `composer`.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::layout::{self, Item, Wrap};

/// Whose habits the field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Habits {
    Claude,
    Codex,
}

/// What the cursor can't stand in the middle of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Atom {
    Grapheme(Box<str>),
    Newline,
    Paste {
        label: Box<str>,
        text: Box<str>,
    },
    /// An attachment. Its label is all that ever becomes text: an editor that
    /// writes the same label back has lost it.
    Image {
        label: Box<str>,
    },
}

impl Atom {
    /// What the atom looks like in the field.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Atom::Grapheme(grapheme) if &**grapheme == "\t" => "    ",
            // One column, as the layout counts it.
            Atom::Grapheme(grapheme) if grapheme.contains(char::is_control) => "\u{fffd}",
            Atom::Grapheme(grapheme) => grapheme,
            Atom::Newline => "",
            Atom::Paste { label, .. } | Atom::Image { label } => label,
        }
    }

    /// What the atom stands for.
    fn text(&self) -> &str {
        match self {
            Atom::Grapheme(grapheme) => grapheme,
            Atom::Newline => "\n",
            Atom::Paste { text, .. } => text,
            Atom::Image { label } => label,
        }
    }

    fn item(&self) -> Item {
        match self {
            Atom::Grapheme(grapheme) => layout::item(grapheme),
            Atom::Newline => Item::Newline,
            Atom::Paste { label, .. } | Atom::Image { label } => Item::Solid(label.width()),
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self.item(), Item::Blank(_) | Item::Newline)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Field {
    atoms: Vec<Atom>,
    cursor: usize,
}

/// The rows of the field around the cursor, as they are drawn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Drawn<'a> {
    /// How many rows there are above these.
    pub(crate) skipped: usize,
    pub(crate) rows: Vec<&'a [Atom]>,
    /// Row and column of the cursor among these.
    pub(crate) cursor: (usize, usize),
}

impl Field {
    pub(crate) fn from_text(text: &str) -> Field {
        let mut field = Field::default();
        field.insert(text);
        field
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The text that the field stands for, pasted blocks in full.
    pub(crate) fn text(&self) -> String {
        self.atoms.iter().map(Atom::text).collect()
    }

    /// The text as the field shows it, pasted blocks by their placeholders.
    pub(crate) fn shown(&self) -> String {
        let shown = |atom: &Atom| match atom {
            Atom::Paste { label, .. } => label.to_string(),
            other => other.text().to_owned(),
        };
        self.atoms.iter().map(shown).collect()
    }

    pub(crate) fn at_start(&self) -> bool {
        self.cursor == 0
    }

    pub(crate) fn before_cursor(&self) -> String {
        self.atoms[..self.cursor].iter().map(Atom::text).collect()
    }

    /// The word that ends at the cursor, and whether it is all that stands before it.
    pub(crate) fn word_before_cursor(&self) -> (String, bool) {
        let before = &self.atoms[..self.cursor];
        let start = before.iter().rposition(Atom::is_blank).map_or(0, |blank| blank + 1);
        (before[start..].iter().map(Atom::text).collect(), start == 0)
    }

    pub(crate) fn has_pastes(&self) -> bool {
        self.atoms.iter().any(|atom| matches!(atom, Atom::Paste { .. }))
    }

    pub(crate) fn cursor_at_end(&self) -> bool {
        self.cursor == self.atoms.len()
    }

    /// Inserts text at the cursor. It joins the grapheme before it, so that an
    /// emoji and its modifier become one although they are typed as two.
    pub(crate) fn insert(&mut self, text: &str) {
        let mut run = String::new();
        let mut from = self.cursor;
        if let Some(Atom::Grapheme(before)) = self.cursor.checked_sub(1).map(|i| &self.atoms[i]) {
            run.push_str(before);
            from -= 1;
        }
        run.push_str(text);
        let atoms: Vec<Atom> = run
            .graphemes(true)
            .flat_map(|grapheme| match grapheme {
                "\n" => vec![Atom::Newline],
                "\r\n" => vec![Atom::Grapheme("\r".into()), Atom::Newline],
                other => vec![Atom::Grapheme(other.into())],
            })
            .collect();
        let added = atoms.len();
        self.atoms.splice(from..self.cursor, atoms);
        self.cursor = from + added;
    }

    pub(crate) fn insert_paste(&mut self, label: String, text: String) {
        self.atoms.insert(self.cursor, Atom::Paste { label: label.into(), text: text.into() });
        self.cursor += 1;
    }

    pub(crate) fn insert_image(&mut self, label: String) {
        self.atoms.insert(self.cursor, Atom::Image { label: label.into() });
        self.cursor += 1;
    }

    pub(crate) fn images(&self) -> usize {
        self.atoms.iter().filter(|atom| matches!(atom, Atom::Image { .. })).count()
    }

    /// Puts atoms that were cut out before back in at the cursor.
    pub(crate) fn insert_atoms(&mut self, atoms: &[Atom]) {
        self.atoms.splice(self.cursor..self.cursor, atoms.iter().cloned());
        self.cursor += atoms.len();
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.cursor.saturating_sub(1);
    }

    pub(crate) fn right(&mut self) {
        self.cursor = (self.cursor + 1).min(self.atoms.len());
    }

    pub(crate) fn move_to_end(&mut self) {
        self.cursor = self.atoms.len();
    }

    pub(crate) fn backspace(&mut self) {
        if self.cursor > 0 {
            self.cut(self.cursor - 1..self.cursor);
        }
    }

    pub(crate) fn delete(&mut self) {
        if self.cursor < self.atoms.len() {
            self.cut(self.cursor..self.cursor + 1);
        }
    }

    /// The Home key.
    pub(crate) fn home(&mut self, habits: Habits, width: usize, wrap: Wrap) {
        match habits {
            Habits::Claude => {
                let rows = self.rows(width, wrap);
                let row = self.row_of(&rows);
                if self.cursor == rows[row].start && row > 0 {
                    self.cursor = rows[row - 1].start;
                } else {
                    self.cursor = rows[row].start;
                }
            }
            Habits::Codex => self.cursor = self.line().start,
        }
    }

    /// Ctrl-A.
    pub(crate) fn line_start(&mut self, habits: Habits) {
        let start = self.line().start;
        if habits == Habits::Codex && self.cursor == start && start > 0 {
            self.cursor = start - 1;
            self.cursor = self.line().start;
        } else {
            self.cursor = start;
        }
    }

    /// The End key.
    pub(crate) fn end(&mut self, habits: Habits, width: usize, wrap: Wrap) {
        match habits {
            Habits::Claude => {
                let rows = self.rows(width, wrap);
                let row = self.row_of(&rows);
                self.cursor = self.row_end(&rows, row);
            }
            Habits::Codex => self.cursor = self.line().end,
        }
    }

    /// Ctrl-E.
    pub(crate) fn line_end(&mut self, habits: Habits) {
        let end = self.line().end;
        if habits == Habits::Codex && self.cursor == end && end < self.atoms.len() {
            self.cursor = end + 1;
            self.cursor = self.line().end;
        } else {
            self.cursor = end;
        }
    }

    /// Ctrl-K: cuts to the end of the row or line; at the end it joins the next one.
    pub(crate) fn kill_to_end(&mut self, habits: Habits, width: usize, wrap: Wrap) -> Vec<Atom> {
        let end = match habits {
            Habits::Claude => {
                let rows = self.rows(width, wrap);
                let row = rows[self.row_of(&rows)].clone();
                let newline = matches!(self.atoms[row.clone()].last(), Some(Atom::Newline));
                row.end - usize::from(newline)
            }
            Habits::Codex => self.line().end,
        };
        if end > self.cursor {
            self.cut(self.cursor..end)
        } else if self.cursor < self.atoms.len() {
            self.cut(self.cursor..self.cursor + 1)
        } else {
            Vec::new()
        }
    }

    /// Ctrl-U: cuts to the start of the row or line; at the start it joins the one above.
    pub(crate) fn kill_to_start(&mut self, habits: Habits, width: usize, wrap: Wrap) -> Vec<Atom> {
        let start = match habits {
            Habits::Claude => {
                let rows = self.rows(width, wrap);
                rows[self.row_of(&rows)].start
            }
            Habits::Codex => self.line().start,
        };
        if start < self.cursor {
            self.cut(start..self.cursor)
        } else if self.cursor > 0 {
            self.cut(self.cursor - 1..self.cursor)
        } else {
            Vec::new()
        }
    }

    /// Ctrl-W: cuts the word before the cursor and the blanks after it.
    pub(crate) fn kill_word(&mut self) -> Vec<Atom> {
        let before = &self.atoms[..self.cursor];
        let word_end = before.iter().rposition(|atom| !atom.is_blank()).map_or(0, |i| i + 1);
        let start =
            before[..word_end].iter().rposition(Atom::is_blank).map_or(0, |blank| blank + 1);
        self.cut(start..self.cursor)
    }

    /// Moves a row up; false on the first row, where nothing moves.
    pub(crate) fn up(&mut self, width: usize, wrap: Wrap) -> bool {
        self.move_rows(width, wrap, |row, _| row.checked_sub(1))
    }

    /// Moves a row down; false on the last row, where nothing moves.
    pub(crate) fn down(&mut self, width: usize, wrap: Wrap) -> bool {
        self.move_rows(width, wrap, |row, rows| Some(row + 1).filter(|row| *row < rows))
    }

    /// At most `most` rows (one at least), and the cursor's is among them.
    pub(crate) fn drawn(&self, width: usize, wrap: Wrap, most: usize) -> Drawn<'_> {
        let rows = self.rows(width, wrap);
        let row = self.row_of(&rows);
        let column = self.columns(rows[row].start..self.cursor);
        let skipped = (row + 1).saturating_sub(most.max(1));
        let shown = rows.into_iter().skip(skipped).take(most.max(1));
        Drawn {
            skipped,
            rows: shown.map(|row| &self.atoms[row]).collect(),
            cursor: (row - skipped, column),
        }
    }

    fn move_rows(
        &mut self,
        width: usize,
        wrap: Wrap,
        target: impl Fn(usize, usize) -> Option<usize>,
    ) -> bool {
        let rows = self.rows(width, wrap);
        let row = self.row_of(&rows);
        let Some(target) = target(row, rows.len()) else { return false };
        let column = self.columns(rows[row].start..self.cursor);
        let (start, end) = (rows[target].start, self.row_end(&rows, target));
        self.cursor =
            (start..=end).take_while(|at| self.columns(start..*at) <= column).last().unwrap_or(end);
        true
    }

    fn cut(&mut self, range: Range<usize>) -> Vec<Atom> {
        self.cursor = range.start;
        self.atoms.drain(range).collect()
    }

    fn columns(&self, range: Range<usize>) -> usize {
        self.atoms[range].iter().map(|atom| atom.shown().width()).sum()
    }

    fn rows(&self, width: usize, wrap: Wrap) -> Vec<Range<usize>> {
        let items: Vec<Item> = self.atoms.iter().map(Atom::item).collect();
        layout::rows(&items, width, wrap)
    }

    /// The row that shows the cursor: where two rows meet, the second.
    fn row_of(&self, rows: &[Range<usize>]) -> usize {
        rows.iter().rposition(|row| row.start <= self.cursor).unwrap_or(0)
    }

    /// The last place in a row. One short of the next row's start, which is that row's place.
    fn row_end(&self, rows: &[Range<usize>], row: usize) -> usize {
        let last = row + 1 == rows.len();
        if last { rows[row].end } else { rows[row].end - 1 }
    }

    /// The logical line around the cursor, without its newline.
    fn line(&self) -> Range<usize> {
        let newline = |atom: &Atom| matches!(atom, Atom::Newline);
        let start = self.atoms[..self.cursor].iter().rposition(newline).map_or(0, |i| i + 1);
        let length = self.atoms[self.cursor..].iter().position(newline);
        start..length.map_or(self.atoms.len(), |length| self.cursor + length)
    }
}

#[cfg(test)]
#[path = "field_tests.rs"]
mod tests;
