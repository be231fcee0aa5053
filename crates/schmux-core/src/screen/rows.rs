//! A screen as text with attributes, for those who read it.
//!
//! A copy: rows as `&str`, runs of cells that look the same, and the cursor.
//! All rows share one buffer, so that reading a screen costs a few allocations,
//! and none if the same [`Rows`] is filled again. It judges nothing: what a
//! grey word or an inverse row means is for the reader to say.

use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::{Cursor, SPACERS, Screen, Size, canonical};

/// The rows of a screen, without blanks at their ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    text: String,
    runs: Vec<Run>,
    rows: Vec<Span>,
    cols: u16,
    cursor: (u16, u16),
    cursor_visible: bool,
    /// Where in its row's text the cursor stands; behind the end if it is further right.
    cursor_byte: usize,
    alternate: bool,
}

/// Cells that look the same, from a byte of the row's text on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: usize,
    look: Look,
}

/// One row's part of the shared buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    text: (usize, usize),
    runs: (usize, usize),
}

/// How a cell looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    pub dim: bool,
    pub bold: bool,
    pub inverse: bool,
    pub fg: Paint,
    pub bg: Paint,
}

/// A colour. `31` and `38;5;1` are the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    #[default]
    Default,
    Indexed(u8),
    Rgb(u8, u8, u8),
}

impl Rows {
    pub fn read(screen: &Screen) -> Rows {
        let mut rows = Rows::default();
        rows.fill(screen);
        rows
    }

    /// Reads a screen into the buffers of an earlier one.
    pub fn fill(&mut self, screen: &Screen) {
        self.text.clear();
        self.runs.clear();
        self.rows.clear();
        let Size { cols, rows } = screen.size();
        self.text.reserve(usize::from(cols) * usize::from(rows));
        self.rows.reserve(usize::from(rows));
        let Cursor { col, row, visible } = screen.cursor();
        self.cols = cols;
        self.cursor = (col, row);
        self.cursor_visible = visible;
        self.cursor_byte = 0;
        self.alternate = screen.is_alternate();
        for row in 0..rows {
            self.add(screen, row);
        }
    }

    fn add(&mut self, screen: &Screen, row: u16) {
        let (text, runs) = (self.text.len(), self.runs.len());
        let cursor = (self.cursor.1 == row).then_some(usize::from(self.cursor.0));
        let mut end = text;
        // Neighbours are mostly drawn alike, and then nothing need be made of it.
        let mut drawn = None;
        for (col, cell) in screen.cells(row).enumerate() {
            if cursor == Some(col) {
                self.cursor_byte = self.text.len() - text;
            }
            if cell.flags.intersects(SPACERS) {
                continue;
            }
            let style = Some((cell.fg, cell.bg, cell.flags));
            if drawn != style {
                drawn = style;
                let look = look(cell);
                if self.runs.len() == runs || self.runs.last().is_some_and(|run| run.look != look) {
                    self.runs.push(Run { start: self.text.len() - text, look });
                }
            }
            self.text.push(if cell.c == '\0' || cell.c == '\t' { ' ' } else { cell.c });
            if let Some(marks) = cell.zerowidth() {
                self.text.extend(marks);
            }
            if cell.c != ' ' && cell.c != '\0' {
                end = self.text.len();
            }
        }
        self.text.truncate(end);
        let length = end - text;
        // A run behind the text shows only its background; one is enough to tell it.
        let beyond = self.runs[runs..].iter().position(|run| run.start > length);
        if let Some(at) = beyond {
            self.runs.truncate(runs + at);
        }
        self.rows.push(Span { text: (text, end), runs: (runs, self.runs.len()) });
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn cols(&self) -> u16 {
        self.cols
    }

    /// A row's text; nothing for a row that isn't there.
    pub fn text(&self, row: usize) -> &str {
        self.rows.get(row).map_or("", |span| &self.text[span.text.0..span.text.1])
    }

    /// The look of the cell whose text begins at a byte of its row, or which holds it.
    pub fn look(&self, row: usize, byte: usize) -> Look {
        let runs = self.rows.get(row).map_or(&[][..], |span| &self.runs[span.runs.0..span.runs.1]);
        let after = runs.partition_point(|run| run.start <= byte);
        after.checked_sub(1).map_or(Look::default(), |at| runs[at].look)
    }

    pub fn cursor(&self) -> Cursor {
        Cursor { col: self.cursor.0, row: self.cursor.1, visible: self.cursor_visible }
    }

    pub fn cursor_row(&self) -> usize {
        usize::from(self.cursor.1)
    }

    /// Where in its row's text the cursor stands.
    pub fn cursor_byte(&self) -> usize {
        self.cursor_byte
    }

    pub fn is_alternate(&self) -> bool {
        self.alternate
    }
}

impl Look {
    /// Whether it is drawn to be overlooked, as hints, placeholders and ghost text are.
    pub fn is_soft(self) -> bool {
        self.dim || self.fg.is_grey()
    }
}

impl Paint {
    /// The greys that are darker than text: bright black, the grey ramp, and their like in RGB.
    pub fn is_grey(self) -> bool {
        match self {
            Paint::Default => false,
            Paint::Indexed(index) => index == 8 || (236..=250).contains(&index),
            Paint::Rgb(r, g, b) => {
                let (low, high) = (r.min(g).min(b), r.max(g).max(b));
                high - low <= GREY_SPREAD && (0x30..=0xc0).contains(&high)
            }
        }
    }

