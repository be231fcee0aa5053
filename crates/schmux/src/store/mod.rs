//! What schmux remembers: SQLite, in one file, on one thread.
//!
//! **Invariant:** only this module knows SQL. A write is on disk when its future
//! is done: WAL with `synchronous=NORMAL`, so a kill of the daemon loses nothing.

mod hosts;
mod mail;
mod read;
mod recent;
mod schema;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::Connection;
use schmux_core::courier::{Kept, Stored};
use schmux_core::fleet::{Entry, Fleet, Save};
use schmux_core::ids::SessionId;
use schmux_core::signal::ledger::Ledger;
use schmux_core::signal::{events_file, status_file};
use schmux_core::time::Moment;
use tokio::sync::{mpsc, oneshot};

pub use hosts::StoredHost;
pub use mail::{Letter, MailQuery};
pub use recent::Recent;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the database {} can't be used: {source}. Move it away to start afresh", path.display())]
    Open { path: PathBuf, source: rusqlite::Error },
    #[error(
        "the database {} was written by a newer schmux (schema {found}, this one knows {known}): install that version again",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
    #[error("the database refused a write: {0}. Is the disk full?")]
    Write(#[from] rusqlite::Error),
    #[error("the database's thread has ended")]
    Ended,
}

/// The names of the sources in the table of places.
const STATUS: &str = "status";
const EVENTS: &str = "events";
const MARKERS: &str = "markers";

/// How far each source of a session had been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    pub status: status_file::Reading,
    pub events: events_file::Position,
    pub markers: Ledger,
}

/// What was known when the daemon ended.
pub struct Restored {
    pub fleet: Fleet,
    pub places: HashMap<SessionId, Places>,
    /// Messages under way, by session.
    pub mail: HashMap<SessionId, Stored>,
    /// Hosts that were added by hand.
    pub hosts: Vec<StoredHost>,
}

/// Which lines of the history are wanted.
#[derive(Debug, Clone)]
pub struct HistoryQuery {
    /// Those after this number, oldest first; without it the newest ones.
    pub after: Option<u64>,
    pub session: Option<SessionId>,
    pub limit: u32,
}

/// A handle to the thread that owns the connection.
#[derive(Clone)]
pub struct Store {
    /// Bounded: whoever asks waits when the disk can't keep up.
    requests: mpsc::Sender<Request>,
}

type Answer<T> = oneshot::Sender<Result<T, rusqlite::Error>>;

enum Request {
    Save(Vec<Save>, Answer<()>),
    History(HistoryQuery, Answer<Vec<Entry>>),
    Mail(MailQuery, Answer<Vec<Letter>>),
    Drafts(SessionId, Answer<Vec<Kept>>),
    /// A host that was added, or (`None`) removed.
    SaveHost(Box<StoredHost>, Answer<()>),
    ForgetHost(String, Answer<()>),
    Used(Recent, Answer<()>),
    Recent(Answer<Vec<Recent>>),
}

/// More than one batch of the hub's never waits, and a few from elsewhere.
const REQUESTS: usize = 16;

impl Store {
    /// Opens or makes the database, brings it up to date, and reads what was stored,
    /// as it is known `now`.
    pub fn open(path: &Path, now: Moment) -> Result<(Store, Restored), StoreError> {
        let fail = |source| StoreError::Open { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(fail)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(fail)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(fail)?;
        schema::migrate(&mut connection, path)?;
        write::prune(&connection).map_err(fail)?;
        let restored = read::load(&connection, now).map_err(fail)?;
        let (requests, received) = mpsc::channel(REQUESTS);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || serve(connection, received))
            .expect("a thread can be started when the daemon starts");
        Ok((Store { requests }, restored))
    }

    /// Stores all of `saves` in one transaction.
    pub async fn save(&self, saves: Vec<Save>) -> Result<(), StoreError> {
        self.ask(|answer| Request::Save(saves, answer)).await
    }

    /// Reads lines of the history, oldest first.
    pub async fn history(&self, query: HistoryQuery) -> Result<Vec<Entry>, StoreError> {
        self.ask(|answer| Request::History(query, answer)).await
    }

    /// Reads messages with their receipts, oldest first.
    pub async fn mail(&self, query: MailQuery) -> Result<Vec<Letter>, StoreError> {
        self.ask(|answer| Request::Mail(query, answer)).await
    }

    /// Reads the drafts of a session that could not be put back.
    pub async fn drafts(&self, session: SessionId) -> Result<Vec<Kept>, StoreError> {
        self.ask(|answer| Request::Drafts(session, answer)).await
    }

    /// Notes that something was spawned in a directory.
    pub async fn note_use(&self, recent: Recent) -> Result<(), StoreError> {
        self.ask(|answer| Request::Used(recent, answer)).await
    }

