//! Lines of tmux's control mode, and what each of them says.
//!
//! Works on bytes throughout: pane output is cut inside UTF-8 characters and
//! may not be UTF-8 at all. Knows nothing of blocks and replies (`engine` does).

use memchr::{memchr, memchr_iter};

use crate::ids::{PaneId, WindowId};

/// The longest line we keep. tmux writes output in lines of some kilobytes and
/// a captured row is shorter still; what is longer comes from a broken or
/// hostile peer and must not fill our memory.
const MAX_LINE: usize = 4 << 20;

/// Cuts a stream into lines, however it was chunked.
#[derive(Debug, Default)]
pub struct Framer {
    partial: Vec<u8>,
    /// The current line was too long; skip to its end.
    skipping: bool,
}

impl Framer {
    /// Calls `each` with every line that is complete, without its line ending.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let mut start = 0;
        for end in memchr_iter(b'\n', bytes) {
            let piece = &bytes[start..end];
            start = end + 1;
            if self.partial.is_empty() && !self.skipping {
                each(trim_cr(piece));
                continue;
            }
            self.keep(piece);
            if !self.skipping {
                each(trim_cr(&self.partial));
            }
            self.partial.clear();
            self.skipping = false;
        }
        self.keep(&bytes[start..]);
    }

    fn keep(&mut self, piece: &[u8]) {
        if self.partial.len() + piece.len() > MAX_LINE {
            self.skipping = true;
            self.partial = Vec::new();
        }
        if !self.skipping {
            self.partial.extend_from_slice(piece);
        }
    }
}

fn trim_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Pane output as it stands in the stream, with octal escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Escaped<'a>(pub &'a [u8]);

impl Escaped<'_> {
    /// Appends the bytes that the program really wrote.
    pub fn unescape_into(&self, out: &mut Vec<u8>) {
        let mut rest = self.0;
        out.reserve(rest.len());
        while let Some(at) = memchr(b'\\', rest) {
            out.extend_from_slice(&rest[..at]);
            match rest[at + 1..] {
                [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                    out.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                    rest = &rest[at + 4..];
                }
                _ => {
                    // tmux never writes this; keep it as it is rather than lose a byte.
                    out.push(b'\\');
                    rest = &rest[at + 1..];
                }
            }
        }
        out.extend_from_slice(rest);
    }
}

/// The three numbers that tie a block's `%begin` to its `%end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guard {
    pub time: u64,
    pub number: u64,
    pub flags: u64,
}

