//! 200 demo agents: they start, cost little while idle, stream, and stop.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::Value;

use super::Bench;
use crate::daemon::{Daemon, Session};
use crate::machine::{cpu_seconds, memory_mb, wait_for};
use crate::report::Figure;
use crate::viewer::{Frame, Viewer};

const COUNT: usize = 200;
/// How long the daemon's idle CPU is watched.
const IDLE: Duration = Duration::from_secs(10);

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let pid = daemon.status.pid;
    let first = daemon.spawn("demo", &[], 1)?.remove(0);
    wait_until_drawn(&daemon, &first)?;
    let before = memory_mb(pid)?;

    let start = Instant::now();
    let sessions = daemon.spawn("demo", &[], COUNT)?;
    ensure!(sessions.len() == COUNT, "{} sessions of {COUNT}", sessions.len());
    for session in &sessions {
        wait_until_drawn(&daemon, session)?;
    }
    let started = start.elapsed();

    // What starting them stirred up may settle first.
    thread::sleep(Duration::from_secs(5));
    let each = (memory_mb(pid)? - before) / COUNT as f64;
    let busy = cpu_seconds(pid)?;
    thread::sleep(IDLE);
    let idle = (cpu_seconds(pid)? - busy) / IDLE.as_secs_f64() * 100.0;

    let start = Instant::now();
    for session in &sessions {
        let mut viewer = Viewer::attach(&daemon, session)?;
        viewer.key(b"x")?;
        while !matches!(viewer.next()?, Frame::Output(_)) {}
    }
    let streamed = start.elapsed();

    let start = Instant::now();
    for session in &sessions {
        daemon.dispose(session)?;
    }
    wait_for("all sessions to be gone", Duration::from_secs(60), || {
        (count(&daemon).ok()? == 1).then_some(())
    })?;
    let stopped = start.elapsed();

    let times = format!(
        "started in {:.1} s, each typed into in {:.1} s, stopped in {:.1} s",
        started.as_secs_f64(),
        streamed.as_secs_f64(),
        stopped.as_secs_f64()
    );
    Ok(vec![
        Figure::plain(
            "daemon's memory per idle session",
            format!("{each:.2} MB"),
            "≤ 0.5 MB",
            each <= 0.5,
        ),
        Figure::plain(
            &format!("daemon's CPU, {COUNT} idle agents"),
            format!("{idle:.1} % of a core"),
            "< 1 %",
            idle < 1.0,
        ),
        Figure::plain(&format!("{COUNT} demo agents"), times, "all of them", true),
    ])
}

fn wait_until_drawn(daemon: &Daemon, session: &Session) -> Result<()> {
    wait_for(&format!("the screen of {}", session.id), Duration::from_secs(120), || {
        (!daemon.capture(session).ok()?.trim().is_empty()).then_some(())
    })
}

fn count(daemon: &Daemon) -> Result<usize> {
    let sessions: Value = serde_json::from_str(&daemon.get("/api/sessions")?)?;
    Ok(sessions.as_array().map_or(0, Vec::len))
}
