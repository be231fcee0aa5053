//! One tmux server as we know it: which sessions live on it, their panes, and
//! what was asked of it. Does no IO: `link` carries its bytes.
//!
//! - `handle_*`: bytes from tmux, requests from the daemon, the passing of time.
//! - `take_*`: bytes for tmux, facts for the hub.
//! - [`Server::connected`] and [`Server::disconnected`] frame a connection.

mod answering;
mod census;
mod commands;
mod credit;
mod errands;
mod faces;
mod flow;
mod guest;
mod hold;
mod panes;
mod replies;
mod requests;
mod turns;
mod typed;
mod typing;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use schmux_core::fleet::{Fact, TmuxPane};
use schmux_core::ids::{PaneId, SessionId};
use schmux_core::reading::Reader;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use schmux_core::tmux::{Batch, Command, Engine, Event, Notification, Ticket};

use self::commands::{ends_command, frames_command};
use self::credit::Credit;
use self::hold::Opening;
use self::panes::Panes;
use self::turns::{Turn, Turns};
use super::errand::{Errand, Output};
use super::request::{Answer, HostError, Request};
use super::structure::{HOST_FORMAT, ROW_FORMAT, Row};
use super::viewer::Viewer;
use crate::replay::Recorder;
use crate::wire::{Capture, SessionDetails};
pub(super) use answering::PendingAnswer;

/// How often the structure is looked at while the connection stands. What
/// matters is pushed by tmux; this is the net beneath. tmux serves nobody meanwhile,
/// and that takes it longer the more sessions it has, so it is done the less often.
const POLL_MS: RangeInclusive<i64> = 2000..=10_000;
const POLL_MS_A_SESSION: i64 = 200;

/// The same on a host, where it also shows that the connection is alive, and on a
/// server of the user's own, where nothing tells of a program that ended.
const OFTEN_POLL_MS: RangeInclusive<i64> = 1500..=2000;

/// After a hint that the structure changed: soon, but once for a flurry of hints.
const HINT_MS: i64 = 50;

/// tmux answers within milliseconds, over a slow link within a second or two. A
/// connection that leaves us without an answer for this long is dead. On a host that
/// is 12 s at most with the time to the next poll; 15 s are promised.
const STUCK_MS: i64 = 10_000;

/// The longest reply that is waited for: a scrollback of a million lines.
const MOST_REPLY: usize = 128 << 20;

/// How many lines of the scrollback are searched for markers after a time when
/// nobody listened: some twenty screens, which tmux gives in a few milliseconds.
const REPLAY_LINES: u32 = 1000;

pub(super) struct Server {
    engine: Engine,
    rooms: Rooms,
}

/// Everything but the protocol, so that both can be borrowed at once.
struct Rooms {
    now: Moment,
    expected: BTreeMap<SessionId, Expected>,
    panes: Panes,
    /// Viewers of sessions whose pane is not known yet.
    early: BTreeMap<SessionId, Vec<(Viewer, u32)>>,
    /// Requests for sessions that the first look is to find, in their order.
    early_requests: Vec<Request>,
    /// No connection has stood or failed yet.
    fresh: bool,
    asked: BTreeMap<Ticket, Purpose>,
    /// Scripts of ours that run in hidden windows.
    errands: BTreeMap<PaneId, Errand>,
    /// What waits until tmux has taken a long input.
    turns: Turns,
    /// Batches that are to be sent, in order.
    queue: Vec<(Batch, Purpose)>,
    /// Panes with output in this read.
    dirty: Vec<PaneId>,
    /// Panes whose output viewers have got, and their models not yet.
    undigested: Vec<PaneId>,
    facts: Vec<(SessionId, Fact)>,
    next_poll: Option<Moment>,
    /// When the oldest unanswered question was asked.
    waiting_since: Option<Moment>,
    down: Option<String>,
    recorder: Recorder,
    far: bool,
    credit: Credit,
    /// When tmux was asked something whose answer tells how long the way is now.
    probe: Option<Moment>,
    /// Answers have come late on this connection.
    slow: bool,
    /// A server of the user's own: we leave it when nothing there is watched.
    users: bool,
    leaving: bool,
    evicted: bool,
    /// What the machine is called.
    hosts: Vec<String>,
    /// How far its clock is ahead of ours.
    ahead_ms: i64,
    /// When tmux was last asked for faces.
    faces_asked: Option<Moment>,
}

