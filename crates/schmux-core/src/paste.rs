//! Text from outside, made harmless before it is pasted into a terminal.
//!
//! No control character survives it, so nothing that is pasted can end its own
//! frame (`ESC [ 201 ~`) or press a key: clipboards are filled by web pages, and
//! messages by agents. What is shown in place of one is its picture, as VTE does it.

/// A text that can do nothing but stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harmless {
    /// Its lines end with LF.
    pub text: String,
    /// How many control characters were replaced by pictures of them.
    pub pictured: usize,
}

/// Leaves tabs and makes line ends `\n` (CRLF doubles newlines in every agent);
/// all other control characters become pictures of themselves.
pub fn harmless(text: &str) -> Harmless {
    let mut out = String::with_capacity(text.len());
    let mut pictured = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\t' => out.push(c),
            c if c.is_control() => {
                pictured += 1;
                out.push(picture(c));
            }
            c => out.push(c),
        }
    }
    Harmless { text: out, pictured }
}

/// What a terminal sends when a person pastes: lines end with CR there, as xterm
/// and its kin have it, in a frame and without one. Programs that ask for no frame
/// know no other newline: to some of them LF is a command (`nano` justifies).
pub fn by_hand(text: &str) -> String {
    harmless(text).text.replace('\n', "\r")
}

/// Unicode has a picture for each of the old control characters.
fn picture(c: char) -> char {
    match u32::from(c) {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        0x7f => '\u{2421}',
        _ => '\u{fffd}',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_paste_is_what_a_terminal_sends_and_ends_no_frame() {
        for (input, expected) in [
            ("", ""),
            ("a\tb ", "a\tb "),
            ("alpha\r\nbeta\ngamma\rdelta", "alpha\rbeta\rgamma\rdelta"),
            ("\n\r\n\n\r", "\r\r\r\r"),
            ("echo harmless\x1b[201~\rtouch x\r", "echo harmless␛[201~\rtouch x\r"),
            ("c1\u{9b}201~ next\u{85}line", "c1\u{fffd}201~ next\u{fffd}line"),
            ("nul\0 ^C\x03 ^D\x04 del\x7f", "nul␀ ^C␃ ^D␄ del␡"),
            ("👩‍👩‍👧 é 漢\u{2028}", "👩‍👩‍👧 é 漢\u{2028}"),
        ] {
            assert_eq!(by_hand(input), expected, "{input:?}");
        }
        assert_eq!(harmless("\x1b\r\n\0").pictured, 2);
    }

    proptest! {
        #[test]
        fn nothing_that_is_a_key_gets_through(text in any::<String>()) {
            let is_harmless = |c: char| matches!(c, '\r' | '\t') || !c.is_control();
            prop_assert!(by_hand(&text).chars().all(is_harmless));
        }
    }
}
