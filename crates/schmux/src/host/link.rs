//! Carries bytes between a [`Server`] and the tmux that it stands for.
//!
//! **Invariant:** the loop that reads tmux waits for nothing else: not for a
//! viewer (they have queues), not for the hub (facts wait here), not for tmux to
//! read what we write. A heartbeat shows the keeper that it goes round. A broken connection is made again, sooner first and later
//! after every failure; until it stands the structure is polled by processes.

use std::collections::VecDeque;
use std::time::Duration;

use schmux_core::fleet::{Fact, Socket};
use schmux_core::ids::SessionId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, sleep_until};

use super::request::Request;
use super::server::Server;
use super::structure::{ROW_FORMAT, parse_rows};
use super::{HUB, Place, keeper};
use crate::hub::HubSender;
use crate::proc;
use crate::replay::Recorder;

/// tmux writes to a pipe of 64 kB; reading all of it at once gives the largest pieces.
const READ_BYTES: usize = 64 << 10;

/// The session of the client that stands in while we are stalled (see `keeper`).
pub(super) const KEEPER: &str = "schmux-keep";

/// Milliseconds until a deadline that there is none of.
const FAR: u64 = 60_000;

/// How much tmux may write ahead of us. With the 64 kB of an ordinary pipe it
/// waits whenever we are not scheduled at once; this is a fifth of a second of flood.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

/// How long tmux may take to start and attach a client on a machine under load.
const LET_IN: Duration = Duration::from_secs(10);

/// How often the structure is looked at while there is no connection.
const POLL_WITHOUT: Duration = Duration::from_millis(250);

/// Runs one tmux server's task until its requests end.
pub(super) async fn run(
    place: Place,
    mut requests: mpsc::Receiver<Request>,
    hub: HubSender,
    recorder: Recorder,
) {
    let mut link = Link { server: Server::new(recorder), facts: VecDeque::new(), hub };
    let mut backoff = Backoff::default();
    loop {
        let reason = match connect(&place).await {
            Ok(connection) => {
                let began = Instant::now();
                match link.serve(connection, &mut requests).await {
                    Some(reason) => {
                        backoff.lasted(began.elapsed());
                        reason
                    }
                    None => return,
                }
            }
            Err(reason) => reason,
        };
        tracing::warn!(socket = %place.label(), %reason, "lost tmux");
        link.server.disconnected(&reason);
        if !link.wait(&place, backoff.next(), &mut requests).await {
            return;
        }
    }
}

struct Link {
    server: Server,
    /// Facts that the hub has not taken yet. At most a few per session: newer
    /// ones of the same kind replace those that wait.
    facts: VecDeque<(SessionId, Fact)>,
    hub: HubSender,
}

struct Connection {
    client: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// What tmux said as it let us in.
    first: Vec<u8>,
    /// Held for its process, which ends with it.
    _keeper: Child,
    /// Where our heart beats.
    heart: ChildStdin,
}

