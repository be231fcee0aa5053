//! The sockets: `/ws/dashboard` tells what changed, `/ws/terminal/{id}` is one
//! viewer of one pane.
//!
//! A terminal's two directions run side by side, so that a key is never stuck
//! behind output that the other end is slow to take.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use schmux_core::fleet::Fleet;
use schmux_core::screen::Size;
use tokio::sync::{Notify, watch};
use tokio::time::MissedTickBehavior;

use super::error::{Failure, Path, Query};
use crate::app::App;
use crate::host::pace::Pace;
use crate::host::viewer::{FRAME_BYTES, Item, Next, ViewerFeed};
use crate::host::{Control, Watch};
use crate::hosts;
use crate::hub::Snapshots;
use crate::wire::{self, DashboardMessage, TerminalQuery, TerminalRequest};

/// How far a viewer that acknowledges may be ahead of what it has drawn. Less
/// makes a fast one wait for its own acknowledgements; more makes a slow one
/// draw what is long past.
const AHEAD: u64 = 1 << 20;

/// History in a viewer's first keyframe, unless it asks for another amount.
const HISTORY: u32 = 1000;

/// tmux keeps no more than this many lines unless told otherwise.
const MOST_HISTORY: u32 = 50_000;

/// The largest message a viewer may send: a paste of a megabyte in JSON, and more. The
/// page says so of a longer one (`MOST_BYTES` in `pasting.ts`).
const MOST_INCOMING: usize = 8 << 20;

/// What is read from a viewer at once: keys and acknowledgements are small, and
/// the buffer is cleared for every read. It grows with a large message.
const READ_BYTES: usize = 512;

/// More than this beyond [`FLOOD_RATE`] is a flood: a large screen drawn in colours.
const BURST: usize = 32 << 10;

/// Bytes in a second that a person could still follow.
const FLOOD_RATE: usize = 512 << 10;

/// How long the pieces of a flood are gathered: a quarter of what a browser takes
/// to the next picture.
const GATHER: Duration = Duration::from_millis(4);

/// How often it is looked how the hosts stand: a question of ssh's is shown soon
/// enough for whoever waits for it, and a look costs microseconds.
const HOSTS_EVERY: Duration = Duration::from_millis(500);

/// How often a dashboard hears something when nothing changes: a page tells from the
/// silence that the daemon or the line hangs, which no closed connection tells it.
const ALIVE_EVERY: Duration = Duration::from_secs(2);

pub(super) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let news =
        News { sessions: encode_once(app.fleet.clone()), hosts: hosts_once(Arc::downgrade(app)) };
    Router::new()
        .route("/ws/terminal/{id}", get(terminal))
        .route("/ws/dashboard", get(move |upgrade| dashboard(upgrade, news)))
}

/// What dashboards are told, as JSON that was written once for all of them.
#[derive(Clone)]
struct News {
    sessions: Arc<Sessions>,
    hosts: watch::Receiver<Utf8Bytes>,
}

/// The sessions, written while somebody listens.
struct Sessions {
    newest: watch::Sender<Utf8Bytes>,
    /// Someone has come to listen.
    listens: Notify,
}

/// Writes each snapshot as JSON once, for however many dashboards.
fn encode_once(mut fleet: Snapshots) -> Arc<Sessions> {
    let sessions = Arc::new(Sessions {
        newest: watch::Sender::new(Utf8Bytes::default()),
        listens: Notify::new(),
    });
    let told = sessions.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                changed = fleet.changed() => if changed.is_err() { return },
                () = told.listens.notified() => {}
            }
            if told.newest.receiver_count() == 0 {
                continue;
            }
            let snapshot = fleet.borrow_and_update().clone();
            // A thousand sessions take milliseconds, which terminals would wait for.
            let encoded = tokio::task::spawn_blocking(move || encode(&snapshot)).await;
            match encoded {
                Ok(message) => drop(told.newest.send_replace(message)),
                // Only the end of the daemon keeps it from being done.
                Err(_) => return,
            }
        }
    });
    sessions
}

fn encode(fleet: &Fleet) -> Utf8Bytes {
    json(&DashboardMessage::Sessions { workspaces: wire::workspaces(fleet) })
}

/// Looks how the hosts stand for as long as somebody may be told. A host's state has
/// no event of its own, because it is not the fleet's.
fn hosts_once(app: Weak<App>) -> watch::Receiver<Utf8Bytes> {
    let mut known = Vec::new();
    let (sender, encoded) = watch::channel(json(&DashboardMessage::Hosts { hosts: Vec::new() }));
    tokio::spawn(async move {
        while let Some(app) = app.upgrade().filter(|_| !sender.is_closed()) {
            let hosts = hosts::list(&app);
            // The daemon may end while this sleeps.
            drop(app);
            if hosts != known {
                known.clone_from(&hosts);
                sender.send_replace(json(&DashboardMessage::Hosts { hosts }));
            }
            tokio::time::sleep(HOSTS_EVERY).await;
        }
    });
    encoded
}

fn json(message: &impl serde::Serialize) -> Utf8Bytes {
    serde_json::to_string(message).expect("the API's types hold nothing that JSON can't").into()
}

async fn dashboard(upgrade: WebSocketUpgrade, news: News) -> Response {
    upgrade.on_upgrade(move |socket| show_dashboard(socket, news))
}

