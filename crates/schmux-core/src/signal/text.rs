//! What agents write, made safe to show: untrusted text in, one plain line out.

use super::strip;

/// How long a message may be, in characters. A nudge is read at a glance and
/// goes into notifications, which cut at a few hundred themselves.
pub const MAX_TEXT: usize = 500;

/// How long the name of a detail may be.
pub const MAX_KEY: usize = 40;

/// One line of at most [`MAX_TEXT`] characters: UTF-8 repaired, escape
/// sequences gone, control characters as spaces, nothing that turns the
/// direction of what stands around it, trimmed.
pub fn clean(bytes: &[u8]) -> String {
    clean_to(bytes, MAX_TEXT)
}

/// As [`clean`], with a limit of its own. What is cut ends with `…`.
pub fn clean_to(bytes: &[u8], limit: usize) -> String {
    // A character has at most four bytes, and escape sequences take some more;
    // beyond that nothing can be shown, so it isn't looked at either.
    let bytes = &bytes[..bytes.len().min(limit * 16 + 1024)];
    let plain = strip::strip_text(bytes);
    let plain = String::from_utf8_lossy(&plain);
    let shown: String = plain.chars().filter(|&c| !is_hidden(c)).map(blank_controls).collect();
    let shown = shown.trim();
    match shown.char_indices().nth(limit) {
        None => shown.to_owned(),
        Some(_) => {
            let kept: String = shown.chars().take(limit.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

/// Marks that change how other text is drawn, and are not seen themselves.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        | '\u{feff}' | '\u{0}')
}

fn blank_controls(c: char) -> char {
    if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_are_made_safe() {
        for (input, expected) in [
            (&b"  hello \r\n"[..], "hello"),
            (b"", ""),
            (b"a\x1b[31mred\x1b[0m b", "ared b"),
            (b"a\x1b]0;title\x07b", "ab"),
            (b"a\x1b]0;never ended", "a]0;never ended"),
            (b"a\x1b", "a"),
            (b"tab\there\nthere", "tab here there"),
            (b"nul\0nul \x7f\x08del", "nulnuldel"),
            (b"bad \xff\xc3 utf8", "bad \u{fffd}\u{fffd} utf8"),
            ("evil \u{202e}txt.exe\u{2066}".as_bytes(), "evil txt.exe"),
            ("c1 \u{9b}31m".as_bytes(), "c1  31m"),
            ("👩‍👩‍👧 é 漢".as_bytes(), "👩‍👩‍👧 é 漢"),
            ("line\u{2028}two".as_bytes(), "line two"),
        ] {
            assert_eq!(clean(input), expected, "{:?}", String::from_utf8_lossy(input));
        }
    }

    #[test]
    fn long_texts_are_cut_with_a_sign() {
        assert_eq!(clean("é".repeat(500).as_bytes()), "é".repeat(500));
        assert_eq!(clean("é".repeat(501).as_bytes()), format!("{}…", "é".repeat(499)));
        assert_eq!(clean_to(b"abc def", 5), "abc…");
        assert_eq!(clean(&vec![b'x'; 5 << 20]).chars().count(), MAX_TEXT);
    }

    proptest! {
        #[test]
        fn no_bytes_get_through(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let text = clean(&bytes);
            prop_assert!(!text.chars().any(|c| c.is_control() || is_hidden(c)));
            prop_assert!(text.chars().count() <= MAX_TEXT);
            prop_assert_eq!(clean(text.as_bytes()), text);
        }
    }
}