    /// The reds in which errors are written.
    pub fn is_red(self) -> bool {
        match self {
            Paint::Default => false,
            // The two reds, and those of the 6x6x6 cube that people call so.
            Paint::Indexed(index) => {
                matches!(index, 1 | 9 | 124 | 160 | 161 | 167 | 168 | 196 | 197)
                    || matches!(index, 203 | 204 | 210 | 211 | 217)
            }
            // More green than blue makes it an orange, which is no warning.
            Paint::Rgb(r, g, b) => {
                r >= 0xa0 && r.saturating_sub(g.max(b)) >= RED_LEAD && g <= b.saturating_add(12)
            }
        }
    }
}

/// How far a grey's three parts may lie apart: themes tint their greys a little.
const GREY_SPREAD: u8 = 24;

/// How much stronger red must be than the others: a pink of error messages has about 80.
const RED_LEAD: u8 = 60;

fn look(cell: &Cell) -> Look {
    Look {
        dim: cell.flags.contains(Flags::DIM),
        bold: cell.flags.contains(Flags::BOLD),
        inverse: cell.flags.contains(Flags::INVERSE),
        fg: ink(cell.fg),
        bg: ink(cell.bg),
    }
}

fn ink(color: Color) -> Paint {
    match canonical(color) {
        Color::Indexed(index) => Paint::Indexed(index),
        Color::Spec(rgb) => Paint::Rgb(rgb.r, rgb.g, rgb.b),
        // Foreground and background, by their names.
        Color::Named(NamedColor::Foreground | NamedColor::Background) | Color::Named(_) => {
            Paint::Default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &str) -> Rows {
        let mut screen = Screen::new(Size { cols: 20, rows: 4 });
        screen.advance(bytes.as_bytes());
        Rows::read(&screen)
    }

    #[test]
    fn rows_are_the_text_without_blanks_at_the_end() {
        let rows = rows("one  \r\n 漢字 é\r\n\tx");
        let texts: Vec<&str> = (0..5).map(|row| rows.text(row)).collect();
        assert_eq!(texts, ["one", " 漢字 é", "        x", "", ""]);
        assert_eq!((rows.len(), rows.cols(), rows.is_empty()), (4, 20, false));
    }

    #[test]
    fn looks_are_found_by_byte() {
        let rows = rows("a\x1b[1;31mb漢\x1b[0;2mc\x1b[0;7md\x1b[0;48;5;4m  ");
        let look = |byte| rows.look(0, byte);
        assert_eq!(look(0), Look::default());
        assert_eq!(look(1), Look { bold: true, fg: Paint::Indexed(1), ..Look::default() });
        assert_eq!(look(1), look(2));
        assert!(look(1).fg.is_red() && !look(0).fg.is_red());
        assert!(look(5).dim && look(5).is_soft());
        assert!(look(6).inverse && !look(6).is_soft());
        // The background goes on behind the text.
        assert_eq!(rows.text(0), "ab漢cd");
        assert_eq!(look(7).bg, Paint::Indexed(4));
        assert_eq!(rows.look(9, 0), Look::default());
    }

    #[test]
    fn the_cursor_is_found_in_the_text() {
        for (bytes, byte, visible) in [
            ("漢字é", 8, true),
            ("漢字é\x1b[1;3H", 3, true),
            ("ab\x1b[?25l\x1b[1;9H", 8, false),
            ("ab\r\nc\x1b[1;2H", 1, true),
        ] {
            let rows = rows(bytes);
            assert_eq!(rows.cursor_byte(), byte, "{bytes:?}");
            assert_eq!((rows.cursor_row(), rows.cursor().visible), (0, visible), "{bytes:?}");
        }
    }

    #[test]
    fn a_filled_again_copy_is_like_a_new_one() {
        let mut screen = Screen::new(Size { cols: 20, rows: 4 });
        screen.advance(b"long before\r\n\x1b[31mred\r\n\r\nx");
        let mut copy = Rows::read(&screen);
        screen.advance(b"\x1b[?1049h\x1b[Hnow");
        copy.fill(&screen);
        assert_eq!(copy, Rows::read(&screen));
        assert!(copy.is_alternate());
    }

    #[test]
    fn greys_and_reds() {
        for (ink, grey, red) in [
            (Paint::Default, false, false),
            (Paint::Indexed(8), true, false),
            (Paint::Indexed(246), true, false),
            (Paint::Indexed(231), false, false),
            (Paint::Indexed(9), false, true),
            (Paint::Rgb(128, 128, 136), true, false),
            (Paint::Rgb(255, 255, 255), false, false),
            (Paint::Rgb(255, 107, 128), false, true),
            (Paint::Rgb(215, 119, 87), false, false),
            (Paint::Rgb(100, 200, 100), false, false),
        ] {
            assert_eq!((ink.is_grey(), ink.is_red()), (grey, red), "{ink:?}");
        }
    }
}
