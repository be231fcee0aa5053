//! From a key to its echo: WebSocket to WebSocket, beside a control client's
//! stdin to stdout, and a node-pty terminal's WebSocket to WebSocket.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{Bench, args, part};
use crate::bare::BareServer;
use crate::node_pty::NodePty;
use crate::play::READY;
use crate::report::{Figure, Samples, ms};
use crate::viewer::{Frame, Viewer};

/// Different keys in turn, so that a late echo is not taken for the next one.
const KEYS: [&[u8]; 8] = [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"];

/// What a bare control client may be better by, in seconds: one more hop over
/// loopback and two more wake-ups.
const ALLOWANCE: f64 = 0.2e-3;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let session = daemon.play(&args!["echo"])?;
    let mut viewer = Viewer::attach(&daemon, &session)?;
    let program = part(&args!["echo"])?;
    let server = BareServer::start(&program)?;
    server.wait_for_text(READY)?;
    let mut control = server.control()?;
    let mut node = NodePty::start(&bench.node_pty, &program)?;
    if let Some(node) = &mut node {
        until(READY.as_bytes(), |seen| node.output(seen))?;
    }

    let (mut ours, mut bare, mut theirs) =
        (Samples::default(), Samples::default(), Samples::default());
    for key in KEYS.into_iter().cycle().take(bench.scaled(1_500) as usize) {
        ours.push(timed(|| {
            viewer.key(key)?;
            until(key, |seen| {
                if let Frame::Output(output) = viewer.next()? {
                    seen.extend_from_slice(&output);
                }
                Ok(())
            })
        })?);
        bare.push(timed(|| {
            control.send(&format!("send-keys -t bare -H {:02x}", key[0]))?;
            until(key, |seen| control.output(seen))
        })?);
        if let Some(node) = &mut node {
            theirs.push(timed(|| {
                node.key(key)?;
                until(key, |seen| node.output(seen))
            })?);
        }
    }

    let (us, them) = (ours.median(), bare.median());
    let mut figures = vec![Figure {
        what: "key → echo, p50".to_owned(),
        ours: ms(us),
        beside: format!("bare `tmux -C` {}", ms(them)),
        ratio: Some(us / them),
        target: "≤ + 0.2 ms".to_owned(),
        met: Some(us <= them + ALLOWANCE),
    }];
    if node.is_some() {
        let them = theirs.median();
        figures.push(Figure::at_most(
            "key → echo, p50",
            ms(us),
            format!("node-pty + ws {}", ms(them)),
            us / them,
            1.0,
        ));
    }
    let (us, them) = (ours.quantile(0.99), bare.quantile(0.99));
    figures.push(Figure {
        what: "key → echo, p99".to_owned(),
        ours: ms(us),
        beside: format!("bare `tmux -C` {}", ms(them)),
        ratio: Some(us / them),
        target: String::new(),
        met: None,
    });
    Ok(figures)
}

/// Seconds that it takes, after a pause as between two keys of a fast typist's burst.
fn timed(press: impl FnOnce() -> Result<()>) -> Result<f64> {
    thread::sleep(Duration::from_micros(rand::random_range(1_000..3_000)));
    let start = Instant::now();
    press()?;
    Ok(start.elapsed().as_secs_f64())
}

fn until(text: &[u8], mut more: impl FnMut(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    let mut seen = Vec::new();
    while memchr::memmem::find(&seen, text).is_none() {
        more(&mut seen)?;
    }
    Ok(())
}
