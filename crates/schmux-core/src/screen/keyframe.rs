//! A screen as bytes that draw it on an empty terminal: what a viewer gets first.
//!
//! Everything that later output builds on is in it: both screens, the modes,
//! the scroll region, the pen and the cursor. Rows are placed absolutely, so a
//! terminal with other ideas of a character's width can't shift what follows.

use std::io::Write;

use alacritty_terminal::grid::{Charsets, Dimensions};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::TermMode;
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::vte::ansi::{
    CharsetIndex, Color, CursorShape, NamedColor, StandardCharset,
};

use super::{Meta, SEEN_ON_BLANKS, SPACERS, Screen, Size};

/// Brings any terminal to a known state without touching its scrollback: ends a
/// synchronized update, leaves the alternate screen, resets modes and pen.
const CALM: &[u8] =
    b"\x1b[?2026l\x1b[?1049l\x1b[!p\x1b[?6l\x1b[?9;1000;1002;1003;1004;1005;1006;2004l\
    \x1b[r\x1b[?7h\x1b[4l\x1b[?1l\x1b>\x1b(B\x1b)0\x0f\x1b]8;;\x1b\\\x1b[m";

/// What goes before a keyframe that keeps the viewer's scrollback.
pub fn screen_prelude() -> Vec<u8> {
    CALM.to_vec()
}

