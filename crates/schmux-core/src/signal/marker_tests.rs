//! The detector against what agents draw, at every byte split.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn show(found: &[Found]) -> String {
    let line = |found: &Found| match found {
        Found::Marker(Marker { state, message, redrawn: false }) => {
            format!("{state} {message:?}\n")
        }
        Found::Marker(Marker { state, message, .. }) => format!("{state} {message:?} redrawn\n"),
        Found::NearMiss { line } => format!("near miss {line:?}\n"),
        Found::Cleared => "cleared\n".to_owned(),
    };
    found.iter().map(line).collect()
}

fn detect(chunks: &[&[u8]]) -> String {
    let mut detector = Detector::default();
    let feed = |chunk: &&[u8]| show(&detector.feed(chunk, Moment(0)));
    let mut out: String = chunks.iter().map(feed).collect();
    out.push_str(&show(&detector.flush()));
    out
}

fn check(input: &str, expected: Expect) {
    let input = input.as_bytes();
    let whole = detect(&[input]);
    expected.assert_eq(&whole);
    for cut in 0..input.len() {
        let (a, b) = input.split_at(cut);
        assert_eq!(detect(&[a, b]), whole, "cut at byte {cut}");
    }
    let bytes: Vec<_> = input.chunks(1).collect();
    assert_eq!(detect(&bytes), whole, "byte by byte");
}