struct Expected {
    tmux_session: String,
    /// Its pane there, if that is known: it need not be the first one.
    at: Option<TmuxPane>,
    adopted: bool,
    pane: Option<PaneId>,
    /// The markers that were told before, until a pane takes them over.
    markers: Option<Box<Ledger>>,
    reader: Arc<Reader>,
}

/// Why a batch was sent, and so what to do with its reply.
enum Purpose {
    Nothing,
    /// Whether answers come late.
    Probe,
    /// The structure, asked at that time.
    Poll(Moment),
    Beneath(PaneId),
    Seed(PaneId),
    Mode(PaneId),
    /// What the machine is called.
    Hosts,
    /// The program in front, and the title.
    Face(PaneId),
    /// The scrollback, for the markers in it.
    Replay(PaneId),
    /// The courier's look, with its number.
    Look(PaneId, u64),
    /// Enter, unless a key went past the gate.
    Submit(PaneId, Answer<bool>),
    /// Who is attached where a gate was closed.
    Closed,
    /// What tmux kept of the keys that were typed behind a gate.
    Held(Opening),
    /// Terminals that waited there went on.
    Woken(Opening),
    /// The next step of an answer to a dialog.
    Answering(PaneId),
    Create {
        session: SessionId,
        reader: Arc<Reader>,
        answer: Answer<()>,
    },
    Answer(Answer<()>),
    /// The answer to a paste.
    Pasted(PaneId, Answer<()>),
    /// A piece of a long input, and not its last.
    Piece(PaneId),
    /// Keys that waited for the courier were typed.
    Replayed(SessionId, Vec<u8>),
    /// The end of a session.
    Dispose(SessionId, Answer<()>),
    Capture(Answer<Capture>),
    Details(Answer<SessionDetails>),
    /// A hidden window was asked for.
    Errand(Box<Errand>),
    /// What a script printed, with its status.
    Fetch(i32, Answer<Output>),
    /// What a script's window shows, because its stream was interrupted.
    ErrandScreen(PaneId),
}

impl Server {
    /// `far` is for one that a command reaches, by a way that may be slow.
    pub fn new(recorder: Recorder, far: bool, users: bool) -> Server {
        let rooms = Rooms {
            now: Moment::default(),
            expected: BTreeMap::new(),
            panes: Panes::default(),
            early: BTreeMap::new(),
            early_requests: Vec::new(),
            fresh: true,
            asked: BTreeMap::new(),
            errands: BTreeMap::new(),
            turns: Turns::new(),
            queue: Vec::new(),
            dirty: Vec::new(),
            undigested: Vec::new(),
            facts: Vec::new(),
            next_poll: None,
            waiting_since: None,
            down: Some("not connected yet".into()),
            recorder,
            far,
            credit: Credit::default(),
            probe: None,
            slow: false,
            users,
            leaving: false,
            evicted: false,
            hosts: Vec::new(),
            ahead_ms: 0,
            faces_asked: None,
        };
        Server { engine: Engine::default(), rooms }
    }

    /// A new connection stands: everything is asked anew.
    pub fn connected(&mut self, now: Moment) {
        self.engine = Engine::default();
        self.rooms.down = None;
        self.rooms.probe = None;
        self.rooms.slow = false;
        self.rooms.waiting_since = None;
        self.rooms.move_into_hub();
        let hosts = Command::new("display-message").arg("-p").arg(HOST_FORMAT);
        self.rooms.ask(hosts, Purpose::Hosts);
        if !self.rooms.users {
            self.rooms.ask(ends_command(), Purpose::Nothing);
        }
        self.rooms.next_poll = Some(now);
        self.handle_time(now);
    }

