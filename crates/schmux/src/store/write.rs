//! How what is to be kept is written.

use rusqlite::{Connection, Transaction, params};
use schmux_core::fleet::{Entry, Place, Save};
use schmux_core::ids::SessionId;

use super::mail;

/// How long the history is kept, in milliseconds: a month.
const HISTORY_MS: i64 = 30 * 24 * 3600 * 1000;

/// How many lines of it are kept at most: some hundred megabytes if all are long.
const HISTORY_LINES: i64 = 200_000;

/// Forgets what is too old to be looked up. The newest line always stays: the
/// next one is numbered after it.
pub(super) fn prune(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute(
        "DELETE FROM history WHERE number < (SELECT max(number) FROM history)
         AND (at < unixepoch() * 1000 - ?1 OR number <= (SELECT max(number) FROM history) - ?2)",
        [HISTORY_MS, HISTORY_LINES],
    )?;
    Ok(())
}

/// Writes all of `saves`, or nothing.
pub(super) fn write(connection: &mut Connection, saves: &[Save]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for save in saves {
        write_one(&transaction, save)?;
    }
    transaction.commit()
}

fn write_one(transaction: &Transaction<'_>, save: &Save) -> rusqlite::Result<()> {
    match save {
        Save::Workspace(workspace) => transaction
            .prepare_cached("INSERT OR REPLACE INTO workspaces (id, record) VALUES (?1, ?2)")?
            .execute(params![workspace.id.as_str(), record(workspace)]),
        Save::Session(session) => transaction
            .prepare_cached("INSERT OR REPLACE INTO sessions (id, record) VALUES (?1, ?2)")?
            .execute(params![session.id.as_str(), record(session.as_ref())]),
        Save::ForgetSession(id) => {
            // Its history stays until it is old: people look there for what is gone.
            transaction
                .prepare_cached("DELETE FROM places WHERE session = ?1")?
                .execute([id.as_str()])?;
            mail::forget(transaction, id)?;
            transaction.prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([id.as_str()])
        }
        Save::ForgetWorkspace(id) => transaction
            .prepare_cached("DELETE FROM workspaces WHERE id = ?1")?
            .execute([id.as_str()]),
        Save::Message(session, message, stamps) => {
            mail::write_message(transaction, session, message, stamps)
        }
        Save::Promoted(message, at) => mail::promote(transaction, *message, *at),
        Save::Delivery(session, save) => mail::write_delivery(transaction, session, save),
        Save::Place(session, place) => write_place(transaction, session, place),
        Save::Entry(Entry { number, at, session, what }) => transaction
            .prepare_cached(
                "INSERT OR REPLACE INTO history (number, at, session, record)
                 VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![*number as i64, at.0, session.as_str(), record(what)]),
    }?;
    Ok(())
}

fn write_place(
    transaction: &Transaction<'_>,
    session: &SessionId,
    place: &Place,
) -> rusqlite::Result<usize> {
    let (source, record) = match place {
        Place::Status(reading) => (super::STATUS, record(reading)),
        Place::Events(position) => (super::EVENTS, record(position)),
        Place::Markers(ledger) => (super::MARKERS, record(ledger)),
    };
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO places (session, source, record) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![session.as_str(), source, record])
}

pub(super) fn record(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("records hold nothing that JSON can't")
}
