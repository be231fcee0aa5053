//! The model of one pane's screen: what stands where, and with which attributes.
//!
//! It is a cache of the truth, which is tmux's own grid: [`seed`] fills it from
//! there, [`Screen::advance`] keeps it up to date with the bytes that tmux
//! passes on, and [`Screen::shows_same_as`] tells when it has gone astray. It
//! holds the visible grid only; older lines are tmux's business.

mod dialect;
mod keyframe;
mod names;
mod rows;
mod seed;
mod skim;
mod stream;
#[cfg(test)]
mod tests;
mod view;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use alacritty_terminal::Term;
use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Config, TermDamage, TermMode};
use alacritty_terminal::vte::ansi::{Color, NamedColor, Processor, Timeout};

use dialect::Dialect;
pub use keyframe::{history_prelude, screen_prelude};
pub use rows::{Look, Paint, Rows};
pub use seed::{FRAMES_OPTION, META_FORMAT, Meta, Seed};
pub use stream::Stream;
pub use view::{Glyph, Ink, Row, View};

/// Columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    pub cols: u16,
    pub rows: u16,
}

impl Size {
    /// tmux allows windows of 1x1 to 10,000x10,000; nobody reads one above 1,000,
    /// and a hostile size must not take gigabytes for its grid.
    pub fn clamped(cols: u16, rows: u16) -> Size {
        Size { cols: cols.clamp(2, 1000), rows: rows.clamp(1, 1000) }
    }
}

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        self.screen_lines()
    }
    fn screen_lines(&self) -> usize {
        usize::from(self.rows)
    }
    fn columns(&self) -> usize {
        usize::from(self.cols)
    }
}

/// Where the cursor is, from 0, and whether the program shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub col: u16,
    pub row: u16,
    pub visible: bool,
}

/// One pane's screen.
pub struct Screen {
    term: Term<Noticed>,
    parser: Processor<NeverHeld>,
    noticed: Noticed,
    /// The beginning of a character whose rest has not come yet. The parser
    /// would take it, but loses a byte in some of these cases (vte 0.15).
    cut: Vec<u8>,
    /// What stood on it when it was last read.
    copy: Rows,
    /// Only the pen and the modes are right (see [`Screen::skim`]).
    skimmed: bool,
}

impl Screen {
    pub fn new(size: Size) -> Screen {
        let noticed = Noticed::default();
        let config = Config { scrolling_history: 0, ..Config::default() };
        Screen {
            term: Term::new(config, &size, noticed.clone()),
            parser: Processor::new(),
            noticed,
            cut: Vec::new(),
            copy: Rows::default(),
            skimmed: false,
        }
    }

    /// Applies what the program wrote.
    pub fn advance(&mut self, bytes: &[u8]) {
        let whole = bytes.len() - cut_at_end(bytes);
        if self.cut.is_empty() {
            self.parser.advance(&mut Dialect(&mut self.term), &bytes[..whole]);
            self.cut.extend_from_slice(&bytes[whole..]);
        } else {
            let mut joined = std::mem::take(&mut self.cut);
            joined.extend_from_slice(bytes);
            let whole = joined.len() - cut_at_end(&joined);
            self.parser.advance(&mut Dialect(&mut self.term), &joined[..whole]);
            self.cut.extend_from_slice(&joined[whole..]);
        }
    }

    pub fn size(&self) -> Size {
        let side = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Size { cols: side(self.term.columns()), rows: side(self.term.screen_lines()) }
    }

    pub fn cursor(&self) -> Cursor {
        let point = self.term.grid().cursor.point;
        Cursor {
            col: u16::try_from(point.column.0).unwrap_or(u16::MAX),
            row: u16::try_from(point.line.0).unwrap_or(0),
            visible: self.term.mode().contains(TermMode::SHOW_CURSOR),
        }
    }

    pub fn is_alternate(&self) -> bool {
        self.term.mode().contains(TermMode::ALT_SCREEN)
    }

    /// Whether the program asked for pastes to be framed.
    pub fn wants_bracketed_paste(&self) -> bool {
        self.term.mode().contains(TermMode::BRACKETED_PASTE)
    }

    /// What stands on it. Rows that have not changed since the last time are not
    /// read again: most programs draw in one or two.
    pub fn read(&mut self) -> &Rows {
        let changed: Option<Vec<usize>> = match self.term.damage() {
            TermDamage::Full => None,
            // A wide character that is overwritten at a row's beginning gives back the
            // blank at the end of the row above, of which the crate doesn't tell.
            TermDamage::Partial(lines) => {
                Some(lines.flat_map(|bounds| bounds.line.saturating_sub(1)..=bounds.line).collect())
            }
        };
        self.term.reset_damage();
        let mut copy = std::mem::take(&mut self.copy);
        match changed {
            Some(changed) if !copy.is_empty() => copy.refill(self, changed),
            _ => copy.fill(self),
        }
        self.copy = copy;
        &self.copy
    }

    /// The visible rows as text, without blanks at their ends.
    pub fn rows(&self) -> Vec<String> {
        (0..self.size().rows).map(|row| self.row(row)).collect()
    }

    fn row(&self, row: u16) -> String {
        let mut text = String::new();
        for cell in self.cells(row) {
            if !cell.flags.intersects(SPACERS) {
                text.push(cell.c);
                text.extend(cell.zerowidth().into_iter().flatten());
            }
        }
        text.truncate(text.trim_end_matches([' ', '\0']).len());
        text
    }