/// What goes before a keyframe on a terminal that was just reset: the history's
/// rows (as tmux captured them), scrolled out of sight.
pub fn history_prelude(history: &[u8], size: Size) -> Vec<u8> {
    let mut out = CALM.to_vec();
    for row in history.split(|&b| b == b'\n').filter(|_| !history.is_empty()) {
        out.extend_from_slice(row);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\x0f\x1b[m");
    if !history.is_empty() {
        // Whether the cursor is at the bottom or not yet, this many line feeds
        // bring every row of history above the screen.
        out.extend(std::iter::repeat_n(b'\n', usize::from(size.rows).saturating_sub(1)));
    }
    out
}

impl Screen {
    /// The bytes that draw this screen after one of the preludes. What the model
    /// keeps to itself (the scroll region) comes from what tmux just told.
    pub fn keyframe(&mut self, meta: &Meta) -> Vec<u8> {
        let mut out = Vec::with_capacity(4096);
        if self.is_alternate() {
            self.draw_main_beneath(&mut out);
            out.extend_from_slice(b"\x1b[?1049h\x1b[m");
        }
        self.draw_grid(&mut out);
        self.restore_saved_cursor(&mut out);
        self.restore_modes(meta, &mut out);
        self.restore_cursor(meta, &mut out);
        out
    }

    /// Draws the main screen while the alternate one is in front, so that it is
    /// there when the program goes back to it. Swapping there and back clears
    /// the alternate grid, so that is kept and put back.
    fn draw_main_beneath(&mut self, out: &mut Vec<u8>) {
        let alternate = self.term.grid().clone();
        self.term.swap_alt();
        self.draw_grid(out);
        // Going to the alternate screen saves the cursor and the pen with it.
        let cursor = &self.term.grid().cursor;
        put(out, format_args!("\x1b[{};{}H", cursor.point.line.0 + 1, cursor.point.column.0 + 1));
        Pen::default().change_to(&cursor.template, out);
        self.term.swap_alt();
        *self.term.grid_mut() = alternate;
    }

    fn draw_grid(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\x1b[m\x1b[H\x1b[2J");
        let mut pen = Pen::default();
        let mut wraps = false;
        for row in 0..self.term.screen_lines() {
            let cells = &self.term.grid()[Line(row as i32)];
            let columns = self.term.columns();
            let used = (0..columns).rev().find(|&col| !is_blank(&cells[Column(col)]));
            // A row that goes on in the next one is joined by wrapping, so that it
            // is copied as one line. Where that isn't sure to work, it is placed.
            if !wraps || used.is_none() {
                put(out, format_args!("\x1b[{};1H", row + 1));
            }
            let last = &cells[Column(columns - 1)];
            wraps = last.flags.contains(Flags::WRAPLINE)
                && !last.flags.intersects(SPACERS | Flags::WIDE_CHAR)
                && used == Some(columns - 1);
            for col in 0..used.map_or(0, |last| last + 1) {
                let cell = &cells[Column(col)];
                if !cell.flags.contains(Flags::WIDE_CHAR_SPACER) {
                    pen.change_to(cell, out);
                    put_char(out, cell);
                }
            }
        }
        pen.change_to(&Cell::default(), out);
    }

    /// Saves the cursor where the program did, for when it goes back there.
    fn restore_saved_cursor(&self, out: &mut Vec<u8>) {
        let saved = &self.term.grid().saved_cursor;
        let mut pen = Pen::default();
        put(out, format_args!("\x1b[{};{}H", saved.point.line.0 + 1, saved.point.column.0 + 1));
        pen.change_to(&saved.template, out);
        let drawing = draws_lines(&saved.charsets);
        out.extend_from_slice(if drawing { b"\x1b(0\x1b7\x1b(B" } else { b"\x1b7" });
        pen.change_to(&Cell::default(), out);
    }

    fn restore_modes(&self, meta: &Meta, out: &mut Vec<u8>) {
        let mode = self.term.mode();
        for (flag, bytes) in MODES {
            if mode.contains(*flag) {
                out.extend_from_slice(bytes);
            }
        }
        if !mode.contains(TermMode::LINE_WRAP) {
            out.extend_from_slice(b"\x1b[?7l");
        }
        let shown = if mode.contains(TermMode::SHOW_CURSOR) { "h" } else { "l" };
        put(out, format_args!("\x1b[?25{shown}"));
        let style = self.term.cursor_style();
        let shape = match style.shape {
            CursorShape::Underline => 4,
            CursorShape::Beam => 6,
            _ => 2,
        };
        put(out, format_args!("\x1b[{} q", if style.blinking { shape - 1 } else { shape }));
        if let Some((top, bottom)) = meta.partial_region() {
            put(out, format_args!("\x1b[{};{}r", top + 1, bottom + 1));
        }
        if draws_lines(&self.term.grid().cursor.charsets) {
            out.extend_from_slice(b"\x1b(0");
        }
    }

    fn restore_cursor(&self, meta: &Meta, out: &mut Vec<u8>) {
        let cursor = &self.term.grid().cursor;
        let (row, col) = (cursor.point.line.0 + 1, cursor.point.column.0 + 1);
        let mut pen = Pen::default();
        if cursor.input_needs_wrap {
            // Only writing the last cell again brings the pending wrap back.
            let cell = &self.term.grid()[cursor.point.line][cursor.point.column];
            let back = usize::from(cell.flags.contains(Flags::WIDE_CHAR_SPACER));
            let cell = &self.term.grid()[cursor.point.line][cursor.point.column - back];
            put(out, format_args!("\x1b[{row};{}H", col - back));
            pen.change_to(cell, out);
            put_char(out, cell);
        } else {
            put(out, format_args!("\x1b[{row};{col}H"));
        }
        if self.term.mode().contains(TermMode::ORIGIN) {
            // Positions count from the region's top from here on.
            let top = meta.partial_region().map_or(0, |(top, _)| i32::from(top));
            put(out, format_args!("\x1b[?6h\x1b[{};{col}H", row - top));
        }
        pen.change_to(&cursor.template, out);
    }
}

const MODES: &[(TermMode, &[u8])] = &[
    (TermMode::APP_CURSOR, b"\x1b[?1h"),
    (TermMode::APP_KEYPAD, b"\x1b="),
    (TermMode::MOUSE_REPORT_CLICK, b"\x1b[?1000h"),
    (TermMode::MOUSE_DRAG, b"\x1b[?1002h"),
    (TermMode::MOUSE_MOTION, b"\x1b[?1003h"),
    (TermMode::FOCUS_IN_OUT, b"\x1b[?1004h"),
    (TermMode::UTF8_MOUSE, b"\x1b[?1005h"),
    (TermMode::SGR_MOUSE, b"\x1b[?1006h"),
    (TermMode::BRACKETED_PASTE, b"\x1b[?2004h"),
    (TermMode::INSERT, b"\x1b[4h"),
];

/// The sequence that gives a terminal in its default state the pen of `cell`.
pub(super) fn pen_of(cell: &Cell) -> Vec<u8> {
    let mut out = Vec::new();
    Pen::default().change_to(cell, &mut out);
    out
}

/// The attributes that the receiving terminal has at the moment.
#[derive(Default)]
struct Pen(Option<Cell>);

impl Pen {
    /// Writes what changes the pen to a cell's attributes: nothing if they are
    /// the same, else all of them from scratch, which can't go wrong.
    fn change_to(&mut self, cell: &Cell, out: &mut Vec<u8>) {
        let old = self.0.take().unwrap_or_default();
        let link = cell.hyperlink();
        if old.hyperlink() != link {
            match &link {
                Some(link) => {
                    put(out, format_args!("\x1b]8;id={};{}\x1b\\", link.id(), link.uri()))
                }
                None => out.extend_from_slice(b"\x1b]8;;\x1b\\"),
            }
        }
        let style = |cell: &Cell| (cell.fg, cell.bg, cell.flags & STYLE, cell.underline_color());
        if style(&old) != style(cell) {
            write_style(cell, out);
        }
        let mut now =
            Cell { fg: cell.fg, bg: cell.bg, flags: cell.flags & STYLE, ..Cell::default() };
        now.set_underline_color(cell.underline_color());
        now.set_hyperlink(link);
        self.0 = Some(now);
    }
}

const STYLE: Flags = Flags::INVERSE
    .union(Flags::BOLD)
    .union(Flags::ITALIC)
    .union(Flags::DIM)
    .union(Flags::HIDDEN)
    .union(Flags::STRIKEOUT)
    .union(Flags::ALL_UNDERLINES);

fn write_style(cell: &Cell, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\x1b[0");
    for (flag, code) in [
        (Flags::BOLD, "1"),
        (Flags::DIM, "2"),
        (Flags::ITALIC, "3"),
        (Flags::UNDERLINE, "4"),
        (Flags::DOUBLE_UNDERLINE, "4:2"),
        (Flags::UNDERCURL, "4:3"),
        (Flags::DOTTED_UNDERLINE, "4:4"),
        (Flags::DASHED_UNDERLINE, "4:5"),
        (Flags::INVERSE, "7"),
        (Flags::HIDDEN, "8"),
        (Flags::STRIKEOUT, "9"),
    ] {
        if cell.flags.contains(flag) {
            put(out, format_args!(";{code}"));
        }
    }
    write_color(cell.fg, 30, out);
    write_color(cell.bg, 40, out);
    if let Some(color) = cell.underline_color() {
        match color {
            Color::Spec(rgb) => put(out, format_args!(";58:2::{}:{}:{}", rgb.r, rgb.g, rgb.b)),
            Color::Indexed(index) => put(out, format_args!(";58:5:{index}")),
            Color::Named(named) => put(out, format_args!(";58:5:{}", named as usize & 15)),
        }
    }
    out.push(b'm');
}

/// Appends a colour; `base` is 30 for the foreground and 40 for the background.
fn write_color(color: Color, base: usize, out: &mut Vec<u8>) {
    match color {
        Color::Spec(rgb) => put(out, format_args!(";{};2;{};{};{}", base + 8, rgb.r, rgb.g, rgb.b)),
        Color::Indexed(index) => put(out, format_args!(";{};5;{index}", base + 8)),
        Color::Named(named) => match named as usize {
            dark @ 0..8 => put(out, format_args!(";{}", base + dark)),
            bright @ 8..16 => put(out, format_args!(";{}", base + 60 + bright - 8)),
            // The default colour, which the leading 0 has set already.
            _ => {}
        },
    }
}

fn put_char(out: &mut Vec<u8>, cell: &Cell) {
    let mut buffer = [0; 4];
    let c = if cell.c == '\0' || cell.c == '\t' { ' ' } else { cell.c };
    out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
    for c in cell.zerowidth().into_iter().flatten() {
        out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
    }
}

fn draws_lines(charsets: &Charsets) -> bool {
    charsets[CharsetIndex::G0] == StandardCharset::SpecialCharacterAndLineDrawing
}

/// Whether a cell looks like one that was never written.
fn is_blank(cell: &Cell) -> bool {
    matches!(cell.c, ' ' | '\0' | '\t')
        && cell.bg == Color::Named(NamedColor::Background)
        && !cell.flags.intersects(SEEN_ON_BLANKS | Flags::WRAPLINE)
        && cell.zerowidth().is_none_or(<[char]>::is_empty)
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a Vec can't fail");
}
