//! From a program's write to the frame at a viewer, beside a bare control
//! client that reads another pane's writes at the same time.

use std::thread;

use anyhow::{Context, Result};

use super::{Bench, args, part};
use crate::bare::{BareServer, Control};
use crate::daemon::Daemon;
use crate::machine::now_ns;
use crate::play::READY;
use crate::report::{Figure, Samples, ms};
use crate::viewer::{Frame, Viewer};

/// Between two writes of one program, on average: 200 a second.
pub const EVERY_US: u64 = 5_000;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let (ours, bare) = Pair::start(&daemon, bench.scaled(3_000))?.measure()?;
    Ok(vec![
        figure("write → frame, p50", &ours, &bare, 0.5, 2.0),
        figure("write → frame, p99", &ours, &bare, 0.99, 3.0),
    ])
}

/// A pane of a daemon and one of a bare tmux, where the same program writes at the
/// same time.
pub struct Pair {
    count: u64,
    viewer: Viewer,
    server: BareServer,
    control: Control,
}

impl Pair {
    pub fn start(daemon: &Daemon, count: u64) -> Result<Pair> {
        let parameters = args!["stamp", count, EVERY_US];
        let session = daemon.play(&parameters)?;
        let viewer = Viewer::attach(daemon, &session)?;
        let server = BareServer::start(&part(&parameters)?)?;
        server.wait_for_text(READY)?;
        let control = server.control()?;
        Ok(Pair { count, viewer, server, control })
    }

    /// Ours and the bare one's, of so many stamps each.
    pub fn measure(&mut self) -> Result<(Samples, Samples)> {
        let Pair { count, viewer, server, control } = self;
        thread::scope(|scope| {
            let ours = scope.spawn(|| at_viewer(viewer, *count));
            let bare = scope.spawn(|| {
                server.key("g")?;
                at_control(control, *count)
            });
            Ok((joined(ours)?, joined(bare)?))
        })
    }
}

fn figure(what: &str, ours: &Samples, bare: &Samples, share: f64, limit: f64) -> Figure {
    let (ours, bare) = (ours.quantile(share), bare.quantile(share));
    Figure::at_most(what, ms(ours), format!("bare `tmux -C` {}", ms(bare)), ours / bare, limit)
}

/// Presses the key and takes the time of so many stamps.
pub fn at_viewer(viewer: &mut Viewer, count: u64) -> Result<Samples> {
    viewer.key(b"g")?;
    let mut stamps = Stamps::default();
    while stamps.samples.len() < count as usize {
        if let Frame::Output(output) = viewer.next()? {
            stamps.take(&output);
        }
    }
    Ok(stamps.samples)
}

pub fn at_control(control: &mut Control, count: u64) -> Result<Samples> {
    let (mut stamps, mut output) = (Stamps::default(), Vec::new());
    while stamps.samples.len() < count as usize {
        output.clear();
        control.output(&mut output)?;
        stamps.take(&output);
    }
    Ok(stamps.samples)
}

fn joined<T>(handle: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    handle.join().ok().context("a reader panicked")?
}

/// Finds `@time@` in a stream that may be cut anywhere.
#[derive(Default)]
struct Stamps {
    rest: Vec<u8>,
    samples: Samples,
}

impl Stamps {
    /// `@`, sixteen digits, `@`.
    const LENGTH: usize = 18;

    fn take(&mut self, bytes: &[u8]) {
        let now = now_ns();
        self.rest.extend_from_slice(bytes);
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'@', &self.rest[from..]).map(|at| at + from) {
            let Some(stamp) = self.rest.get(at..at + Self::LENGTH) else {
                from = at;
                break;
            };
            from = at + Self::LENGTH;
            let digits = std::str::from_utf8(&stamp[1..Self::LENGTH - 1]).unwrap_or("");
            if let Ok(written) = u64::from_str_radix(digits, 16) {
                self.samples.push(now.saturating_sub(written) as f64 / 1e9);
            }
        }
        let keep = memchr::memchr(b'@', &self.rest[from..]).map_or(self.rest.len(), |at| at + from);
        self.rest.drain(..keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_found_wherever_the_stream_is_cut() {
        let stream = b"x\x1b[0m @0000000000000001@\r\n@0000000000000002@ @ not one, ...... @0000000000000003@";
        for cut in 0..stream.len() {
            let mut stamps = Stamps::default();
            stamps.take(&stream[..cut]);
            stamps.take(&stream[cut..]);
            assert_eq!(stamps.samples.len(), 3, "cut at {cut}");
        }
    }
}
