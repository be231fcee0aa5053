//! Twenty hosts with ten sessions each, behind sshd on loopback: what they cost
//! at rest, and from a key to its echo beside `ssh` with `tmux attach`.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{Bench, part};
use crate::daemon::Session;
use crate::machine::cpu_seconds;
use crate::play::READY;
use crate::report::{Figure, Samples, ms};
use crate::sshd::Sshd;
use crate::viewer::{Frame, Viewer};

/// Different keys in turn, so that a late echo is not taken for the next one.
const KEYS: [&[u8]; 4] = [b"w", b"x", b"y", b"z"];

const HOSTS: u64 = 20;
const SESSIONS: u64 = 10;

/// How long idle hosts are watched: several of their polls.
const IDLE: Duration = Duration::from_secs(10);

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let Some(sshd) = Sshd::start()? else { bail!("no sshd is installed") };
    let daemon = bench.daemon()?;
    let hosts = bench.scaled(HOSTS);
    let began = Instant::now();
    let mut sessions: Vec<Session> = Vec::new();
    for number in 0..hosts as usize {
        let name = format!("host{number}");
        let connect = sshd.connect(number, &[])?;
        daemon.post("/api/hosts", &json!({ "name": name, "connect": connect }))?;
        let echo = part(&["echo".to_owned()])?;
        let body = json!({
            "target": "bench", "args": echo[1..], "count": SESSIONS, "host": name,
            "workspace": sshd.path(number, "home"), "cols": 120, "rows": 40,
        });
        let made: Vec<Session> = serde_json::from_str(&daemon.post("/api/spawn", &body)?)?;
        sessions.extend(made);
    }
    for session in &sessions {
        daemon.wait_for_text(session, READY)?;
    }
    let all = began.elapsed().as_secs_f64();

    let before = cpu_seconds(daemon.status.pid)?;
    thread::sleep(IDLE);
    let idle = (cpu_seconds(daemon.status.pid)? - before) / IDLE.as_secs_f64() / hosts as f64;

    let mut viewer = Viewer::attach(&daemon, &sessions[0])?;
    let mut plain = Attached::start(&sshd, &sessions[1])?;
    let (mut ours, mut theirs) = (Samples::default(), Samples::default());
    for key in KEYS.into_iter().cycle().take(bench.scaled(500) as usize) {
        ours.push(timed(|| {
            viewer.key(key)?;
            loop {
                if let Frame::Output(output) = viewer.next()?
                    && output.contains(&key[0])
                {
                    return Ok(());
                }
            }
        })?);
        theirs.push(timed(|| plain.echo(key[0]))?);
    }
    let count = hosts * SESSIONS;
    let (us, them) = (ours.median(), theirs.median());
    Ok(vec![
        Figure {
            what: format!("{hosts} hosts by ssh with {count} sessions, until all run"),
            ours: format!("{all:.1} s"),
            beside: String::new(),
            ratio: None,
            target: String::new(),
            met: None,
        },
        Figure {
            what: "an idle host with 10 sessions, CPU of the daemon".to_owned(),
            ours: format!("{:.2} %", idle * 100.0),
            beside: String::new(),
            ratio: None,
            target: "≤ 0.5 %".to_owned(),
            met: Some(idle <= 0.005),
        },
        Figure {
            what: "key → echo over ssh, p50".to_owned(),
            ours: ms(us),
            beside: format!("`ssh` with `tmux attach` {}", ms(them)),
            ratio: Some(us / them),
            target: "≤ + 1 ms".to_owned(),
            met: Some(us <= them + 1e-3),
        },
        Figure {
            what: "key → echo over ssh, p99".to_owned(),
            ours: ms(ours.quantile(0.99)),
            beside: format!("`ssh` with `tmux attach` {}", ms(theirs.quantile(0.99))),
            ratio: Some(ours.quantile(0.99) / theirs.quantile(0.99)),
            target: String::new(),
            met: None,
        },
    ])
}

/// Seconds that it takes, after a pause as between two keys of a fast typist's burst.
fn timed(press: impl FnOnce() -> Result<()>) -> Result<f64> {
    thread::sleep(Duration::from_micros(rand::random_range(1_000..3_000)));
    let start = Instant::now();
    press()?;
    Ok(start.elapsed().as_secs_f64())
}

/// What people do without us: a terminal over there, attached to the same session.
struct Attached {
    ssh: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Attached {
    fn start(sshd: &Sshd, session: &Session) -> Result<Attached> {
        let mut words = sshd.connect(0, &["-tt"])?;
        let socket = session.socket()?;
        let attach = ["tmux", "-u", "-L", socket, "attach", "-t", &session.tmux_session];
        words.push("TERM=xterm-256color".into());
        words.extend(attach.map(str::to_owned));
        let mut ssh = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = ssh.stdin.take().context("ssh has no stdin")?;
        let stdout = ssh.stdout.take().context("ssh has no stdout")?;
        let mut attached = Attached { ssh, stdin, stdout };
        attached.wait_for(READY.as_bytes())?;
        Ok(attached)
    }

    /// Sends a key, and waits until it is drawn.
    fn echo(&mut self, key: u8) -> Result<()> {
        self.stdin.write_all(&[key])?;
        self.wait_for(&[key])
    }

    fn wait_for(&mut self, text: &[u8]) -> Result<()> {
        let (mut seen, mut piece) = (Vec::new(), [0; 4096]);
        while memchr::memmem::find(&seen, text).is_none() {
            let read = self.stdout.read(&mut piece)?;
            if read == 0 {
                bail!("ssh has ended");
            }
            seen.extend_from_slice(&piece[..read]);
        }
        Ok(())
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let _ = self.ssh.kill();
        let _ = self.ssh.wait();
    }
}
