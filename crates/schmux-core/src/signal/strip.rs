//! What a stream of terminal bytes says, without how it is drawn.
//!
//! ECMA-48's state machine over bytes, in any chunks. No screen is kept: moves
//! become what keeps words and lines apart (forward is spaces, any other row is
//! a line break), everything else is consumed. Only the column and, after an
//! absolute move, the row are followed, because some programs move over each
//! unchanged blank of a line. 8-bit C1 controls are bytes of UTF-8 here, as in
//! every terminal that speaks UTF-8.

/// The most blanks that a move forward may make: no terminal is wider.
const MAX_SPACES: u16 = 1000;

/// The most line breaks that a move down may make: no terminal is higher, and
/// one would do.
const MAX_BREAKS: u16 = 100;

/// More parameters than any real sequence has; the rest is not read.
const MAX_PARAMS: usize = 16;

/// What one byte adds to the text, in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Piece {
    /// The screen was cleared, so what follows may be a repaint.
    pub cleared: bool,
    /// The cursor went up or to a place of its own, as in a redraw.
    pub moved: bool,
    /// Characters to take back.
    pub back: u16,
    pub breaks: u16,
    pub spaces: u16,
    pub byte: Option<u8>,
}

#[derive(Debug, Clone, Default)]
pub struct Stripper {
    mode: Mode,
    params: Params,
    /// A carriage return came. With a line feed it is a line's end; with text
    /// it is a redraw of this line, which is a line of its own to us.
    returned: bool,
    column: u16,
    /// Known after an absolute move, until something scrolls or moves.
    row: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Text,
    Escape,
    EscapeIntermediate,
    Csi,
    /// OSC, which BEL ends too.
    Osc,
    /// DCS, APC, PM, SOS, and the title string of `ESC k`.
    String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Params {
    values: [u16; MAX_PARAMS],
    index: usize,
    private: bool,
    intermediate: bool,
}

impl Params {
    fn push(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' => {
                if let Some(value) = self.values.get_mut(self.index) {
                    *value = value.saturating_mul(10).saturating_add(u16::from(byte - b'0'));
                }
            }
            b';' | b':' => self.index = (self.index + 1).min(MAX_PARAMS),
            _ => self.private = true,
        }
    }

    /// A count or a coordinate: absent and zero both mean one.
    fn number(&self, index: usize) -> u16 {
        self.values[index].max(1)
    }
}

