//! The daemon, then a viewer, stopped for a minute while agents print.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process};

use super::slow::same;
use super::{Bench, args};
use crate::daemon::{Daemon, Session};
use crate::machine::{memory_mb, wait_for, wait_for_file};
use crate::play::Beaten;
use crate::report::Figure;
use crate::screen::Screen;
use crate::viewer::{Frame, Viewer};

const PANES: usize = 4;
/// An agent that could not print for longer has been frozen. A loaded machine
/// delays a beat of 10 ms by some tens of them.
const FROZEN_MS: u64 = 1_000;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let pause = Duration::from_secs(bench.scaled(60).min(60));
    let mut figures = run(bench, "daemon", pause, |daemon, _| {
        let pid = Pid::from_raw(daemon.status.pid as i32).context("no pid")?;
        kill_process(pid, Signal::STOP)?;
        thread::sleep(pause);
        Ok(kill_process(pid, Signal::CONT)?)
    })?;
    figures.extend(run(bench, "viewer", pause, |_, stopped| {
        stopped.store(true, Ordering::Relaxed);
        thread::sleep(pause);
        stopped.store(false, Ordering::Relaxed);
        Ok(())
    })?);
    Ok(figures)
}

fn run(
    bench: &Bench,
    who: &str,
    pause: Duration,
    stop: impl FnOnce(&Daemon, &AtomicBool) -> Result<()>,
) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let stopped = Arc::new(AtomicBool::new(false));
    let mut panes = Vec::new();
    for pane in 0..PANES {
        let report = daemon.dir().join(format!("beat-{pane}.json"));
        let session = daemon.play(&args!["beat", report.display()])?;
        let screen = follow(&daemon, &session, Arc::clone(&stopped))?;
        daemon.keys(&session, "g")?;
        panes.push((session, report, screen));
    }
    let tmux = daemon.tmux().pid()?;
    // The first frames make tmux allocate what it then keeps.
    thread::sleep(Duration::from_secs(2));
    let before = memory_mb(tmux)?;
    stop(&daemon, &stopped)?;
    let grown = memory_mb(tmux)? - before;

    let (mut longest, mut exact) = (0, true);
    for (session, report, screen) in &panes {
        daemon.keys(session, "q")?;
        let beaten: Beaten = wait_for_file(report, Duration::from_secs(30))?;
        longest = longest.max(beaten.longest_gap_ms);
        let truth = session.tmux()?.screen(&session.tmux_session)?;
        let settled = wait_for("the screens", Duration::from_secs(10), || {
            let known = daemon.capture(session).ok()?;
            let known: Vec<String> = known.lines().map(|row| row.trim_end().to_owned()).collect();
            let seen = screen.lock().unwrap_or_else(PoisonError::into_inner).rows();
            (same(&known, &truth) && same(&seen, &truth)).then_some(())
        });
        exact &= settled.is_ok();
    }
    let seconds = pause.as_secs();
    let frozen = format!("longest pause {longest} ms");
    let screens = if exact { "all exact" } else { "differ" };
    Ok(vec![
        Figure::plain(
            &format!("{who} stopped {seconds} s: agents"),
            frozen,
            "never frozen",
            longest < FROZEN_MS,
        ),
        Figure::plain(
            &format!("{who} stopped {seconds} s: tmux's memory"),
            format!("{grown:+.1} MB"),
            "≤ + 2 MB",
            grown <= 2.0,
        ),
        Figure::plain(
            &format!("{who} stopped {seconds} s: screens after it"),
            screens.to_owned(),
            "exact",
            exact,
        ),
    ])
}

/// Draws a session on a screen of its own, except while stopped.
fn follow(
    daemon: &Daemon,
    session: &Session,
    stopped: Arc<AtomicBool>,
) -> Result<Arc<Mutex<Screen>>> {
    let mut viewer = Viewer::open(daemon, session)?;
    let screen = Arc::new(Mutex::new(Screen::new()));
    let drawn = Arc::clone(&screen);
    // It ends with its socket, when the daemon does.
    thread::spawn(move || -> Result<()> {
        loop {
            while stopped.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(20));
            }
            let frame = viewer.next()?;
            let mut screen = drawn.lock().unwrap_or_else(PoisonError::into_inner);
            match frame {
                Frame::Keyframe(bytes, _) => {
                    *screen = Screen::new();
                    screen.draw(&bytes);
                }
                Frame::Output(bytes) => screen.draw(&bytes),
            }
        }
    });
    Ok(screen)
}