/// Everything at first, and again whenever something changed. A slow reader
/// misses states in between, never the last one.
async fn show_dashboard(socket: WebSocket, news: News) {
    let mut sessions = news.sessions.newest.subscribe();
    news.sessions.listens.notify_one();
    let mut hosts = news.hosts;
    hosts.mark_changed();
    // Its first tick comes at once: from then on a page expects the next ones.
    let mut alive = tokio::time::interval(ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut sink, mut stream) = socket.split();
    loop {
        let message = tokio::select! {
            changed = sessions.changed() => match changed {
                Ok(()) => Some(sessions.borrow_and_update().clone()),
                Err(_) => return,
            },
            Ok(()) = hosts.changed() => Some(hosts.borrow_and_update().clone()),
            _ = alive.tick() => Some(json(&DashboardMessage::Alive {})),
            incoming = stream.next() => match incoming {
                // Dashboards only listen; whatever they say is passed over.
                Some(Ok(_)) => None,
                _ => return,
            }
        };
        if let Some(message) = message
            && sink.send(Message::Text(message)).await.is_err()
        {
            return;
        }
    }
}

async fn terminal(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<TerminalQuery>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let session = app.session(&id)?;
    let history = query.history.unwrap_or(HISTORY).min(MOST_HISTORY);
    let watch = app.watch(&session, history).await?;
    let acknowledges = query.ack != 0;
    let upgrade = upgrade.max_message_size(MOST_INCOMING).read_buffer_size(READ_BYTES);
    Ok(upgrade.on_upgrade(move |socket| show_terminal(socket, watch, acknowledges)))
}

async fn show_terminal(socket: WebSocket, watch: Watch, acknowledges: bool) {
    let (sink, stream) = socket.split();
    let drawn = Drawn::default();
    let budget = acknowledges.then_some(&drawn);
    let Watch { feed, control } = watch;
    tokio::select! {
        // An echo waits for nothing, and keys wait only while output is handed to the kernel.
        biased;
        () = send_output(sink, &feed, &control, budget) => {}
        () = take_input(stream, &control, &drawn) => {}
    }
}

/// How many bytes the viewer says it has drawn.
#[derive(Default)]
struct Drawn {
    bytes: AtomicU64,
    more: Notify,
}

impl Drawn {
    /// Waits until the viewer is not too far behind what was sent.
    async fn catch_up(&self, sent: u64) {
        while sent.saturating_sub(self.bytes.load(Ordering::Relaxed)) > AHEAD {
            self.more.notified().await;
        }
    }
}

async fn send_output(
    mut sink: SplitSink<WebSocket, Message>,
    feed: &ViewerFeed,
    control: &Control,
    budget: Option<&Drawn>,
) {
    let mut sent = 0;
    let mut pace = Pace::new(BURST, FLOOD_RATE);
    loop {
        if let Some(drawn) = budget {
            drawn.catch_up(sent).await;
        }
        let result = match feed.next().await {
            Next::Send(Item::Bytes(bytes)) => {
                sent += bytes.len() as u64;
                // Behind a full frame more waits already.
                let is_full = bytes.len() > FRAME_BYTES / 2;
                let floods = pace.is_flood(bytes.len(), Instant::now());
                let result = sink.send(Message::Binary(bytes)).await;
                if floods && !is_full {
                    // Fewer and larger frames: the browser draws no less often.
                    tokio::time::sleep(GATHER).await;
                }
                result
            }
            Next::Send(Item::Message(message)) => sink.send(Message::Text(json(&message))).await,
            Next::Send(Item::Keyframe(announcement, frame)) => {
                sent += frame.len() as u64;
                match sink.feed(Message::Text(json(&announcement))).await {
                    Ok(()) => sink.send(Message::Binary(frame)).await,
                    Err(error) => Err(error),
                }
            }
            Next::AskForKeyframe => {
                control.refresh(None).await;
                Ok(())
            }
            Next::Closed => {
                // 4404 in the range for applications: the session is gone, don't come back.
                let frame = CloseFrame { code: 4404, reason: "the session is gone".into() };
                let _ = sink.send(Message::Close(Some(frame))).await;
                return;
            }
        };
        if result.is_err() {
            return;
        }
    }
}

async fn take_input(mut stream: SplitStream<WebSocket>, control: &Control, drawn: &Drawn) {
    while let Some(Ok(message)) = stream.next().await {
        match message {
            Message::Binary(keys) if !keys.is_empty() => control.keys(keys.into()).await,
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(request) => obey(request, control, drawn).await,
                Err(error) => tracing::warn!(%error, "a viewer said what no viewer should"),
            },
            Message::Close(_) => return,
            _ => {}
        }
    }
}

async fn obey(request: TerminalRequest, control: &Control, drawn: &Drawn) {
    match request {
        TerminalRequest::Ack { bytes } => {
            drawn.bytes.fetch_max(bytes, Ordering::Relaxed);
            drawn.more.notify_one();
        }
        TerminalRequest::Resize { cols, rows, claim } => {
            control.resize(Size::clamped(cols, rows), claim).await;
        }
        TerminalRequest::Paste { text } => control.paste(&text).await,
        TerminalRequest::Refresh { history } => {
            control.refresh(Some(history.min(MOST_HISTORY))).await;
        }
    }
}
