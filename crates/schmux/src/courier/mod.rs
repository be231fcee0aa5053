//! Messages to agents: from a request to the desk at the agent's pane.
//!
//! The decisions are `schmux_core::courier`'s; here its effects are done. Each
//! session with mail has a task ([`round`]) that owns its machine. What must be
//! on disk goes through the hub, which stores it before anyone is told.

mod editor;
mod round;
pub(crate) mod ticket;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::courier::message::{self, Message, MessageId, Sender};
use schmux_core::courier::{Event, Stored};
use schmux_core::fleet::{self, Life, Session};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;
use tokio::sync::mpsc;

use crate::app::App;
use crate::http::error::Failure;
use crate::spawn::now;
use crate::store::{Letter, MailQuery};
use crate::wire::{self, MessageRequest, MessagesQuery, Status};

use editor::Editors;
pub(crate) use editor::{editor_called, editor_ended, install, set_variables};

/// How many events may wait for a session's task; whoever has more waits.
const EVENTS: usize = 64;

/// The most messages in one answer.
const MOST_LETTERS: u32 = 1000;

/// The tasks of all sessions with mail.
#[derive(Default)]
pub struct Couriers {
    /// A std mutex: the table is looked at for a moment, never across an await.
    rounds: Mutex<HashMap<SessionId, mpsc::Sender<Event>>>,
    editors: Editors,
}

impl Couriers {
    fn rounds(&self) -> MutexGuard<'_, HashMap<SessionId, mpsc::Sender<Event>>> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a session's task something, if it has one.
    pub(crate) async fn tell(&self, session: &SessionId, event: Event) -> bool {
        let round = self.rounds().get(session).cloned();
        match round {
            Some(round) => round.send(event).await.is_ok(),
            None => false,
        }
    }
}

/// Takes up what was under way when the daemon ended.
pub(crate) fn resume(app: &Arc<App>, mail: HashMap<SessionId, Stored>) {
    for (id, stored) in mail {
        let session = app.fleet.borrow().session(&id).cloned();
        if let Some(session) = session {
            begin(app, &session, stored);
        }
    }
}

/// Starts a session's task.
fn begin(app: &Arc<App>, session: &Session, stored: Stored) -> mpsc::Sender<Event> {
    let (events, received) = mpsc::channel(EVENTS);
    app.couriers.rounds().insert(session.id.clone(), events.clone());
    tokio::spawn(round::run(app.clone(), session.clone(), stored, received));
    events
}

/// Puts messages into the outboxes they are for; done when they are on disk.
pub(crate) async fn post(
    app: &Arc<App>,
    request: MessageRequest,
) -> Result<Vec<wire::Message>, Failure> {
    let normal = message::normalise(&request.text).map_err(|unfit| {
        Failure::unprocessable("bad_message", unfit.to_string())
            .advice("write something, or put what is longer into a file and name that")
    })?;
    let from = match &request.from {
        None => Sender::Human,
        Some(name) => Sender::Agent(app.session(name)?.id),
    };
    let sessions = addressees(app, &request)?;
    let created_at = now();
    let expires_at = request.expires_s.map(|seconds| {
        let millis = i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
        Moment(created_at.0.saturating_add(millis))
    });
    let mut posted = Vec::new();
    for session in sessions {
        let message = Message {
            id: next_id(),
            from: from.clone(),
            text: normal.text.clone(),
            urgent: request.urgent,
            created_at,
            expires_at,
        };
        let event = fleet::Event::Posted { session: session.id.clone(), message: message.clone() };
        app.hub.apply(event).await?;
        hand_over(app, &session, message.clone()).await;
        posted.extend(letter(app, message.id).await?);
    }
    Ok(posted)
}

/// Gives a stored message to the session's task, which is started if need be.
async fn hand_over(app: &Arc<App>, session: &Session, message: Message) {
    let event = Event::Message(message);
    if !app.couriers.tell(&session.id, event.clone()).await {
        // A new task begins with what is stored, this message included.
        let mail = app.store.mail(MailQuery {
            session: Some(session.id.clone()),
            open: true,
            limit: MOST_LETTERS,
            ..MailQuery::default()
        });
        let waiting = match mail.await {
            Ok(letters) => letters.into_iter().map(|letter| letter.message).collect(),
            Err(error) => return tracing::error!(%error, "stored messages can't be read"),
        };
        begin(app, session, Stored { waiting, ..Stored::default() });
    }
}

