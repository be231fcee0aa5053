//! Write-to-frame latency of one active pane among 1,000 silent ones.

use anyhow::{Result, ensure};

use super::{Bench, latency};
use crate::report::{Figure, Samples, ms};

const COUNT: usize = 1_000;
/// The most that one request may ask for.
const AT_ONCE: usize = 200;
/// One and many take turns, because the machine's own speed may change in between.
const TURNS: u64 = 2;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    // The first session of all shares its tmux server with as many others as any.
    let mut pair = latency::Pair::start(&daemon, bench.scaled(2_000) / TURNS)?;
    let (mut alone, mut among) = (Both::default(), Both::default());
    for _ in 0..TURNS {
        alone.add(pair.measure()?);
        let mut others = Vec::new();
        while others.len() < COUNT {
            others.extend(daemon.spawn("cat", &[], AT_ONCE)?);
        }
        ensure!(others.len() == COUNT, "{} sessions of {COUNT}", others.len());
        among.add(pair.measure()?);
        for other in &others {
            daemon.dispose(other)?;
        }
    }
    let ours = |share: f64| (among.ours.quantile(share), alone.ours.quantile(share));
    let figure = |what: &str, (many, one): (f64, f64)| {
        let beside = format!("single session {}", ms(one));
        Figure::at_most(what, ms(many), beside, many / one, 3.0)
    };
    // What a thousand processes cost the machine itself: a tmux that has none of them.
    let (many, one) = (among.bare.quantile(0.99), alone.bare.quantile(0.99));
    let machine = Figure {
        what: "beside 1,000 sessions, a bare `tmux -C` with one of its own, p99".to_owned(),
        ours: String::new(),
        beside: format!("{}, without them {}", ms(many), ms(one)),
        ratio: Some(many / one),
        target: String::new(),
        met: None,
    };
    Ok(vec![
        figure("write → frame among 1,000 sessions, p50", ours(0.5)),
        figure("write → frame among 1,000 sessions, p99", ours(0.99)),
        machine,
    ])
}

#[derive(Default)]
struct Both {
    ours: Samples,
    bare: Samples,
}

impl Both {
    fn add(&mut self, (ours, bare): (Samples, Samples)) {
        self.ours.extend(ours);
        self.bare.extend(bare);
    }
}
