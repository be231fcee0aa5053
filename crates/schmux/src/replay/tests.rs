use std::path::Path;

use bytes::Bytes;
use schmux_core::ids::SessionId;
use schmux_core::replay::{Reason, Record, What};
use schmux_core::screen::Size;
use schmux_core::time::Moment;

use super::reader::Index;
use super::*;

const SIZE: Size = Size { cols: 80, rows: 24 };

fn id(name: &str) -> SessionId {
    SessionId::new(name).unwrap()
}

fn generous() -> Limits {
    Limits { session_bytes: 1 << 30, total_bytes: 1 << 30, age_ms: i64::MAX / 2 }
}

fn all(dir: &Path, session: &str) -> Vec<Record> {
    let index = Index::read(dir, &id(session));
    (0..index.chunks.len()).flat_map(|number| index.records(number)).collect()
}

fn text(records: &[Record]) -> String {
    let told = records.iter().map(|record| match &record.what {
        What::Keyframe(_, data) => format!("<{}>", String::from_utf8_lossy(data)),
        What::Output(data) => String::from_utf8_lossy(data).into_owned(),
        What::Gap(reason) => format!("({reason:?})"),
    });
    told.collect()
}

#[tokio::test]
async fn what_is_heard_can_be_read_also_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    for part in ["one", "two"] {
        let recorder = writer::start(dir.path().to_owned(), generous());
        let mut tap = recorder.tap(&id("s"));
        tap.output(&Bytes::from_static(b"before a keyframe"), Moment(1));
        assert!(tap.wants_keyframe());
        tap.keyframe(SIZE, b"K", Moment(10));
        assert!(!tap.wants_keyframe());
        tap.output(&Bytes::from_static(part.as_bytes()), Moment(20));
        recorder.flush().await;
        tap.lose(Reason::Flood, Moment(30));
        tap.output(&Bytes::from_static(b"unheard"), Moment(40));
        tap.keyframe(SIZE, b"L", Moment(50));
        recorder.flush().await;
    }
    assert_eq!(text(&all(dir.path(), "s")), "<K>one(Flood)<L><K>two(Flood)<L>");
    let index = Index::read(dir.path(), &id("s"));
    assert_eq!(index.chunks[index.begin_at(Moment(45))].1.first, Moment(10), "of the second run");
}

#[tokio::test]
async fn a_cut_anywhere_costs_no_more_than_the_last_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let recorder = writer::start(dir.path().to_owned(), generous());
    let mut tap = recorder.tap(&id("s"));
    tap.keyframe(SIZE, b"K", Moment(10));
    recorder.flush().await;
    tap.output(&Bytes::from_static(b"more"), Moment(20));
    recorder.flush().await;
    let (_, path) = shelf::segments_of(dir.path(), &id("s")).remove(0);
    let whole = std::fs::read(&path).unwrap();
    for end in 0..whole.len() {
        std::fs::write(&path, &whole[..end]).unwrap();
        assert!("<K>more".starts_with(&text(&all(dir.path(), "s"))));
    }
    std::fs::write(&path, vec![0xff; 100]).unwrap();
    assert_eq!(all(dir.path(), "s"), []);
}

/// Output that hardly compresses.
fn noise(seed: u64) -> Bytes {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        b' ' + (state >> 33) as u8 % 64
    };
    (0..128 << 10).map(|_| next()).collect::<Vec<u8>>().into()
}

#[tokio::test]
async fn the_oldest_make_room() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { session_bytes: 3 << 20, total_bytes: 5 << 20, age_ms: i64::MAX / 2 };
    let recorder = writer::start(dir.path().to_owned(), limits);
    let mut taps = [recorder.tap(&id("a")), recorder.tap(&id("b"))];
    for round in 0..80 {
        for (number, tap) in taps.iter_mut().enumerate() {
            let at = Moment(round * 10 + number as i64);
            tap.keyframe(SIZE, b"K", at);
            tap.output(&noise(at.0 as u64 + 1), at);
        }
        recorder.flush().await;
    }
    let sizes = ["a", "b"].map(|session| Index::read(dir.path(), &id(session)).bytes);
    assert!(sizes.iter().all(|&size| size <= 3 << 20), "{sizes:?}");
    assert!(sizes.iter().sum::<u64>() <= 5 << 20, "{sizes:?}");
    assert!(sizes.iter().all(|&size| size >= 1 << 20), "{sizes:?}");
    let index = Index::read(dir.path(), &id("b"));
    assert!(index.chunks[0].1.is_key, "what is left begins with a keyframe");
    assert_eq!(index.span().unwrap().1, Moment(791), "and ends with the newest");
    drop((recorder, taps));
    // What is too old goes at the next start.
    let old = Limits { age_ms: 1000, ..limits };
    let recorder = writer::start(dir.path().to_owned(), old);
    recorder.flush().await;
    assert_eq!(shelf::sessions(dir.path()).unwrap(), []);
}

#[test]
fn a_tap_that_is_off_asks_for_nothing() {
    let mut tap = Recorder::off().tap(&id("s"));
    assert!(!tap.wants_keyframe());
    tap.keyframe(SIZE, b"K", Moment(1));
    tap.output(&Bytes::from_static(b"x"), Moment(2));
    assert!(!tap.wants_keyframe());
}