impl Stripper {
    /// Appends the text of `bytes` to `out`, line breaks as `\n`.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (plain, behind) = rest.split_at(self.plain_run(rest));
            out.extend_from_slice(plain);
            let Some((&byte, behind)) = behind.split_first() else { return };
            rest = behind;
            let piece = self.step(byte);
            for _ in 0..piece.back {
                take_back(out);
            }
            out.resize(out.len() + usize::from(piece.breaks), b'\n');
            out.resize(out.len() + usize::from(piece.spaces), b' ');
            out.extend(piece.byte);
        }
    }

    /// Whether the last byte was inside of a sequence.
    pub fn in_sequence(&self) -> bool {
        self.mode != Mode::Text
    }

    /// How many of the bytes are printable and stand for themselves. They are
    /// taken by this: the rest is for [`Stripper::step`].
    pub fn plain_run(&mut self, bytes: &[u8]) -> usize {
        if self.in_sequence() || self.returned {
            return 0;
        }
        let run = bytes.iter().position(|b| !matches!(b, 0x20..=0x7e)).unwrap_or(bytes.len());
        let columns = u16::try_from(run).unwrap_or(u16::MAX);
        self.column = self.column.saturating_add(columns);
        run
    }

    pub fn step(&mut self, byte: u8) -> Piece {
        match (self.mode, byte) {
            (_, 0x1b) => self.enter(Mode::Escape),
            // CAN and SUB end whatever sequence there is.
            (_, 0x18 | 0x1a) => self.enter(Mode::Text),
            (Mode::Osc, 0x07) => self.enter(Mode::Text),
            (Mode::Osc | Mode::String, _) => Piece::default(),
            // Controls within a sequence act as if they stood before it.
            (_, 0x00..=0x1f | 0x7f) => self.control(byte),
            (Mode::Text, _) => self.text(byte),
            // No sequence holds such a byte: it was cut short, and this is text.
            (_, 0x80..) => {
                self.mode = Mode::Text;
                self.text(byte)
            }
            (Mode::Escape | Mode::EscapeIntermediate, 0x20..=0x2f) => {
                self.enter(Mode::EscapeIntermediate)
            }
            (Mode::EscapeIntermediate, _) => self.enter(Mode::Text),
            (Mode::Escape, _) => self.escape(byte),
            (Mode::Csi, 0x20..=0x2f) => {
                self.params.intermediate = true;
                Piece::default()
            }
            (Mode::Csi, 0x30..=0x3f) => {
                self.params.push(byte);
                Piece::default()
            }
            (Mode::Csi, _) => {
                self.mode = Mode::Text;
                self.csi(byte)
            }
        }
    }

    fn enter(&mut self, mode: Mode) -> Piece {
        self.mode = mode;
        Piece::default()
    }

    fn text(&mut self, byte: u8) -> Piece {
        let breaks = self.resolve_return();
        // A UTF-8 character counts once, by its first byte.
        if byte & 0xc0 != 0x80 {
            self.column = self.column.saturating_add(1);
        }
        Piece { breaks, byte: Some(byte), ..Piece::default() }
    }

    /// The line break that a lone carriage return turns out to be.
    fn resolve_return(&mut self) -> u16 {
        u16::from(std::mem::take(&mut self.returned))
    }

    fn control(&mut self, byte: u8) -> Piece {
        match byte {
            b'\r' => {
                self.returned = true;
                self.column = 0;
                Piece::default()
            }
            b'\n' | 0x0b | 0x0c => self.down(1, 0),
            b'\t' => {
                let column = self.column;
                let piece = self.forward(1);
                self.column = (column / 8 + 1).saturating_mul(8);
                piece
            }
            0x08 => self.backward(1),
            _ => Piece::default(),
        }
    }

    fn escape(&mut self, byte: u8) -> Piece {
        self.mode = match byte {
            b'[' => {
                self.params = Params::default();
                Mode::Csi
            }
            b']' => Mode::Osc,
            b'P' | b'_' | b'^' | b'X' | b'k' => Mode::String,
            _ => Mode::Text,
        };
        match byte {
            // Index and next line.
            b'D' | b'E' => self.down(1, self.column),
            // Reverse index, restore cursor, reset.
            b'M' | b'8' => self.elsewhere(),
            b'c' => Piece { cleared: true, ..self.elsewhere() },
            _ => Piece::default(),
        }
    }

    fn csi(&mut self, last: u8) -> Piece {
        let params = self.params;
        if params.intermediate {
            return Piece::default();
        }
        if params.private {
            // Into the alternate screen or out of it.
            let other_screen = matches!(last, b'h' | b'l')
                && params.values.iter().any(|mode| matches!(mode, 47 | 1047 | 1049));
            return if other_screen {
                Piece { cleared: true, ..self.elsewhere() }
            } else {
                Piece::default()
            };
        }
        let n = params.number(0);
        match last {
            b'C' | b'a' => self.forward(n),
            b'B' | b'e' => self.down(n, self.column),
            b'E' => self.down(n, 0),
            b'D' => self.backward(n),
            b'A' | b'F' | b'u' => self.elsewhere(),
            b'G' | b'`' => self.move_within(n - 1),
            b'H' | b'f' => self.move_to(n, params.number(1) - 1),
            b'd' => self.move_to(n, self.column),
            b'J' if matches!(params.values[0], 2 | 3) => {
                Piece { cleared: true, ..Piece::default() }
            }
            _ => Piece::default(),
        }
    }

    fn forward(&mut self, n: u16) -> Piece {
        let spaces = n.min(MAX_SPACES);
        let breaks = self.resolve_return();
        self.column = self.column.saturating_add(spaces);
        Piece { breaks, spaces, ..Piece::default() }
    }

    fn backward(&mut self, n: u16) -> Piece {
        if self.returned {
            return Piece::default();
        }
        let back = n.min(self.column);
        self.column -= back;
        Piece { back, ..Piece::default() }
    }

    fn down(&mut self, n: u16, column: u16) -> Piece {
        self.returned = false;
        self.column = column;
        self.row = None;
        Piece { breaks: n.min(MAX_BREAKS), ..Piece::default() }
    }

    /// To a row that isn't this one; which, we don't follow.
    fn elsewhere(&mut self) -> Piece {
        Piece { moved: true, ..self.down(1, self.column) }
    }

    fn move_within(&mut self, column: u16) -> Piece {
        if column >= self.column {
            match column - self.column {
                0 => Piece::default(),
                n => self.forward(n),
            }
        } else {
            self.returned = false;
            self.column = column;
            Piece { breaks: 1, ..Piece::default() }
        }
    }

    fn move_to(&mut self, row: u16, column: u16) -> Piece {
        if self.row == Some(row) && !self.returned {
            return self.move_within(column);
        }
        let piece = self.down(1, column);
        self.row = Some(row);
        Piece { moved: true, ..piece }
    }
}

/// Removes the last character, but never a line break.
pub(super) fn take_back(line: &mut Vec<u8>) {
    while let Some(&last) = line.last() {
        if last == b'\n' {
            return;
        }
        line.pop();
        if last & 0xc0 != 0x80 {
            return;
        }
    }
}

/// The text of a whole piece of writing. A sequence that never ends would
/// swallow the rest, so there only its ESC goes.
pub fn strip_text(bytes: &[u8]) -> Vec<u8> {
    let mut stripper = Stripper::default();
    let mut out = Vec::with_capacity(bytes.len());
    stripper.feed(bytes, &mut out);
    if stripper.in_sequence() {
        out = bytes.iter().copied().filter(|&byte| byte != 0x1b).collect();
    }
    out
}

#[cfg(test)]
#[path = "strip_tests.rs"]
mod tests;
