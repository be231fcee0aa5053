//! Messages and what became of them.

use std::collections::HashMap;

use rusqlite::{Connection, Transaction, params};
use schmux_core::courier::attempt::Attempt;
use schmux_core::courier::message::{Message, MessageId};
use schmux_core::courier::receipt::{Receipt, Stamp};
use schmux_core::courier::{Kept, Save, Stored};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;

use super::read::parse;
use super::write::record;

/// A message with all that became of it.
#[derive(Debug, Clone)]
pub struct Letter {
    pub session: SessionId,
    pub message: Message,
    /// Oldest first.
    pub receipts: Vec<Stamp>,
}

/// Which messages are wanted.
#[derive(Debug, Clone, Default)]
pub struct MailQuery {
    pub session: Option<SessionId>,
    pub message: Option<MessageId>,
    /// Only those whose fate is not known yet.
    pub open: bool,
    /// At most so many, the newest.
    pub limit: u32,
}

pub(super) fn write_message(
    transaction: &Transaction<'_>,
    session: &SessionId,
    message: &Message,
    stamps: &[Stamp],
) -> rusqlite::Result<usize> {
    transaction
        .prepare_cached("INSERT INTO messages (id, session, open, record) VALUES (?1, ?2, 1, ?3)")?
        .execute(params![message.id.0, session.as_str(), record(message)])?;
    for stamp in stamps {
        write_receipt(transaction, stamp)?;
    }
    Ok(stamps.len())
}

/// Notes when a message was put before the others; the newest goes first.
pub(super) fn promote(
    transaction: &Transaction<'_>,
    message: MessageId,
    at: Moment,
) -> rusqlite::Result<usize> {
    transaction
        .prepare_cached(
            "UPDATE messages SET record = json_set(record, '$.promoted_at', ?2) WHERE id = ?1",
        )?
        .execute(params![message.0, at.0])
}

pub(super) fn write_delivery(
    transaction: &Transaction<'_>,
    session: &SessionId,
    save: &Save,
) -> rusqlite::Result<usize> {
    for stamp in &save.receipts {
        write_receipt(transaction, stamp)?;
    }
    for kept in &save.kept {
        transaction
            .prepare_cached("INSERT INTO drafts (session, record) VALUES (?1, ?2)")?
            .execute(params![session.as_str(), record(kept)])?;
    }
    match &save.attempt {
        Some(attempt) => transaction
            .prepare_cached("INSERT OR REPLACE INTO attempts (session, record) VALUES (?1, ?2)")?
            .execute(params![session.as_str(), record(attempt)]),
        None => transaction
            .prepare_cached("DELETE FROM attempts WHERE session = ?1")?
            .execute([session.as_str()]),
    }
}

fn write_receipt(transaction: &Transaction<'_>, stamp: &Stamp) -> rusqlite::Result<usize> {
    let open = i64::from(!stamp.receipt.is_final());
    transaction
        .prepare_cached("UPDATE messages SET open = ?2 WHERE id = ?1")?
        .execute(params![stamp.message.0, open])?;
    transaction
        .prepare_cached("INSERT INTO receipts (message, record) VALUES (?1, ?2)")?
        .execute(params![stamp.message.0, record(stamp)])
}

/// Forgets a session's mail, except the drafts: they are the human's.
pub(super) fn forget(transaction: &Transaction<'_>, session: &SessionId) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM receipts WHERE message IN (SELECT id FROM messages WHERE session = ?1)",
        "DELETE FROM messages WHERE session = ?1",
        "DELETE FROM attempts WHERE session = ?1",
    ] {
        transaction.prepare_cached(sql)?.execute([session.as_str()])?;
    }
    Ok(())
}

/// What is under way in each session.
pub(super) fn open_mail(connection: &Connection) -> rusqlite::Result<HashMap<SessionId, Stored>> {
    let mut mail: HashMap<SessionId, Stored> = HashMap::new();
    let everything = MailQuery { open: true, limit: u32::MAX, ..MailQuery::default() };
    for Letter { session, message, receipts } in letters(connection, &everything)? {
        let stored = mail.entry(session).or_default();
        let is_overdue = |stamp: &Stamp| matches!(stamp.receipt, Receipt::Overdue(_));
        stored.overdue.extend(receipts.iter().any(is_overdue).then_some(message.id));
        match receipts.last() {
            Some(Stamp { receipt: Receipt::Submitted, at, .. }) => {
                stored.submitted.push((message, *at));
            }
            Some(Stamp { receipt: Receipt::Handed(call), .. }) => {
                stored.handed.push((message, call.clone()));
            }
            Some(Stamp { receipt: Receipt::Passed, .. }) => stored.passed.push(message),
            _ => stored.waiting.push(message),
        }
    }
    let mut statement = connection.prepare("SELECT session, record FROM attempts")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for row in rows {
        let (session, record): (String, String) = row?;
        let attempt: Option<Attempt> = parse(&session, &record);
        if let (Ok(id), Some(attempt)) = (SessionId::new(&session), attempt) {
            mail.entry(id).or_default().attempt = Some(attempt);
        }
    }
    Ok(mail)
}

/// Messages, oldest first.
pub(super) fn letters(connection: &Connection, query: &MailQuery) -> rusqlite::Result<Vec<Letter>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, session, record FROM messages
         WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR id = ?2) AND open >= ?3
         ORDER BY id DESC LIMIT ?4",
    )?;
    let session = query.session.as_ref().map(SessionId::as_str);
    let id = query.message.map(|id| id.0);
    let rows = statement
        .query_map(params![session, id, i64::from(query.open), query.limit], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    let mut letters = Vec::new();
    for row in rows {
        let (id, session, record): (i64, String, String) = row?;
        let (Ok(session), Some(message)) = (SessionId::new(&session), parse(&session, &record))
        else {
            continue;
        };
        letters.push(Letter { session, message, receipts: receipts(connection, id)? });
    }
    letters.reverse();
    Ok(letters)
}

fn receipts(connection: &Connection, message: i64) -> rusqlite::Result<Vec<Stamp>> {
    let mut statement = connection
        .prepare_cached("SELECT record FROM receipts WHERE message = ?1 ORDER BY rowid")?;
    let rows = statement.query_map([message], |row| row.get::<_, String>(0))?;
    let mut receipts = Vec::new();
    for row in rows {
        receipts.extend(parse("a receipt", &row?));
    }
    Ok(receipts)
}

/// Drafts that could not be put back, oldest first.
pub(super) fn drafts(connection: &Connection, session: &SessionId) -> rusqlite::Result<Vec<Kept>> {
    let mut statement =
        connection.prepare_cached("SELECT record FROM drafts WHERE session = ?1 ORDER BY rowid")?;
    let rows = statement.query_map([session.as_str()], |row| row.get::<_, String>(0))?;
    let mut drafts = Vec::new();
    for row in rows {
        drafts.extend(parse(session.as_str(), &row?));
    }
    Ok(drafts)
}
