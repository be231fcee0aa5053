//! From the write of a status file to the message at a dashboard, beside a bare
//! inotify reader that watches the same directory at the same time.

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::Bench;
use crate::daemon::{Daemon, Session};
use crate::machine::now_ns;
use crate::report::{Figure, Samples, ms};

/// Sessions that the dashboard tells of: a busy day's worth.
const SESSIONS: usize = 20;

/// A blink takes ten times as long.
const LIMIT: f64 = 10e-3;

/// Longer than anything that is waited for here.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let daemon = bench.daemon()?;
    let session = daemon.spawn("cat", &[], SESSIONS)?.remove(0);
    let dashboard = dashboard(&daemon)?;
    let (ours, bare) = (seen_at_dashboard(dashboard), seen_by_inotify(&session)?);
    let (mut us, mut them, mut opening) =
        (Samples::default(), Samples::default(), Samples::default());
    for n in 0..bench.scaled(1_000) {
        // As agents come: long after one another, as seen by a machine.
        thread::sleep(Duration::from_micros(rand::random_range(10_000..20_000)));
        let words = format!("signal {n} of the benchmark");
        let (begun, start) = write(&session.status_file, &format!("needs_input {words}\n"))?;
        opening.push((start - begun) as f64 / 1e9);
        them.push(since(start, &bare, &words)?);
        us.push(since(start, &ours, &words)?);
    }
    let figure = |what: &str, share: f64, limit: Option<f64>| {
        let (us, them) = (us.quantile(share), them.quantile(share));
        Figure {
            what: what.to_owned(),
            ours: ms(us),
            beside: format!("bare inotify {}", ms(them)),
            ratio: Some(us / them),
            target: limit.map_or_else(String::new, |limit| format!("< {} ms", limit * 1e3)),
            met: limit.map(|limit| us < limit),
        }
    };
    Ok(vec![
        figure("signal → dashboard, p50", 0.5, None),
        figure("signal → dashboard, p99", 0.99, Some(LIMIT)),
        Figure {
            what: "emptying the file before it is written, p99".into(),
            ours: String::new(),
            beside: format!("the disk {}", ms(opening.quantile(0.99))),
            ratio: None,
            target: String::new(),
            met: None,
        },
    ])
}

/// Writes a file as agents do, in place. Returns when that began and when the file
/// was open and empty: from there on something is written that can be told. What
/// comes before is the disk's: emptying a file waits for what was written to it last.
fn write(path: &str, text: &str) -> Result<(u64, u64)> {
    let begun = now_ns();
    let mut file = File::create(path)?;
    let start = now_ns();
    file.write_all(text.as_bytes())?;
    Ok((begun, start))
}

/// What was seen, and when.
type Seen = Receiver<(u64, String)>;

/// Seconds until these words were seen.
fn since(start: u64, seen: &Seen, words: &str) -> Result<f64> {
    loop {
        let (at, text) = seen.recv_timeout(PATIENCE).context("a signal was never seen")?;
        if text.contains(words) {
            return Ok(at.saturating_sub(start) as f64 / 1e9);
        }
    }
}

fn dashboard(daemon: &Daemon) -> Result<WebSocket<TcpStream>> {
    let mut request = format!("ws://{}/ws/dashboard", daemon.address()).into_client_request()?;
    request.headers_mut().insert("Authorization", daemon.bearer().parse()?);
    let (socket, _) = tungstenite::client(request, daemon.connect()?)
        .map_err(|error| anyhow::anyhow!("{error}"))
        .context("opening the dashboard")?;
    Ok(socket)
}

/// The thread ends with the daemon, which closes the socket.
fn seen_at_dashboard(mut socket: WebSocket<TcpStream>) -> Seen {
    let (sender, seen) = mpsc::channel();
    thread::spawn(move || {
        while let Ok(message) = socket.read() {
            let at = now_ns();
            if let Message::Text(text) = message
                && sender.send((at, text.as_str().to_owned())).is_err()
            {
                return;
            }
        }
    });
    seen
}

#[cfg(not(target_os = "linux"))]
fn seen_by_inotify(_: &Session) -> Result<Seen> {
    bail!("there is no inotify to stand beside");
}

/// The least that can be done: wait for the kernel, read the file.
#[cfg(target_os = "linux")]
fn seen_by_inotify(session: &Session) -> Result<Seen> {
    use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
    let file = std::path::PathBuf::from(&session.status_file);
    let (Some(dir), Some(name)) = (file.parent(), file.file_name()) else {
        bail!("{} is no file", file.display());
    };
    let name = name.to_owned();
    let notices = inotify::init(CreateFlags::CLOEXEC)?;
    inotify::add_watch(&notices, dir, WatchFlags::CLOSE_WRITE | WatchFlags::MOVED_TO)?;
    let (sender, seen) = mpsc::channel();
    thread::spawn(move || {
        let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(notices, &mut buffer);
        while let Ok(event) = reader.next() {
            let is_it = event.file_name().is_some_and(|n| n.to_bytes() == name.as_encoded_bytes());
            if is_it
                && let Ok(text) = fs::read_to_string(&file)
                && sender.send((now_ns(), text)).is_err()
            {
                // Nobody listens any more: the measuring is over.
                return;
            }
        }
    });
    Ok(seen)
}