    /// Directories where something was spawned, the last used first.
    pub async fn recent(&self) -> Result<Vec<Recent>, StoreError> {
        self.ask(Request::Recent).await
    }

    pub async fn save_host(&self, host: StoredHost) -> Result<(), StoreError> {
        self.ask(|answer| Request::SaveHost(Box::new(host), answer)).await
    }

    pub async fn forget_host(&self, name: String) -> Result<(), StoreError> {
        self.ask(|answer| Request::ForgetHost(name, answer)).await
    }

    async fn ask<T>(&self, request: impl FnOnce(Answer<T>) -> Request) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(request(answer)).await.map_err(|_| StoreError::Ended)?;
        Ok(answered.await.map_err(|_| StoreError::Ended)??)
    }
}

/// A caller that no longer waits has nothing to be told.
fn serve(mut connection: Connection, mut requests: mpsc::Receiver<Request>) {
    while let Some(request) = requests.blocking_recv() {
        match request {
            Request::Save(saves, answer) => {
                let _ = answer.send(write::write(&mut connection, &saves));
            }
            Request::History(query, answer) => {
                let _ = answer.send(read::history(&connection, &query));
            }
            Request::Mail(query, answer) => {
                let _ = answer.send(mail::letters(&connection, &query));
            }
            Request::Used(used, answer) => {
                let _ = answer.send(recent::note(&connection, &used));
            }
            Request::Recent(answer) => {
                let _ = answer.send(recent::list(&connection));
            }
            Request::SaveHost(host, answer) => {
                let _ = answer.send(hosts::write(&connection, &host));
            }
            Request::ForgetHost(name, answer) => {
                let _ = answer.send(hosts::forget(&connection, &name));
            }
            Request::Drafts(session, answer) => {
                let _ = answer.send(mail::drafts(&connection, &session));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::fleet::{Life, Place, What, Workspace, WorkspaceKind};
    use schmux_core::ids::{HostId, WorkspaceId};

    fn workspace(id: &str) -> Workspace {
        Workspace {
            id: WorkspaceId::new(id).unwrap(),
            path: "/p".into(),
            kind: WorkspaceKind::Worktree,
            branch: Some("b".into()),
            host: HostId::new("local").unwrap(),
            created_at: Moment(1),
        }
    }

    #[tokio::test]
    async fn what_was_saved_is_there_after_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("schmux.db");
        let (store, _) = Store::open(&path, Moment(9)).unwrap();
        let saves = vec![
            Save::Workspace(workspace("a-001")),
            Save::Workspace(workspace("b-001")),
            Save::ForgetWorkspace(WorkspaceId::new("a-001").unwrap()),
        ];
        store.save(saves).await.unwrap();
        let (_, restored) = Store::open(&path, Moment(9)).unwrap();
        assert_eq!(restored.fleet.workspaces().cloned().collect::<Vec<_>>(), [workspace("b-001")]);
    }

    fn entry(number: u64, session: &str) -> Entry {
        let what = What::Life { life: Life::Running };
        // Of today: what is old is forgotten when the database is opened.
        let at = Moment(jiff::Timestamp::now().as_millisecond());
        Entry { number, at, session: SessionId::new(session).unwrap(), what }
    }

    #[tokio::test]
    async fn places_and_history_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("schmux.db");
        let (store, _) = Store::open(&path, Moment(9)).unwrap();
        let id = SessionId::new("a-001-x").unwrap();
        let mut ledger = Ledger::default();
        ledger.begin_turn(Moment(7));
        let place = Save::Place(id.clone(), Place::Markers(ledger.clone()));
        let entries = (1..=5).map(|n| Save::Entry(entry(n, if n == 3 { "b" } else { "a-001-x" })));
        store.save(std::iter::once(place).chain(entries).collect()).await.unwrap();
        let (store, restored) = Store::open(&path, Moment(9)).unwrap();
        assert_eq!(restored.places[&id].markers, ledger);
        assert_eq!(restored.fleet.newest_entry(), 5);
        for (after, session, expected) in [
            (Some(2), None, vec![3, 4]),
            (Some(2), Some(&id), vec![4, 5]),
            (None, None, vec![4, 5]),
            (Some(5), None, vec![]),
        ] {
            let query = HistoryQuery { after, session: session.cloned(), limit: 2 };
            let found = store.history(query).await.unwrap();
            assert_eq!(found.iter().map(|e| e.number).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_database_of_a_newer_schmux_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("schmux.db");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 999).unwrap();
        let error = Store::open(&path, Moment(9)).err().unwrap().to_string();
        assert!(error.contains("newer schmux"), "{error}");
    }
}
