//! Messages to agents: from a request to the desk at the agent's pane.
//!
//! The decisions are `schmux_core::courier`'s; here its effects are done. Each
//! session with mail has a task ([`round`]) that owns its machine. What must be
//! on disk goes through the hub, which stores it before anyone is told.

mod editor;
mod fault;
mod gates;
mod hand;
mod inbox;
mod post;
mod round;
pub(crate) mod ticket;

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::courier::damping::Damper;
use schmux_core::courier::message::{Message, MessageId, Sender};
use schmux_core::courier::{Event, Stored};
use schmux_core::fleet::{self, Session};
use schmux_core::ids::SessionId;
use tokio::sync::mpsc;

use crate::app::App;
use crate::http::auth::{Speaker, forbidden};
use crate::http::error::Failure;
use crate::spawn::now;
use crate::store::{Letter, MailQuery};
use crate::wire::{self, MessagesQuery};

use editor::Editors;
pub(crate) use editor::{
    editor_called, editor_ended, editor_kept, install, plain, set_editor, set_variables,
};
pub(crate) use gates::{Gates, Order};
use hand::Hands;
pub(crate) use hand::{PASSED, by_hook, fetch, settle};
pub(crate) use post::post;

/// How many events may wait for a session's task; whoever has more waits.
const EVENTS: usize = 64;

/// The most messages in one answer.
const MOST_LETTERS: u32 = 1000;

/// How many words of hooks are remembered: both ways of one are seconds apart.
const HEARD: usize = 256;

/// The tasks of all sessions with mail.
#[derive(Default)]
pub struct Couriers {
    /// A std mutex: the table is looked at for a moment, never across an await.
    rounds: Mutex<HashMap<SessionId, mpsc::Sender<Event>>>,
    editors: Editors,
    hands: Hands,
    /// Terminals whose keys wait while a message is written.
    pub(crate) gates: Gates,
    /// Keeps agents from answering each other for ever. A std mutex for the same reason.
    damper: Mutex<Damper>,
    /// The last words of hooks that were heard, by their ids: the same word may
    /// come by the socket and by the events file. A std mutex for the same reason.
    heard: Mutex<VecDeque<String>>,
}

impl Couriers {
    fn rounds(&self) -> MutexGuard<'_, HashMap<SessionId, mpsc::Sender<Event>>> {
        self.rounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this word of a hook's is heard for the first time.
    fn is_new(&self, id: &str) -> bool {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        if heard.iter().any(|known| known == id) {
            return false;
        }
        heard.push_back(id.to_owned());
        if heard.len() > HEARD {
            heard.pop_front();
        }
        true
    }

    /// The agent says that it was given a prompt.
    pub(crate) async fn hear_prompt(&self, session: &SessionId, id: &str, prompt: String) {
        if self.is_new(id) {
            self.tell(session, Event::PromptSubmitted(prompt)).await;
        }
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
            round_of(app, &session, stored);
        }
    }
}

/// A session's task, which is started with what is stored if there is none. Two
/// at one pane would deliver everything twice.
fn round_of(app: &Arc<App>, session: &Session, stored: Stored) -> mpsc::Sender<Event> {
    let mut rounds = app.couriers.rounds();
    let begin = || {
        let (events, received) = mpsc::channel(EVENTS);
        for event in app.couriers.hands.take_early(&session.id) {
            // There is room for all that one session can have had under way.
            let _ = events.try_send(event);
        }
        tokio::spawn(round::run(app.clone(), session.clone(), stored, received));
        events
    };
    rounds.entry(session.id.clone()).or_insert_with(begin).clone()
}

/// Gives a stored message to the session's task.
async fn hand_over(app: &Arc<App>, session: &Session, message: Message) {
    // What was stored before the daemon started has a task already.
    let round = round_of(app, session, Stored::default());
    // It ends with its session, and the message with both.
    let _ = round.send(Event::Message(message)).await;
}

/// Takes a message back, has it tried again at once, or puts it before others.
pub(crate) async fn change(
    app: &Arc<App>,
    speaker: &Speaker,
    id: i64,
    what: Change,
) -> Result<wire::Message, Failure> {
    let id = MessageId(id);
    let Some(found) = letters(app, Some(id)).await?.pop() else {
        return Err(Failure::not_found("no_such_message", format!("there is no message {}", id.0))
            .advice("`schmux outbox` shows those that wait"));
    };
    if let Speaker::Agent(own) = speaker
        && found.message.from != Sender::Agent(own.clone())
    {
        let message = format!("message {} is not from {own}", id.0);
        return Err(forbidden("not_yours", message).advice("agents change their own messages only"));
    }
    let now = wire::message(&found);
    if now.state.is_final() {
        let message = format!("message {} is {} already", id.0, now.state.word());
        return Err(Failure::conflict("message_done", message));
    }
    let event = match what {
        Change::Cancel => Event::Cancel(id),
        Change::Retry => Event::Retry(id),
        Change::First => {
            app.hub.apply(fleet::Event::Promoted(id)).await?;
            Event::Promote(id)
        }
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
    First,
}

/// Messages with their receipts, oldest first. An agent sees its own: those
/// that it wrote and those for it.
pub(crate) async fn list(
    app: &App,
    speaker: &Speaker,
    query: MessagesQuery,
) -> Result<Vec<wire::Message>, Failure> {
    let session = match &query.session {
        Some(name) => Some(app.session(name)?.id),
        None => None,
    };
    let limit = query.limit.unwrap_or(100).min(MOST_LETTERS);
    let all = query.all;
    let query = MailQuery { session, open: !all, limit, message: None };
    let mut letters = app.store.mail(query).await.map_err(crate::hub::HubError::from)?;
    if let Speaker::Agent(own) = speaker {
        let wrote = Sender::Agent(own.clone());
        letters.retain(|letter| letter.session == *own || letter.message.from == wrote);
    }
    if !all {
        letters.sort_by_cached_key(|Letter { session, message, receipts }| {
            // What waits comes behind what is on its way.
            let waits = receipts.last().is_none_or(|stamp| stamp.receipt.is_waiting());
            (session.clone(), waits, message.turn())
        });
    }
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
