//! What a pane shows at one moment, as a value that can be sent, kept and compared.
//!
//! Those who read a screen (the courier) need few attributes: where the cursor
//! is, and which cells are faint, because ghost text and hints are drawn faint
//! and look like real text otherwise. Nothing in here interprets them.

use alacritty_terminal::term::cell::{Cell as TermCell, Flags};
use alacritty_terminal::vte::ansi::{Color, NamedColor};

use super::{Cursor, SPACERS, Screen, Size, is_empty};

/// A pane's screen: rows with attributes, cursor, modes, title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub size: Size,
    pub rows: Vec<Row>,
    pub cursor: Cursor,
    pub alternate: bool,
    /// Whether the program asked for pastes to be framed.
    pub bracketed_paste: bool,
    /// What the program calls its terminal; untrusted text.
    pub title: String,
}

/// One row: its text, and where each character of it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    text: String,
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    col: u16,
    width: u8,
    at: u32,
    ink: Ink,
}

/// How a character is drawn, as far as it tells what the character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ink {
    #[default]
    Plain,
    /// Dim or grey: ghost text, hints, placeholders of an empty field.
    Faint,
    /// Inverse: a cursor that the program draws itself.
    Inverse,
}

/// A character with its marks, where it stands, and how it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyph<'a> {
    pub col: u16,
    pub width: u8,
    pub text: &'a str,
    pub ink: Ink,
}

impl View {
    pub fn of(screen: &Screen, title: &str) -> View {
        let size = screen.size();
        let rows = (0..size.rows).map(|row| {
            let mut shown = Row::default();
            for (col, cell) in (0..size.cols).zip(screen.cells(row)) {
                shown.take(col, cell);
            }
            shown.trim();
            shown
        });
        View {
            size,
            rows: rows.collect(),
            cursor: screen.cursor(),
            alternate: screen.is_alternate(),
            bracketed_paste: screen.wants_bracketed_paste(),
            title: title.to_owned(),
        }
    }

    pub fn row(&self, row: u16) -> Option<&Row> {
        self.rows.get(usize::from(row))
    }
}

impl Row {
    /// Adds text to the end of a row, one column a character.
    pub fn push(&mut self, text: &str, ink: Ink) {
        for (col, c) in (self.end()..).zip(text.chars()) {
            self.add(col, 1, ink, |text| text.push(c));
        }
    }

    /// Every character, blanks within the row included.
    pub fn glyphs(&self) -> impl DoubleEndedIterator<Item = Glyph<'_>> + ExactSizeIterator {
        self.spans.iter().enumerate().map(|(index, span)| {
            let end = self.spans.get(index + 1).map_or(self.text.len(), |next| next.at as usize);
            let text = &self.text[span.at as usize..end];
            Glyph { col: span.col, width: span.width, text, ink: span.ink }
        })
    }

    /// The text, without blanks at its end.
    pub fn text(&self) -> &str {
        self.text.trim_end_matches(' ')
    }

    /// The column after the last character.
    pub fn end(&self) -> u16 {
        self.spans.last().map_or(0, |span| span.col + u16::from(span.width))
    }

    fn take(&mut self, col: u16, cell: &TermCell) {
        if cell.flags.intersects(SPACERS) {
            return;
        }
        let width = if cell.flags.contains(Flags::WIDE_CHAR) { 2 } else { 1 };
        self.add(col, width, ink(cell), |text| {
            // Claude Code has a no-break blank behind its prompt; nobody sees the difference.
            let blank = is_empty(cell) || cell.c == '\u{a0}';
            text.push(if blank { ' ' } else { cell.c });
            text.extend(cell.zerowidth().into_iter().flatten());
        });
    }

    fn add(&mut self, col: u16, width: u8, ink: Ink, push: impl FnOnce(&mut String)) {
        let at = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
        self.spans.push(Span { col, width, at, ink });
        push(&mut self.text);
    }

    /// Cuts blanks off the end: they say nothing, and most of a screen is blank.
    fn trim(&mut self) {
        let says = |glyph: &Glyph<'_>| glyph.text != " " || glyph.ink == Ink::Inverse;
        let keep = self.glyphs().rposition(|glyph| says(&glyph)).map_or(0, |last| last + 1);
        let end = self.spans.get(keep).map_or(self.text.len(), |next| next.at as usize);
        self.spans.truncate(keep);
        self.text.truncate(end);
    }
}

