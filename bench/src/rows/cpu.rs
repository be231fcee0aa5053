//! The daemon's CPU time for a pane's output, as a share of the tmux server's.

use std::time::Duration;

use anyhow::Result;

use super::{Bench, args, flood};
use crate::daemon::Daemon;
use crate::machine::{cpu_seconds, wait_for_file};
use crate::play::{END, Flooded};
use crate::report::Figure;
use crate::viewer::Viewer;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let bytes = bench.megabytes(40);
    Ok(vec![
        figure("daemon's CPU, one viewer", &run(&daemon, bytes, true)?, 0.20),
        figure("daemon's CPU, no viewer", &run(&daemon, bytes, false)?, 0.12),
    ])
}

/// CPU milliseconds per MB.
struct Cost {
    daemon: f64,
    tmux: f64,
}

fn figure(what: &str, cost: &Cost, limit: f64) -> Figure {
    let per_mb = |cost: f64| format!("{cost:.1} ms/MB");
    let beside = format!("tmux server {}", per_mb(cost.tmux));
    Figure::at_most(what, per_mb(cost.daemon), beside, cost.daemon / cost.tmux, limit)
}

fn run(daemon: &Daemon, bytes: u64, with_viewer: bool) -> Result<Cost> {
    let report = daemon.dir().join(format!("cpu-{with_viewer}.json"));
    let session = daemon.play(&args!["flood", bytes, report.display()])?;
    let tmux = session.tmux()?.pid()?;
    let mut viewer = if with_viewer { Some(Viewer::attach(daemon, &session)?) } else { None };
    let before = (cpu_seconds(daemon.status.pid)?, cpu_seconds(tmux)?);
    match &mut viewer {
        Some(viewer) => drop(flood::watch(viewer)?),
        None => daemon.keys(&session, "g")?,
    }
    let flooded: Flooded = wait_for_file(&report, Duration::from_secs(300))?;
    daemon.wait_for_text(&session, END)?;
    let after = (cpu_seconds(daemon.status.pid)?, cpu_seconds(tmux)?);
    daemon.dispose(&session)?;
    let per_mb = |seconds: f64| seconds * 1e3 / (flooded.bytes as f64 / 1e6);
    Ok(Cost { daemon: per_mb(after.0 - before.0), tmux: per_mb(after.1 - before.1) })
}
