//! Following a flood without drawing it: what stands on the screen will be asked
//! of tmux when it matters, but the pen and some modes tmux doesn't tell.

use memchr::memchr;

use super::Screen;

const ESC: u8 = 0x1b;

/// The end of a sequence that the last piece broke off is not further in than
/// this: twice the longest that programs set colours with.
const MAX_REST: usize = 64;

impl Screen {
    /// Takes over the pen and the modes from output, in pieces of any size. What
    /// the screen shows is not known any more until it is replaced.
    pub fn skim(&mut self, bytes: &[u8]) {
        self.skimmed = true;
        let first = memchr(ESC, bytes).unwrap_or(bytes.len());
        // It may end a sequence. If not it is drawn, and nobody looks.
        let mut kept = bytes[..first.min(MAX_REST)].to_vec();
        let mut rest = &bytes[first..];
        while !rest.is_empty() {
            let (sequence, after) = rest.split_at(sequence_length(rest));
            if is_wanted(sequence, after.is_empty()) {
                kept.extend_from_slice(sequence);
            }
            rest = &after[memchr(ESC, after).unwrap_or(after.len())..];
        }
        self.advance(&kept);
    }
}

/// How long the sequence is that these bytes begin with; all there is, if it has no end.
fn sequence_length(bytes: &[u8]) -> usize {
    if bytes.get(1).is_some_and(|&kind| kind != b'[') {
        return 1;
    }
    let is_inner = |byte: &u8| (0x20..0x40).contains(byte);
    let inner = bytes.iter().skip(2).take_while(|byte| is_inner(byte)).count();
    (2 + inner + 1).min(bytes.len())
}

/// Whether it sets the pen or a mode, or may do so when the rest has come.
fn is_wanted(sequence: &[u8], is_cut: bool) -> bool {
    match sequence.last() {
        Some(b'm' | b'h' | b'l') => sequence.len() > 2,
        last => is_cut && last.is_some_and(|&last| last == ESC || last < 0x40 || last == b'['),
    }
}

#[cfg(test)]
mod tests {
    use crate::screen::{Seed, Size};

    use super::*;

    const SIZE: Size = Size { cols: 20, rows: 2 };

    const FLOOD: &str = "plain text\r\n\x1b[38;2;1;2;3mred\x1b[K\x1b]0;title\x07 and \x1b[1;4m\
        more\r\n\x1b(B\x1b[?2004h\x1b[3Jé漢 the end";

    fn pen(screen: &Screen) -> String {
        format!("{:?}", screen.term.grid().cursor.template)
    }

    #[test]
    fn pen_and_modes_are_followed_at_every_cut() {
        let mut whole = Screen::new(SIZE);
        whole.advance(FLOOD.as_bytes());
        for cut in 0..=FLOOD.len() {
            let mut screen = Screen::new(SIZE);
            let (a, b) = FLOOD.as_bytes().split_at(cut);
            screen.skim(a);
            screen.skim(b);
            assert_eq!(pen(&screen), pen(&whole), "cut at {cut}");
            assert!(screen.wants_bracketed_paste(), "cut at {cut}");
        }
    }

    #[test]
    fn a_sequence_that_began_before_the_flood_is_ended() {
        let mut screen = Screen::new(SIZE);
        screen.advance(b"\x1b[3");
        screen.skim(b"1mtext");
        let mut whole = Screen::new(SIZE);
        whole.advance(b"\x1b[31m");
        assert_eq!(pen(&screen), pen(&whole));
    }

    #[test]
    fn the_next_screen_goes_on_with_the_pen() {
        let mut screen = Screen::new(SIZE);
        screen.advance(b"\x1b[7mbefore");
        screen.skim(b"text\r\n\x1b[0;31mred\r\n");
        let meta = b"meta 20 2 4 1 1 0 0 1 0 0 0 0 0 0 0 0 1 0 0 0 0";
        let seed = Seed::new(meta, b"\x1b[31mred\nmore", b"").unwrap();
        let mut whole = Screen::new(SIZE);
        whole.advance(b"\x1b[31m");
        assert_eq!(pen(&seed.screen(Some(&screen))), pen(&whole));
    }
}
