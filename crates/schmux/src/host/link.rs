//! Carries bytes between a [`Server`] and the tmux that it stands for.
//!
//! **Invariant:** the loop that reads tmux waits for nothing else: not for a
//! viewer (they have queues), not for the hub (facts wait here), not for tmux to
//! read what we write. A heartbeat shows the keeper that it goes round. A broken
//! connection is made again, sooner first and later after every failure; until it
//! stands the structure of a server here is polled by processes.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use futures_util::FutureExt;
use schmux_core::fleet::Fact;
use schmux_core::ids::SessionId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, sleep_until};

use super::backoff::Backoff;
use super::intake::Intake;
use super::orphans;
use super::place::Place;
use super::remote::{self, Opened, Wish, Words};
use super::request::Request;
use super::server::Server;
use super::structure::{ROW_FORMAT, parse_rows};
use super::{HUB, keeper};
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

/// A timer that is late by more than this tells that all of us stood still, as a
/// machine that was suspended: what tmux said meanwhile has yet to be read.
const ASLEEP_MS: i64 = 3000;

/// How long tmux may take to start and attach a client on a machine under load.
const LET_IN: Duration = Duration::from_secs(10);

/// How often the structure is looked at while there is no connection.
const POLL_WITHOUT: Duration = Duration::from_millis(250);

/// Why there is no connection to a host that was let go.
pub(crate) const LET_GO: &str = "it was disconnected by `schmux host disconnect`";

/// Runs one tmux server's task until its requests end.
pub(super) async fn run(
    place: Place,
    mut requests: mpsc::Receiver<Request>,
    hub: HubSender,
    recorder: Recorder,
) {
    let server = Server::new(recorder, place.far.is_some(), place.is_users());
    let mut link = Link { server, facts: VecDeque::new(), hub };
    let mut backoff = Backoff::new(place.doublings());
    let mut wish = place.wish();
    let mut heard = wish.as_ref().map(|wish| *wish.borrow());
    while link.is_wanted(&place, &mut wish, &mut requests).await {
        let now = wish.as_ref().map(|wish| *wish.borrow());
        if now != heard {
            // A human asked for it, and doesn't wait for what failed before.
            heard = now;
            backoff.asked();
        }
        place.tell_connecting();
        let Some(connected) = link.meanwhile(connect(&place), None, &mut requests).await else {
            return;
        };
        let reason = match connected {
            Ok(connection) => {
                let began = Instant::now();
                match link.serve(connection, &mut requests, &mut wish).await {
                    Some(reason) => {
                        backoff.lasted(began.elapsed());
                        reason
                    }
                    None => return,
                }
            }
            Err(reason) => reason,
        };
        link.server.disconnected(&reason);
        if link.server.is_needless() {
            tracing::info!(socket = %place.label(), "left a server of the user's own");
            place.tell_idle();
            continue;
        }
        tracing::warn!(socket = %place.label(), %reason, "lost tmux");
        if place.is_gone(&reason) {
            link.server.handle_end();
        }
        place.tell_lost(&reason);
        let pause = async {
            tokio::select! {
                () = tokio::time::sleep(backoff.next()) => {}
                () = changed(&mut wish) => {}
            }
        };
        if link.meanwhile(pause, Some(&place), &mut requests).await.is_none() {
            return;
        }
    }
}

fn is_on(wish: &Option<watch::Receiver<Wish>>) -> bool {
    wish.as_ref().is_none_or(|wish| wish.borrow().on)
}