    /// The connection is gone, and with it every answer that was due.
    pub fn disconnected(&mut self, reason: &str) {
        let rooms = &mut self.rooms;
        let unanswered = std::mem::take(&mut rooms.asked).into_values();
        let queued = rooms.queue.drain(..).map(|(_, purpose)| purpose);
        let turns = std::mem::take(&mut rooms.turns).into_values().flatten();
        for purpose in unanswered.chain(queued).chain(turns.map(Turn::into_purpose)) {
            match purpose {
                // Nobody else knows of them, and they may never have arrived.
                Purpose::Replayed(session, keys) => {
                    let keys = String::from_utf8_lossy(&keys).into_owned();
                    rooms.facts.push((session, Fact::Withheld { keys }));
                }
                purpose => purpose.fail(&HostError::Lost(reason.to_owned())),
            }
        }
        rooms.end_errands(&HostError::Lost(reason.to_owned()));
        if rooms.down.as_deref() != Some(reason) {
            for session in rooms.expected.keys() {
                let fact = Fact::Lost { reason: reason.to_owned() };
                rooms.facts.push((session.clone(), fact));
            }
        }
        for pane in rooms.panes.iter_mut() {
            pane.disconnected(reason, rooms.now);
        }
        rooms.down = Some(reason.to_owned());
        rooms.fresh = false;
        rooms.handle_early_requests();
        rooms.credit = Credit::default();
        rooms.next_poll = None;
        rooms.waiting_since = None;
    }

    pub fn handle_bytes(&mut self, bytes: &[u8], now: Moment) {
        self.pass_on(bytes, now);
        self.digest();
    }

    /// The part of [`Server::handle_bytes`] that viewers wait for. [`Server::digest`]
    /// is the other, and comes before anything else.
    pub fn pass_on(&mut self, bytes: &[u8], now: Moment) {
        let Server { engine, rooms } = self;
        rooms.now = now;
        rooms.credit.received(bytes.len(), now);
        engine.handle_bytes(bytes, &mut |event| rooms.handle_event(event));
        rooms.pass_on();
        rooms.waiting_since = if engine.in_flight() == 0 { None } else { Some(now) };
    }

    pub fn digest(&mut self) {
        self.rooms.digest();
    }

    pub fn handle_request(&mut self, request: Request, now: Moment) {
        self.rooms.now = now;
        self.rooms.handle_request(request);
    }

    /// What a poll from outside found while there is no connection: who has ended.
    pub fn handle_structure(&mut self, rows: &[Row]) {
        self.rooms.reconcile_ended(rows);
    }

    /// To be called when [`Server::next_deadline`] has come.
    pub fn handle_time(&mut self, now: Moment) {
        let rooms = &mut self.rooms;
        rooms.now = now;
        if rooms.next_poll.is_some_and(|at| now >= at) {
            rooms.next_poll = Some(Moment(now.0 + rooms.until_next_poll()));
            let poll = Command::new("list-panes").arg("-a").opt("-F", ROW_FORMAT);
            rooms.ask(poll, Purpose::Poll(now));
        }
        let mut settled = Vec::new();
        let mut framing = Vec::new();
        rooms.ask_faces();
        for pane in rooms.panes.iter_mut() {
            framing.extend(pane.take_frames_news(now).map(|frames| (pane.id, frames)));
            pane.show_desk(now);
            let mut heard = pane.look(now);
            heard.extend(pane.ears.handle_time(now));
            rooms.facts.extend(heard.into_iter().map(|fact| (pane.session.clone(), fact)));
            if pane.settle_at().is_some_and(|at| now >= at) {
                pane.settle(now);
                settled.push(pane.id);
            }
        }
        for pane in settled {
            rooms.seed_if_wanted(pane);
        }
        for (pane, frames) in framing {
            rooms.ask(frames_command(pane, frames), Purpose::Nothing);
        }
        rooms.end_rests();
        rooms.open_forsaken_gates();
        rooms.go_on_answering();
    }

    pub fn next_deadline(&mut self) -> Option<Moment> {
        let rooms = &mut self.rooms;
        let stuck = rooms.waiting_since.map(|since| Moment(since.0 + STUCK_MS));
        let times = [rooms.next_poll, rooms.panes.next_tending(), rooms.faces_at(), stuck];
        times.into_iter().flatten().min()
    }

    /// Whether a reply has no end: no tmux does that, but a host may.
    pub fn is_flooded(&self) -> bool {
        self.engine.held() > MOST_REPLY
    }

    /// Whether tmux owes us an answer for too long.
    pub fn is_stuck(&self, now: Moment) -> bool {
        self.rooms.waiting_since.is_some_and(|since| now.0 - since.0 >= STUCK_MS)
    }

    /// We have stood still ourselves: what is due may be there already.
    pub fn woke(&mut self, now: Moment) {
        self.rooms.waiting_since = self.rooms.waiting_since.map(|_| now);
    }

