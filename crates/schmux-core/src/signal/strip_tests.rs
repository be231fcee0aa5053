//! The stripper against every shape of sequence, at every byte split.

use proptest::prelude::*;

use super::*;

fn strip(chunks: &[&[u8]]) -> Vec<u8> {
    let mut stripper = Stripper::default();
    let mut out = Vec::new();
    for chunk in chunks {
        stripper.feed(chunk, &mut out);
    }
    out
}

fn check(input: &[u8], expected: &str) {
    let whole = strip(&[input]);
    assert_eq!(String::from_utf8_lossy(&whole), expected, "{}", input.escape_ascii());
    for cut in 0..input.len() {
        let (a, b) = input.split_at(cut);
        assert_eq!(strip(&[a, b]), whole, "{} cut at byte {cut}", input.escape_ascii());
    }
}

#[test]
fn sequences_leave_nothing() {
    for sequence in [
        &b"\x1b[m"[..],
        b"\x1b[1;31m",
        b"\x1b[38:2::1:2:3m",
        b"\x1b[?25h",
        b"\x1b[>4;2m",
        b"\x1b[0 q",
        b"\x1b[!p",
        b"\x1b[K",
        b"\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19m",
        b"\x1b[99999999999999m",
        b"\x1b(B",
        b"\x1b)0",
        b"\x1b%G",
        b"\x1b#8",
        b"\x1b $~",
        b"\x1b=",
        b"\x1b7",
        b"\x1b]0;title\x07",
        b"\x1b]8;;http://x\x1b\\",
        b"\x1bP1$r0m\x1b\\",
        b"\x1bPq#0;2;0;0;0~~\x07~~-\x1b\\",
        b"\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\",
        b"\x1b_Gi=1;AAAA\x1b\\",
        b"\x1b^private\x1b\\",
        b"\x1bXstart of\nstring\x1b\\",
        b"\x1bktitle\x1b\\",
        b"\x1b[12\x18",
        b"\x1b]0;half\x1a",
        b"\x1bP half \x18",
        b"\x1b[1\x1b[m",
        b"\x1b]0;cut by\x1b[m",
        b"\x1b\x1b\x1b[m",
        b"\x07\x00\x0e\x0f\x7f\x05",
    ] {
        let input = [b"a", sequence, b"b"].concat();
        check(&input, "ab");
    }
}

#[test]
fn moves_keep_words_and_lines_apart() {
    for (input, expected) in [
        (&b"a\x1b[Cb"[..], "a b"),
        (b"a\x1b[0Cb", "a b"),
        (b"a\x1b[3Cb", "a   b"),
        (b"a\x1b[2ab", "a  b"),
        (b"a\x1b[Bb", "a\nb"),
        (b"a\x1b[2Bb", "a\n\nb"),
        (b"a\x1b[2Eb", "a\n\nb"),
        (b"a\x1b[Ab", "a\nb"),
        (b"a\x1b[Fb", "a\nb"),
        (b"a\x1bMb\x1bDc\x1bEd\x1b8e", "a\nb\nc\nd\ne"),
        (b"a\x1b[5;3Hb", "a\nb"),
        // A line whose blanks are skipped, as programs that draw by cells do.
        (b"\x1b[5;3Hone\x1b[5;7Htwo\x1b[5;10Hx\x1b[6;1Hb", "\none twox\nb"),
        (b"\x1b[5;3Hone\x1b[5;1Hb", "\none\nb"),
        (b"\x1b[5;3Hone\n\x1b[5;9Hb", "\none\n\nb"),
        (b"\x1b[5;3Hone\x1b[5db\x1b[6dc", "\noneb\nc"),
        (b"ab\x1b[5Gc", "ab  c"),
        (b"ab\x1b[3Gc", "abc"),
        (b"ab\x1b[1Gc", "ab\nc"),
        (b"a\tb", "a b"),
        (b"a\tb\x1b[12Gc", "a b  c"),
        (b"a\x0bb\x0cc", "a\nb\nc"),
        (b"abc\x08\x08x", "ax"),
        ("a漢\x08x".as_bytes(), "ax"),
        (b"abc\x1b[2Dx", "ax"),
        (b"a\n\x08\x08b", "a\nb"),
        (b"a\x1b[?1049hb", "a\nb"),
        (b"a\x1bcb", "a\nb"),
        (b"a\x1b[?5Cb", "ab"),
        (b"a\x1b[1 Cb", "ab"),
    ] {
        check(input, expected);
    }
}

#[test]
fn a_carriage_return_begins_the_line_anew() {
    for (input, expected) in [
        (&b"a\r\nb"[..], "a\nb"),
        (b"a\r\r\nb", "a\nb"),
        (b"a\r\x1b[K\nb", "a\nb"),
        (b"working\rdone\r\n", "working\ndone\n"),
        (b"a\r\x1b[2Cb", "a\n  b"),
        (b"a\r\x08b", "a\nb"),
        (b"a\r\x1b[4;1Hb", "a\nb"),
    ] {
        check(input, expected);
    }
}

#[test]
fn bytes_of_utf8_are_text() {
    check("é漢👍\u{9b}x".as_bytes(), "é漢👍\u{9b}x");
    // A sequence that was cut short by text ends there.
    check("\x1b[12é".as_bytes(), "é");
    check("\x1b(é".as_bytes(), "é");
    // 0x9c is a byte of characters, and no string terminator.
    check("\x1b]0;\u{4e1c}t\x07b".as_bytes(), "b");
}

#[test]
fn moves_are_bounded() {
    assert_eq!(strip(&[b"\x1b[60000C"]).len(), usize::from(MAX_SPACES));
    assert_eq!(strip(&[b"\x1b[60000B"]).len(), usize::from(MAX_BREAKS));
    strip(&[&b"\x1b[60000C\x1b[65535G\x1b[65535;65535H\t\x1b[65535D".repeat(99)]);
}

proptest! {
    #[test]
    fn chunking_changes_nothing(
        bytes in proptest::collection::vec(
            prop_oneof![
                Just(0x1bu8), Just(b'['), Just(b']'), Just(b';'), Just(b'\r'), Just(b'\n'),
                Just(b'H'), Just(b'C'), Just(b'5'), Just(b'\\'), Just(0x18), any::<u8>(),
            ],
            0..200,
        ),
        cut in 0usize..200,
    ) {
        let (a, b) = bytes.split_at(cut.min(bytes.len()));
        let whole = strip(&[&bytes]);
        prop_assert_eq!(strip(&[a, b]), whole.clone());
        prop_assert!(!whole.iter().any(|&b| b < 0x20 && b != b'\n'));
    }
}
