//! Messages that go without a key: calls that could take one along (an agent's
//! hook, or the agent itself), and their answers.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::courier::Event;
use schmux_core::courier::hand::Chance;
use schmux_core::courier::message::Message;
use schmux_core::fleet::{Item, News};
use schmux_core::ids::SessionId;
use tokio::sync::oneshot;

use super::Couriers;
use crate::app::App;
use crate::hooks;
use crate::http::error::Failure;
use crate::wire::{self, InboxMessage};

/// How long a hook's call waits for a message to be written to disk: the hook
/// itself gives up after 25 ms.
const HOOK: Duration = Duration::from_millis(15);

/// The same for an agent that asks, and has the time.
const FETCH: Duration = Duration::from_secs(5);

/// More at once than an agent wants to read; it may ask again.
const MOST_FETCHED: usize = 20;

/// The record in the events file by which a hook says that it passed a message
/// on while the daemon was away.
pub(crate) const PASSED: &str = "passed";

/// Words of hooks that are kept for tasks that are yet to start. Only those of
/// the time while the daemon was away come so early.
const EARLY: usize = 1000;

#[derive(Default)]
pub(super) struct Hands {
    /// A std mutex: held for a look, never across an await.
    tables: Mutex<Tables>,
}

#[derive(Default)]
struct Tables {
    calls: HashMap<String, oneshot::Sender<Option<Message>>>,
    early: VecDeque<(SessionId, Event)>,
}

impl Hands {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a call; false if it doesn't wait any more.
    pub fn give(&self, call: &str, message: Option<Message>) -> bool {
        let waiting = self.tables().calls.remove(call);
        waiting.is_some_and(|waiting| waiting.send(message).is_ok())
    }

    /// What was heard of a session's calls before its task began.
    pub fn take_early(&self, session: &SessionId) -> Vec<Event> {
        let mut tables = self.tables();
        let (theirs, others) =
            std::mem::take(&mut tables.early).into_iter().partition(|(id, _)| id == session);
        tables.early = others;
        let theirs: VecDeque<(SessionId, Event)> = theirs;
        theirs.into_iter().map(|(_, event)| event).collect()
    }
}

impl Couriers {
    /// Offers a session's task to take a message along by a call.
    async fn offer(
        &self,
        session: &SessionId,
        call: &str,
        chance: Chance,
        patience: Duration,
    ) -> Option<Message> {
        let (waiting, mut answer) = oneshot::channel();
        self.hands.tables().calls.insert(call.to_owned(), waiting);
        let given = match self.tell(session, Event::Chance(call.to_owned(), chance)).await {
            false => None,
            true => tokio::time::timeout(patience, &mut answer).await.ok().and_then(Result::ok),
        };
        let was_waiting = self.hands.tables().calls.remove(call).is_some();
        match given {
            Some(given) => given,
            None if was_waiting => None,
            // It is being given to us in this very moment.
            None => answer.await.ok().flatten(),
        }
    }

    /// What the events file told: a hook that is in it had no answer.
    pub(crate) fn hear_of_file(&self, news: &News) {
        for item in &news.items {
            match item {
                Item::Hook { id: Some(id), .. } => {
                    self.hear_late(&news.session, Event::Missed(id.clone()));
                    if let Some(prompt) = hooks::prompt(item).filter(|_| self.is_new(id)) {
                        self.hear_late(&news.session, Event::PromptSubmitted(prompt));
                    }
                }
                Item::Record { kind, data } if kind == PASSED => {
                    if let Some(call) = wire::passed_call(data) {
                        self.hear_late(&news.session, Event::Passed(call));
                    }
                }
                _ => {}
            }
        }
    }

    /// Tells a session's task, or keeps it for a task that is yet to start.
    fn hear_late(&self, session: &SessionId, event: Event) {
        let round = self.rounds().get(session).cloned();
        match round {
            // The thread that reads files may wait.
            Some(round) => drop(round.blocking_send(event)),
            None => {
                let mut tables = self.hands.tables();
                tables.early.push_back((session.clone(), event));
                if tables.early.len() > EARLY {
                    tables.early.pop_front();
                }
            }
        }
    }
}

/// What a hook of an agent's could take along.
pub(crate) async fn by_hook(
    app: &App,
    session: &SessionId,
    call: &str,
    chance: Chance,
) -> Option<String> {
    let message = app.couriers.offer(session, call, chance, HOOK).await?;
    Some(app.inbox_words(session, &message))
}

/// A hook, or `schmux mcp`, has passed a message on, or couldn't.
pub(crate) async fn settle(app: &App, session: &SessionId, call: String, passed: bool) {
    let event = if passed { Event::Passed(call) } else { Event::Missed(call) };
    app.couriers.tell(session, event).await;
}

/// The messages that wait for an agent which asks for them.
pub(crate) async fn fetch(app: &App, session: &SessionId) -> Result<Vec<InboxMessage>, Failure> {
    let mut fetched = Vec::new();
    while fetched.len() < MOST_FETCHED {
        let call = format!("{:032x}", rand::random::<u128>());
        let offered = app.couriers.offer(session, &call, Chance::Fetch, FETCH).await;
        let Some(message) = offered else { break };
        fetched.push(wire::inbox_message(&message));
        // Its answer is on the way; what is lost from here on was said to be passed.
        settle(app, session, call, true).await;
    }
    Ok(fetched)
}