fn ink(cell: &TermCell) -> Ink {
    if cell.flags.contains(Flags::INVERSE) {
        Ink::Inverse
    } else if cell.flags.contains(Flags::DIM) || is_grey(cell.fg) {
        Ink::Faint
    } else {
        Ink::Plain
    }
}

/// Greys between black and white: what agents draw ghost text with. Near-black
/// and near-white are text on a light and on a dark background.
fn is_grey(color: Color) -> bool {
    match color {
        Color::Named(NamedColor::BrightBlack) | Color::Indexed(8) => true,
        // The ramp of 24 greys; the ends of it are as good as black and white.
        Color::Indexed(238..=248) => true,
        Color::Spec(rgb) => {
            let (low, high) = (rgb.r.min(rgb.g).min(rgb.b), rgb.r.max(rgb.g).max(rgb.b));
            // 24 lets a grey with a tint pass; 64 to 184 keeps to the middle.
            high - low <= 24 && (64..=184).contains(&high)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(bytes: &[u8]) -> View {
        let mut screen = Screen::new(Size { cols: 20, rows: 3 });
        screen.advance(bytes);
        View::of(&screen, "t")
    }

    fn inks(bytes: &[u8]) -> Vec<(u16, String, Ink)> {
        let view = view(bytes);
        view.rows[0].glyphs().map(|g| (g.col, g.text.to_owned(), g.ink)).collect()
    }

    #[test]
    fn faint_text_is_told_from_text() {
        for (sgr, expected) in [
            ("0", Ink::Plain),
            ("2", Ink::Faint),
            ("90", Ink::Faint),
            ("38;5;8", Ink::Faint),
            ("38;5;244", Ink::Faint),
            ("38;5;255", Ink::Plain),
            ("38;5;232", Ink::Plain),
            ("38;2;153;153;153", Ink::Faint),
            ("38;2;26;26;26", Ink::Plain),
            ("38;2;238;238;238", Ink::Plain),
            ("38;2;200;90;60", Ink::Plain),
            ("31", Ink::Plain),
            ("7", Ink::Inverse),
            ("2;7", Ink::Inverse),
        ] {
            let row = inks(format!("\x1b[{sgr}mx").as_bytes());
            assert_eq!(row, [(0, "x".to_owned(), expected)], "{sgr}");
        }
    }

    #[test]
    fn rows_know_columns_and_marks() {
        let row = inks("a漢e\u{301} b".as_bytes());
        let cols: Vec<_> = row.iter().map(|(col, text, _)| (*col, text.as_str())).collect();
        assert_eq!(cols, [(0, "a"), (1, "漢"), (3, "e\u{301}"), (4, " "), (5, "b")]);
    }

    #[test]
    fn blanks_at_the_end_are_left_out() {
        for (bytes, text, end) in [
            (&b"ab   \x1b[10;1H"[..], "ab", 2),
            (b"   ", "", 0),
            ("e\u{301}   ".as_bytes(), "e\u{301}", 1),
            (b"ab \x1b[7m \x1b[0m ", "ab", 4),
        ] {
            let view = view(bytes);
            assert_eq!((view.rows[0].text(), view.rows[0].end()), (text, end));
        }
    }

    #[test]
    fn a_view_carries_the_modes() {
        let view = view(b"\x1b[?2004h\x1b[?1049h\x1b[2;5H");
        assert!(view.bracketed_paste && view.alternate);
        assert_eq!((view.cursor.row, view.cursor.col, view.title.as_str()), (1, 4, "t"));
    }
}
