//! Hosts that were added by hand, as they are kept.

use rusqlite::{Connection, params};

use crate::config::Host;

pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<(String, Host)>> {
    let mut statement = connection.prepare("SELECT name, record FROM hosts")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
    let mut found: Vec<(String, Host)> = Vec::new();
    for row in rows {
        let (name, record): (String, String) = row?;
        match serde_json::from_str(&record) {
            Ok(host) => found.push((name, host)),
            Err(error) => tracing::error!(name, %error, "a stored host can't be read"),
        }
    }
    Ok(found)
}

pub(super) fn write(
    connection: &Connection,
    name: &str,
    host: Option<&Host>,
) -> rusqlite::Result<()> {
    match host {
        Some(host) => connection.execute(
            "INSERT OR REPLACE INTO hosts (name, record) VALUES (?1, ?2)",
            params![name, super::write::record(host)],
        ),
        None => connection.execute("DELETE FROM hosts WHERE name = ?1", [name]),
    }
    .map(|_| ())
}
