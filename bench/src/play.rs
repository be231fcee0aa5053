//! What runs in a pane: each part waits for a key, plays, and tells in a file
//! how it went. The terminal is raw, so tmux sees exactly the bytes written.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::Subcommand;
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use schmux_core::reading::Case;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::machine::now_ns;
use crate::text::AgentText;

/// Stands on the screen when a part has begun to wait for its key.
pub const READY: &str = "BENCH-READY";
/// What an agent shows while it works.
const WORKING: &str =
    include_str!("../../crates/schmux-core/tests/screens/claude-2.1.197/working-120x40.screen");
/// The last line of a flood.
pub const END: &str = "BENCH-END";

#[derive(Subcommand)]
pub enum Play {
    /// As much agent output as asked for, as fast as the terminal takes it; another
    /// key plays it again.
    Flood { bytes: u64, report: PathBuf },
    /// Lines with the time at which they were written; another key plays it again.
    Stamp { count: u64, every_us: u64 },
    /// Gives every byte back.
    Echo,
    /// An agent at work: a screen of one, whose spinner moves.
    Work,
    /// Redraws the screen a hundred times a second, and notes when it could not.
    Beat { report: PathBuf },
}

/// What a flood tells of itself.
#[derive(Debug, Serialize, Deserialize)]
pub struct Flooded {
    pub bytes: u64,
    pub sha256: String,
    pub from_ns: u64,
    pub to_ns: u64,
}

/// What a beat tells of itself.
#[derive(Debug, Serialize, Deserialize)]
pub struct Beaten {
    pub beats: u64,
    pub longest_gap_ms: u64,
}

impl Play {
    pub fn run(self) -> Result<()> {
        raw_terminal()?;
        match self {
            Play::Flood { bytes, report } => flood(bytes, &report),
            Play::Stamp { count, every_us } => stamp(count, every_us),
            Play::Echo => echo(),
            Play::Work => work(),
            Play::Beat { report } => beat(&report),
        }
    }
}

pub fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn flood(bytes: u64, report: &Path) -> Result<()> {
    // Two MB of text, repeated: making it must not cost more than printing it.
    // It is cut between pieces only, so that the last screen has one meaning.
    let (mut text, mut block, mut cuts) = (AgentText::new(), Vec::new(), vec![0]);
    while block.len() < 2 << 20 {
        text.piece(&mut block);
        cuts.push(block.len());
    }
    let rest = cuts.partition_point(|cut| *cut as u64 <= bytes % block.len() as u64) - 1;
    // The terminal answers `CSI 6 n` once it has taken all that came before.
    let end = format!("\x1b[0m\x1b[6n\r\n{END}\r\n");
    wait_for_key()?;
    loop {
        let (mut hash, mut written) = (Sha256::new(), 0);
        let from_ns = now_ns();
        let mut out = io::stdout().lock();
        let mut write = |bytes: &[u8]| -> io::Result<()> {
            out.write_all(bytes)?;
            out.flush()?;
            hash.update(bytes);
            written += bytes.len() as u64;
            Ok(())
        };
        for _ in 0..bytes / block.len() as u64 {
            block.chunks(16 << 10).try_for_each(&mut write)?;
        }
        block[..cuts[rest]].chunks(16 << 10).try_for_each(&mut write)?;
        write(end.as_bytes())?;
        wait_for_byte(b'R')?;
        let to_ns = now_ns();
        let told = Flooded { bytes: written, sha256: hex(hash.finalize()), from_ns, to_ns };
        tell(report, &told)?;
        // Nothing is printed meanwhile, so that the screen can be looked at.
        wait_for_byte(b'g')?;
    }
}

fn stamp(count: u64, every_us: u64) -> Result<()> {
    loop {
        wait_for_key()?;
        let mut out = io::stdout().lock();
        for _ in 0..count {
            // Jitter keeps the writes from falling into step with anyone's timer.
            let pause = rand::random_range(every_us / 2..=every_us * 3 / 2);
            thread::sleep(Duration::from_micros(pause));
            write!(out, "\x1b[32m●\x1b[0m @{:016x}@\r\n", now_ns())?;
            out.flush()?;
        }
    }
}

fn echo() -> Result<()> {
    print!("{READY}\r\n");
    io::stdout().flush()?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut buffer = [0; 1024];
    loop {
        let read = input.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        output.write_all(&buffer[..read])?;
        output.flush()?;
    }
}

/// How often a spinner moves here. A screen that never rests is read as often, so
/// moving it more often would cost tmux and nobody else.
const SPIN: std::ops::Range<u64> = 350..450;

fn work() -> Result<()> {
    let case = Case::parse(WORKING).map_err(|what| anyhow!("the screen of an agent: {what}"))?;
    let row = case.rows.iter().position(|row| row.contains('✽')).map_or(1, |row| row + 1);
    let (col, line) = (case.cursor.0 + 1, case.cursor.1 + 1);
    print!("\x1b[H{}", case.rows.join("\r\n"));
    for glyph in ['✢', '✳', '✶', '✻', '✽'].into_iter().cycle() {
        print!("\x1b[{row};1H\x1b[38;5;174m{glyph}\x1b[m\x1b[{line};{col}H");
        io::stdout().flush()?;
        thread::sleep(Duration::from_millis(rand::random_range(SPIN)));
    }
    Ok(())
}

fn beat(report: &Path) -> Result<()> {
    wait_for_key()?;
    let stop = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&stop);
    thread::spawn(move || {
        // Any byte, or the end of the terminal, ends the beat.
        let _ = io::stdin().lock().read(&mut [0]);
        seen.store(true, Ordering::Relaxed);
    });
    let (mut beats, mut longest) = (0_u64, Duration::ZERO);
    let mut last = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        draw(beats)?;
        beats += 1;
        longest = longest.max(last.elapsed());
        last = Instant::now();
        thread::sleep(Duration::from_millis(10));
    }
    draw(beats)?;
    tell(report, &Beaten { beats, longest_gap_ms: longest.as_millis() as u64 })?;
    thread::park();
    Ok(())
}

/// One screen of about 2.5 kB, drawn in place so that no history grows.
fn draw(beat: u64) -> io::Result<()> {
    let mut frame = String::from("\x1b[H");
    for row in 0..30 {
        frame += &format!(
            "\x1b[{}m{:>6} {:>10} {}\x1b[0m\x1b[K\r\n",
            31 + (beat + row) % 7,
            row,
            beat,
            "─".repeat(18)
        );
    }
    let mut out = io::stdout().lock();
    out.write_all(frame.as_bytes())?;
    out.flush()
}

fn raw_terminal() -> Result<()> {
    let mut modes = tcgetattr(io::stdin())?;
    modes.make_raw();
    tcsetattr(io::stdin(), OptionalActions::Now, &modes)?;
    Ok(())
}

fn wait_for_key() -> io::Result<()> {
    print!("{READY}\r\n");
    io::stdout().flush()?;
    io::stdin().lock().read_exact(&mut [0])
}

/// Waits for this byte, whatever else is typed before it.
fn wait_for_byte(wanted: u8) -> io::Result<()> {
    let mut byte = [0];
    while byte != [wanted] {
        io::stdin().lock().read_exact(&mut byte)?;
    }
    Ok(())
}

fn tell(path: &Path, what: &impl Serialize) -> Result<()> {
    let unfinished = path.with_extension("part");
    fs::write(&unfinished, serde_json::to_vec(what)?)?;
    fs::rename(&unfinished, path)?;
    Ok(())
}
