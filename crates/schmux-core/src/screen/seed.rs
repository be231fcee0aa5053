//! A screen read from tmux: the format to ask for, what it says, and the model made of it.
//!
//! Asked for as one batch, so that nothing can happen in between:
//! `display-message -p META_FORMAT ; capture-pane -p -e -N …`. tmux's capture
//! carries the pen from one row to the next, history included, so the rows are
//! only right when read from the first one on.

use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Cell;

use super::keyframe::pen_of;
use super::{Screen, Size, look, shows_only_background};

/// The format whose expansion [`Meta::parse`] reads. The leading word keeps a
/// reply from ever looking like protocol.
pub const META_FORMAT: &str = "meta #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} \
    #{cursor_flag} #{alternate_on} #{scroll_region_upper} #{scroll_region_lower} #{insert_flag} \
    #{keypad_cursor_flag} #{keypad_flag} #{mouse_standard_flag} #{mouse_button_flag} \
    #{mouse_all_flag} #{mouse_utf8_flag} #{mouse_sgr_flag} #{wrap_flag} #{origin_flag} \
    #{history_size} #{pane_dead} #{pane_in_mode} #{alternate_saved_x} #{alternate_saved_y} \
    #{bracket_paste_flag} #{&&:#{@schmux_frames},#{==:#{@schmux_frames},#{pane_current_command}}}";

/// A pane's option that names the program which asked for framed pastes: up to
/// 3.3a tmux doesn't tell of that mode, and a program asks only once.
pub const FRAMES_OPTION: &str = "@schmux_frames";

/// What tmux tells of a pane besides its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    pub size: Size,
    pub cursor: (u16, u16),
    pub alternate: bool,
    /// Where the cursor was on the main screen when the alternate one came.
    saved_cursor: (u16, u16),
    /// First and last row of the scroll region, from 0.
    region: (u16, u16),
    /// Sequences for the modes that are on (or, for those that are on by default, off).
    modes: Vec<&'static [u8]>,
    origin: bool,
    pub history_size: u32,
    pub dead: bool,
    /// Copy mode or another mode of tmux's covers the pane for those attached.
    pub in_mode: bool,
    /// The program in front is known to have asked for framed pastes.
    pub frames: bool,
}

impl Meta {
    pub fn parse(reply: &[u8]) -> Option<Meta> {
        let text = std::str::from_utf8(reply).ok()?.strip_prefix("meta ")?;
        let fields: Vec<u32> = text.split(' ').map(|f| f.parse().unwrap_or(0)).collect();
        if fields.len() < 21 {
            return None;
        }
        let side = |n: u32| u16::try_from(n).unwrap_or(u16::MAX);
        let on = |index: usize| fields[index] > 0;
        // tmux gives the largest number where there is none.
        let saved = |index: usize| {
            fields.get(index).and_then(|&n| u16::try_from(n).ok()).unwrap_or_default()
        };
        let mut modes = Vec::new();
        for (index, sequence) in MODES {
            if on(*index) {
                modes.push(*sequence);
            }
        }
        if !on(4) {
            modes.push(HIDDEN_CURSOR);
        }
        if !on(16) {
            modes.push(b"\x1b[?7l");
        }
        Some(Meta {
            size: Size::clamped(side(fields[0]), side(fields[1])),
            cursor: (side(fields[2]), side(fields[3])),
            alternate: on(5),
            saved_cursor: (saved(21), saved(22)),
            region: (side(fields[6]), side(fields[7])),
            modes,
            origin: on(17),
            history_size: fields[18],
            dead: on(19),
            in_mode: on(20),
            frames: [23, 24].iter().any(|&index| fields.get(index).is_some_and(|&n| n > 0)),
        })
    }

    pub fn shows_cursor(&self) -> bool {
        !self.modes.contains(&HIDDEN_CURSOR)
    }

    /// The scroll region, unless it is the whole screen.
    pub(super) fn partial_region(&self) -> Option<(u16, u16)> {
        let whole = (0, self.size.rows.saturating_sub(1));
        (self.region != whole && self.region.0 < self.region.1).then_some(self.region)
    }
}

