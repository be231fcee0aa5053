//! Every byte arrives, and in order: the writer's hash is the viewer's hash.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::{Bench, args, flood};
use crate::daemon::Daemon;
use crate::machine::wait_for_file;
use crate::play::Flooded;
use crate::report::Figure;
use crate::viewer::Viewer;

const PANES: usize = 50;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let (one, each) = (bench.megabytes(100), bench.megabytes(2));
    let single = through(&daemon, "one", one, 1)?;
    let fifty = through(&daemon, "fifty", each, PANES)?;
    Ok(vec![
        figure(&format!("{} MB through one pane", one / 1_000_000), &single),
        figure(&format!("{PANES} panes at once, {:.1} MB each", each as f64 / 1e6), &fifty),
    ])
}

fn figure(what: &str, results: &[Result<()>]) -> Figure {
    let wrong: Vec<String> =
        results.iter().filter_map(|result| Some(format!("{:#}", result.as_ref().err()?))).collect();
    let ours = match wrong.first() {
        None => "every byte exact".to_owned(),
        Some(first) => format!("{} of {} wrong: {first}", wrong.len(), results.len()),
    };
    Figure::plain(what, ours, "exact", wrong.is_empty())
}

fn through(daemon: &Daemon, name: &str, bytes: u64, panes: usize) -> Result<Vec<Result<()>>> {
    let mut viewers = Vec::new();
    for pane in 0..panes {
        let report = daemon.dir().join(format!("exact-{name}-{pane}.json"));
        let session = daemon.play(&args!["flood", bytes, report.display()])?;
        viewers.push((Viewer::attach(daemon, &session)?, report, session));
    }
    let results = thread::scope(|scope| {
        let watching: Vec<_> = viewers
            .iter_mut()
            .map(|(viewer, report, _)| {
                scope.spawn(move || -> Result<()> {
                    let seen = flood::watch(viewer)?;
                    let flooded: Flooded = wait_for_file(report, Duration::from_secs(30))?;
                    ensure!(
                        seen.bytes == flooded.bytes,
                        "{} of {} bytes",
                        seen.bytes,
                        flooded.bytes
                    );
                    ensure!(seen.sha256 == flooded.sha256, "the bytes differ");
                    Ok(())
                })
            })
            .collect();
        watching.into_iter().map(|watch| watch.join().ok().context("a viewer panicked")?).collect()
    });
    for (_, _, session) in &viewers {
        daemon.dispose(session)?;
    }
    Ok(results)
}
