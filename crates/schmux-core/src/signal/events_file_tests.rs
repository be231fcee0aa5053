//! Events files that grow, break, shrink and are replaced.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// Reads all that there is, as the daemon would.
fn read(position: &mut Position, inode: u64, file: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..1000 {
        // Every read also survives a restart.
        let stored = serde_json::to_string(position).unwrap();
        *position = serde_json::from_str(&stored).unwrap();
        let from = (position.read_from() as usize).min(file.len());
        let bytes = &file[from..file.len().min(from + MAX_READ)];
        let batch = position.take(Facts { inode, size: file.len() as u64 }, bytes);
        events.extend(batch.events);
        if !batch.again {
            return events;
        }
    }
    panic!("it reads for ever");
}

fn show(events: &[Event]) -> String {
    let line = |event: &Event| match event {
        Event::Signal { signal, ts } => {
            format!("{} {:?} {:?} {ts:?}\n", signal.state, signal.message, signal.details)
        }
        other => format!("{other:?}\n"),
    };
    events.iter().map(line).collect()
}

/// Reads the file whole, and as it grows in two steps at every byte.
fn check(file: &[u8], expected: Expect) {
    let mut position = Position::default();
    let whole = read(&mut position, 1, file);
    assert_eq!(read(&mut position, 1, file), []);
    expected.assert_eq(&show(&whole));
    for cut in 0..file.len() {
        let mut position = Position::default();
        let mut events = read(&mut position, 1, &file[..cut]);
        events.extend(read(&mut position, 1, file));
        assert_eq!(show(&events), show(&whole), "cut at byte {cut}");
    }
}

