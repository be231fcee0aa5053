//! Write-to-frame latency of one active pane among 1,000 silent ones.

use anyhow::{Result, ensure};

use super::{Bench, args, latency};
use crate::report::{Figure, ms};
use crate::viewer::Viewer;

const COUNT: usize = 1_000;
/// The most that one request may ask for.
const AT_ONCE: usize = 200;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let count = bench.scaled(1_500);
    // The first session of all shares its tmux server with as many others as any.
    let session = daemon.play(&args!["stamp", count, latency::EVERY_US])?;
    let mut viewer = Viewer::attach(&daemon, &session)?;
    let alone = latency::at_viewer(&mut viewer, count)?;
    let mut made = 0;
    while made < COUNT {
        made += daemon.spawn("cat", &[], AT_ONCE)?.len();
    }
    ensure!(made == COUNT, "{made} sessions of {COUNT}");
    let among = latency::at_viewer(&mut viewer, count)?;
    let figure = |what: &str, share: f64| {
        let (ours, one) = (among.quantile(share), alone.quantile(share));
        let beside = format!("single session {}", ms(one));
        Figure::at_most(what, ms(ours), beside, ours / one, 3.0)
    };
    Ok(vec![
        figure("write → frame among 1,000 sessions, p50", 0.5),
        figure("write → frame among 1,000 sessions, p99", 0.99),
    ])
}