/// Whom a request means. Those that have ended can't be told anything.
fn addressees(app: &App, request: &MessageRequest) -> Result<Vec<Session>, Failure> {
    let mut sessions = Vec::new();
    for name in &request.to {
        let session = app.session(name)?;
        if let Life::Exited { .. } = session.life {
            let message = format!("the agent of {} has ended", session.id);
            return Err(Failure::conflict("session_ended", message).advice("spawn a new session"));
        }
        sessions.push(session);
    }
    if request.all || request.needs_me {
        let meant = |session: &wire::Session| match session.status {
            Status::Exited => false,
            status => request.all || status.needs_human(),
        };
        for session in app.sessions().into_iter().filter(meant) {
            sessions.push(app.session(&session.id)?);
        }
    }
    sessions.sort_by(|a, b| a.id.cmp(&b.id));
    sessions.dedup_by(|a, b| a.id == b.id);
    if let Some(sender) = &request.from {
        let sender = app.session(sender)?.id;
        // Whoever tells everyone doesn't mean itself.
        sessions
            .retain(|session| request.to.contains(&session.id.to_string()) || session.id != sender);
    }
    if sessions.is_empty() {
        let message = "the message is for nobody";
        return Err(Failure::unprocessable("no_addressee", message)
            .advice("name a session, or see with `schmux list` whether any is there"));
    }
    Ok(sessions)
}

/// Takes a message back, or has it tried again at once.
pub(crate) async fn change(
    app: &Arc<App>,
    id: i64,
    what: Change,
) -> Result<wire::Message, Failure> {
    let id = MessageId(id);
    let Some(found) = letters(app, Some(id)).await?.pop() else {
        return Err(Failure::not_found("no_such_message", format!("there is no message {}", id.0))
            .advice("`schmux outbox` shows those that wait"));
    };
    let now = wire::message(&found);
    if now.state.is_final() {
        let message = format!("message {} is {} already", id.0, now.state.word());
        return Err(Failure::conflict("message_done", message));
    }
    let event = match what {
        Change::Cancel => Event::Cancel(id),
        Change::Retry => Event::Retry(id),
    };
    let mut fleet = app.fleet.clone();
    app.couriers.tell(&found.session, event).await;
    // What became of it is known when its receipt is on disk; a try takes longer
    // than anyone should wait for here.
    if what == Change::Cancel {
        let gone = |fleet: &Arc<fleet::Fleet>| {
            let session = fleet.session(&found.session);
            session.is_none_or(|session| session.mail.iter().all(|stamp| stamp.message != id))
        };
        let _ = tokio::time::timeout(ACT, fleet.wait_for(gone)).await;
    }
    let letter = letter(app, id).await?;
    letter.ok_or_else(|| Failure::not_found("no_such_message", "its session was just disposed"))
}

/// How long a change of a message is waited for.
const ACT: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Cancel,
    Retry,
}

/// Messages with their receipts, oldest first.
pub(crate) async fn list(app: &App, query: MessagesQuery) -> Result<Vec<wire::Message>, Failure> {
    let session = match &query.session {
        Some(name) => Some(app.session(name)?.id),
        None => None,
    };
    let limit = query.limit.unwrap_or(100).min(MOST_LETTERS);
    let query = MailQuery { session, open: !query.all, limit, message: None };
    let letters = app.store.mail(query).await.map_err(crate::hub::HubError::from)?;
    Ok(letters.iter().map(wire::message).collect())
}

async fn letter(app: &App, id: MessageId) -> Result<Option<wire::Message>, Failure> {
    Ok(letters(app, Some(id)).await?.first().map(wire::message))
}

async fn letters(app: &App, message: Option<MessageId>) -> Result<Vec<Letter>, Failure> {
    let query = MailQuery { message, limit: 1, ..MailQuery::default() };
    Ok(app.store.mail(query).await.map_err(crate::hub::HubError::from)?)
}

/// A number that grows with time and that no other message has. Browsers read
/// whole numbers up to 2^53.
fn next_id() -> MessageId {
    static LAST: Mutex<i64> = Mutex::new(0);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    *last = (*last + 1).max(now().0 * 1000);
    MessageId(*last)
}
