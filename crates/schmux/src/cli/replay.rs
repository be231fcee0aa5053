//! `schmux replay`: plays what a session printed, in this terminal, or exports it.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use crossterm::terminal;
use jiff::Timestamp;
use schmux_core::screen::screen_prelude;

use crate::client::encode_segment;
use crate::wire::{Recording, Replay, ReplayFrame, ReplayFrames};

use super::failure::{Exit, Failure};
use super::print::{self, Style, Table};
use super::table::Give;
use super::wait::duration;
use super::{Context, Outcome};

/// A long recording is hundreds of megabytes.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname; without it the recordings are listed
    session: Option<String>,
    /// Begin this long ago: 90, 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    since: Option<Duration>,
    /// Write it to an asciicast file instead; `-` is stdout
    #[arg(long, value_name = "FILE", requires = "session")]
    export: Option<PathBuf>,
    /// The version of that file: 2, which every player reads, or 3
    #[arg(long, value_name = "N", default_value_t = 2, requires = "export",
          value_parser = clap::value_parser!(u8).range(2..=3))]
    cast: u8,
    /// How many times as fast
    #[arg(long, value_name = "N", default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Pauses are shortened to this
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2")]
    idle: Duration,
    /// Print the recordings, or the time line of one, as JSON
    #[arg(long, conflicts_with = "export")]
    json: bool,
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|speed: &f64| (0.01..=10_000.0).contains(speed));
    number.ok_or_else(|| "use a number from 0.01 to 10000".to_owned())
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let Some(name) = &args.session else { return list(&args, context).await };
    let path = format!("/api/sessions/{}/replay", encode_segment(name));
    let replay: Replay = context.client.patient(PATIENCE).get(&path).await?;
    if args.json {
        return print::json(&replay);
    }
    let from = args.since.map(|since| {
        Timestamp::now().as_millisecond() - i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    });
    let path = format!("/api/sessions/{}/replay", encode_segment(&replay.recording.session_id));
    match &args.export {
        Some(file) => export(&args, context, &path, from, file).await,
        None => play(&args, context, &path, from, &replay).await,
    }
}

async fn list(args: &Args, context: &Context) -> Outcome {
    let all: Vec<Recording> = context.client.patient(PATIENCE).get("/api/replays").await?;
    if args.json {
        return print::json(&all);
    }
    if all.is_empty() {
        return print::text("Nothing is recorded yet.\n");
    }
    let mut table = Table::new(Style::of_stdout(), ["SESSION", "NAME", "LASTED", "ENDED", "SIZE"])
        .give([Give::Empty("NAME", ""), Give::Cut("NAME", 8), Give::Drop("SIZE")]);
    let now = Timestamp::now();
    for recording in &all {
        let moment = |ms| Timestamp::from_millisecond(ms).unwrap_or(now);
        let (from, to) = (moment(recording.from), moment(recording.to));
        let name = recording.nickname.as_deref().map(print::safe).unwrap_or_default();
        let size = format!("{} kB", recording.bytes.div_ceil(1000));
        let cells =
            [recording.session_id.clone(), name, print::age(from, to), print::age(to, now), size];
        table.row(cells.map(|cell| (cell, None)));
    }
    print::text(&table.render())
}

async fn export(
    args: &Args,
    context: &Context,
    path: &str,
    from: Option<i64>,
    file: &Path,
) -> Outcome {
    let from = from.map(|from| format!("&from={from}")).unwrap_or_default();
    let idle = args.idle.as_millis();
    let path = format!("{path}/cast?version={}&idle={idle}{from}", args.cast);
    let client = context.client.patient(PATIENCE);
    if file == Path::new("-") {
        return Ok(client.download(&path, &mut io::stdout().lock()).await?);
    }
    let failed = |error: io::Error| {
        Failure::new(format!("can't write {}: {error}", file.display())).exit(Exit::Unfit)
    };
    let mut out = BufWriter::new(File::create(file).map_err(failed)?);
    client.download(&path, &mut out).await?;
    out.flush().map_err(failed)?;
    print::to_stderr(&format!("written to {}; play it with: asciinema play {0}\n", file.display()));
    Ok(())
}

async fn play(
    args: &Args,
    context: &Context,
    path: &str,
    from: Option<i64>,
    replay: &Replay,
) -> Outcome {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        return Err(Failure::new("playing needs a terminal, and this is none")
            .exit(Exit::Usage)
            .advice("write it to a file: --export FILE"));
    }
    let from = from.unwrap_or(replay.recording.from).max(replay.recording.from);
    let mut query = format!("from={from}");
    let _quiet = Quiet::begin()?;
    let mut player = Player { from, last: from, speed: args.speed, idle: args.idle };
    loop {
        let part: ReplayFrames =
            context.client.patient(PATIENCE).get(&format!("{path}/frames?{query}")).await?;
        for frame in part.frames {
            if !player.show(frame)? {
                return Ok(());
            }
        }
        match part.next {
            Some(next) => query = format!("after={}", encode_segment(&next)),
            None => return Ok(()),
        }
    }
}

/// The terminal echoes nothing while this lives, and is calm after it.
struct Quiet;

impl Quiet {
    fn begin() -> Result<Quiet, Failure> {
        terminal::enable_raw_mode()
            .map_err(|error| Failure::new(format!("can't set up the terminal: {error}")))?;
        Ok(Quiet)
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        let mut out = io::stdout().lock();
        // The terminal may be gone, and then it needs nothing.
        let _ = out.write_all(&screen_prelude());
        let _ = out.write_all(b"\x1b[?25h\x1b[999;1H\r\n");
        let _ = out.flush();
        let _ = terminal::disable_raw_mode();
    }
}

struct Player {
    /// Everything before this is shown at once.
    from: i64,
    last: i64,
    speed: f64,
    idle: Duration,
}

impl Player {
    /// Waits until it is time, then shows a frame. False when the viewer has had enough.
    fn show(&mut self, frame: ReplayFrame) -> Result<bool, Failure> {
        let (at, bytes) = match frame {
            ReplayFrame::Keyframe { at, data, .. } => (at, format!("\x1b[H\x1b[2J{data}")),
            ReplayFrame::Output { at, data } => (at, data),
            ReplayFrame::Gap { at, .. } => (at, String::new()),
        };
        let pause = u64::try_from(at.max(self.from) - self.last).unwrap_or(0);
        self.last = at.max(self.from);
        let pause = Duration::from_millis(pause).div_f64(self.speed).min(self.idle);
        if !wait(pause)? {
            return Ok(false);
        }
        let mut out = io::stdout().lock();
        let shown = out.write_all(bytes.as_bytes()).and_then(|()| out.flush());
        Ok(shown.is_ok())
    }
}

/// Waits, and listens for `q`, Ctrl-C and the blank, which holds on.
fn wait(pause: Duration) -> Result<bool, Failure> {
    let failed = |error| Failure::new(format!("can't read the terminal: {error}"));
    let mut until = std::time::Instant::now() + pause;
    let mut held = false;
    loop {
        let left = until.saturating_duration_since(std::time::Instant::now());
        let left = if held { PATIENCE } else { left };
        if !event::poll(left).map_err(failed)? {
            if held {
                continue;
            }
            return Ok(true);
        }
        if let Event::Key(key) = event::read().map_err(failed)? {
            match key.code {
                KeyCode::Char('q') => return Ok(false),
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                    return Ok(false);
                }
                KeyCode::Char(' ') => {
                    held = !held;
                    until = std::time::Instant::now();
                }
                _ => {}
            }
        }
    }
}
