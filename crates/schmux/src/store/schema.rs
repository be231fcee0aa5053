//! The database's schema, as a list of steps that only grows.

use std::path::Path;

use rusqlite::Connection;

use super::StoreError;

/// Each entry takes the schema one version further. Never change one that has shipped.
const STEPS: &[&str] = &[
    "
    CREATE TABLE workspaces (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE TABLE sessions (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
    ",
    // How far each source was read, and the history of what was said.
    "
    CREATE TABLE places (
        session TEXT NOT NULL, source TEXT NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (session, source)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE history (
        number INTEGER PRIMARY KEY, at INTEGER NOT NULL, session TEXT NOT NULL, record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX history_of_session ON history (session, number);
    ",
    // Messages, what became of them, how far the one under way is, and drafts
    // that could not be put back.
    "
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, open INTEGER NOT NULL, record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX messages_of_session ON messages (session, id);
    CREATE TABLE receipts (message INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
    CREATE INDEX receipts_of_message ON receipts (message);
    CREATE TABLE attempts (session TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE TABLE drafts (session TEXT NOT NULL, record TEXT NOT NULL) STRICT;
    ",
    // Hosts that were added by hand.
    "
    CREATE TABLE hosts (name TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
    ",
    // Where something was spawned last.
    "
    CREATE TABLE recent (
        host TEXT NOT NULL, path TEXT NOT NULL, used_at INTEGER NOT NULL, record TEXT NOT NULL,
        PRIMARY KEY (host, path)
    ) STRICT, WITHOUT ROWID;
    ",
];

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let fail = |source| StoreError::Open { path: path.to_owned(), source };
    let found: u32 =
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fail)?;
    let known = STEPS.len() as u32;
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    for (version, step) in STEPS.iter().enumerate().skip(found as usize) {
        let transaction = connection.transaction().map_err(fail)?;
        transaction.execute_batch(step).map_err(fail)?;
        transaction.pragma_update(None, "user_version", version as u32 + 1).map_err(fail)?;
        transaction.commit().map_err(fail)?;
    }
    Ok(())
}