    fn cells(&self, row: u16) -> impl Iterator<Item = &Cell> {
        self.term.grid()[Line(i32::from(row))][..Column(self.term.columns())].iter()
    }

    /// The title that the program set since the last call.
    pub fn take_title(&mut self) -> Option<String> {
        self.noticed.0.lock().unwrap_or_else(PoisonError::into_inner).title.take()
    }

    /// Whether the bell rang since the last call.
    pub fn take_bell(&mut self) -> bool {
        let mut noticed = self.noticed.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut noticed.bell)
    }

    /// Whether a person would see the same on both: every cell with its
    /// attributes, and the cursor. Modes aren't compared; tmux doesn't tell all.
    pub fn shows_same_as(&self, other: &Screen) -> bool {
        self.size() == other.size()
            && self.is_alternate() == other.is_alternate()
            && self.cursor() == other.cursor()
            && (0..self.size().rows)
                .all(|row| self.cells(row).zip(other.cells(row)).all(|(a, b)| look(a) == look(b)))
    }

    /// Why [`Screen::shows_same_as`] says no, for people: a line for each row
    /// that differs, with its text on both and the first cell that isn't the same.
    pub fn differences(&self, other: &Screen) -> Vec<String> {
        let state = |screen: &Screen| (screen.size(), screen.is_alternate(), screen.cursor());
        let mut found = Vec::new();
        if state(self) != state(other) {
            found.push(format!("{:?} is not {:?}", state(self), state(other)));
        }
        for row in 0..self.size().rows.min(other.size().rows) {
            let mut pairs = self.cells(row).zip(other.cells(row)).enumerate();
            if let Some((col, (a, b))) = pairs.find(|(_, (a, b))| look(a) != look(b)) {
                let (mine, others) = (self.row(row), other.row(row));
                let (a, b) = (look(a), look(b));
                found.push(format!(
                    "row {row}: {mine:?} is not {others:?}; col {col}: {a:?} is not {b:?}"
                ));
            }
        }
        found
    }
}

/// How many bytes at the end begin a UTF-8 character without completing it.
pub(crate) fn cut_at_end(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let lead = tail.iter().rposition(|&byte| byte & 0xc0 != 0x80);
    let Some(at) = lead else { return 0 };
    let length = match tail[at] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return 0,
    };
    let have = tail.len() - at;
    if have < length { have } else { 0 }
}

/// Cells that hold no character of their own because a wide one covers them.
const SPACERS: Flags = Flags::WIDE_CHAR_SPACER.union(Flags::LEADING_WIDE_CHAR_SPACER);

/// What is seen of a cell.
fn look(cell: &Cell) -> (char, &[char], Color, Color, Flags) {
    let zerowidth = cell.zerowidth().unwrap_or_default();
    let flags = cell.flags.difference(Flags::WRAPLINE | SPACERS);
    if shows_only_background(cell) {
        // A blank shows its background and nothing else.
        let fg = Color::Named(NamedColor::Foreground);
        return (' ', zerowidth, fg, canonical(cell.bg), Flags::empty());
    }
    let c = if is_empty(cell) { ' ' } else { cell.c };
    (c, zerowidth, canonical(cell.fg), canonical(cell.bg), flags)
}

fn is_empty(cell: &Cell) -> bool {
    matches!(cell.c, ' ' | '\0' | '\t') && cell.zerowidth().is_none_or(<[char]>::is_empty)
}

fn shows_only_background(cell: &Cell) -> bool {
    is_empty(cell) && !cell.flags.intersects(SEEN_ON_BLANKS)
}

/// Attributes that show on a cell without a character.
const SEEN_ON_BLANKS: Flags = Flags::INVERSE.union(Flags::STRIKEOUT).union(Flags::ALL_UNDERLINES);

/// `31` and `38;5;1` are the same colour.
fn canonical(color: Color) -> Color {
    match color {
        Color::Named(named) if (named as usize) < 16 => Color::Indexed(named as u8),
        Color::Named(NamedColor::BrightForeground | NamedColor::DimForeground) => {
            Color::Named(NamedColor::Foreground)
        }
        other => other,
    }
}

/// What the terminal tells besides its grid. The model's crate hands events to a
/// shared `&self`, so this needs a lock; only the screen's owner ever takes it.
#[derive(Clone, Default)]
struct Noticed(Arc<Mutex<Notices>>);

#[derive(Default)]
struct Notices {
    title: Option<String>,
    bell: bool,
}

impl EventListener for Noticed {
    fn send_event(&self, event: Event) {
        // Answers to queries (`PtyWrite` and the like) are tmux's to give.
        let mut noticed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Title(title) => noticed.title = Some(title),
            Event::ResetTitle => noticed.title = Some(String::new()),
            Event::Bell => noticed.bell = true,
            _ => {}
        }
    }
}

/// Synchronized updates are applied as they come: the model has no clock to end
/// one that the program never ends, and nobody sees it in between.
#[derive(Default)]
struct NeverHeld;

impl Timeout for NeverHeld {
    fn set_timeout(&mut self, _: Duration) {}
    fn clear_timeout(&mut self) {}
    fn pending_timeout(&self) -> bool {
        false
    }
}