/// Fields of the format that stand for a mode which is off by default.
const MODES: &[(usize, &[u8])] = &[
    (8, b"\x1b[4h"),
    (9, b"\x1b[?1h"),
    (10, b"\x1b="),
    (11, b"\x1b[?1000h"),
    (12, b"\x1b[?1002h"),
    (13, b"\x1b[?1003h"),
    (14, b"\x1b[?1005h"),
    (15, b"\x1b[?1006h"),
];

const HIDDEN_CURSOR: &[u8] = b"\x1b[?25l";

/// A pane as tmux has it.
#[derive(Debug, Clone)]
pub struct Seed {
    pub meta: Meta,
    /// Rows above the screen, as captured.
    history: Vec<u8>,
    rows: Vec<u8>,
    /// The main screen beneath the alternate one, if that is in front.
    beneath: Vec<u8>,
}

impl Seed {
    /// Takes the replies: the expanded format, the capture from however far back
    /// to the last row, and the capture of the screen beneath (`-a -q`).
    pub fn new(meta: &[u8], capture: &[u8], beneath: &[u8]) -> Option<Seed> {
        let meta = Meta::parse(meta)?;
        let total = capture.split(|&b| b == b'\n').count();
        let above = total.saturating_sub(usize::from(meta.size.rows));
        let split = match above {
            0 => 0,
            n => memchr::memchr_iter(b'\n', capture).nth(n - 1).map_or(0, |at| at + 1),
        };
        let history = capture[..split.saturating_sub(1)].to_vec();
        let rows = capture[split..].to_vec();
        Some(Seed { meta, history, rows, beneath: beneath.to_vec() })
    }

    /// The rows above the screen, joined by LF.
    pub fn history(&self) -> &[u8] {
        &self.history
    }

    /// How many rows there are above the screen.
    pub fn history_rows(&self) -> u32 {
        if self.history.is_empty() { 0 } else { self.history.split(|&b| b == b'\n').count() as u32 }
    }

    /// The model of this pane. What tmux doesn't tell (some modes, the pen, the
    /// saved cursor, backgrounds right of the text) is taken over from `before`.
    pub fn screen(&self, before: Option<&Screen>) -> Screen {
        let mut screen = Screen::new(self.meta.size);
        screen.advance(LINE_DRAWING);
        if self.meta.alternate {
            screen.draw_rows(&self.beneath);
            let (col, row) = self.meta.saved_cursor;
            screen.advance(format!("\x0f\x1b[m\x1b[{};{}H", row + 1, col + 1).as_bytes());
            screen.advance(b"\x1b[?1049h\x1b[H\x1b[2J");
        }
        screen.advance(&self.pen_after_history());
        let told = screen.draw_rows(&self.rows);
        // G1 stays as it is for a program that relies on nobody having touched it.
        screen.advance(b"\x0f\x1b[m");
        if let Some((top, bottom)) = self.meta.partial_region() {
            screen.advance(format!("\x1b[{};{}r", top + 1, bottom + 1).as_bytes());
        }
        for mode in &self.meta.modes {
            screen.advance(mode);
        }
        if let Some(before) = before {
            screen.advance(&before.untold_modes());
        }
        screen.place_cursor(&self.meta);
        if let Some(before) = before {
            screen.take_over(before, &told);
        }
        screen
    }

    fn pen_after_history(&self) -> Vec<u8> {
        if self.history.is_empty() {
            return Vec::new();
        }
        let mut scratch = Screen::new(Size { cols: self.meta.size.cols, rows: 1 });
        scratch.advance(LINE_DRAWING);
        for row in self.history.split(|&b| b == b'\n') {
            scratch.advance(row);
            scratch.advance(b"\r");
        }
        let mut pen = pen_of(&scratch.term.grid().cursor.template);
        // In the middle of line drawing, perhaps.
        let shift = memchr::memrchr2(SO, SI, &self.history).map(|at| self.history[at]);
        pen.extend(shift.filter(|shift| *shift == SO));
        pen
    }
}

const SO: u8 = 0x0e;
const SI: u8 = 0x0f;

