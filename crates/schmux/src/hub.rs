//! The single writer of the fleet's state.
//!
//! One bounded channel of events in; each batch is applied, stored in one
//! transaction, and only then shown to those who read. No setters, no callbacks.

use std::sync::Arc;
use std::time::Duration;

use schmux_core::fleet::{Event, Fact, Fleet, Save, Session, Urgency};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use crate::store::{Store, StoreError};

/// How many events may wait. A host keeps its facts when this is full, an API call waits.
const EVENTS: usize = 1024;

/// How many events are stored in one transaction.
const BATCH: usize = 256;

/// What isn't urgent is shown together with what else changes in this time.
const SOON: Duration = Duration::from_millis(500);

/// Hands events to the hub.
#[derive(Clone)]
pub struct HubSender(mpsc::Sender<Message>);

/// Reads the newest state.
pub type Snapshots = watch::Receiver<Arc<Fleet>>;

enum Message {
    Event {
        event: Event,
        done: Option<oneshot::Sender<Result<bool, String>>>,
    },
    /// Someone wants to know a session as it is at this moment.
    Look {
        session: SessionId,
        answer: oneshot::Sender<Option<Session>>,
    },
    /// The same for all that there is.
    LookAll {
        answer: oneshot::Sender<Arc<Fleet>>,
    },
}

impl Message {
    /// An event whose effects nobody waits for.
    fn told(event: Event) -> Message {
        Message::Event { event, done: None }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum HubError {
    #[error("it could not be stored: {0}")]
    Store(String),
    #[error("the daemon is shutting down")]
    ShuttingDown,
}

impl HubSender {
    /// Applies an event; done when it is on disk and everyone sees it.
    pub async fn apply(&self, event: Event) -> Result<(), HubError> {
        self.ask(event).await.map(|_| ())
    }

    /// Applies a claim; whether it was granted.
    pub async fn claim(
        &self,
        session: SessionId,
        channel: String,
        seq: u64,
        by: String,
    ) -> Result<bool, HubError> {
        self.ask(Event::Claim { session, channel, seq, by }).await
    }

    /// A session with all that is known of it now. What others are shown may be older:
    /// evidence that changes nothing is not told to them.
    pub async fn session(&self, session: SessionId) -> Option<Session> {
        let (answer, told) = oneshot::channel();
        self.0.send(Message::Look { session, answer }).await.ok()?;
        told.await.ok()?
    }

    /// All sessions and workspaces as they are now: at least as new as whatever stands in
    /// the history. What readers are shown is up to [`SOON`] behind it.
    pub async fn fleet(&self) -> Option<Arc<Fleet>> {
        let (answer, told) = oneshot::channel();
        self.0.send(Message::LookAll { answer }).await.ok()?;
        told.await.ok()
    }

    /// Hands in an event without waiting until it is on disk.
    pub async fn tell(&self, event: Event) -> Result<(), HubError> {
        self.0.send(Message::told(event)).await.map_err(|_| HubError::ShuttingDown)
    }

    /// As [`HubSender::tell`], for a thread that may wait. Whether anyone listens.
    pub fn tell_blocking(&self, event: Event) -> bool {
        self.0.blocking_send(Message::told(event)).is_ok()
    }

    async fn ask(&self, event: Event) -> Result<bool, HubError> {
        let (done, applied) = oneshot::channel();
        let message = Message::Event { event, done: Some(done) };
        self.0.send(message).await.map_err(|_| HubError::ShuttingDown)?;
        applied.await.map_err(|_| HubError::ShuttingDown)?.map_err(HubError::Store)
    }

    /// Waits for room for one fact; `None` when the hub has ended.
    pub(crate) async fn reserve(&self) -> Option<Permit<'_>> {
        self.0.reserve().await.ok().map(Permit)
    }
}

/// Room for one fact.
pub(crate) struct Permit<'a>(mpsc::Permit<'a, Message>);

impl Permit<'_> {
    pub(crate) fn seen(self, session: SessionId, fact: Fact) {
        self.0.send(Message::told(Event::Seen(session, fact)));
    }
}

/// Starts the hub on a fleet that was restored from the store.
pub fn start(fleet: Fleet, store: Store) -> (HubSender, Snapshots) {
    let (events, received) = mpsc::channel(EVENTS);
    let (shown, snapshots) = watch::channel(Arc::new(fleet.clone()));
    tokio::spawn(run(fleet, store, received, shown));
    (HubSender(events), snapshots)
}

