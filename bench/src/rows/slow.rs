//! A viewer that draws 10 kB/s and one that reads nothing, beside a fast one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::{Bench, args, flood};
use crate::daemon::{Daemon, Session};
use crate::machine::wait_for_file;
use crate::play::{END, Flooded};
use crate::report::{Figure, Samples};
use crate::screen::Screen;
use crate::viewer::{Frame, Viewer};

/// Bytes that the slow viewer draws in a second.
const PACE: f64 = 10_000.0;
const TURNS: usize = 3;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let bytes = bench.megabytes(15);
    let (mut alone, mut beside, mut ratios) =
        (Samples::default(), Samples::default(), Samples::default());
    let mut exact = true;
    for turn in 0..TURNS {
        let (without, _) = run(&daemon, bytes, &format!("alone-{turn}"), false)?;
        let (with, right) = run(&daemon, bytes, &format!("beside-{turn}"), true)?;
        alone.push(without);
        beside.push(with);
        ratios.push(with / without);
        exact &= right;
    }
    let screens = if exact { "last screen exact" } else { "last screen differs" };
    Ok(vec![
        Figure::plain("slow viewer (10 kB/s) and stuck viewer", screens.to_owned(), "exact", exact),
        Figure::at_most(
            "fast viewer beside a slow and a stuck one",
            format!("{:.1} s", beside.median()),
            format!("alone {:.1} s", alone.median()),
            ratios.median(),
            1.1,
        ),
    ])
}

/// Seconds until the fast viewer had everything, and whether the others ended right.
fn run(daemon: &Daemon, bytes: u64, name: &str, with_slow: bool) -> Result<(f64, bool)> {
    let report = daemon.dir().join(format!("slow-{name}.json"));
    let session = daemon.play(&args!["flood", bytes, report.display()])?;
    let mut fast = Viewer::attach(daemon, &session)?;
    let fast_is_done = AtomicBool::new(false);
    let (seconds, right) = thread::scope(|scope| -> Result<_> {
        let mut slow = Vec::new();
        if with_slow {
            for pace in [PACE, 0.0] {
                let viewer = Viewer::open(daemon, &session)?;
                let (done, session) = (&fast_is_done, &session);
                slow.push(scope.spawn(move || draw_slowly(viewer, pace, done, session)));
            }
        }
        let seen = flood::watch(&mut fast);
        fast_is_done.store(true, Ordering::Relaxed);
        let seen = seen?;
        let mut right = true;
        for viewer in slow {
            right &= viewer.join().ok().context("a slow viewer panicked")??;
        }
        let flooded: Flooded = wait_for_file(&report, Duration::from_secs(30))?;
        Ok(((seen.at_ns - flooded.from_ns) as f64 / 1e9, right))
    })?;
    daemon.dispose(&session)?;
    Ok((seconds, right))
}

/// Draws at its pace while the fast viewer works, then catches up; tells
/// whether its last screen is tmux's.
fn draw_slowly(
    mut viewer: Viewer,
    pace: f64,
    fast_is_done: &AtomicBool,
    session: &Session,
) -> Result<bool> {
    let (mut screen, start) = (Screen::new(), Instant::now());
    loop {
        let allowed = (start.elapsed().as_secs_f64() * pace) as u64;
        let hurry = fast_is_done.load(Ordering::Relaxed);
        if !hurry && viewer.drawn() >= allowed {
            thread::sleep(Duration::from_millis(20));
            continue;
        }
        match viewer.next_unacknowledged()? {
            Frame::Keyframe(bytes, _) => {
                screen = Screen::new();
                screen.draw(&bytes);
            }
            Frame::Output(bytes) => screen.draw(&bytes),
        }
        viewer.acknowledge(viewer.drawn())?;
        if hurry && screen.rows().iter().any(|row| row == END) {
            return Ok(same(&screen.rows(), &session.tmux()?.screen(&session.tmux_session)?));
        }
    }
}

/// Whether two screens show the same, blank rows at the end aside.
pub fn same(a: &[String], b: &[String]) -> bool {
    let filled =
        |rows: &[String]| rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    a[..filled(a)] == b[..filled(b)]
}