    /// What to write to tmux.
    pub fn take_outgoing(&mut self) -> Vec<u8> {
        for (batch, purpose) in self.rooms.queue.drain(..) {
            let ticket = self.engine.send(batch);
            self.rooms.asked.insert(ticket, purpose);
            self.rooms.waiting_since.get_or_insert(self.rooms.now);
        }
        let mut outgoing = self.engine.take_outgoing();
        outgoing.extend(self.rooms.credit.take().unwrap_or_default().into_bytes());
        outgoing
    }

    /// What the hub should know, oldest first.
    pub fn take_facts(&mut self) -> Vec<(SessionId, Fact)> {
        std::mem::take(&mut self.rooms.facts)
    }
}

impl Rooms {
    fn ask(&mut self, batch: impl Into<Batch>, purpose: Purpose) {
        self.queue.push((batch.into(), purpose));
    }

    fn handle_event(&mut self, event: Event<'_>) {
        match event {
            Event::Output { pane, data } => {
                if let Some(room) = self.panes.get_mut(&pane) {
                    if room.batch().is_empty() {
                        self.dirty.push(pane);
                    }
                    data.unescape_into(room.batch());
                } else if self.errands.contains_key(&pane) {
                    let mut said = Vec::new();
                    data.unescape_into(&mut said);
                    self.errand_says(pane, &said);
                }
            }
            Event::Reply(reply) => {
                // A reply tells of a moment in the stream: what came before it goes first.
                self.flush();
                self.handle_reply(reply);
            }
            Event::Notice(notice) => {
                self.flush();
                self.handle_notice(notice);
            }
        }
    }

    fn flush(&mut self) {
        self.pass_on();
        self.digest();
    }

    fn pass_on(&mut self) {
        for id in self.dirty.drain(..) {
            if let Some(pane) = self.panes.get_mut(&id) {
                pane.pass_on(self.now);
                self.undigested.push(id);
            }
        }
    }

    fn digest(&mut self) {
        while let Some(id) = self.undigested.pop() {
            let Some(pane) = self.panes.get_mut(&id) else { continue };
            for fact in pane.digest(self.now) {
                self.facts.push((pane.session.clone(), fact));
            }
            pane.show_desk(self.now);
            if self.far {
                self.tend_flow(id);
            }
        }
    }

    fn handle_notice(&mut self, notice: Notification<'_>) {
        match notice {
            Notification::Pause { pane } if self.errands.contains_key(&pane) => {
                self.errand_paused(pane);
            }
            Notification::Pause { pane } => {
                if let Some(room) = self.panes.get_mut(&pane) {
                    room.fall_out_of_step(self.now);
                    room.lose_thread();
                    let rest = flow::rest_of(room);
                    room.rests_until = Some(Moment(self.now.0 + rest));
                    self.end_rests();
                }
            }
            Notification::LayoutChange { window, .. } => {
                let resized: Vec<PaneId> =
                    self.panes.iter().filter(|p| p.window == window).map(|p| p.id).collect();
                for pane in resized {
                    if let Some(room) = self.panes.get_mut(&pane) {
                        room.fall_out_of_step(self.now);
                    }
                    self.seed_if_wanted(pane);
                }
            }
            Notification::SessionChanged { name } => self.moved_to(name),
            Notification::WindowClose { .. }
            | Notification::WindowRenamed
            | Notification::SessionsChanged => self.poll_soon(),
            Notification::Other(credit::RELAY) if self.far => self.credit.relayed(),
            Notification::PaneModeChanged { pane } if self.panes.contains(&pane) => {
                let mode = Command::new("display-message").arg("-p");
                let mode = mode.opt("-t", pane.to_string()).arg("mode #{pane_in_mode}");
                self.ask(mode, Purpose::Mode(pane));
            }
            _ => {}
        }
    }

    /// A little different each time: many servers at once would hold up everything for a moment.
    fn until_next_poll(&self) -> i64 {
        if self.far || self.users {
            return rand::random_range(OFTEN_POLL_MS);
        }
        let sessions = self.expected.len() as i64;
        let least = (sessions * POLL_MS_A_SESSION).clamp(*POLL_MS.start(), *POLL_MS.end());
        rand::random_range(least..=least * 5 / 4)
    }

    fn poll_soon(&mut self) {
        let soon = Moment(self.now.0 + HINT_MS);
        self.next_poll = self.next_poll.map(|at| at.min(soon));
    }
}
