//! Directories where something was spawned, and when last.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use schmux_core::fleet::WorkspaceKind;
use schmux_core::ids::HostId;
use schmux_core::time::Moment;

use super::read::parse;

/// More than anyone chooses from.
const KEPT: u32 = 100;

/// A directory where something was spawned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recent {
    pub path: String,
    pub kind: WorkspaceKind,
    pub host: HostId,
    pub branch: Option<String>,
    pub used_at: Moment,
}

pub(super) fn note(connection: &Connection, recent: &Recent) -> rusqlite::Result<()> {
    let record = serde_json::to_string(recent).expect("its keys are texts");
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO recent (host, path, used_at, record) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![recent.host.as_str(), recent.path, recent.used_at.0, record])?;
    connection
        .prepare_cached(
            "DELETE FROM recent WHERE used_at <
             (SELECT used_at FROM recent ORDER BY used_at DESC LIMIT 1 OFFSET ?1)",
        )?
        .execute([KEPT - 1])?;
    Ok(())
}

/// The last used first.
pub(super) fn list(connection: &Connection) -> rusqlite::Result<Vec<Recent>> {
    let mut statement =
        connection.prepare_cached("SELECT path, record FROM recent ORDER BY used_at DESC")?;
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut found = Vec::new();
    for row in rows {
        let (path, record) = row?;
        found.extend(parse::<Recent>(&path, &record));
    }
    Ok(found)
}
