//! What the kernel knows: the clock that all processes share, CPU time, memory.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds of the monotonic clock, comparable between processes.
pub fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// CPU seconds that a process has used so far, its threads included.
pub fn cpu_seconds(pid: u32) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))
        .with_context(|| format!("reading the CPU time of process {pid}"))?;
    // The name in brackets may hold anything, so counting starts after it.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
    let (Some(user), Some(system)) = (ticks(11), ticks(12)) else {
        bail!("/proc/{pid}/stat has an unknown form");
    };
    Ok((user + system) / rustix::param::clock_ticks_per_second() as f64)
}

/// Resident memory of a process in MB.
pub fn memory_mb(pid: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))
        .with_context(|| format!("reading the memory of process {pid}"))?;
    let kb = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        .context("no VmRSS in /proc")?;
    Ok(kb / 1024.0)
}

/// Asks until there is an answer, for at most `limit`.
pub fn wait_for<T>(what: &str, limit: Duration, mut ask: impl FnMut() -> Option<T>) -> Result<T> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(answer) = ask() {
            return Ok(answer);
        }
        if Instant::now() > deadline {
            bail!("waited {} s for {what}", limit.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for a file that is written whole or not at all, and reads it.
pub fn wait_for_file<T: serde::de::DeserializeOwned>(path: &Path, limit: Duration) -> Result<T> {
    wait_for(&path.display().to_string(), limit, || {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    })
}