#[test]
fn markers_on_lines_of_their_own() {
    check(
        "before\r\n--<[schmux:completed:Done]>--\r\n\
         --<[schmux:working:]>--\n\
         \x1b[1m\u{23fa}\x1b[0m --<[schmux:needs_input:May I: [y/n]?]>--  \n\
         │ > - --<[schmux:error:é漢\x1b[3Cx]>--   │\n\
         * --<[schmux:needs_testing:Try]>--\n 12. --<[schmux:error:n]>--\n\
         spinner\r\x1b[K--<[schmux:completed:over]>--\r\n\
         \x1b(B\x1b[m--<[\x1b]8;;http://x\x1b\\schmux\x1b]8;;\x1b\\:completed:link]>--\n\
         \x1bPq~~\x1b\\--<[schmux:completed:after a picture]>--",
        expect![[r#"
            completed "Done"
            working ""
            needs_input "May I: [y/n]?"
            error "é漢   x"
            needs_testing "Try"
            error "n"
            completed "over"
            completed "link"
            completed "after a picture"
        "#]],
    );
}

#[test]
fn what_only_looks_like_one() {
    check(
        "Say --<[schmux:completed:Done]>--\n\
         --<[schmux:completed:Done]>-- he said\n\
         $ echo '--<[schmux:completed:Done]>--'\n\
         --<[schmux:done:x]>--\n--<[schmux:Completed:x]>--\n--<[schmux:completed]>--\n\
         --<[schmux:completed:a]>----<[schmux:completed:b]>--\n\
         ---<[schmux:completed:x]>--\n`--<[schmux:completed:x]>--`\n\
         [main 1234] schmux\nplain schmux\n--<[other:completed:x]>--\n",
        expect![[r#"
            near miss "Say --<[schmux:completed:Done]>--"
            near miss "--<[schmux:completed:Done]>-- he said"
            near miss "$ echo '--<[schmux:completed:Done]>--'"
            near miss "--<[schmux:done:x]>--"
            near miss "--<[schmux:Completed:x]>--"
            near miss "--<[schmux:completed]>--"
            near miss "--<[schmux:completed:a]>----<[schmux:completed:b]>--"
            near miss "---<[schmux:completed:x]>--"
            near miss "`--<[schmux:completed:x]>--`"
            near miss "[main 1234] schmux"
        "#]],
    );
}

#[test]
fn broken_lines_are_joined() {
    check(
        "⏺ --<[schmux:needs_input:Should I delete\r\n  these five\r\n  files?]>--\r\n\
         │ --<[sch      │\r\n│ mux:needs_   │\r\n│ input:a b]>  │\r\n│ --           │\r\n\
         --<[schmux:completed:never ended\n\n\
         --<[schmux:completed:cut by\n--<[schmux:error:another]>--\n\
         --<[schmux:completed:x]\n>--\nplain\n",
        expect![[r#"
            needs_input "Should I delete these five files?"
            needs_input "a b"
            near miss "--<[schmux:completed:never ended"
            near miss "--<[schmux:completed:cut by"
            error "another"
            completed "x"
        "#]],
    );
}

#[test]
fn redraws_say_so() {
    check(
        "\x1b[2K\x1b[1A\x1b[2K\x1b[G--<[schmux:completed:ink]>--\n\
         \x1b[2J\x1b[3J\x1b[Hx\r\n--<[schmux:error:all]>--\n\
         \x1b[H\x1b[J[schmux] \x1b[K\r--<[schmux:error:bar]>--\n\x1b[2J--<[schmux:error:at once]>--\n\
         \x1b[5;3H--<[schmux:needs_input:by\x1b[5;29Hcells]>--\x1b[7;1Hstatus",
        expect![[r#"
            completed "ink" redrawn
            cleared
            cleared
            error "all" redrawn
            near miss "[schmux]"
            error "bar" redrawn
            cleared
            error "at once" redrawn
            needs_input "by cells" redrawn
        "#]],
    );
}

#[test]
fn a_turn_forgets_earlier_redraws() {
    let mut detector = Detector::default();
    detector.feed(b"\x1b[Hprompt$ ", Moment(0));
    detector.begin_turn();
    let found = detector.feed(b"\r\n--<[schmux:completed:x]>--\r\n", Moment(0));
    assert_eq!(show(&found), "completed \"x\"\n");
}

#[test]
fn an_unfinished_line_is_flushed_once() {
    let mut detector = Detector::default();
    assert_eq!(detector.feed(b"text", Moment(0)), []);
    assert_eq!(detector.flush_at(), None);
    assert_eq!(detector.feed(b"\n--<[schmux:completed:a", Moment(100)), []);
    assert!(!detector.should_flush(Moment(599)) && detector.should_flush(Moment(600)));
    assert_eq!(detector.flush(), []);
    assert!(!detector.should_flush(Moment(9000)));
    assert_eq!(detector.feed(b"b]>--", Moment(700)), []);
    assert_eq!(detector.flush_at(), Some(Moment(1200)));
    assert_eq!(show(&detector.flush()), "completed \"ab\"\n");
    assert_eq!(detector.flush(), []);
    assert_eq!(detector.feed(b"\r\n", Moment(9000)), []);
    assert_eq!(detector.flush_at(), None);
    let again = detector.feed(b"--<[schmux:completed:ab]>--\n", Moment(9000));
    assert_eq!(show(&again), "completed \"ab\"\n");
}

#[test]
fn long_lines_lose_nothing() {
    let noise = "\x1b[38;5;1mx\x1b[m".repeat(20_000);
    let plain = "y".repeat(300_000);
    let marker = "--<[schmux:error:found]>--";
    for (stream, expected) in [
        (format!("{noise}\n{marker}\n"), "error \"found\"\n"),
        (format!("{noise}\r{marker}\r\n"), "error \"found\"\n"),
        (format!("{noise}\x1b[4;1H{marker}\x1b[5;1H"), "error \"found\" redrawn\n"),
        (format!("schmux{noise}\x1b[4;1H{marker}\x1b[5;1H"), "error \"found\" redrawn\n"),
        (format!("schmux{plain}\n{marker}\n"), "error \"found\"\n"),
        (format!("{}{marker}\n", " ".repeat(3000)), "error \"found\"\n"),
        (format!("{}\n{marker}{plain}\n", "\x1b[1m".repeat(900)), ""),
    ] {
        assert_eq!(detect(&[stream.as_bytes()]), expected);
        for size in [1, 7, 60, 1000, 4096, 10_007, 65_536] {
            let chunks: Vec<_> = stream.as_bytes().chunks(size).collect();
            assert_eq!(detect(&chunks), expected, "in chunks of {size}");
        }
    }
}

#[test]
fn a_capture_is_read_whole() {
    let capture = b"old\n--<[schmux:completed:a]>--\n\n--<[schmux:error:b\n c]>--";
    assert_eq!(show(&find_all(capture)), "completed \"a\"\nerror \"b c\"\n");
}

#[test]
fn breaks_at_other_places_make_no_other_words() {
    let key = |text: &str| match &find_all(text.as_bytes())[..] {
        [Found::Marker(marker)] => marker.key(),
        other => panic!("{other:?}"),
    };
    let one = key("--<[schmux:error:a long message]>--");
    assert_eq!(one, key("--<[schmux:error:a long mess\n  age]>--"));
    assert_eq!(one, key("--<[schmux:err\n  or:a long\n message]>--"));
    assert_ne!(one, key("--<[schmux:needs_input:a long message]>--"));
}

fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![
        Just(b"--<[schmux:error:x]>--".to_vec()),
        Just(b"--<[sch".to_vec()),
        Just(b"mux:completed:".to_vec()),
        Just(b"]>--".to_vec()),
        Just(b"schmux [".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\x1b[2J".to_vec()),
        Just(b"\x1b[3;1H".to_vec()),
        Just(b"\x1b]0;".to_vec()),
        Just(b"\x1b\\".to_vec()),
        Just(vec![b'x'; 5000]),
        proptest::collection::vec(any::<u8>(), 0..9),
    ];
    proptest::collection::vec(piece, 0..60)
}

proptest! {
    #[test]
    fn chunking_changes_nothing(pieces in pieces(), size in 1usize..5000) {
        let stream = pieces.concat();
        let chunks: Vec<_> = stream.chunks(size).collect();
        prop_assert_eq!(detect(&chunks), detect(&[&stream]));
    }
}
