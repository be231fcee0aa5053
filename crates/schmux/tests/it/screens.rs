//! The model against tmux itself: the same bytes in, the same cells, attributes and cursor out.
//!
//! Bytes are written to the terminal of a pane whose program only sleeps. After
//! each piece tmux's own screen is read and must equal the model that saw the
//! same bytes, the model that was seeded from tmux in the middle of them, and
//! what a keyframe of the model draws on a terminal with other content.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use schmux_core::screen::{META_FORMAT, Screen, Seed, Size, Stream, screen_prelude};
use tempfile::TempDir;

#[path = "screens_cases.rs"]
mod cases;

/// A loaded machine may take this long; a test that passes takes far less.
const PATIENCE: Duration = Duration::from_secs(30);

/// A pane of a tmux server of its own, which ends with the test.
struct Pane {
    dir: TempDir,
    size: Size,
    tty: File,
    played: usize,
}

impl Pane {
    fn start(size: Size) -> Pane {
        let dir = TempDir::new().unwrap();
        let (cols, rows) = (size.cols.to_string(), size.rows.to_string());
        // What is written must reach tmux as it is, and nothing may be echoed.
        let program = "stty raw -echo -opost; printf '\\033]2;played-0\\007'; exec sleep 1000";
        tmux(&dir, &["new-session", "-d", "-x", &cols, "-y", &rows, program]);
        wait_for_title(&dir, 0);
        let path = tmux(&dir, &["display-message", "-p", "#{pane_tty}"]);
        let tty = OpenOptions::new().write(true).open(path.trim_end()).unwrap();
        Pane { dir, size, tty, played: 0 }
    }

    /// Writes the bytes and waits until tmux has read them all. Returns what it was sent.
    fn play(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.played += 1;
        let sent = [bytes, format!("\x1b]2;played-{}\x07", self.played).as_bytes()].concat();
        self.tty.write_all(&sent).unwrap();
        wait_for_title(&self.dir, self.played);
        sent
    }

    fn seed(&self) -> Seed {
        let capture = ["capture-pane", "-p", "-e", "-N"];
        let meta = tmux(&self.dir, &["display-message", "-p", META_FORMAT]);
        let rows = tmux(&self.dir, &[&capture[..], &["-S", "-200"]].concat());
        let beneath = tmux(&self.dir, &[&capture[..], &["-a", "-q"]].concat());
        let [meta, rows, beneath] =
            [&meta, &rows, &beneath].map(|text| text.strip_suffix('\n').unwrap_or(text).as_bytes());
        Seed::new(meta, rows, beneath).expect("tmux describes the pane")
    }

    fn resize(&mut self, size: Size) {
        let (cols, rows) = (size.cols.to_string(), size.rows.to_string());
        tmux(&self.dir, &["resize-window", "-x", &cols, "-y", &rows]);
        self.size = size;
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        // The server may be gone already; a failure here would hide the test's own.
        let _ = command(&self.dir, &["kill-server"]).output();
    }
}

fn command(dir: &TempDir, words: &[&str]) -> Command {
    let mut command = Command::new("tmux");
    command.args(["-u", "-f", "/dev/null", "-S"]).arg(dir.path().join("socket")).args(words);
    command.env_remove("TMUX").env("LC_ALL", "C.UTF-8");
    command
}

fn tmux(dir: &TempDir, words: &[&str]) -> String {
    let output = command(dir, words).output().expect("tmux is installed");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("tmux writes UTF-8")
}

