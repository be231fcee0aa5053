//! What `EDITOR` of a session adds to the start of the user's own editor, where
//! no delivery waits: beside that editor itself.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::Bench;
use crate::report::{Figure, Samples, ms};

/// An editor that is over at once.
const OWN: &str = "true";

/// People notice about 100 ms; this leaves most of it to their own editor.
const LIMIT: f64 = 0.030;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let ours = daemon.home().join("editor/schmux-nano");
    let (mut with, mut without) = (Samples::default(), Samples::default());
    for _ in 0..bench.scaled(200) {
        with.push(run(&ours, daemon.home())?);
        without.push(run(Path::new(OWN), daemon.home())?);
    }
    let added = with.median() - without.median();
    let most = with.quantile(0.95) - without.median();
    Ok(vec![Figure {
        beside: ms(without.median()),
        ..Figure::plain(
            "`schmux edit`, added to your own editor: median (p95)",
            format!("{} ({})", ms(added), ms(most)),
            "< 30 ms",
            added < LIMIT,
        )
    }])
}

/// Seconds that an editor takes, as an agent would start it.
fn run(editor: &Path, home: &Path) -> Result<f64> {
    let began = Instant::now();
    let status = Command::new(editor)
        .arg("a file")
        .envs([
            ("SCHMUX_EDITOR", OWN),
            ("SCHMUX_VISUAL", ""),
            ("SCHMUX_SESSION_ID", "bench-001-abcd"),
        ])
        .env("SCHMUX_HOME", home)
        .status()?;
    ensure!(status.success(), "{} failed: {status}", editor.display());
    Ok(began.elapsed().as_secs_f64())
}
