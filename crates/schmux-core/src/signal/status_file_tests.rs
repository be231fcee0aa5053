//! Status files as agents write them, and which reads of them are news.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn show(content: &Content) -> String {
    match content {
        Content::Signal(signal) => {
            format!("{} {:?} {:?}", signal.state, signal.message, signal.details)
        }
        other => format!("{other:?}"),
    }
}

fn check(inputs: &[&[u8]], expected: Expect) {
    let lines: Vec<_> = inputs.iter().map(|input| show(&parse(input)) + "\n").collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn status_files_are_read() {
    check(
        &[
            b"completed Implemented the login feature\n",
            b"needs_input Should I delete these 5 files?",
            b"working",
            b"working \r\n",
            b"\xef\xbb\xbferror\tBuild failed: \x1b[31mmissing\x1b[0m\r\nblocker: libfoo\r\n",
            b"\n\n  needs_testing  Try it  \n\nprogress: 40\ntask:Login\nx-y : z\nfree text\nhttp://x/y\n",
            b"\0\0\0completed after a hole\n",
            b"completed bad \xff utf8",
        ],
        expect![[r#"
            completed "Implemented the login feature" []
            needs_input "Should I delete these 5 files?" []
            working "" []
            working "" []
            error "Build failed: missing" [("blocker", "libfoo")]
            needs_testing "Try it" [("progress", "40"), ("task", "Login"), ("x-y", "z"), ("text", "free text"), ("text", "http://x/y")]
            completed "after a hole" []
            completed "bad � utf8" []
        "#]],
    );
}

#[test]
fn what_is_no_status_is_named() {
    check(
        &[
            b"",
            b" \r\n\t\n",
            b"\0\0\0\0",
            b"done All good\n",
            b"Completed x",
            b"completed: x",
            b"comp",
            b"\xff\xfe\x1b]0;x\x07",
        ],
        expect![[r#"
            Empty
            Empty
            Empty
            Invalid { text: "done All good" }
            Invalid { text: "Completed x" }
            Invalid { text: "completed: x" }
            Invalid { text: "comp" }
            Invalid { text: "��" }
        "#]],
    );
}

#[test]
fn a_huge_file_is_read_in_part() {
    let mut huge = b"completed Done\n".to_vec();
    huge.resize(50 << 20, b'x');
    let Content::Signal(signal) = parse(&huge) else { panic!() };
    assert_eq!(signal.message, "Done");
    assert_eq!(signal.details.len(), 1);
}

/// Reads as (inode, time, content, settled), and what each was.
fn check_reads(reads: &[(u64, i64, &str, Settled)], expected: Expect) {
    let mut reading = Reading::default();
    let mut out = String::new();
    for (inode, modified, content, settled) in reads {
        // Every read also survives a restart.
        let stored = serde_json::to_string(&reading).unwrap();
        reading = serde_json::from_str(&stored).unwrap();
        let stamp = Stamp { inode: *inode, modified: *modified };
        let line = match reading.take(stamp, content.as_bytes(), *settled) {
            Taken::New(signal) => format!("new {}", show(&Content::Signal(signal))),
            Taken::Updated(signal) => format!("updated {}", show(&Content::Signal(signal))),
            other => format!("{other:?}"),
        };
        out.push_str(&line);
        out.push('\n');
    }
    expected.assert_eq(&out);
}

use Settled::{No, Yes};

#[test]
fn the_same_write_is_taken_once_and_a_rewrite_again() {
    check_reads(
        &[
            (1, 10_000_000_001, "completed Done\n", Yes),
            (1, 10_000_000_001, "completed Done\n", Yes),
            (1, 11_000_000_001, "", Yes),
            (1, 11_000_000_001, "completed Done\n", Yes),
            // Renamed into place, then restored with its times kept.
            (2, 12_000_000_001, "completed Done\n", Yes),
            (3, 12_000_000_001, "completed Done\n", Yes),
            // A file system whose clock has whole seconds.
            (4, 13_000_000_000, "completed Done\n", Yes),
            (5, 13_000_000_000, "completed Done\n", Yes),
            // Other words in the same tick.
            (5, 13_000_000_000, "completed Done!\n", Yes),
        ],
        expect![[r#"
            new completed "Done" []
            Same
            Wait
            new completed "Done" []
            new completed "Done" []
            Same
            new completed "Done" []
            new completed "Done" []
            new completed "Done!" []
        "#]],
    );
}

#[test]
fn half_a_write_is_awaited_and_nonsense_warned_of_once() {
    check_reads(
        &[
            (1, 1, "needs_input Should I", No),
            (1, 2, "needs_input Should I delete?", No),
            (1, 2, "needs_input Should I delete?", Yes),
            (1, 3, "nonsense\n", Yes),
            (1, 3, "nonsense\n", Yes),
            (1, 4, "nonsense\ncompleted x\n", Yes),
        ],
        expect![[r#"
            Wait
            Wait
            new needs_input "Should I delete?" []
            Invalid { text: "nonsense" }
            Same
            new completed "x" []
        "#]],
    );
}

#[test]
fn appended_lines_say_more_or_say_anew() {
    check_reads(
        &[
            (1, 1, "working Start\n", Yes),
            (1, 2, "working Start\nprogress: 40\n", Yes),
            (1, 3, "working Start\nprogress: 40\nneeds_input A\nerror B\nblocker: c\n", Yes),
            (
                1,
                4,
                "working Start\nprogress: 40\nneeds_input A\nerror B\nblocker: c\ntask: d\n",
                Yes,
            ),
            // Words without a line's end, and more lines after them.
            (3, 5, "needs_input Which one?", Yes),
            (3, 6, "needs_input Which one?\nprogress: 40\n", Yes),
            // Replaced by something longer: read from its first line.
            (
                2,
                7,
                "completed Start\nprogress: 40\nneeds_input A\nerror B\nblocker: c\ntask: d\nx\n",
                Yes,
            ),
        ],
        expect![[r#"
            new working "Start" []
            updated working "Start" [("progress", "40")]
            new error "B" [("blocker", "c")]
            updated error "B" [("blocker", "c"), ("task", "d")]
            new needs_input "Which one?" []
            updated needs_input "Which one?" [("progress", "40")]
            new completed "Start" [("progress", "40"), ("text", "needs_input A"), ("text", "error B"), ("blocker", "c"), ("task", "d"), ("text", "x")]
        "#]],
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        first in proptest::collection::vec(any::<u8>(), 0..80),
        second in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let mut reading = Reading::default();
        reading.take(Stamp { inode: 1, modified: 1 }, &first, No);
        reading.take(Stamp { inode: 1, modified: 2 }, &[first, second].concat(), Yes);
    }
}
