use super::*;
use proptest::prelude::*;

const SIZE: Size = Size { cols: 80, rows: 24 };

fn at(ms: i64, what: What) -> Record {
    Record { at: Moment(ms), what }
}

fn output(ms: i64, text: &str) -> Record {
    at(ms, What::Output(text.into()))
}

fn keyframe(ms: i64, text: &str) -> Record {
    at(ms, What::Keyframe(SIZE, text.into()))
}

/// Through chunks and back.
fn round(records_in: Vec<Record>) -> (Vec<Head>, Vec<Record>) {
    let mut stream = Stream::default();
    let mut chunks: Vec<Recorded> = Vec::new();
    for record in records_in {
        chunks.extend(stream.add(record));
    }
    chunks.extend(stream.take());
    let heads: Vec<Head> = chunks.iter().map(|chunk| chunk.head).collect();
    for head in &heads {
        assert_eq!(Head::read(&head.to_bytes()), Some(*head));
    }
    (heads, chunks.iter().flat_map(|chunk| records(&chunk.head, &chunk.content)).collect())
}

#[test]
fn a_recording_comes_back_as_it_was() {
    let recording = vec![
        keyframe(1000, "K"),
        output(1010, "a"),
        output(1010, "b"),
        at(2000, What::Gap(Reason::Flood)),
        keyframe(5000, "K2"),
        output(1_000_000, "z"),
    ];
    let (heads, back) = round(recording.clone());
    assert_eq!(back, recording);
    let told: Vec<_> =
        heads.iter().map(|h| (h.first.0, h.last.0, h.is_key, h.is_fresh, h.gap)).collect();
    assert_eq!(
        told,
        [(1000, 2000, true, true, Some(Reason::Flood)), (5000, 1_000_000, true, false, None)]
    );
}

#[test]
fn a_keyframe_waits_for_what_follows_it() {
    let mut stream = Stream::default();
    stream.add(keyframe(1000, "K"));
    assert_eq!(stream.waits_since(), None);
    stream.add(output(1010, "a"));
    stream.add(output(1020, "b"));
    assert_eq!(stream.waits_since(), Some(Moment(1010)));
    assert!(stream.take().is_some_and(|chunk| chunk.head.is_key));
    assert_eq!(stream.waits_since(), None);
}

#[test]
fn characters_are_not_cut() {
    let bytes = "é日🦀".as_bytes();
    let pieces = bytes.iter().enumerate().map(|(n, &b)| at(n as i64, What::Output(vec![b])));
    let (_, back) = round(std::iter::once(keyframe(0, "")).chain(pieces).collect());
    let texts: Vec<_> = back[1..]
        .iter()
        .map(|record| match &record.what {
            What::Output(data) => String::from_utf8(data.clone()).unwrap(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(texts, ["é", "日", "🦀"]);
}

#[test]
fn what_comes_before_a_keyframe_and_from_the_past_does_no_harm() {
    let (_, back) = round(vec![
        output(1, "lost"),
        at(2, What::Gap(Reason::Away)),
        keyframe(50, "K"),
        output(7, "late"),
    ]);
    assert_eq!(back, [keyframe(50, "K"), output(50, "late")]);
}

#[test]
fn long_recordings_are_many_chunks() {
    let line = "x".repeat(1000);
    let many = (0..200).map(|n| output(n, &line));
    let (heads, back) = round(std::iter::once(keyframe(0, "K")).chain(many).collect());
    assert_eq!((heads.len(), back.len()), (4, 201));
    assert_eq!(heads.iter().filter(|head| head.is_key).count(), 1);
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes: Vec<u8>, first: i64) {
        let head = Head { stored: 0, length: 0, first: Moment(first), last: Moment(first),
            is_key: false, is_fresh: false, gap: None };
        records(&head, &bytes);
        Head::read(&bytes);
    }

    #[test]
    fn any_recording_comes_back(
        steps in prop::collection::vec((0i64..100_000, 0u8..4, "[a-zé\\x1b]{0,40}"), 0..60)
    ) {
        let mut now = 0;
        let mut all = vec![keyframe(0, "K")];
        for (later, kind, text) in steps {
            now += later;
            all.push(match kind {
                0 => keyframe(now, &text),
                1 => at(now, What::Gap(Reason::Behind)),
                _ if text.is_empty() => continue,
                _ => output(now, &text),
            });
        }
        prop_assert_eq!(round(all.clone()).1, all);
    }
}

fn cast(version: Version, from: i64) -> String {
    let marks = vec![
        Mark { at: Moment(1500), label: "needs input: \"ok?\"".into() },
        Mark { at: Moment(9000), label: "after".into() },
    ];
    let mut cast = Cast::new(version, "t".into(), Moment(from), Some(2000), marks);
    let bigger = Size { cols: 100, rows: 30 };
    let mut out = cast.add(&output(900, "not seen"));
    for record in [
        keyframe(1000, "K"),
        output(1250, "a\x1b[m"),
        at(2000, What::Gap(Reason::Flood)),
        at(3000, What::Keyframe(bigger, "L".into())),
    ] {
        out.push_str(&cast.add(&record));
    }
    out + &cast.end()
}

#[test]
fn casts() {
    expect_test::expect![[r#"
        {"env":{"TERM":"tmux-256color"},"height":24,"idle_time_limit":2.0,"timestamp":1,"title":"t","version":2,"width":80}
        [0.000, "o", "\u001bcK"]
        [0.250, "o", "a\u001b[m"]
        [0.500, "m", "needs input: \"ok?\""]
        [1.000, "m", "not recorded: too much at once"]
        [2.000, "r", "100x30"]
        [2.000, "o", "\u001bcL"]
        [8.000, "m", "after"]
    "#]]
    .assert_eq(&cast(Version::Two, 1000));
    expect_test::expect![[r#"
        {"idle_time_limit":2.0,"term":{"cols":80,"rows":24,"type":"tmux-256color"},"timestamp":1,"title":"t","version":3}
        [0.000, "o", "\u001bcK"]
        [0.000, "o", "a\u001b[m"]
        [0.100, "m", "needs input: \"ok?\""]
        [0.500, "m", "not recorded: too much at once"]
        [1.000, "r", "100x30"]
        [0.000, "o", "\u001bcL"]
        [6.000, "m", "after"]
    "#]]
    .assert_eq(&cast(Version::Three, 1400));
}