fn wait_for_title(dir: &TempDir, number: usize) {
    let wanted = format!("played-{number}");
    let deadline = Instant::now() + PATIENCE;
    loop {
        let title = tmux(dir, &["display-message", "-p", "#{pane_title}"]);
        if title.trim_end() == wanted {
            return;
        }
        assert!(Instant::now() < deadline, "tmux didn't read to {wanted}: its title is {title:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A pane and every model that should show the same as it does.
struct Comparison {
    pane: Pane,
    live: Screen,
    stream: Stream,
    /// Models that began from a seed, with the number of the piece they began after.
    seeded: Vec<(usize, Screen)>,
    wrong: Vec<String>,
}

impl Comparison {
    fn start(size: Size) -> Comparison {
        let mut pane = Pane::start(size);
        let mut live = Screen::new(size);
        live.advance(&pane.play(b""));
        Comparison { pane, live, stream: Stream::default(), seeded: Vec::new(), wrong: Vec::new() }
    }

    fn play(&mut self, bytes: &[u8]) {
        let sent = self.stream.take(self.pane.play(bytes));
        self.live.advance(&sent);
        for (_, screen) in &mut self.seeded {
            screen.advance(&sent);
        }
    }

    /// Compares, and notes what differs under the name of `place`. What differed
    /// is replaced by the truth, so that it isn't noted again.
    fn check(&mut self, place: &str) {
        let seed = self.pane.seed();
        let differences = self.live.differences(&seed.screen(Some(&self.live)));
        if !differences.is_empty() {
            self.live = seed.screen(Some(&self.live));
            self.seeded.clear();
        }
        self.note(place, "the live model", differences);
        for (begin, screen) in std::mem::take(&mut self.seeded) {
            let differences = screen.differences(&seed.screen(Some(&screen)));
            if differences.is_empty() {
                self.seeded.push((begin, screen));
            }
            self.note(place, &format!("a model seeded after piece {begin}"), differences);
        }
        let mut drawn = Screen::new(self.pane.size);
        drawn.advance(b"\x1b[?1049hother\x1b[41mstuff\x1b[2;3r\x1b[?6h\x1b[4h\x1b(0");
        drawn.advance(&screen_prelude());
        drawn.advance(&self.live.keyframe(&seed.meta));
        self.note(place, "the keyframe", drawn.differences(&self.live));
        // Who begins here is given what has begun.
        for mut screen in [seed.screen(Some(&self.live)), drawn] {
            screen.advance(self.stream.unfinished());
            self.seeded.push((self.pane.played, screen));
        }
    }

    fn note(&mut self, place: &str, who: &str, differences: Vec<String>) {
        if !differences.is_empty() {
            self.wrong.push(format!("{place}, {who}:\n    {}", differences.join("\n    ")));
        }
    }
}

fn assert_none(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} differences (model is not tmux):\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_sequence_does_what_it_does_in_tmux() {
    let mut wrong = Vec::new();
    for (name, pieces) in cases::CASES {
        let mut comparison = Comparison::start(Size { cols: 40, rows: 10 });
        for (index, piece) in pieces.iter().enumerate() {
            comparison.play(piece.as_bytes());
            comparison.check(&format!("{name}, piece {}", index + 1));
        }
        wrong.append(&mut comparison.wrong);
    }
    assert_none(&wrong);
}

#[test]
fn where_tmux_goes_its_own_way_a_seed_puts_it_right() {
    let mut wrong = Vec::new();
    for (name, bytes) in cases::DISAGREEMENTS {
        let mut comparison = Comparison::start(Size { cols: 40, rows: 10 });
        comparison.play(bytes.as_bytes());
        comparison.check(name);
        println!("{name}: {}", if comparison.wrong.is_empty() { "agrees here" } else { "differs" });
        comparison.wrong.clear();
        comparison.play(b"\x1b[H\x1b[3Bmore\x1b[Ktext\r\n\r\n\x1b[1mend");
        comparison.check(&format!("{name}, after a seed"));
        wrong.append(&mut comparison.wrong);
    }
    assert_none(&wrong);
}

/// How many times a recording is stopped on its way to compare.
const STOPS: usize = 6;

#[test]
fn recorded_agents_look_as_they_do_in_tmux() {
    let directory =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../schmux-core/tests/golden/screens");
    let mut recordings: Vec<PathBuf> = fs::read_dir(&directory)
        .expect("the recordings are there")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "bytes"))
        .collect();
    recordings.sort();
    assert!(!recordings.is_empty(), "no recordings in {}", directory.display());
    let mut wrong = Vec::new();
    for path in recordings {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&path).unwrap();
        let mut comparison = Comparison::start(size_in(&name));
        let mut begin = 0;
        for stop in 1..=STOPS {
            let end = before_a_sequence(&bytes, bytes.len() * stop / STOPS);
            comparison.play(&bytes[begin..end]);
            comparison.check(&format!("{name} to byte {end}"));
            begin = end;
        }
        wrong.append(&mut comparison.wrong);
    }
    assert_none(&wrong);
}

/// The size in a recording's name: `claude-120x40`.
fn size_in(name: &str) -> Size {
    let (cols, rows) = name.rsplit('-').next().unwrap().split_once('x').unwrap();
    Size { cols: cols.parse().unwrap(), rows: rows.parse().unwrap() }
}

/// The next place from `at` on where an escape sequence begins, so that what the
/// test itself adds there doesn't fall into the middle of one.
fn before_a_sequence(bytes: &[u8], at: usize) -> usize {
    let begins = |pair: &[u8]| pair[0] == 0x1b && pair[1] != b'\\';
    bytes[at..].windows(2).position(begins).map_or(bytes.len(), |found| at + found)
}

#[test]
fn a_flood_ends_on_the_same_screen() {
    let mut comparison = Comparison::start(Size { cols: 80, rows: 24 });
    let mut flood = Vec::new();
    for n in 0..20_000 {
        let (color, indent) = (n % 256, n % 7);
        write!(flood, "\x1b[38;5;{color}m{:indent$}line {n} of a flood, 漢字 é\x1b[m\r\n", "")
            .unwrap();
    }
    comparison.play(&flood);
    comparison.check("a flood");
    assert_none(&comparison.wrong);
}

#[test]
fn after_a_resize_a_seed_goes_on_as_tmux_does() {
    let sizes = [(40, 10), (60, 20), (20, 5), (41, 9), (80, 24)];
    let main = "a line that is longer than twenty columns\r\n\x1b[1;32mprompt\x1b[m $ ";
    for beginning in
        [main.to_owned(), format!("{main}\x1b[?1049h\x1b[2J\x1b[3;3H\x1b[41malt\x1b[m")]
    {
        let mut comparison = Comparison::start(Size { cols: 30, rows: 12 });
        comparison.play(beginning.as_bytes());
        for (cols, rows) in sizes {
            let size = Size { cols, rows };
            comparison.pane.resize(size);
            // A resize is always followed by a seed; the old model is of no use.
            let before = std::mem::replace(&mut comparison.live, Screen::new(size));
            comparison.live = comparison.pane.seed().screen(Some(&before));
            comparison.seeded.clear();
            comparison.check(&format!("resized to {cols}x{rows}"));
            comparison.play(b"more\r\n\x1b[Kand a line that wraps around somewhere, perhaps\x1b[1A\x1b[7mup\x1b[m");
            comparison.check(&format!("written to at {cols}x{rows}"));
        }
        // tmux resizes the screen beneath only now, and may mix rows of both: what
        // it shows can't be known without asking.
        comparison.play(b"\x1b[?1049lback");
        comparison.live = comparison.pane.seed().screen(Some(&comparison.live));
        comparison.seeded.clear();
        comparison.play(b" on\r\nthe main screen");
        comparison.check("the main screen again");
        assert_none(&comparison.wrong);
    }
}
