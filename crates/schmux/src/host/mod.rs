//! tmux servers, on this machine and on hosts that a command reaches: where
//! sessions live, and the way to each of them.
//!
//! **Invariants:** only this module speaks to tmux. Each server has a task that
//! owns its connection, its panes' screens and their viewers; terminal bytes
//! never leave by another way than a viewer's queue. tmux's cost per event grows
//! with the sessions in a server, so a further one is opened for every few dozen.

mod backoff;
pub mod config;
mod courier;
mod desk;
mod details;
mod ears;
mod errand;
mod eyes;
mod hold;
mod intake;
pub mod keeper;
mod link;
mod orphans;
pub mod outside;
pub(crate) mod pace;
mod pane;
mod place;
pub mod remote;
mod request;
mod server;
mod structure;
pub mod viewer;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use schmux_core::fleet::{Session, Socket};
use schmux_core::ids::{HostId, SessionId};
use schmux_core::paste;
use schmux_core::reading::{Library, Reader};
use schmux_core::screen::Size;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

pub use courier::Desk;
use desk::Input;
pub(crate) use link::LET_GO;
use place::Place;
use remote::Reach;
use request::{Answer, Request};
pub use request::{DialogAnswer, End, HostError, Spec};
use viewer::{ViewerFeed, ViewerId};

use crate::hub::HubSender;
use crate::proc;
use crate::replay::Recorder;
use crate::wire::{Capture, SessionDetails, TypedKeys};

/// The tmux session that our control client is attached to, and into which
/// every agent's window is linked.
const HUB: &str = "schmux-hub";

/// The name of this machine among the hosts.
const LOCAL: &str = "local";

/// How many requests may wait for a server's task; a caller waits beyond that.
const REQUESTS: usize = 256;

/// How long a new session waits for a connection that was lost: a few attempts
/// to connect.
const RECONNECT: Duration = Duration::from_secs(5);

/// How often it is looked whether the connection stands again.
const ASK_AGAIN: Duration = Duration::from_millis(50);

/// Which tmux server: the host that it is on, and its socket there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat {
    pub host: HostId,
    pub socket: Socket,
}

impl Seat {
    pub fn of(session: &Session) -> Seat {
        Seat { host: session.host.clone(), socket: session.address.socket.clone() }
    }
}

/// A handle to all servers.
#[derive(Clone)]
pub struct Host {
    shared: Arc<Shared>,
}

struct Shared {
    base: String,
    config: PathBuf,
    sessions_per_server: usize,
    /// What is known of agents' screens.
    library: Library,
    hub: HubSender,
    recorder: Recorder,
    /// A std mutex: the table is read for every request, and never held across an await.
    servers: Mutex<BTreeMap<Seat, Entry>>,
    /// The hosts that are known, by name. A std mutex for the same reason.
    far: Mutex<BTreeMap<HostId, Arc<Reach>>>,
}

struct Entry {
    requests: mpsc::Sender<Request>,
    /// Sessions that were given a place here.
    sessions: usize,
}

impl Host {
    /// `base` is the name of the first server's socket, `config` what our servers start with.
    pub fn new(
        base: String,
        config: PathBuf,
        sessions_per_server: usize,
        library: Library,
        (hub, recorder): (HubSender, Recorder),
    ) -> Host {
        let host = Host {
            shared: Arc::new(Shared {
                base,
                config,
                sessions_per_server,
                library,
                hub,
                recorder,
                servers: Mutex::default(),
                far: Mutex::default(),
            }),
        };
        // The first server is there from the start, so that the first spawn is quick.
        host.shared.entry(&host.shared.seat_here(host.shared.base.clone()), |_| ());
        host
    }

    /// Chooses the server for a new session and keeps a place there. A host has
    /// one, because each would be a connection of its own.
    pub fn assign(&self, host: &HostId) -> Seat {
        if let Some(reach) = self.reach(host) {
            let seat = Seat { host: host.clone(), socket: Socket::Name(reach.socket()) };
            self.shared.entry(&seat, |entry| entry.sessions += 1);
            return seat;
        }
        let mut number = 1;
        loop {
            let name = match number {
                1 => self.shared.base.clone(),
                n => format!("{}-{n}", self.shared.base),
            };
            let seat = self.shared.seat_here(name);
            let room = self.shared.entry(&seat, |entry| {
                let room = entry.sessions < self.shared.sessions_per_server;
                entry.sessions += usize::from(room);
                room
            });
            if room {
                return seat;
            }
            number += 1;
        }
    }

    /// A place that was assigned is free again.
    pub fn release(&self, seat: &Seat) {
        self.shared.entry(seat, |entry| entry.sessions = entry.sessions.saturating_sub(1));
    }