/// Waits for the next change of what is wanted of a host; for this machine's
/// own servers there is none.
async fn changed(wish: &mut Option<watch::Receiver<Wish>>) {
    let told = match wish {
        Some(wish) => wish.changed().await.is_ok(),
        None => false,
    };
    if !told {
        std::future::pending().await
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
    stdout: Intake,
    /// What tmux said as it let us in.
    first: Vec<u8>,
    /// What a connect command says besides.
    words: Option<Words>,
    /// Held for its process, which ends with it. A host has a keeper of its own.
    _keeper: Option<Child>,
    /// Where our heart beats.
    heart: Option<ChildStdin>,
}

impl Connection {
    /// Why it ended.
    async fn end(&mut self) -> String {
        match &mut self.words {
            Some(words) => words.why(&mut self.client, b"").await,
            None => end_of(&mut self.client).await,
        }
    }
}

impl Link {
    /// Speaks to tmux until the connection breaks (and why), or the daemon ends (`None`).
    async fn serve(
        &mut self,
        mut connection: Connection,
        requests: &mut mpsc::Receiver<Request>,
        wish: &mut Option<watch::Receiver<Wish>>,
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
            self.server.leave_if_needless();
            outgoing.extend(self.server.take_outgoing());
            if !outgoing.is_empty()
                && let Some(written) = connection.stdin.write(&outgoing).now_or_never()
            {
                // tmux is at work while we go on.
                forget_written(&mut outgoing, written);
            }
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
                    Ok(0) => return Some(connection.end().await),
                    Ok(count) => {
                        self.server.pass_on(&buffer[..count], super::now());
                        // Viewers send what they got before we go on.
                        tokio::task::yield_now().await;
                        self.server.digest();
                        if self.server.is_flooded() {
                            return Some("a reply of tmux has no end".into());
                        }
                        if self.server.is_evicted() {
                            return Some(format!("the session {HUB} was ended"));
                        }
                    }
                    Err(error) => return Some(format!("can't read from tmux: {error}")),
                },
                written = connection.stdin.write(&outgoing), if !outgoing.is_empty() => {
                    forget_written(&mut outgoing, written);
                }
                request = requests.recv(), if !self.server.is_leaving() => match request {
                    Some(request) => self.server.handle_request(request, super::now()),
                    None => return None,
                },
                permit = self.hub.reserve(), if !self.facts.is_empty() => match (permit, self.facts.pop_front()) {
                    (Some(permit), Some((session, fact))) => permit.seen(session, fact),
                    _ => return None,
                },
                _ = beat.tick(), if !beat_due => beat_due = true,
                () = beat_once(&mut connection.heart), if beat_due => beat_due = false,
                () = changed(wish) => if !is_on(wish) {
                    return Some(LET_GO.into());
                },
                () = &mut timer, if deadline.is_some() => {
                    let now = super::now();
                    if deadline.take().is_some_and(|at| now.0 - at.0 > ASLEEP_MS) {
                        self.server.woke(now);
                    }
                    if self.server.is_stuck(now) {
                        return Some("tmux has not answered for 10 seconds".into());
                    }
                    self.server.handle_time(now);
                }
            }
        }
    }

    /// Waits for something else, answering requests meanwhile. While nothing
    /// else looks at a server of this machine (`watched`), its structure is
    /// polled. `None` when the daemon ends.
    async fn meanwhile<T>(
        &mut self,
        something: impl Future<Output = T>,
        watched: Option<&Place>,
        requests: &mut mpsc::Receiver<Request>,
    ) -> Option<T> {
        tokio::pin!(something);
        let watched = watched.filter(|place| place.far.is_none());
        let mut next_poll = Instant::now();
        loop {
            self.collect_facts();
            // Nothing can be sent now; whoever asked is told by the server.
            self.server.take_outgoing();
            tokio::select! {
                value = &mut something => return Some(value),
                request = requests.recv() => match request {
                    Some(request) => self.server.handle_request(request, super::now()),
                    None => return None,
                },
                permit = self.hub.reserve(), if !self.facts.is_empty() => match (permit, self.facts.pop_front()) {
                    (Some(permit), Some((session, fact))) => permit.seen(session, fact),
                    _ => return None,
                },
                () = sleep_until(next_poll), if watched.is_some() => {
                    next_poll = Instant::now() + POLL_WITHOUT;
                    let Some(place) = watched else { continue };
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

    /// Waits until there is something to connect for: a server of the user's own
    /// is left alone while nothing on it is ours to watch. False when the daemon ends.
    async fn is_needed(&mut self, requests: &mut mpsc::Receiver<Request>) -> bool {
        while self.server.is_needless() {
            self.collect_facts();
            self.server.take_outgoing();
            tokio::select! {
                request = requests.recv() => match request {
                    Some(request) => self.server.handle_request(request, super::now()),
                    None => return false,
                },
                permit = self.hub.reserve(), if !self.facts.is_empty() => match (permit, self.facts.pop_front()) {
                    (Some(permit), Some((session, fact))) => permit.seen(session, fact),
                    _ => return false,
                },
            }
        }
        true
    }

    /// Waits until a connection is wanted. False when the daemon ends.
    async fn is_wanted(
        &mut self,
        place: &Place,
        wish: &mut Option<watch::Receiver<Wish>>,
        requests: &mut mpsc::Receiver<Request>,
    ) -> bool {
        while !is_on(wish) {
            self.server.disconnected(LET_GO);
            place.tell_idle();
            if self.meanwhile(changed(wish), None, requests).await.is_none() {
                return false;
            }
        }
        self.is_needed(requests).await
    }

    fn collect_facts(&mut self) {
        for (session, mut fact) in self.server.take_facts() {
            if let Fact::NearMiss { line } = &fact {
                tracing::warn!(%session, line, "this looks like a marker, and is none");
            }
            let kind = std::mem::discriminant(&fact);
            let same = |waiting: &&mut (SessionId, Fact)| {
                waiting.0 == session && std::mem::discriminant(&waiting.1) == kind
            };
            match self.facts.iter_mut().find(same) {
                // Only chatter may be overtaken; the order of life and death stays.
                Some(waiting) if is_chatter(&fact) => {
                    if let (Fact::Screen { unheard: before, .. }, Fact::Screen { unheard, .. }) =
                        (&waiting.1, &mut fact)
                    {
                        *unheard |= before;
                    }
                    waiting.1 = fact;
                }
                _ => self.facts.push_back((session, fact)),
            }
        }
    }
}

fn forget_written(outgoing: &mut Vec<u8>, written: io::Result<usize>) {
    match written {
        Ok(count) => drop(outgoing.drain(..count)),
        // What tmux said before it left is still to be read.
        Err(_) => outgoing.clear(),
    }
}

fn is_chatter(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Title(_)
            | Fact::Front(_)
            | Fact::Output { .. }
            | Fact::Size(_)
            | Fact::Screen { .. }
            | Fact::Typed { .. }
            | Fact::Bell { .. }
    )
}

/// Starts the server if need be, attaches our control client, and sets the keeper
/// to watch over us. Nothing is asked of tmux before it has let us in: 3.3a
/// crashes when a session is made while a control client attaches.
async fn connect(place: &Place) -> Result<Connection, String> {
    if let Some(far) = &place.far {
        let reach = match far {
            Ok(reach) => reach,
            Err(reason) => return Err(reason.clone()),
        };
        let Opened { client, stdin, stdout, words, first, facts } = remote::connect(reach).await?;
        place.tell_connected(facts);
        let words = Some(words);
        let stdout = intake(stdout)?;
        return Ok(Connection { client, stdin, stdout, first, words, _keeper: None, heart: None });
    }
    orphans::end(place, HUB).await;
    // A lagging client is paused after a second rather than blocking the pane.
    let (client, stdin, stdout, first) = attach(place, HUB, "ignore-size,pause-after=1").await?;
    let exe = std::env::current_exe().map_err(|error| format!("can't find schmux: {error}"))?;
    let mut argv = vec![exe.to_string_lossy().into_owned(), "keeper".into(), "--".into()];
    // Any terminal will do, and this is one that every system knows.
    argv.extend(["env".into(), "TERM=xterm".into()]);
    argv.extend(attach_command(place, &[], KEEPER, "ignore-size,read-only"));
    let mut keeper = proc::piped(&argv).map_err(|error| error.to_string())?;
    let heart = Some(keeper.stdin.take().ok_or("the keeper has no pipe")?);
    let words = None;
    let stdout = intake(stdout)?;
    Ok(Connection { client, stdin, stdout, first, words, _keeper: Some(keeper), heart })
}

fn intake(stdout: ChildStdout) -> Result<Intake, String> {
    Intake::new(stdout).map_err(|error| format!("can't read from tmux: {error}"))
}

/// If the keeper is gone the beats go nowhere, and the next connection has a new one.
async fn beat_once(heart: &mut Option<ChildStdin>) {
    if let Some(heart) = heart {
        let _ = heart.write(b".").await;
    }
}

/// Attaches a control client to a session, which is made if it is missing, and
/// waits until tmux has let it in.
async fn attach(
    place: &Place,
    session: &str,
    flags: &str,
) -> Result<(Child, ChildStdin, ChildStdout, Vec<u8>), String> {
    let argv = attach_command(place, &["-C"], session, flags);
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
                return Err(end_of(&mut client).await);
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
async fn end_of(client: &mut Child) -> String {
    last_words(client).await.unwrap_or_else(|| "the tmux client ended".into())
}

/// What a program that ended has to say of it.
async fn last_words(client: &mut Child) -> Option<String> {
    let mut words = Vec::new();
    if let Some(stderr) = &mut client.stderr {
        // Its children may keep the pipe open though it is gone itself.
        let mut some = stderr.take(2000);
        let read = some.read_to_end(&mut words);
        let _ = tokio::time::timeout(Duration::from_millis(500), read).await;
    }
    let words = String::from_utf8_lossy(&words).trim().to_owned();
    (!words.is_empty()).then_some(words)
}

/// The command that attaches a client to a session, which it makes if it is missing.
fn attach_command(place: &Place, mode: &[&str], session: &str, flags: &str) -> Vec<String> {
    let mut words = [mode, &["new-session", "-A", "-s", session, "-f", flags]].concat();
    // The session needs a program of its own that never ends and never prints.
    // Two words need no shell: that of an account for services refuses everything.
    words.extend(["-x", "80", "-y", "24", "cat", "-"]);
    place.tmux(&words)
}
