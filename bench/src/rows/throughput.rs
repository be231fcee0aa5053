//! MB/s from a pane to a viewer, beside a control client that nobody reads.

use std::time::Duration;

use anyhow::Result;

use super::{Bench, args, flood, part};
use crate::bare::BareServer;
use crate::daemon::Daemon;
use crate::machine::wait_for_file;
use crate::play::{Flooded, READY};
use crate::report::{Figure, Samples};
use crate::viewer::Viewer;

/// Turns of each side, many and short: they alternate, so that a busy moment of the
/// machine hits both, and one turn differs from the next by a tenth.
const TURNS: usize = 21;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let bytes = bench.megabytes(5);
    let (mut ours, mut bare, mut ratios) =
        (Samples::default(), Samples::default(), Samples::default());
    for turn in 0..TURNS {
        let (a, b) = (through_schmux(&daemon, bytes, turn)?, through_tmux(&daemon, bytes, turn)?);
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

fn through_schmux(daemon: &Daemon, bytes: u64, turn: usize) -> Result<f64> {
    let report = daemon.dir().join(format!("throughput-{turn}.json"));
    let session = daemon.play(&args!["flood", bytes, report.display()])?;
    let mut viewer = Viewer::attach(daemon, &session)?;
    let seen = flood::watch(&mut viewer)?;
    let flooded: Flooded = wait_for_file(&report, Duration::from_secs(30))?;
    daemon.dispose(&session)?;
    Ok(seen.bytes as f64 * 1e3 / (seen.at_ns - flooded.from_ns) as f64)
}

fn through_tmux(daemon: &Daemon, bytes: u64, turn: usize) -> Result<f64> {
    let report = daemon.dir().join(format!("throughput-bare-{turn}.json"));
    let server = BareServer::start(&part(&args!["flood", bytes, report.display()])?)?;
    let mut client = server.control_to_null()?;
    server.wait_for_text(READY)?;
    server.key("g")?;
    let flooded: Flooded = wait_for_file(&report, Duration::from_secs(300))?;
    client.kill()?;
    client.wait()?;
    Ok(flooded.bytes as f64 * 1e3 / (flooded.to_ns - flooded.from_ns) as f64)
}