/// tmux writes line-drawing cells between SO and SI, so G1 must be that set.
const LINE_DRAWING: &[u8] = b"\x1b)0";

impl Screen {
    /// Draws what was captured. Returns how many columns of each row that was.
    fn draw_rows(&mut self, rows: &[u8]) -> Vec<usize> {
        let mut told = vec![0; self.size().rows.into()];
        for (row, (text, told)) in rows.split(|&b| b == b'\n').zip(&mut told).enumerate() {
            self.advance(format!("\x1b[{};1H", row + 1).as_bytes());
            self.advance(text);
            let cursor = &self.term.grid().cursor;
            *told = cursor.point.column.0 + usize::from(cursor.input_needs_wrap);
        }
        told
    }

    /// Takes over from a model of the same pane what a capture leaves out.
    fn take_over(&mut self, before: &Screen, told: &[usize]) {
        if before.size() != self.size() || before.is_alternate() != self.is_alternate() {
            return;
        }
        // A model that was left behind would hardly have its cursor right here.
        let at_its_place = !before.skimmed && before.cursor() == self.cursor();
        self.take_over_backgrounds(before, told, at_its_place);
        let theirs = before.term.grid();
        let mine = self.term.grid_mut();
        if at_its_place || before.skimmed {
            mine.cursor.template = theirs.cursor.template.clone();
        }
        if at_its_place {
            mine.cursor.charsets = theirs.cursor.charsets;
            mine.saved_cursor = theirs.saved_cursor.clone();
        }
    }

    /// Up to 3.3a tmux captures a row only as far as something was written: the
    /// background that erasing left to the right of it isn't told. It is taken
    /// over where the rest shows that the row is still the same.
    fn take_over_backgrounds(&mut self, before: &Screen, told: &[usize], at_its_place: bool) {
        let unwritten = Cell::default();
        let mine = |row: usize| self.cells(row as u16).take(told[row]);
        let same =
            |row: usize| mine(row).zip(before.cells(row as u16)).all(|(a, b)| look(a) == look(b));
        let same: Vec<bool> = (0..told.len()).map(same).collect();
        let all = at_its_place && same.iter().all(|same| *same);
        let rows: Vec<usize> = (0..told.len())
            .filter(|&row| {
                same[row] && (all || mine(row).any(|cell| look(cell) != look(&unwritten)))
            })
            .collect();
        for row in rows {
            let theirs: Vec<Cell> = before.cells(row as u16).skip(told[row]).cloned().collect();
            if theirs.iter().any(|cell| !shows_only_background(cell)) {
                continue;
            }
            for (col, cell) in theirs.iter().enumerate() {
                let column = Column(told[row] + col);
                self.term.grid_mut()[Line(row as i32)][column].bg = cell.bg;
            }
        }
    }

    fn place_cursor(&mut self, meta: &Meta) {
        let (col, row) = meta.cursor;
        let row = row.min(meta.size.rows.saturating_sub(1));
        if meta.origin {
            let top = meta.partial_region().map_or(0, |(top, _)| top);
            let relative = row.saturating_sub(top) + 1;
            self.advance(format!("\x1b[?6h\x1b[{relative};{}H", col + 1).as_bytes());
        } else {
            self.advance(format!("\x1b[{};{}H", row + 1, col + 1).as_bytes());
        }
        if col >= meta.size.cols {
            // tmux's way to say that the next character wraps.
            let cursor = &mut self.term.grid_mut().cursor;
            cursor.point.line = Line(i32::from(row));
            cursor.input_needs_wrap = true;
        }
    }

    /// Sequences for the modes that tmux has no format for.
    fn untold_modes(&self) -> Vec<u8> {
        use alacritty_terminal::term::TermMode;
        let mut out = Vec::new();
        for (mode, sequence) in [
            (TermMode::BRACKETED_PASTE, &b"\x1b[?2004h"[..]),
            (TermMode::FOCUS_IN_OUT, b"\x1b[?1004h"),
        ] {
            if self.term.mode().contains(mode) {
                out.extend_from_slice(sequence);
            }
        }
        out
    }
}
