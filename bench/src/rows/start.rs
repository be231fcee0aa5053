//! From `schmux start` to a page that answers.

use std::time::Instant;

use anyhow::Result;

use super::Bench;
use crate::report::{Figure, Samples};

const TURNS: usize = 5;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let mut samples = Samples::default();
    for _ in 0..TURNS {
        let start = Instant::now();
        let daemon = bench.daemon()?;
        daemon.get("/")?;
        daemon.get("/api/sessions")?;
        samples.push(start.elapsed().as_secs_f64());
    }
    let seconds = samples.median();
    Ok(vec![Figure::plain(
        "cold start to the page",
        format!("{seconds:.2} s"),
        "< 1 s",
        seconds < 1.0,
    )])
}