impl Link {
    /// Speaks to tmux until the connection breaks (and why), or the daemon ends (`None`).
    async fn serve(
        &mut self,
        mut connection: Connection,
        requests: &mut mpsc::Receiver<Request>,
    ) -> Option<String> {
        self.server.connected(super::now());
        self.server.handle_bytes(&connection.first, super::now());
        let mut buffer = vec![0; READ_BYTES];
        let mut outgoing: Vec<u8> = Vec::new();
        let timer = sleep_until(Instant::now());
        tokio::pin!(timer);
        let mut deadline = None;
        let mut beat = tokio::time::interval(keeper::BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut beat_due = false;
        loop {
            outgoing.extend(self.server.take_outgoing());
            self.collect_facts();
            let next = self.server.next_deadline();
            if next != deadline {
                // Only when it moved: an earlier one makes the runtime wake itself up.
                deadline = next;
                let wait = next.map_or(FAR, |at| at.0.saturating_sub(super::now().0).max(0) as u64);
                timer.as_mut().reset(Instant::now() + Duration::from_millis(wait));
            }
            tokio::select! {
                read = connection.stdout.read(&mut buffer) => match read {
                    Ok(0) => return Some(last_words(&mut connection.client).await),
                    Ok(count) => self.server.handle_bytes(&buffer[..count], super::now()),
                    Err(error) => return Some(format!("can't read from tmux: {error}")),
                },
                written = connection.stdin.write(&outgoing), if !outgoing.is_empty() => match written {
                    Ok(count) => { outgoing.drain(..count); }
                    // What tmux said before it left is still to be read.
                    Err(_) => outgoing.clear(),
                },
                request = requests.recv() => match request {
                    Some(request) => self.server.handle_request(request, super::now()),
                    None => return None,
                },
                permit = self.hub.reserve(), if !self.facts.is_empty() => match (permit, self.facts.pop_front()) {
                    (Some(permit), Some((session, fact))) => permit.seen(session, fact),
                    _ => return None,
                },
                _ = beat.tick(), if !beat_due => beat_due = true,
                // If the keeper is gone the beats go nowhere, and the next connection has a new one.
                _ = connection.heart.write(b"."), if beat_due => beat_due = false,
                () = &mut timer, if deadline.is_some() => {
                    deadline = None;
                    let now = super::now();
                    if self.server.is_stuck(now) {
                        return Some("tmux has not answered for 15 seconds".into());
                    }
                    self.server.handle_time(now);
                }
            }
        }
    }

    /// Waits before the next attempt, answering requests and watching the
    /// structure meanwhile. False when the daemon ends.
    async fn wait(
        &mut self,
        place: &Place,
        pause: Duration,
        requests: &mut mpsc::Receiver<Request>,
    ) -> bool {
        let until = Instant::now() + pause;
        let mut next_poll = Instant::now();
        loop {
            self.collect_facts();
            // Nothing can be sent now; whoever asked is told by the server.
            self.server.take_outgoing();
            tokio::select! {
                () = sleep_until(until) => return true,
                request = requests.recv() => match request {
                    Some(request) => self.server.handle_request(request, super::now()),
                    None => return false,
                },
                permit = self.hub.reserve(), if !self.facts.is_empty() => match (permit, self.facts.pop_front()) {
                    (Some(permit), Some((session, fact))) => permit.seen(session, fact),
                    _ => return false,
                },
                () = sleep_until(next_poll) => {
                    next_poll = Instant::now() + POLL_WITHOUT;
                    let argv = place.tmux(&["list-panes", "-a", "-F", ROW_FORMAT]);
                    // A server that is not there answers with an error; the next
                    // attempt to connect will start one and find out what is missing.
                    if let Ok(body) = proc::output(&argv, None, Duration::from_secs(2)).await {
                        self.server.handle_structure(&parse_rows(&body));
                    }
                }
            }
        }
    }

    fn collect_facts(&mut self) {
        for (session, fact) in self.server.take_facts() {
            if let Fact::NearMiss { line } = &fact {
                tracing::warn!(%session, line, "this looks like a marker, and is none");
            }
            let kind = std::mem::discriminant(&fact);
            let same = |waiting: &&mut (SessionId, Fact)| {
                waiting.0 == session && std::mem::discriminant(&waiting.1) == kind
            };
            match self.facts.iter_mut().find(same) {
                // Only chatter may be overtaken; the order of life and death stays.
                Some(waiting) if is_chatter(&fact) => waiting.1 = fact,
                _ => self.facts.push_back((session, fact)),
            }
        }
    }
}

fn is_chatter(fact: &Fact) -> bool {
    matches!(fact, Fact::Title(_) | Fact::Front(_) | Fact::Output { .. } | Fact::Size(_))
}

/// Starts the server if need be, attaches our control client, and sets the keeper
/// to watch over us. Nothing is asked of tmux before it has let us in: 3.3a
/// crashes when a session is made while a control client attaches.
async fn connect(place: &Place) -> Result<Connection, String> {
    // A lagging client is paused after a second rather than blocking the pane.
    let (client, stdin, stdout, first) = attach(place, HUB, "ignore-size,pause-after=1").await?;
    let exe = std::env::current_exe().map_err(|error| format!("can't find schmux: {error}"))?;
    let mut argv = vec![exe.to_string_lossy().into_owned(), "keeper".into(), "--".into()];
    argv.extend(attach_command(place, KEEPER, "ignore-size,no-output"));
    let mut keeper = proc::piped(&argv).map_err(|error| error.to_string())?;
    let heart = keeper.stdin.take().ok_or("the keeper has no pipe")?;
    Ok(Connection { client, stdin, stdout, first, _keeper: keeper, heart })
}

/// Attaches a control client to a session, which is made if it is missing, and
/// waits until tmux has let it in.
async fn attach(
    place: &Place,
    session: &str,
    flags: &str,
) -> Result<(Child, ChildStdin, ChildStdout, Vec<u8>), String> {
    let argv = attach_command(place, session, flags);
    let mut client = proc::piped(&argv).map_err(|error| error.to_string())?;
    let (Some(stdin), Some(mut stdout)) = (client.stdin.take(), client.stdout.take()) else {
        return Err("the tmux client has no pipes".into());
    };
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(&stdout, PIPE_BYTES) {
        // A user has a limit for all pipes together; the ordinary size works too.
        tracing::debug!(%error, "tmux's pipe keeps its size");
    }
    let mut first = Vec::new();
    let let_in = async {
        // The last thing that tmux says of an attachment is which session it is to.
        while memchr::memmem::find(&first, b"%session-changed ").is_none() {
            if stdout.read_buf(&mut first).await.unwrap_or(0) == 0 {
                return Err(last_words(&mut client).await);
            }
        }
        Ok(())
    };
    match tokio::time::timeout(LET_IN, let_in).await {
        Ok(Ok(())) => Ok((client, stdin, stdout, first)),
        Ok(Err(reason)) => Err(reason),
        Err(_) => Err(format!("tmux did not let us in within {} s", LET_IN.as_secs())),
    }
}

/// Why a client ended, in its own words.
async fn last_words(client: &mut Child) -> String {
    let mut words = String::new();
    if let Some(stderr) = &mut client.stderr {
        let _ = stderr.take(2000).read_to_string(&mut words).await;
    }
    let words = words.trim();
    if words.is_empty() { "the tmux client ended".into() } else { words.to_owned() }
}

/// The command that attaches a control client to a session, which it makes if it is missing.
fn attach_command(place: &Place, session: &str, flags: &str) -> Vec<String> {
    let mut words = vec!["-C", "new-session", "-A", "-s", session, "-f", flags];
    // The session needs a program of its own that never ends and never prints.
    words.extend(["-x", "80", "-y", "24", "cat"]);
    place.tmux(&words)
}

/// Pauses that grow after failures and begin small again after a connection that held.
#[derive(Default)]
struct Backoff {
    failures: u32,
}

impl Backoff {
    fn lasted(&mut self, time: Duration) {
        if time > Duration::from_secs(10) {
            self.failures = 0;
        }
    }

    fn next(&mut self) -> Duration {
        // 50 ms after the first failure, at most some 5 s, and never in step with others.
        let base = 50u64 << self.failures.min(7);
        self.failures += 1;
        Duration::from_millis(base + rand::random_range(0..=base / 4))
    }
}

impl Place {
    /// A tmux command line for this server.
    pub(super) fn tmux(&self, words: &[&str]) -> Vec<String> {
        let (flag, socket) = match &self.socket {
            Socket::Name(name) => ("-L", name),
            Socket::Path(path) => ("-S", path),
        };
        let mut argv: Vec<String> = vec!["tmux".into(), flag.into(), socket.clone()];
        if let Some(config) = &self.config {
            argv.extend(["-f".into(), config.to_string_lossy().into_owned()]);
        }
        argv.extend(words.iter().map(|&word| word.to_owned()));
        argv
    }

    fn label(&self) -> &str {
        match &self.socket {
            Socket::Name(label) | Socket::Path(label) => label,
        }
    }
}