    /// Tells of a session that should be there from before, or that was adopted.
    /// `markers` are those that were told before.
    pub async fn expect(&self, session: &Session, markers: Ledger) -> Result<(), HostError> {
        let request = Request::Expect {
            session: session.id.clone(),
            tmux_session: session.address.tmux_session.clone(),
            at: session.address.pane.clone(),
            adopted: session.adopted,
            markers: Box::new(markers),
            reader: self.reader(session),
        };
        let seat = Seat::of(session);
        self.shared.entry(&seat, |entry| entry.sessions += 1);
        self.send(&seat, request).await
    }

    /// What reads a session's screen: what is known of its agent, or of a target
    /// that the user has described, else what all agents have in common.
    pub fn reader(&self, session: &Session) -> Arc<Reader> {
        let library = &self.shared.library;
        let known = |name: &&str| library.names().any(|known| known == *name);
        let agent = session.agent.as_deref().filter(known);
        library.reader(agent.unwrap_or(&session.target))
    }

    /// Starts a session. A connection that is just being made again is waited for.
    pub async fn create(&self, seat: &Seat, spec: Spec) -> Result<(), HostError> {
        let deadline = Instant::now() + RECONNECT;
        loop {
            let spec = spec.clone();
            match self.ask(seat, |answer| Request::Create { spec, answer }).await {
                Err(HostError::Unreachable(_)) if Instant::now() < deadline => {
                    tokio::time::sleep(ASK_AGAIN).await;
                }
                answer => return answer,
            }
        }
    }

    /// Ends a session. On an error it is watched as before.
    pub async fn dispose(&self, session: &Session, end: End) -> Result<(), HostError> {
        let seat = Seat::of(session);
        let id = session.id.clone();
        self.ask(&seat, |answer| Request::Dispose { session: id, end, answer }).await?;
        self.release(&seat);
        Ok(())
    }

    /// Tells that the session's agent begins anew, by what it said elsewhere.
    pub async fn begin_turn(&self, session: &Session) {
        let request = Request::BeginTurn { session: session.id.clone() };
        // When the task is gone, so is the pane that would want to know.
        let _ = self.send(&Seat::of(session), request).await;
    }

    /// Begins to watch a session; the feed gives a keyframe and then every byte.
    pub async fn watch(&self, session: &Session, history: u32) -> Result<Watch, HostError> {
        let (viewer, feed) = viewer::pair();
        let id = session.id.clone();
        self.ask(&Seat::of(session), |answer| Request::Watch {
            session: id,
            viewer,
            history,
            answer,
        })
        .await?;
        let requests = self.shared.entry(&Seat::of(session), |entry| entry.requests.clone());
        let control = Control { session: session.id.clone(), viewer: feed.id, requests };
        Ok(Watch { feed, control })
    }

    pub async fn keys(&self, session: &Session, bytes: Vec<u8>) -> Result<(), HostError> {
        self.type_in(session, Input::Keys(bytes)).await
    }

    /// Keys by tmux's names for them.
    pub async fn named_keys(&self, session: &Session, keys: Vec<String>) -> Result<(), HostError> {
        self.type_in(session, Input::Named(keys)).await
    }

    pub async fn paste(&self, session: &Session, text: &str) -> Result<(), HostError> {
        self.type_in(session, Input::Paste(paste::by_hand(text).into_bytes())).await
    }

    async fn type_in(&self, session: &Session, input: Input) -> Result<(), HostError> {
        let id = session.id.clone();
        self.ask(&Seat::of(session), |answer| Request::Type {
            session: id,
            input,
            answer: Some(answer),
        })
        .await
    }

    /// Someone has typed into the pane by a terminal of their own.
    pub async fn note_typed(&self, session: &Session, keys: TypedKeys) {
        let request = Request::Typed { session: session.id.clone(), keys };
        // When the task is gone, so is the pane that would want to know.
        let _ = self.send(&Seat::of(session), request).await;
    }

    /// Answers the dialog on a session's screen, exactly that one or nothing.
    /// Whether it was seen to close.
    pub async fn answer_dialog(
        &self,
        session: &Session,
        wanted: DialogAnswer,
    ) -> Result<bool, HostError> {
        let id = session.id.clone();
        self.ask(&Seat::of(session), |answer| Request::AnswerDialog { session: id, wanted, answer })
            .await
    }

    pub async fn capture(
        &self,
        session: &Session,
        history: u32,
        ansi: bool,
    ) -> Result<Capture, HostError> {
        let id = session.id.clone();
        self.ask(&Seat::of(session), |answer| Request::Capture {
            session: id,
            history,
            ansi,
            answer,
        })
        .await
    }

