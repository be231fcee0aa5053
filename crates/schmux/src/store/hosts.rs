//! Hosts that were added by hand or made for a workspace, as they are kept.

use rusqlite::{Connection, params};
use serde_json::Value;

use crate::config::Host;

/// A host as it is kept.
#[derive(Debug, Clone)]
pub struct StoredHost {
    pub name: String,
    pub host: Host,
    /// The workspace that it was made for.
    pub workspace: Option<String>,
}

/// What tells the workspace in a record, among the keys of the host.
const MADE_FOR: &str = "made_for";

pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<StoredHost>> {
    let mut statement = connection.prepare("SELECT name, record FROM hosts")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut found: Vec<StoredHost> = Vec::new();
    for row in rows {
        let (name, record): (String, String) = row?;
        match read(name.clone(), &record) {
            Ok(stored) => found.push(stored),
            Err(error) => tracing::error!(name, %error, "a stored host can't be read"),
        }
    }
    Ok(found)
}

fn read(name: String, record: &str) -> serde_json::Result<StoredHost> {
    let mut value: Value = serde_json::from_str(record)?;
    let workspace = value.as_object_mut().and_then(|fields| fields.remove(MADE_FOR));
    let workspace = workspace.and_then(|id| Some(id.as_str()?.to_owned()));
    Ok(StoredHost { name, host: serde_json::from_value(value)?, workspace })
}

pub(super) fn write(connection: &Connection, stored: &StoredHost) -> rusqlite::Result<()> {
    let mut value = serde_json::to_value(&stored.host).unwrap_or_default();
    if let (Some(fields), Some(workspace)) = (value.as_object_mut(), &stored.workspace) {
        fields.insert(MADE_FOR.to_owned(), workspace.as_str().into());
    }
    let record = value.to_string();
    let save = "INSERT OR REPLACE INTO hosts (name, record) VALUES (?1, ?2)";
    connection.execute(save, params![stored.name, record]).map(|_| ())
}

pub(super) fn forget(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM hosts WHERE name = ?1", [name]).map(|_| ())
}
