//! Takes window names (`ESC k NAME ESC \\`) out of a pane's output.
//!
//! Shells set them where they see tmux. tmux swallows them; every other
//! terminal, the browser's and the model's crate included, prints the name.

use memchr::{memchr3, memmem};

const ESC: u8 = 0x1b;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;

/// The longest name that is waited for. tmux gives up after five seconds; there
/// is no clock here, and a name without end must not swallow a pane for ever.
const MAX_NAME: usize = 4096;

/// Follows one pane's output, in chunks of any size.
#[derive(Debug, Default)]
pub struct WindowNames {
    state: State,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    #[default]
    Text,
    /// The last chunk ended with an escape, which was passed on.
    AfterEscape,
    /// In a name, of which so many bytes were left out.
    Name(usize),
}

impl WindowNames {
    /// The output without names. What has none is handed back as it is.
    pub fn strip(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let plain = matches!(self.state, State::Text)
            && bytes.last() != Some(&ESC)
            && memmem::find(&bytes, b"\x1bk").is_none();
        if plain { bytes } else { self.strip_slowly(&bytes) }
    }

    fn strip_slowly(&mut self, mut rest: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(rest.len() + 1);
        while let Some(&first) = rest.first() {
            match self.state {
                State::AfterEscape if first == b'k' => {
                    // The escape is out already; together with this it ends a
                    // string where there is none, which does nothing.
                    out.push(b'\\');
                    rest = &rest[1..];
                    self.state = State::Name(0);
                }
                State::Name(length) => {
                    let end = memchr3(ESC, CANCEL, SUBSTITUTE, rest).unwrap_or(rest.len());
                    let length = length + end;
                    let ended = end < rest.len() || length > MAX_NAME;
                    self.state = if ended { State::Text } else { State::Name(length) };
                    rest = &rest[end..];
                }
                State::AfterEscape | State::Text => {
                    let name = memmem::find(rest, b"\x1bk");
                    let end = name.unwrap_or(rest.len());
                    out.extend_from_slice(&rest[..end]);
                    self.state = match name {
                        Some(_) => State::Name(0),
                        None if rest.last() == Some(&ESC) => State::AfterEscape,
                        None => State::Text,
                    };
                    rest = name.map_or(&[], |at| &rest[at + 2..]);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Size};

    fn shown(chunks: &[&[u8]]) -> String {
        let mut names = WindowNames::default();
        let mut screen = Screen::new(Size { cols: 40, rows: 2 });
        for chunk in chunks {
            screen.advance(&names.strip(chunk.to_vec()));
        }
        screen.rows()[0].clone()
    }

    #[test]
    fn names_are_left_out_however_they_are_cut() {
        for (bytes, expected) in [
            (&b"plain \x1b[1mk\x1b[m kept"[..], "plain k kept"),
            (b"a\x1bkname\x1b\\b", "ab"),
            (b"a\x1bkname\x1b[2Cb\x1bk\x1b\\c", "a  bc"),
            (b"a\x1bkname\x18b", "ab"),
            ("a\x1bk漢字\x1b\\é\x1bkno end".as_bytes(), "aé"),
            (b"\x1b\x1bkname\x1b\\x", "x"),
        ] {
            assert_eq!(shown(&[bytes]), expected);
            for cut in 0..bytes.len() {
                let (a, b) = bytes.split_at(cut);
                assert_eq!(shown(&[a, b]), expected, "{:?} cut at {cut}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn a_name_without_end_does_not_swallow_everything() {
        assert_eq!(shown(&[b"\x1bk", &[b'x'; MAX_NAME + 1], b"back"]), "back");
    }
}
