//! MB/s from a pane to a viewer, beside a control client that nobody reads.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Child;
use std::time::Duration;

use anyhow::{Context, Result};

use super::{Bench, args, flood, part};
use crate::bare::BareServer;
use crate::daemon::Daemon;
use crate::machine::wait_for_file;
use crate::play::{Flooded, READY};
use crate::report::{Figure, Samples};
use crate::viewer::Viewer;

/// Turns of each side, many and short, one right after the other: the machine's own
/// speed changes by half within seconds, and that must hit both.
const TURNS: usize = 40;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let bytes = bench.megabytes(6);
    let mut schmux = Schmux::start(&daemon, bytes)?;
    let mut tmux = Bare::start(&daemon, bytes)?;
    // The first one fills the scrollback, and is not counted.
    schmux.turn()?;
    tmux.turn()?;
    let (mut ours, mut bare, mut ratios) =
        (Samples::default(), Samples::default(), Samples::default());
    for turn in 0..TURNS {
        let (a, b) = if turn % 2 == 0 {
            let a = schmux.turn()?;
            (a, tmux.turn()?)
        } else {
            let b = tmux.turn()?;
            (schmux.turn()?, b)
        };
        ours.push(a);
        bare.push(b);
        ratios.push(a / b);
    }
    let ratio = ratios.median();
    Ok(vec![Figure {
        what: "throughput of one pane".to_owned(),
        ours: format!("{:.1} MB/s", ours.median()),
        beside: format!("`tmux -C attach >/dev/null` {:.1} MB/s", bare.median()),
        ratio: Some(ratio),
        target: "≥ 0.95".to_owned(),
        met: Some(ratio >= 0.95),
    }])
}

struct Schmux {
    viewer: Viewer,
    report: PathBuf,
}

impl Schmux {
    fn start(daemon: &Daemon, bytes: u64) -> Result<Schmux> {
        let report = daemon.dir().join("throughput.json");
        let session = daemon.play(&args!["flood", bytes, report.display()])?;
        Ok(Schmux { viewer: Viewer::attach(daemon, &session)?, report })
    }

    /// Until the viewer has the last byte.
    fn turn(&mut self) -> Result<f64> {
        let seen = flood::watch(&mut self.viewer)?;
        let flooded: Flooded = wait_for_file(&self.report, Duration::from_secs(30))?;
        fs::remove_file(&self.report)?;
        Ok(seen.bytes as f64 * 1e3 / (seen.at_ns - flooded.from_ns) as f64)
    }
}

struct Bare {
    /// Held for its process.
    _server: BareServer,
    client: Child,
    report: PathBuf,
}

impl Bare {
    fn start(daemon: &Daemon, bytes: u64) -> Result<Bare> {
        let report = daemon.dir().join("throughput-bare.json");
        let server = BareServer::start(&part(&args!["flood", bytes, report.display()])?)?;
        let client = server.control_to_null()?;
        server.wait_for_text(READY)?;
        Ok(Bare { _server: server, client, report })
    }

    /// Until tmux has taken the last byte.
    fn turn(&mut self) -> Result<f64> {
        let stdin = self.client.stdin.as_mut().context("the control client has no pipe")?;
        stdin.write_all(b"send-keys g\n")?;
        let flooded: Flooded = wait_for_file(&self.report, Duration::from_secs(300))?;
        fs::remove_file(&self.report)?;
        Ok(flooded.bytes as f64 * 1e3 / (flooded.to_ns - flooded.from_ns) as f64)
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.client.kill();
        let _ = self.client.wait();
    }
}
