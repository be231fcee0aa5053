//! How what was kept is read again.

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use schmux_core::fleet::{Entry, Fleet, Session, Workspace};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;
use serde::de::DeserializeOwned;

use super::{HistoryQuery, Places, Restored, hosts, mail};

pub(super) fn load(connection: &Connection, now: Moment) -> rusqlite::Result<Restored> {
    let workspaces: Vec<Workspace> = records(connection, "SELECT id, record FROM workspaces")?;
    let sessions: Vec<Session> = records(connection, "SELECT id, record FROM sessions")?;
    let newest: Option<i64> =
        connection.query_row("SELECT max(number) FROM history", [], |row| row.get(0))?;
    let newest = newest.and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    let fleet = Fleet::restore(workspaces, sessions, newest, now);
    let (places, mail) = (places(connection)?, mail::open_mail(connection)?);
    Ok(Restored { fleet, places, mail, hosts: hosts::load(connection)? })
}

/// Reads records. One that can't be read is left where it is and named in the
/// log: the rest of the fleet is worth more than a refusal to start.
fn records<T: DeserializeOwned>(connection: &Connection, query: &str) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare(query)?;
    let rows =
        statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut found = Vec::new();
    for row in rows {
        let (id, record) = row?;
        found.extend(parse(&id, &record));
    }
    Ok(found)
}

fn places(connection: &Connection) -> rusqlite::Result<HashMap<SessionId, Places>> {
    let mut statement = connection.prepare("SELECT session, source, record FROM places")?;
    let text = |row: &Row<'_>, column| row.get::<_, String>(column);
    let rows = statement.query_map([], |row| Ok((text(row, 0)?, text(row, 1)?, text(row, 2)?)))?;
    let mut places: HashMap<SessionId, Places> = HashMap::new();
    for row in rows {
        let (session, source, record) = row?;
        let Ok(id) = SessionId::new(&session) else { continue };
        let entry = places.entry(id).or_default();
        match source.as_str() {
            super::STATUS => entry.status = parse(&session, &record).unwrap_or_default(),
            super::EVENTS => entry.events = parse(&session, &record).unwrap_or_default(),
            super::MARKERS => entry.markers = parse(&session, &record).unwrap_or_default(),
            _ => {}
        }
    }
    Ok(places)
}

/// A page of the history, oldest first.
pub(super) fn history(
    connection: &Connection,
    query: &HistoryQuery,
) -> rusqlite::Result<Vec<Entry>> {
    let (order, bound) = match query.after {
        // Without a beginning the newest ones are wanted.
        None => ("DESC", 0),
        Some(after) => ("ASC", after),
    };
    let sql = format!(
        "SELECT number, at, session, record FROM history
         WHERE number > ?1 AND (?2 IS NULL OR session = ?2) ORDER BY number {order} LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let session = query.session.as_ref().map(SessionId::as_str);
    let rows = statement.query_map(params![bound as i64, session, query.limit], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get(2)?, row.get(3)?))
    })?;
    let mut entries = Vec::new();
    for row in rows {
        let (number, at, session, record): (i64, i64, String, String) = row?;
        let (Ok(id), Some(what)) = (SessionId::new(&session), parse(&session, &record)) else {
            continue;
        };
        entries.push(Entry { number: number as u64, at: Moment(at), session: id, what });
    }
    if query.after.is_none() {
        entries.reverse();
    }
    Ok(entries)
}

pub(super) fn parse<T: DeserializeOwned>(id: &str, record: &str) -> Option<T> {
    serde_json::from_str(record)
        .inspect_err(
            |error| tracing::error!(id, %error, "a stored record can't be read; left alone"),
        )
        .ok()
}
