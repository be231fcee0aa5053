//! Whether bytes from a terminal were typed by a person, and what of it may be
//! an answer. Terminals also send what nobody typed: reports of the mouse and
//! of the focus, and answers to questions of the program.

use crate::wire::TypedKeys;

/// What was typed; `None` if nothing was.
pub(super) fn typed(bytes: &[u8]) -> Option<TypedKeys> {
    let mut most = None;
    let mut rest = bytes;
    while let [first, ..] = rest {
        let (length, kind) = match first {
            0x1b => sequence(rest),
            b'\r' => (1, Some(TypedKeys::Enter)),
            b'\t' => (1, Some(TypedKeys::Tab)),
            _ => (1, Some(TypedKeys::Text)),
        };
        most = most.max(kind);
        rest = &rest[length.max(1).min(rest.len())..];
    }
    most
}

/// The length of an escape sequence, and what it says of a person.
fn sequence(bytes: &[u8]) -> (usize, Option<TypedKeys>) {
    match bytes.get(1) {
        // Reports of strings: colours, versions, settings.
        Some(b']' | b'P' | b'_') => (end_of_string(bytes), None),
        // The old form of the mouse has three bytes behind it.
        Some(b'[') if bytes.get(2) == Some(&b'M') => (6, None),
        Some(b'[') => {
            let body = &bytes[2..];
            let parameters = body.iter().take_while(|byte| !(0x40..=0x7e).contains(*byte)).count();
            let is_report = matches!(body.first(), Some(b'<' | b'?' | b'>'));
            let kind = match body.get(parameters) {
                // Focus, positions, states, sizes, device attributes.
                Some(b'I' | b'O' | b'R' | b'n' | b't' | b'c' | b'y') => None,
                Some(_) if is_report => None,
                Some(b'Z') => Some(TypedKeys::Tab),
                _ => Some(TypedKeys::Text),
            };
            (2 + parameters + 1, kind)
        }
        Some(_) => (2, Some(TypedKeys::Text)),
        None => (1, Some(TypedKeys::Text)),
    }
}

/// Where a string sequence ends: at BEL or `ESC \`.
fn end_of_string(bytes: &[u8]) -> usize {
    let bell = bytes.iter().position(|byte| *byte == 0x07).map(|at| at + 1);
    let st = bytes.windows(2).skip(1).position(|pair| pair == b"\x1b\\").map(|at| at + 3);
    bell.into_iter().chain(st).min().unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_from_terminals() {
        for (bytes, expected) in [
            (&b""[..], None),
            (b"a", Some(TypedKeys::Text)),
            (b"yes\r", Some(TypedKeys::Enter)),
            (b"a\tb", Some(TypedKeys::Tab)),
            (b"\x1b[Z", Some(TypedKeys::Tab)),
            (b"\x1b[A", Some(TypedKeys::Text)),
            (b"\x1bOP", Some(TypedKeys::Text)),
            (b"\x1b", Some(TypedKeys::Text)),
            (b"\x1b[200~a\rb\x1b[201~", Some(TypedKeys::Enter)),
            (b"\x1b[I", None),
            (b"\x1b[O", None),
            (b"\x1b[<0;10;20M\x1b[<0;10;20m", None),
            (b"\x1b[M !!", None),
            (b"\x1b[?1;2c\x1b[>0;1;2c", None),
            (b"\x1b]11;rgb:0000/0000/0000\x07", None),
            (b"\x1b]11;rgb:0000/0000/0000\x1b\\", None),
            (b"\x1bP1+r\x1b\\x", Some(TypedKeys::Text)),
            (b"\x1b[12;40R", None),
        ] {
            assert_eq!(typed(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
