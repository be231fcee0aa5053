//! Write-to-frame latency of a pane while its neighbour in the same tmux server
//! floods, beside a bare tmux where each of the two has a control client of its own.

use std::process::Stdio;

use anyhow::{Context, Result};

use super::{Bench, args, latency, part};
use crate::bare::BareServer;
use crate::play::READY;
use crate::report::{Figure, ms};
use crate::viewer::Viewer;

/// The neighbour floods for as long as the stamps are written.
const FLOOD_MB: u64 = 400;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let count = bench.scaled(1_000);
    let stamp = args!["stamp", count, latency::EVERY_US];
    let ours = {
        let daemon = bench.daemon()?;
        let session = daemon.play(&stamp)?;
        let report = daemon.dir().join("neighbour.json");
        let flood = daemon.play(&args!["flood", FLOOD_MB * 1_000_000, report.display()])?;
        let mut viewer = Viewer::attach(&daemon, &session)?;
        daemon.keys(&flood, "g")?;
        latency::at_viewer(&mut viewer, count)?
    };
    let bare = {
        let server = BareServer::start(&part(&stamp)?)?;
        server.wait_for_text(READY)?;
        let report = std::env::temp_dir().join(format!("neighbour-{}.json", std::process::id()));
        let flood = part(&args!["flood", FLOOD_MB * 1_000_000, report.display()])?;
        let mut words = vec!["new-session", "-d", "-s", "flood", "-x", "120", "-y", "40"];
        words.extend(flood.iter().map(String::as_str));
        server.tmux.run(&words)?;
        let mut second = server.tmux.command();
        second.args(["-C", "attach", "-f", "ignore-size", "-t", "flood"]);
        let second = second.stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut second = second.context("attaching a control client")?;
        let mut control = server.control()?;
        server.tmux.run(&["send-keys", "-t", "flood", "g"])?;
        server.key("g")?;
        let samples = latency::at_control(&mut control, count)?;
        second.kill()?;
        second.wait()?;
        samples
    };
    let figure = |what: &str, share: f64| {
        let (ours, bare) = (ours.quantile(share), bare.quantile(share));
        let beside = format!("a bare client each {}", ms(bare));
        Figure::at_most(what, ms(ours), beside, ours / bare, 3.0)
    };
    Ok(vec![
        figure("write → frame beside a flooding pane, p50", 0.5),
        figure("write → frame beside a flooding pane, p99", 0.99),
    ])
}
