//! One pane's output on its way to the viewers and the model: without what tmux passes
//! over and every other terminal obeys, and with its end remembered if that is not whole.

use memchr::{memchr_iter, memchr3, memrchr};

use super::cut_at_end;
use super::names::WindowNames;

const BEL: u8 = 0x07;
const CANCEL: u8 = 0x18;
const SUBSTITUTE: u8 = 0x1a;
const ESC: u8 = 0x1b;

/// The first byte of the C1 controls in UTF-8, and of letters such as `¿`.
const C1: u8 = 0xc2;

/// The longest unfinished sequence that is kept: a picture's, perhaps.
const MOST: usize = 1 << 20;

/// Follows one pane's output, in chunks of any size.
#[derive(Debug, Default)]
pub struct Stream {
    names: WindowNames,
    /// The last chunk ended in the middle of what may be a C1 control.
    held: bool,
    unfinished: Vec<u8>,
}

impl Stream {
    /// What to pass on of a chunk. What there is nothing to take out of is handed back.
    pub fn take(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let bytes = self.without_c1(bytes);
        let bytes = self.names.strip(bytes);
        self.note_end(&bytes);
        bytes
    }

    /// The sequence or character that has begun and not ended. Who joins now must be
    /// given it: what comes next is its rest. It draws nothing by itself.
    pub fn unfinished(&self) -> &[u8] {
        &self.unfinished
    }

    /// A control such as U+009D comes from text that was encoded twice. tmux shows
    /// nothing for it; the browser's terminal would take what follows for a title.
    fn without_c1(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        if std::mem::take(&mut self.held) {
            bytes.insert(0, C1);
        }
        let is_control =
            |at: usize| bytes.get(at + 1).is_some_and(|next| (0x80..0xa0).contains(next));
        let controls: Vec<usize> = memchr_iter(C1, &bytes).filter(|&at| is_control(at)).collect();
        if let Some((&first, _)) = controls.split_first() {
            let mut out = bytes[..first].to_vec();
            let ends = controls[1..].iter().copied().chain([bytes.len()]);
            for (at, end) in controls.iter().zip(ends) {
                out.extend_from_slice(&bytes[at + 2..end]);
            }
            bytes = out;
        }
        self.held = bytes.last() == Some(&C1);
        bytes.truncate(bytes.len() - usize::from(self.held));
        bytes
    }

    fn note_end(&mut self, bytes: &[u8]) {
        let joined;
        let all = if self.unfinished.is_empty() {
            bytes
        } else {
            joined = [&self.unfinished, bytes].concat();
            &joined
        };
        let sequence = memrchr(ESC, all).map(|at| &all[at..]).filter(|end| !is_whole(end));
        let end = match sequence {
            // Not kept whole, it would be wrong.
            Some(sequence) if sequence.len() > MOST => Vec::new(),
            Some(sequence) if is_string(sequence) => sequence.to_vec(),
            // A newline in the middle of a sequence was obeyed already.
            Some(sequence) => {
                sequence.iter().copied().filter(|&byte| byte == ESC || byte >= b' ').collect()
            }
            None => all[all.len() - cut_at_end(all)..].to_vec(),
        };
        self.unfinished = end;
    }
}

/// Whether it ends only with a terminator: a title, the clipboard, a picture.
fn is_string(sequence: &[u8]) -> bool {
    matches!(sequence.get(1), Some(b']' | b'P' | b'X' | b'^' | b'_'))
}

/// Whether what the last escape began is over.
fn is_whole(sequence: &[u8]) -> bool {
    let rest = sequence.get(2..).unwrap_or_default();
    let has_final = |from: u8| rest.iter().any(|byte| (from..0x7f).contains(byte));
    let cancelled = || memchr3(CANCEL, SUBSTITUTE, SUBSTITUTE, rest).is_some();
    match sequence.get(1) {
        None => false,
        Some(b']') => memchr3(BEL, CANCEL, SUBSTITUTE, rest).is_some(),
        Some(_) if is_string(sequence) => cancelled(),
        Some(b'[') => has_final(b'@') || cancelled(),
        Some(b' '..=b'/') => has_final(b'0') || cancelled(),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::tests::meta;
    use crate::screen::{Screen, Size, screen_prelude};

    #[test]
    fn c1_controls_are_left_out_however_they_are_cut() {
        let text = "Stra\u{c3}\u{83}\u{c2}\u{9f}e \u{9d}or¿ \u{9b}2Jcd é\u{85}\u{a0}.";
        let expected = "Stra\u{c3}\u{c2}e or¿ 2Jcd é\u{a0}.";
        for cut in 0..=text.len() {
            let (a, b) = text.as_bytes().split_at(cut);
            let mut stream = Stream::default();
            let out = [stream.take(a.to_vec()), stream.take(b.to_vec())].concat();
            assert_eq!(String::from_utf8_lossy(&out), expected, "cut at {cut}");
        }
    }

    #[test]
    fn who_joins_anywhere_sees_the_same() {
        let text = "one\x1b[31mtwo\r\n\x1b[3\n1mred\x1b(0lqk\x1b(B 漢\x1b]2;a title\x07字\x1bP+q54\x1b\\\
            x\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b#8\x1b[2\x18K\x1b[2;3H\x1bMend\x1b_gone\x1b\\.";
        let size = Size { cols: 40, rows: 6 };
        for cut in 0..text.len() {
            let (a, b) = text.as_bytes().split_at(cut);
            let (mut stream, mut screen) = (Stream::default(), Screen::new(size));
            screen.advance(&stream.take(a.to_vec()));
            // A keyframe knows nothing of a parser.
            let mut joined = Screen::new(size);
            joined.advance(&screen_prelude());
            joined.advance(&screen.keyframe(&meta(&screen, (0, 5))));
            joined.advance(stream.unfinished());
            let rest = stream.take(b.to_vec());
            screen.advance(&rest);
            joined.advance(&rest);
            assert_eq!(joined.differences(&screen), Vec::<String>::new(), "joined at {cut}");
        }
    }

    #[test]
    fn a_sequence_without_end_fills_no_memory() {
        let mut stream = Stream::default();
        stream.take(b"\x1bP".to_vec());
        for _ in 0..40 {
            stream.take(vec![b'x'; 1 << 16]);
            assert!(stream.unfinished().len() <= MOST);
        }
    }
}