    /// How a session was started, as tmux remembers it.
    pub async fn details(&self, session: &Session) -> Result<SessionDetails, HostError> {
        let id = session.id.clone();
        self.ask(&Seat::of(session), |answer| Request::Details { session: id, answer }).await
    }

    /// The names or paths of this machine's servers in use.
    pub fn sockets(&self) -> Vec<Socket> {
        let servers = self.shared.lock();
        let here = servers.keys().filter(|seat| seat.host.as_str() == LOCAL);
        here.map(|seat| seat.socket.clone()).collect()
    }

    async fn ask<T>(
        &self,
        seat: &Seat,
        request: impl FnOnce(Answer<T>) -> Request,
    ) -> Result<T, HostError> {
        let (answer, answered) = oneshot::channel();
        self.send(seat, request(answer)).await?;
        answered.await.map_err(|_| HostError::ShuttingDown)?
    }

    async fn send(&self, seat: &Seat, request: Request) -> Result<(), HostError> {
        let requests = self.shared.entry(seat, |entry| entry.requests.clone());
        requests.send(request).await.map_err(|_| HostError::ShuttingDown)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Seat, Entry>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seat_here(&self, socket: String) -> Seat {
        Seat { host: crate::spawn::local(), socket: Socket::Name(socket) }
    }

    /// Looks at a server's entry; its task is started with the first look.
    fn entry<T>(&self, seat: &Seat, look: impl FnOnce(&mut Entry) -> T) -> T {
        let mut servers = self.lock();
        look(servers.entry(seat.clone()).or_insert_with(|| {
            let (requests, received) = mpsc::channel(REQUESTS);
            let (hub, recorder) = (self.hub.clone(), self.recorder.clone());
            tokio::spawn(link::run(self.place(seat), received, hub, recorder));
            Entry { requests, sessions: 0 }
        }))
    }

    fn place(&self, seat: &Seat) -> Place {
        let socket = seat.socket.clone();
        if seat.host.as_str() == LOCAL {
            return Place { config: self.config_for(&socket), socket, far: None };
        }
        let reach = self.far.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown = || format!("the host {} is not known any more", seat.host);
        let way = reach.get(&seat.host).map(|reach| match &socket {
            Socket::Path(path) => Arc::new(reach.beside(path.clone())),
            Socket::Name(_) => reach.clone(),
        });
        let far = way.ok_or_else(unknown);
        Place { socket, config: None, far: Some(far) }
    }

    fn config_for(&self, socket: &Socket) -> Option<PathBuf> {
        match socket {
            Socket::Name(name) if name.starts_with(&self.base) => Some(self.config.clone()),
            _ => None,
        }
    }
}

/// A viewer's two directions: what it is shown, and what it wants.
pub struct Watch {
    pub feed: ViewerFeed,
    pub control: Control,
}

/// What a viewer may ask for. The watching ends when this is dropped.
pub struct Control {
    session: SessionId,
    viewer: ViewerId,
    requests: mpsc::Sender<Request>,
}

impl Control {
    pub async fn keys(&self, bytes: Vec<u8>) {
        self.type_in(Input::Keys(bytes)).await;
    }

    pub async fn paste(&self, text: &str) {
        self.type_in(Input::Paste(paste::by_hand(text).into_bytes())).await;
    }

    async fn type_in(&self, input: Input) {
        self.send(Request::Type { session: self.session.clone(), input, answer: None }).await;
    }

    pub async fn resize(&self, size: Size, claim: bool) {
        let (session, viewer) = (self.session.clone(), self.viewer);
        self.send(Request::Resize { session, viewer, size, claim }).await;
    }

    /// Asks for a keyframe, with history or, after falling behind, without.
    pub async fn refresh(&self, history: Option<u32>) {
        let (session, viewer) = (self.session.clone(), self.viewer);
        self.send(Request::Refresh { session, viewer, history }).await;
    }

    async fn send(&self, request: Request) {
        // When the task is gone the feed closes, which is how the viewer learns of it.
        let _ = self.requests.send(request).await;
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let request = Request::Unwatch { session: self.session.clone(), viewer: self.viewer };
        // If the queue is full the pane finds out by itself that nobody takes its output.
        let _ = self.requests.try_send(request);
    }
}

/// Which tmux there is, as it tells itself: `3.3a`.
pub async fn tmux_version() -> Result<String, proc::ProcError> {
    let output = proc::output(&["tmux", "-V"], None, Duration::from_secs(5)).await?;
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    Ok(text.strip_prefix("tmux ").unwrap_or(&text).to_owned())
}

/// Whether a tmux session is one of those that schmux itself needs.
fn is_own_session(name: &str) -> bool {
    name == HUB || name == link::KEEPER
}

fn now() -> Moment {
    // Cheaper than a timestamp with a calendar: it is asked several times for each key.
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(since_epoch.as_millis() as i64)
}
