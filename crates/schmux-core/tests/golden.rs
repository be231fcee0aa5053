//! The engine on recordings of real tmux: fed whole, cut at every byte, and byte
//! by byte; and the screen on recordings of real agents, in pieces of any size.
//!
//! `NAME.sent` is all that tmux was sent, `NAME.txt` all that it said, and
//! `NAME.events` what the engine should make of it (`UPDATE_EXPECT=1` renews
//! it). `scripts/record-control` makes the recordings.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use schmux_core::screen::{Screen, Size};
use schmux_core::tmux::{Batch, Command, Engine, Event, Notification, Reply};

#[test]
fn recordings_of_tmux_give_the_same_events_however_they_are_cut() {
    for path in recordings("control", "txt") {
        check(&path);
    }
}

#[test]
fn recordings_of_agents_give_the_same_screen_however_they_are_cut() {
    for path in recordings("screens", "bytes") {
        let size = size_in(&path);
        let bytes = fs::read(&path).expect("a recording can be read");
        let mut whole = Screen::new(size);
        whole.advance(&bytes);
        // Single bytes, pieces that cut characters and sequences, and what a read brings.
        for length in [1, 2, 3, 7, 61, 4096] {
            let mut cut = Screen::new(size);
            bytes.chunks(length).for_each(|piece| cut.advance(piece));
            let differences = cut.differences(&whole).join("\n");
            assert_eq!(differences, "", "{} in pieces of {length}", path.display());
        }
    }
}

/// The size in a recording's name: `claude-120x40.bytes`.
fn size_in(path: &Path) -> Size {
    let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
    let (_, size) = name.rsplit_once('-').expect("a size in the name");
    let (cols, rows) = size.split_once('x').expect("columns and rows");
    let side = |text: &str| text.parse().expect("a number");
    Size { cols: side(cols), rows: side(rows) }
}

/// The recordings of one kind, in order.
fn recordings(directory: &str, kind: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(directory);
    let mut paths: Vec<PathBuf> = fs::read_dir(&directory)
        .expect("the recordings are there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|found| found == kind))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no recordings in {}", directory.display());
    paths
}

fn check(recording: &Path) {
    let sent = fs::read_to_string(recording.with_extension("sent")).expect("what was sent");
    let stream = fs::read(recording).expect("what tmux said");
    let batches = batches(&sent);
    assert_eq!(
        String::from_utf8_lossy(&asked(&batches).take_outgoing()),
        sent,
        "{}: the engine would have sent something else",
        recording.display()
    );
    let whole = events(&batches, [&stream[..]]);
    expect_file![recording.with_extension("events")].assert_eq(&whole);
    for cut in 1..stream.len() {
        let (a, b) = stream.split_at(cut);
        let cut_events = events(&batches, [a, b]);
        assert!(cut_events == whole, "{} cut at byte {cut}:\n{cut_events}", recording.display());
    }
    let bytewise = events(&batches, stream.chunks(1));
    assert!(bytewise == whole, "{} byte by byte:\n{bytewise}", recording.display());
}

fn asked(batches: &[Batch]) -> Engine {
    let mut engine = Engine::default();
    for batch in batches {
        engine.send(batch.clone());
    }
    engine
}

fn events<'a>(batches: &[Batch], chunks: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut engine = asked(batches);
    let mut out = String::new();
    for chunk in chunks {
        engine.handle_bytes(chunk, &mut |event| render(event, &mut out));
    }
    writeln!(out, "{} unanswered", engine.in_flight()).expect("writing to a String can't fail");
    out
}

fn render(event: Event<'_>, out: &mut String) {
    match event {
        Event::Output { pane, data } => {
            let mut bytes = Vec::new();
            data.unescape_into(&mut bytes);
            writeln!(out, "output {pane} {}", bytes.escape_ascii())
        }
        Event::Reply(Reply { ticket, outcome: Ok(bodies) }) => {
            bodies.iter().fold(writeln!(out, "{ticket:?}"), |written, body| {
                written.and_then(|()| writeln!(out, "  {:?}", String::from_utf8_lossy(body)))
            })
        }
        Event::Reply(Reply { ticket, outcome: Err(refusal) }) => {
            writeln!(out, "{ticket:?} refused at {}: {}", refusal.index, refusal.message)
        }
        Event::Notice(Notification::Exit { reason }) => {
            writeln!(out, "exit {:?}", String::from_utf8_lossy(reason))
        }
        Event::Notice(Notification::SessionChanged { name }) => {
            writeln!(out, "session {}", String::from_utf8_lossy(name))
        }
        Event::Notice(Notification::Other(line)) => {
            writeln!(out, "other {}", String::from_utf8_lossy(line))
        }
        Event::Notice(notice) => writeln!(out, "{notice:?}"),
    }
    .expect("writing to a String can't fail");
}

/// Reads command lines back into the batches that were sent.
fn batches(sent: &str) -> Vec<Batch> {
    let mut lines = sent.lines().peekable();
    let mut batches = Vec::new();
    while let Some(line) = lines.next() {
        let commands = words(line).split(|word| word == b";").map(command).collect::<Vec<_>>();
        let fence = lines.next_if(|next| next.starts_with("display-message -p fence-"));
        batches.push(match fence.and_then(|line| line.rsplit(' ').next()) {
            Some(nonce) if commands.iter().any(Command::branches) => {
                Batch::branching(commands, nonce.to_owned())
            }
            Some(nonce) => Batch::fenced(commands, nonce.to_owned()),
            None => Batch::new(commands),
        });
    }
    batches
}

fn command(words: &[Vec<u8>]) -> Command {
    let (name, rest) = words.split_first().expect("a command has a name");
    let name = String::from_utf8(name.clone()).expect("a name is plain").leak();
    Command::new(name).args(rest)
}

/// The words of a line: bare, or in double quotes with octal escapes.
fn words(line: &str) -> Vec<Vec<u8>> {
    let mut words = vec![Vec::new()];
    let mut quoted = false;
    let mut bytes = line.bytes();
    while let Some(byte) = bytes.next() {
        let word = words.last_mut().expect("there is always a word");
        match byte {
            b'"' => quoted = !quoted,
            b'\\' => word.push((0..3).fold(0, |code, _| {
                code << 3 | (bytes.next().expect("three digits follow a backslash") - b'0')
            })),
            b' ' if !quoted => words.push(Vec::new()),
            _ => word.push(byte),
        }
    }
    words
}
