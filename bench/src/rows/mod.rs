//! One file per figure, or per group of figures that are measured together.

mod cpu;
mod echo;
mod edit;
mod exact;
mod flood;
mod hosts;
mod latency;
mod many;
mod neighbour;
mod sessions;
mod signal;
mod slow;
mod start;
mod state;
mod stop;
mod throughput;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::daemon::Daemon;
use crate::report::Figure;

/// What can be measured.
#[derive(Clone, Copy, ValueEnum)]
pub enum Row {
    /// The daemon's CPU time for a pane's output, beside the tmux server's.
    Cpu,
    /// MB/s through a pane, beside `tmux -C attach >/dev/null`.
    Throughput,
    /// From a program's write to a viewer's frame, beside a bare control client.
    Latency,
    /// From a key to its echo, beside a bare control client and node-pty.
    Echo,
    /// From the write of a status file to a dashboard, beside a bare inotify reader.
    Signal,
    /// Every byte arrives, through one pane and through fifty.
    Exact,
    /// Slow viewers end on the right screen, and slow nobody else.
    Slow,
    /// 200 demo agents: memory, idle CPU, start, stream, stop.
    Sessions,
    /// Latency with 1,000 silent sessions, beside that with one.
    Many,
    /// Latency beside a pane that floods, beside a bare client for each.
    Neighbour,
    /// 20 hosts by ssh on loopback: their cost at rest, and keys beside `tmux attach`.
    Hosts,
    /// The daemon and a viewer stopped for a minute.
    Stop,
    /// From `schmux start` to the page.
    Start,
    /// What a session's `EDITOR` adds to the user's own editor.
    Edit,
    /// Reading a screen, and the states of 200 busy sessions.
    State,
}

impl Row {
    pub fn all() -> Vec<Row> {
        Row::value_variants().to_vec()
    }

    pub fn name(self) -> &'static str {
        match self {
            Row::Cpu => "cpu",
            Row::Throughput => "throughput",
            Row::Latency => "latency",
            Row::Echo => "echo",
            Row::Signal => "signal",
            Row::Exact => "exact",
            Row::Slow => "slow",
            Row::Sessions => "sessions",
            Row::Many => "many",
            Row::Neighbour => "neighbour",
            Row::Hosts => "hosts",
            Row::Stop => "stop",
            Row::Start => "start",
            Row::Edit => "edit",
            Row::State => "state",
        }
    }

    pub fn measure(self, bench: &Bench) -> Result<Vec<Figure>> {
        match self {
            Row::Cpu => cpu::measure(bench),
            Row::Throughput => throughput::measure(bench),
            Row::Latency => latency::measure(bench),
            Row::Echo => echo::measure(bench),
            Row::Signal => signal::measure(bench),
            Row::Exact => exact::measure(bench),
            Row::Slow => slow::measure(bench),
            Row::Sessions => sessions::measure(bench),
            Row::Many => many::measure(bench),
            Row::Neighbour => neighbour::measure(bench),
            Row::Hosts => hosts::measure(bench),
            Row::Stop => stop::measure(bench),
            Row::Start => start::measure(bench),
            Row::Edit => edit::measure(bench),
            Row::State => state::measure(bench),
        }
    }
}

/// What all rows share: the programs, and how much to measure.
pub struct Bench {
    schmux: PathBuf,
    node_pty: PathBuf,
    scale: f64,
}

impl Bench {
    pub fn new(schmux: &Path, node_pty: &Path, scale: f64) -> Result<Bench> {
        let schmux = schmux.canonicalize().with_context(|| {
            format!(
                "no schmux at {}: `make build` makes it, --schmux names another",
                schmux.display()
            )
        })?;
        Ok(Bench { schmux, node_pty: node_pty.to_owned(), scale })
    }

    fn daemon(&self) -> Result<Daemon> {
        self.daemon_with("", &[])
    }

    /// With more settings, and files that say what agents look like.
    fn daemon_with(&self, more: &str, looks: &[(&str, String)]) -> Result<Daemon> {
        Daemon::start(&self.schmux, more, looks)
    }

    /// So many, or fewer or more as the user wants.
    fn scaled(&self, amount: u64) -> u64 {
        ((amount as f64 * self.scale) as u64).max(1)
    }

    fn megabytes(&self, amount: u64) -> u64 {
        self.scaled(amount * 1_000_000)
    }
}

/// The command line of a part, for a pane that the daemon has nothing to do with.
fn part(args: &[String]) -> Result<Vec<String>> {
    let program = std::env::current_exe()?.to_string_lossy().into_owned();
    Ok([program, "play".to_owned()].into_iter().chain(args.iter().cloned()).collect())
}

/// Arguments of a part, from whatever can be printed.
macro_rules! args {
    ($($arg:expr),+) => { [$($arg.to_string()),+] };
}
use args;