impl Guard {
    /// Whether a command of this very client caused the block. Attaching and
    /// hooks make blocks too, with flags 0.
    pub fn is_ours(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// What a line outside of a block says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notification<'a> {
    Begin(Guard),
    End(Guard),
    Error(Guard),
    Output {
        pane: PaneId,
        data: Escaped<'a>,
    },
    /// tmux stopped sending this pane because we read too slowly.
    Pause {
        pane: PaneId,
    },
    Continue {
        pane: PaneId,
    },
    /// The window's size or its panes changed.
    LayoutChange {
        window: WindowId,
        size: Option<(u16, u16)>,
    },
    WindowClose {
        window: WindowId,
    },
    WindowRenamed,
    PaneModeChanged {
        pane: PaneId,
    },
    /// There are others, or one has another name.
    SessionsChanged,
    /// Our client is on this session now.
    SessionChanged {
        name: &'a [u8],
    },
    Exit {
        reason: &'a [u8],
    },
    /// A line that we need not know. Never an error.
    Other(&'a [u8]),
}

impl<'a> Notification<'a> {
    pub fn parse(line: &'a [u8]) -> Notification<'a> {
        Self::known(line).unwrap_or(Notification::Other(line))
    }

    fn known(line: &'a [u8]) -> Option<Notification<'a>> {
        let (word, rest) = split_word(line);
        Some(match word {
            b"%output" => {
                let (pane, data) = split_word(rest);
                Notification::Output { pane: PaneId::parse(pane)?, data: Escaped(data) }
            }
            b"%extended-output" => {
                // `%extended-output %1 AGE … : DATA`; fields may be added before the colon.
                let (pane, rest) = split_word(rest);
                let colon = memchr::memmem::find(rest, b" : ")?;
                Notification::Output {
                    pane: PaneId::parse(pane)?,
                    data: Escaped(&rest[colon + 3..]),
                }
            }
            b"%begin" => Notification::Begin(guard(rest)?),
            b"%end" => Notification::End(guard(rest)?),
            b"%error" => Notification::Error(guard(rest)?),
            b"%pause" => Notification::Pause { pane: PaneId::parse(split_word(rest).0)? },
            b"%continue" => Notification::Continue { pane: PaneId::parse(split_word(rest).0)? },
            b"%layout-change" => {
                let (window, rest) = split_word(rest);
                let layout = split_word(rest).0;
                Notification::LayoutChange {
                    window: WindowId::parse(window)?,
                    size: layout_size(layout),
                }
            }
            b"%window-close" | b"%unlinked-window-close" => {
                Notification::WindowClose { window: WindowId::parse(split_word(rest).0)? }
            }
            b"%window-renamed" => Notification::WindowRenamed,
            b"%pane-mode-changed" => {
                Notification::PaneModeChanged { pane: PaneId::parse(split_word(rest).0)? }
            }
            b"%sessions-changed" | b"%session-renamed" => Notification::SessionsChanged,
            b"%session-changed" => Notification::SessionChanged { name: split_word(rest).1 },
            b"%exit" => Notification::Exit { reason: rest },
            _ => return None,
        })
    }
}

fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    match memchr(b' ', text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn guard(text: &[u8]) -> Option<Guard> {
    let mut fields = text.split(|&b| b == b' ');
    let guard = Guard {
        time: number(fields.next()?)?,
        number: number(fields.next()?)?,
        flags: number(fields.next()?)?,
    };
    fields.next().is_none().then_some(guard)
}

/// The size in a layout: `a29e,90x20,0,0,1`.
fn layout_size(layout: &[u8]) -> Option<(u16, u16)> {
    let size = layout.split(|&b| b == b',').nth(1)?;
    let x = memchr(b'x', size)?;
    let side = |text: &[u8]| number(text).and_then(|n| u16::try_from(n).ok());
    Some((side(&size[..x])?, side(&size[x + 1..])?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(line: &str, expected: Notification<'_>) {
        assert_eq!(Notification::parse(line.as_bytes()), expected);
    }

    #[test]
    fn lines_are_understood() {
        let guard = Guard { time: 1794797249, number: 269, flags: 1 };
        check("%begin 1794797249 269 1", Notification::Begin(guard));
        check("%end 1794797249 269 1", Notification::End(guard));
        check("%error 1794797249 269 1", Notification::Error(guard));
        check(
            "%output %1 hi\\015",
            Notification::Output { pane: PaneId(1), data: Escaped(b"hi\\015") },
        );
        check("%output %1 ", Notification::Output { pane: PaneId(1), data: Escaped(b"") });
        check(
            "%output %1 a : b",
            Notification::Output { pane: PaneId(1), data: Escaped(b"a : b") },
        );
        check(
            "%extended-output %3 120 : x : y",
            Notification::Output { pane: PaneId(3), data: Escaped(b"x : y") },
        );
        check(
            "%extended-output %3 120 new fields : x",
            Notification::Output { pane: PaneId(3), data: Escaped(b"x") },
        );
        check("%pause %9", Notification::Pause { pane: PaneId(9) });
        check("%continue %9", Notification::Continue { pane: PaneId(9) });
        check(
            "%layout-change @1 a29e,90x20,0,0,1 a29e,90x20,0,0,1 *",
            Notification::LayoutChange { window: WindowId(1), size: Some((90, 20)) },
        );
        check("%unlinked-window-close @1", Notification::WindowClose { window: WindowId(1) });
        check("%window-renamed @0 hub", Notification::WindowRenamed);
        check("%sessions-changed", Notification::SessionsChanged);
        check("%session-renamed $1 my own", Notification::SessionsChanged);
        check("%exit too far behind", Notification::Exit { reason: b"too far behind" });
        check("%exit", Notification::Exit { reason: b"" });
    }

    #[test]
    fn what_is_not_known_is_a_value() {
        for line in [
            "",
            "%",
            "text",
            "%output",
            "%output 1 x",
            "%begin 1 2",
            "%begin 1 2 3 4",
            "%begin a b c",
            "%pause x",
            "%extended-output %1 no colon",
            "%brand-new-thing a b",
        ] {
            check(line, Notification::Other(line.as_bytes()));
        }
    }

    #[test]
    fn octal_is_unescaped_and_nothing_is_lost() {
        for (escaped, plain) in [
            (&b"plain"[..], &b"plain"[..]),
            (b"\\033[1m\\134\\015\\012", b"\x1b[1m\\\r\n"),
            (b"\xc3\xa9\\000", b"\xc3\xa9\0"),
            (b"\\377", b"\xff"),
            (b"\\", b"\\"),
            (b"\\01", b"\\01"),
            (b"\\999", b"\\999"),
            (b"\\400", b"\\400"),
        ] {
            let mut out = Vec::new();
            Escaped(escaped).unescape_into(&mut out);
            assert_eq!(out, plain);
        }
    }

    #[test]
    fn a_line_without_end_does_not_fill_memory() {
        let mut framer = Framer::default();
        let mut lines = Vec::new();
        for _ in 0..100 {
            framer.feed(&[b'x'; 64 << 10], |line| lines.push(line.to_vec()));
        }
        framer.feed(b"tail\nnext\n", |line| lines.push(line.to_vec()));
        assert!(framer.partial.capacity() <= MAX_LINE);
        assert_eq!(lines, [b"next".to_vec()]);
    }

    proptest! {
        #[test]
        fn chunking_changes_nothing(bytes in proptest::collection::vec(any::<u8>(), 0..400), cuts in proptest::collection::vec(0usize..400, 0..8)) {
            let mut whole = Vec::new();
            Framer::default().feed(&bytes, |line| whole.push(line.to_vec()));
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
            cuts.push(bytes.len());
            cuts.sort_unstable();
            let (mut framer, mut pieces, mut start) = (Framer::default(), Vec::new(), 0);
            for cut in cuts {
                framer.feed(&bytes[start..cut], |line| pieces.push(line.to_vec()));
                start = cut;
            }
            prop_assert_eq!(whole, pieces);
        }

        #[test]
        fn no_line_makes_it_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Notification::parse(&line);
            let mut out = Vec::new();
            Escaped(&line).unescape_into(&mut out);
        }
    }
}