#[test]
fn events_are_read() {
    check(
        b"{\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"status\",\"state\":\"needs_input\",\"message\":\"May I?\\u001b[31m\"}\r\n\
          {\"type\":\"status\",\"state\":\"working\",\"progress\":40,\"task\":\"x\",\"message\":null}\n\n\
          {\"ts\":12,\"type\":\"tool\",\"name\":\"Bash\"}\n{}",
        expect![[r#"
            needs_input "May I?" [] Some("2026-01-01T00:00:00Z")
            working "" [("progress", "40"), ("task", "x")] None
            Record { kind: "tool", ts: Some("12"), json: "{\"ts\":12,\"type\":\"tool\",\"name\":\"Bash\"}" }
            Record { kind: "", ts: None, json: "{}" }
        "#]],
    );
}

#[test]
fn what_is_no_event_is_named() {
    check(
        b"not json\n[1]\n12\n{\"type\":\"status\",\"state\":\"done\"}\n{\"type\":\"status\"}\n\
          {\"half\":\n{\"a\":1}{\"b\":2} tail\n\0\0{\"c\":\"\xff\"}\n{\"last\":",
        expect![[r#"
            Invalid { text: "not json" }
            Invalid { text: "[1]" }
            Invalid { text: "12" }
            Invalid { text: "{\"type\":\"status\",\"state\":\"done\"}" }
            Invalid { text: "{\"type\":\"status\"}" }
            Invalid { text: "{\"half\":" }
            Record { kind: "", ts: None, json: "{\"a\":1}" }
            Record { kind: "", ts: None, json: "{\"b\":2}" }
            Invalid { text: "tail" }
            Record { kind: "", ts: None, json: "{\"c\":\"�\"}" }
        "#]],
    );
}

#[test]
fn a_line_without_end_is_skipped() {
    let mut file = b"{\"a\":1}\n\"".to_vec();
    file.resize(3 * MAX_READ, b'x');
    let mut position = Position::default();
    assert_eq!(read(&mut position, 1, &file).len(), 1);
    file.extend_from_slice(b"\n{\"b\":2}\n");
    expect![[r#"
        Invalid { text: "a line longer than 262144 bytes" }
        Record { kind: "", ts: None, json: "{\"b\":2}" }
    "#]]
    .assert_eq(&show(&read(&mut position, 1, &file)));
}

fn status(ts: Option<u32>, message: &str) -> String {
    let ts = ts.map(|ts| format!("\"ts\":\"{ts}\",")).unwrap_or_default();
    format!("{{{ts}\"type\":\"status\",\"state\":\"completed\",\"message\":\"{message}\"}}\n")
}

/// The messages told of each of these files (inode, content) in turn.
fn check_files(files: &[(u64, String)], expected: Expect) {
    let mut position = Position::default();
    let mut out = String::new();
    for (inode, file) in files {
        let events = read(&mut position, *inode, file.as_bytes());
        let messages: Vec<_> = events
            .iter()
            .map(|event| match event {
                Event::Signal { signal, .. } => signal.message.clone(),
                other => format!("{other:?}"),
            })
            .collect();
        out.push_str(&format!("{messages:?}\n"));
        assert_eq!(read(&mut position, *inode, file.as_bytes()), []);
    }
    expected.assert_eq(&out);
}

fn timed(range: std::ops::Range<u32>) -> String {
    range.map(|n| status(Some(n), &n.to_string())).collect()
}

#[test]
fn replaced_and_truncated_files_tell_only_what_is_new() {
    check_files(
        &[
            (1, timed(0..3)),
            // Copied and appended to.
            (2, timed(0..4)),
            // Its beginning cut off, in place and by a new file.
            (2, timed(2..5)),
            (3, timed(4..6)),
            // Empty, then something new.
            (3, String::new()),
            (3, timed(7..8)),
            // Longer than before, but another.
            (3, timed(20..24)),
            // The old lines again, with one more.
            (4, timed(20..25)),
        ],
        expect![[r#"
            ["0", "1", "2"]
            ["3"]
            ["4"]
            ["5"]
            []
            ["7"]
            ["20", "21", "22", "23"]
            ["24"]
        "#]],
    );
}

#[test]
fn long_histories_are_found_again() {
    check_files(
        &[(1, timed(0..30_000)), (2, timed(10_000..30_002)), (3, timed(40_000..40_001))],
        {
            let first: Vec<_> = (0..30_000).map(|n| n.to_string()).collect();
            let text = format!("{first:?}\n[\"30000\", \"30001\"]\n[\"40000\"]\n");
            let mut expected = expect![""];
            expected.data = Box::leak(text.into_boxed_str());
            expected
        },
    );
}

#[test]
fn bare_events_written_anew_in_place_are_new() {
    let bare = |n: usize| status(None, "x").repeat(n);
    check_files(
        &[
            (1, bare(2)),
            (1, bare(1)),
            (1, String::new()),
            (1, bare(1)),
            (2, bare(1) + &timed(1..2)),
        ],
        expect![[r#"
            ["x", "x"]
            ["x"]
            []
            ["x"]
            ["1"]
        "#]],
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_or_loop(
        files in proptest::collection::vec(
            (0u64..2, proptest::collection::vec(
                prop_oneof![
                    Just(b"{\"ts\":1}\n".to_vec()), Just(b"{\"a\":".to_vec()), Just(b"2}".to_vec()),
                    Just(b"\n".to_vec()), proptest::collection::vec(any::<u8>(), 0..9),
                ], 0..30)),
            0..6),
    ) {
        let mut position = Position::default();
        for (inode, pieces) in files {
            read(&mut position, inode, &pieces.concat());
        }
    }

    #[test]
    fn growth_in_any_steps_tells_the_same(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just(b"{\"type\":\"status\",\"state\":\"error\"}\n".to_vec()),
                Just(b"{\"a\":".to_vec()), Just(b"2}".to_vec()), Just(b"\n".to_vec()),
                proptest::collection::vec(any::<u8>(), 0..9),
            ], 0..40),
        cut in 0usize..800,
    ) {
        let file = pieces.concat();
        let whole = read(&mut Position::default(), 1, &file);
        let mut position = Position::default();
        let mut parts = read(&mut position, 1, &file[..cut.min(file.len())]);
        parts.extend(read(&mut position, 1, &file));
        prop_assert_eq!(parts, whole);
    }
}
