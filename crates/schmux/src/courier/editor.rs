//! `schmux edit` asks what to do: the ticket that says whether a delivery waits
//! for it, and the calls that wait for an answer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::courier::{CallId, Caller, EditorAnswer, Event};
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;
use tokio::sync::oneshot;

use crate::app::App;
use crate::spawn::now;

/// How long a call waits for the courier, which has to write the draft to disk
/// first. An editor that takes longer looks like one that hangs.
const ANSWER: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Editors {
    /// A std mutex: held for a look, never across an await.
    tables: Mutex<Tables>,
    next: AtomicU64,
}

#[derive(Default)]
struct Tables {
    /// Until when an editor is expected, by session.
    tickets: HashMap<SessionId, Moment>,
    calls: HashMap<CallId, oneshot::Sender<EditorAnswer>>,
}

/// How a run of `schmux edit` ended.
pub(crate) struct Ended {
    pub call: CallId,
    pub wrote: bool,
    pub keys: Vec<u8>,
}

impl Editors {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whether, and until when, an editor is expected in a session.
    pub fn set_ticket(&self, session: &SessionId, until: Option<Moment>) {
        let mut tables = self.tables();
        match until {
            Some(until) => tables.tickets.insert(session.clone(), until),
            None => tables.tickets.remove(session),
        };
    }

    pub fn answer(&self, call: CallId, answer: EditorAnswer) {
        let waiting = self.tables().calls.remove(&call);
        if let Some(waiting) = waiting {
            // It may have given up.
            let _ = waiting.send(answer);
        }
    }
}

/// An editor was started in a session. Without a ticket it is the human's.
pub(crate) async fn editor_called(
    app: &App,
    session: &SessionId,
    caller: Caller,
    content: String,
) -> (CallId, EditorAnswer) {
    let editors = &app.couriers.editors;
    let call = CallId(editors.next.fetch_add(1, Ordering::Relaxed));
    let expected = editors.tables().tickets.get(session).is_some_and(|until| now() <= *until);
    if !expected {
        return (call, EditorAnswer::Human);
    }
    let (waiting, answer) = oneshot::channel();
    editors.tables().calls.insert(call, waiting);
    if !app.couriers.tell(session, Event::EditorCalled { call, caller, content }).await {
        return (call, EditorAnswer::Human);
    }
    match tokio::time::timeout(ANSWER, answer).await {
        Ok(Ok(answer)) => (call, answer),
        // In any doubt the file stays as it is.
        _ => {
            editors.tables().calls.remove(&call);
            (call, EditorAnswer::Leave)
        }
    }
}

/// An editor is about to exit.
pub(crate) async fn editor_ended(app: &App, session: &SessionId, ended: Ended) {
    let Ended { call, wrote, keys } = ended;
    app.couriers.tell(session, Event::EditorEnded { call, wrote, keys }).await;
}