async fn run(
    mut fleet: Fleet,
    store: Store,
    mut events: mpsc::Receiver<Message>,
    shown: watch::Sender<Arc<Fleet>>,
) {
    // What a failed write left over; it is tried again with the next one.
    let mut unsaved: Vec<Save> = Vec::new();
    let mut show_at: Option<Instant> = None;
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let due = show_at.unwrap_or_else(Instant::now);
        // A verdict may change because nothing has happened.
        let tick = fleet.due().map(|at| Instant::now() + at.since(now()));
        tokio::select! {
            count = events.recv_many(&mut batch, BATCH) => if count == 0 { return },
            () = sleep_until(tick.unwrap_or_else(Instant::now)), if tick.is_some() => {
                batch.push(Message::told(Event::Tick));
            }
            () = sleep_until(due), if show_at.is_some() => {
                show_at = None;
                shown.send_replace(Arc::new(fleet.clone()));
                continue;
            }
        }
        let mut tell = Urgency::Nothing;
        let mut waiting = Vec::new();
        let mut looking = Vec::new();
        let mut undo = Vec::new();
        let now = now();
        for message in batch.drain(..) {
            let (event, done) = match message {
                Message::Event { event, done } => (event, done),
                Message::Look { session, answer } => {
                    // Whoever asked may have left.
                    let _ = answer.send(fleet.session(&session).cloned());
                    continue;
                }
                Message::LookAll { answer } => {
                    looking.push(answer);
                    continue;
                }
            };
            undo.extend(undone_by(&event, &fleet));
            let effects = fleet.apply(event, now);
            unsaved.extend(effects.save);
            tell = tell.max(effects.tell);
            for (session, drift) in effects.drifts {
                tracing::info!(%session, "{drift}");
            }
            waiting.extend(done.map(|done| (done, effects.granted)));
        }
        let stored = save(&store, &mut unsaved).await;
        if stored.is_err() {
            for event in undo {
                unsaved.extend(fleet.apply(event, now).save);
            }
        }
        match tell {
            Urgency::Now => {
                show_at = None;
                shown.send_replace(Arc::new(fleet.clone()));
            }
            Urgency::Soon => {
                show_at.get_or_insert_with(|| Instant::now() + SOON);
            }
            Urgency::Nothing => {}
        }
        for (done, granted) in waiting {
            // Whoever asked may have left.
            let _ = done.send(stored.as_ref().map(|()| granted).map_err(ToString::to_string));
        }
        // After the write: what they are told is on disk.
        if !looking.is_empty() {
            let fleet = Arc::new(fleet.clone());
            for answer in looking {
                // The same.
                let _ = answer.send(fleet.clone());
            }
        }
    }
}

/// What takes back an event that couldn't be stored. Everything else has happened, stored
/// or not; but sessions that whoever asked for them is refused must not be shown.
fn undone_by(event: &Event, fleet: &Fleet) -> Vec<Event> {
    let Event::SessionsAdded { workspace, sessions } = event else { return Vec::new() };
    let is_new = fleet.workspace(&workspace.id).is_none();
    let gone = sessions.iter().map(|session| Event::SessionDisposed(session.id.clone()));
    gone.chain(is_new.then(|| Event::WorkspaceRemoved(workspace.id.clone()))).collect()
}

fn now() -> Moment {
    Moment(jiff::Timestamp::now().as_millisecond())
}

async fn save(store: &Store, unsaved: &mut Vec<Save>) -> Result<(), StoreError> {
    if unsaved.is_empty() {
        return Ok(());
    }
    let result = store.save(unsaved.clone()).await;
    match &result {
        Ok(()) => unsaved.clear(),
        Err(error) => tracing::error!(%error, "state is not on disk; it is kept and tried again"),
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;
    use schmux_core::fleet::{Address, Socket, Workspace, WorkspaceKind};
    use schmux_core::ids::{HostId, WorkspaceId};

    fn added(workspace: &str, sessions: &[&str]) -> Event {
        let workspace = Workspace {
            id: WorkspaceId::new(workspace).unwrap(),
            path: "/p".into(),
            kind: WorkspaceKind::Clone,
            branch: None,
            host: HostId::new("local").unwrap(),
            created_at: Moment(1),
        };
        let session = |id: &&str| {
            let address = Address::here(Socket::Name("s".into()), (*id).into());
            let (id, host) = (SessionId::new(*id).unwrap(), workspace.host.clone());
            Session::new(id, workspace.id.clone(), host, address, Moment(2))
        };
        Event::SessionsAdded { sessions: sessions.iter().map(session).collect(), workspace }
    }

    fn shown(fleet: &Fleet) -> [Vec<String>; 2] {
        let workspaces = fleet.workspaces().map(|workspace| workspace.id.to_string()).collect();
        [workspaces, fleet.sessions().map(|session| session.id.to_string()).collect()]
    }

    #[tokio::test]
    async fn sessions_that_cannot_be_stored_are_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("schmux.db");
        let (store, restored) = Store::open(&path, now()).unwrap();
        let (hub, snapshots) = start(restored.fleet, store);
        hub.apply(added("a-001", &["a-001-x"])).await.unwrap();
        let sql = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        // A disk that refuses writes, and takes them again.
        sql("ALTER TABLE sessions RENAME TO away");
        hub.apply(added("b-001", &["b-001-x", "b-001-y"])).await.unwrap_err();
        hub.apply(added("a-001", &["a-001-y"])).await.unwrap_err();
        let expected = [vec!["a-001".to_owned()], vec!["a-001-x".to_owned()]];
        assert_eq!(shown(&snapshots.borrow()), expected);
        sql("ALTER TABLE away RENAME TO sessions");
        hub.apply(added("c-001", &[])).await.unwrap();
        let (_, restored) = Store::open(&path, now()).unwrap();
        let expected = [vec!["a-001".to_owned(), "c-001".to_owned()], expected[1].clone()];
        assert_eq!(shown(&restored.fleet), expected);
    }
}
