//! A screen as text with attributes, for those who read it.
//!
//! A copy: rows as `&str`, runs of cells that look the same, and the cursor.
//! It judges nothing: what a grey word or an inverse row means is for the reader
//! to say. [`Screen::read`] keeps one up to date at the price of what has changed.

use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::{Cursor, SPACERS, Screen, canonical};

/// The rows of a screen, without blanks at their ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows {
    lines: Vec<Line>,
    cols: u16,
    cursor: (u16, u16),
    cursor_visible: bool,
    /// Where in its row's text the cursor stands; behind the end if it is further right.
    cursor_byte: usize,
    alternate: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Line {
    text: String,
    runs: Vec<Run>,
}

/// Cells that look the same, from a byte of the row's text on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    start: usize,
    look: Look,
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
        self.lines.resize_with(usize::from(screen.size().rows), Line::default);
        self.refill(screen, 0..self.lines.len());
    }

    /// Reads these rows of a screen again; the others are as they were.
    pub(super) fn refill(&mut self, screen: &Screen, changed: impl IntoIterator<Item = usize>) {
        let Cursor { col, row, visible } = screen.cursor();
        self.cols = screen.size().cols;
        self.cursor = (col, row);
        self.cursor_visible = visible;
        self.alternate = screen.is_alternate();
        let before = screen.cells(row).take(usize::from(col));
        self.cursor_byte = before.filter_map(text_of).map(|(c, marks)| len(c, marks)).sum();
        for row in changed {
            self.lines[row].fill(screen.cells(row as u16));
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn cols(&self) -> u16 {
        self.cols
    }

    /// A row's text; nothing for a row that isn't there.
    pub fn text(&self, row: usize) -> &str {
        self.lines.get(row).map_or("", |line| &line.text)
    }

    /// The look of the cell whose text begins at a byte of its row, or which holds it.
    pub fn look(&self, row: usize, byte: usize) -> Look {
        let runs = self.lines.get(row).map_or(&[][..], |line| &line.runs);
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

impl Line {
    fn fill<'a>(&mut self, cells: impl Iterator<Item = &'a Cell>) {
        self.text.clear();
        self.runs.clear();
        let mut end = 0;
        // Neighbours are mostly drawn alike, and then nothing need be made of it.
        let mut drawn = None;
        for cell in cells {
            let Some((c, marks)) = text_of(cell) else { continue };
            let style = Some((cell.fg, cell.bg, cell.flags));
            if drawn != style {
                drawn = style;
                let look = look(cell);
                if self.runs.last().is_none_or(|run| run.look != look) {
                    self.runs.push(Run { start: self.text.len(), look });
                }
            }
            self.text.push(c);
            self.text.extend(marks);
            // A tab is where it ends, too.
            if cell.c != ' ' && cell.c != '\0' {
                end = self.text.len();
            }
        }
        self.text.truncate(end);
        // A run behind the text shows only its background; one is enough to tell it.
        let beyond = self.runs.iter().position(|run| run.start > end);
        self.runs.truncate(beyond.unwrap_or(self.runs.len()));
    }
}

/// What stands in a cell; nothing in the second half of a wide character.
fn text_of(cell: &Cell) -> Option<(char, &[char])> {
    if cell.flags.intersects(SPACERS) {
        return None;
    }
    let c = if cell.c == '\0' || cell.c == '\t' { ' ' } else { cell.c };
    Some((c, cell.zerowidth().unwrap_or_default()))
}

fn len(c: char, marks: &[char]) -> usize {
    c.len_utf8() + marks.iter().map(|mark| mark.len_utf8()).sum::<usize>()
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
    use crate::screen::Size;
    use proptest::prelude::*;

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
    proptest! {
        #[test]
        fn a_copy_that_is_kept_up_is_like_a_new_one(
            pieces in prop::collection::vec((0..PIECES.len(), 0..9u8, 0..25u8), 1..60),
        ) {
            let mut screen = Screen::new(Size { cols: 20, rows: 6 });
            for (piece, a, b) in pieces {
                let text = PIECES[piece].replace('A', &a.to_string()).replace('B', &b.to_string());
                screen.advance(text.as_bytes());
                if a % 3 == 0 {
                    let kept = screen.read().clone();
                    prop_assert_eq!(kept, Rows::read(&screen));
                }
            }
        }
    }

    /// What programs draw with; A and B are numbers.
    const PIECES: [&str; 32] = [
        "text",
        "漢字",
        "e\u{301}",
        "👩\u{200d}💻",
        "\r\n",
        "\n",
        "\r",
        "\t",
        "\x08",
        "\x1b[A;BH",
        "\x1b[AA",
        "\x1b[AB",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[2K",
        "\x1b[J",
        "\x1b[1J",
        "\x1b[2J",
        "\x1b[A;6r",
        "\x1b[AL",
        "\x1b[AM",
        "\x1b[A@",
        "\x1b[AP",
        "\x1b[AX",
        "\x1bM",
        "\x1b[AS",
        "\x1b[3Bm",
        "\x1b[7m",
        "\x1b[0m",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[4h",
    ];
}
