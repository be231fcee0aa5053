//! What schmux remembers: SQLite, in one file, on one thread.
//!
//! **Invariant:** only this module knows SQL. A write is on disk when its future
//! is done: WAL with `synchronous=NORMAL`, so a kill of the daemon loses nothing.

mod schema;

use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::{Connection, params};
use schmux_core::fleet::{Fleet, Save, Session, Workspace};
use tokio::sync::{mpsc, oneshot};

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

/// A handle to the thread that owns the connection.
#[derive(Clone)]
pub struct Store {
    /// Bounded: a writer waits when the disk can't keep up.
    writes: mpsc::Sender<Write>,
}

struct Write {
    saves: Vec<Save>,
    done: oneshot::Sender<Result<(), rusqlite::Error>>,
}

/// More than one batch of the hub's never waits, and a few from elsewhere.
const WRITES: usize = 16;

impl Store {
    /// Opens or makes the database, brings it up to date, and reads what was stored.
    pub fn open(path: &Path) -> Result<(Store, Fleet), StoreError> {
        let fail = |source| StoreError::Open { path: path.to_owned(), source };
        let mut connection = Connection::open(path).map_err(fail)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(fail)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(fail)?;
        schema::migrate(&mut connection, path)?;
        let fleet = load(&connection).map_err(fail)?;
        let (writes, requests) = mpsc::channel(WRITES);
        thread::Builder::new()
            .name("store".into())
            .spawn(move || serve(connection, requests))
            .expect("a thread can be started when the daemon starts");
        Ok((Store { writes }, fleet))
    }

    /// Stores all of `saves` in one transaction.
    pub async fn save(&self, saves: Vec<Save>) -> Result<(), StoreError> {
        let (done, written) = oneshot::channel();
        self.writes.send(Write { saves, done }).await.map_err(|_| StoreError::Ended)?;
        Ok(written.await.map_err(|_| StoreError::Ended)??)
    }
}

fn serve(mut connection: Connection, mut requests: mpsc::Receiver<Write>) {
    while let Some(Write { saves, done }) = requests.blocking_recv() {
        // A caller that no longer waits has nothing to be told.
        let _ = done.send(write(&mut connection, &saves));
    }
}

fn write(connection: &mut Connection, saves: &[Save]) -> Result<(), rusqlite::Error> {
    let transaction = connection.transaction()?;
    for save in saves {
        match save {
            Save::Workspace(workspace) => transaction
                .prepare_cached("INSERT OR REPLACE INTO workspaces (id, record) VALUES (?1, ?2)")?
                .execute(params![workspace.id.as_str(), record(workspace)])?,
            Save::Session(session) => transaction
                .prepare_cached("INSERT OR REPLACE INTO sessions (id, record) VALUES (?1, ?2)")?
                .execute(params![session.id.as_str(), record(session)])?,
            Save::ForgetSession(id) => transaction
                .prepare_cached("DELETE FROM sessions WHERE id = ?1")?
                .execute([id.as_str()])?,
            Save::ForgetWorkspace(id) => transaction
                .prepare_cached("DELETE FROM workspaces WHERE id = ?1")?
                .execute([id.as_str()])?,
        };
    }
    transaction.commit()
}

fn record(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("records hold nothing that JSON can't")
}

fn load(connection: &Connection) -> Result<Fleet, rusqlite::Error> {
    let workspaces: Vec<Workspace> = records(connection, "SELECT id, record FROM workspaces")?;
    let sessions: Vec<Session> = records(connection, "SELECT id, record FROM sessions")?;
    Ok(Fleet::restore(workspaces, sessions))
}

/// Reads records. One that can't be read is left where it is and named in the
/// log: the rest of the fleet is worth more than a refusal to start.
fn records<T: serde::de::DeserializeOwned>(
    connection: &Connection,
    query: &str,
) -> Result<Vec<T>, rusqlite::Error> {
    let mut statement = connection.prepare(query)?;
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut found = Vec::new();
    for row in rows {
        let (id, record) = row?;
        match serde_json::from_str(&record) {
            Ok(value) => found.push(value),
            Err(error) => tracing::error!(id, %error, "a stored record can't be read; left alone"),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schmux_core::fleet::WorkspaceKind;
    use schmux_core::ids::{HostId, WorkspaceId};
    use schmux_core::time::Moment;

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
        let (store, _) = Store::open(&path).unwrap();
        let saves = vec![
            Save::Workspace(workspace("a-001")),
            Save::Workspace(workspace("b-001")),
            Save::ForgetWorkspace(WorkspaceId::new("a-001").unwrap()),
        ];
        store.save(saves).await.unwrap();
        let (_, fleet) = Store::open(&path).unwrap();
        assert_eq!(fleet.workspaces().cloned().collect::<Vec<_>>(), [workspace("b-001")]);
    }

    #[test]
    fn a_database_of_a_newer_schmux_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("schmux.db");
        Connection::open(&path).unwrap().pragma_update(None, "user_version", 999).unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("newer schmux"), "{error}");
    }
}
