//! What connect commands ask the human: passphrases, host keys, second factors.
//!
//! ssh runs this program as its askpass (`SSH_ASKPASS`), which asks the daemon,
//! which shows the question in the CLI and on the page until someone answers or
//! the command is given up. The daemon itself never waits, and stores nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::ids::HostId;
use tokio::sync::oneshot;

use crate::http::error::Failure;
use crate::wire::{AskRequest, HostPrompt, PromptAnswer};

/// How long a question stays. An attempt to connect is given up soon after.
const PATIENCE: Duration = Duration::from_secs(120);

/// The longest question that is shown.
const MOST_TEXT: usize = 1000;

/// The questions that are open, at most one for each host: a later one takes
/// the place of an earlier.
#[derive(Default)]
pub(crate) struct Prompts {
    /// A std mutex: held for a look, never across an await.
    open: Mutex<BTreeMap<HostId, Open>>,
    next: AtomicU64,
}

struct Open {
    prompt: HostPrompt,
    answer: oneshot::Sender<Option<String>>,
}

impl Prompts {
    pub fn of(&self, host: &HostId) -> Option<HostPrompt> {
        let mut open = self.lock();
        if open.get(host).is_some_and(|open| open.answer.is_closed()) {
            open.remove(host);
        }
        open.get(host).map(|open| open.prompt.clone())
    }

    /// Shows a question until it is answered. `None` if nobody did, or someone refused.
    pub async fn ask(&self, host: HostId, request: AskRequest) -> Option<String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        let text = request.text.chars().filter(|c| !c.is_control() || *c == '\n');
        let text: String = text.take(MOST_TEXT).collect();
        let (answer, answered) = oneshot::channel();
        let prompt = HostPrompt { id, text, secret: request.secret };
        self.lock().insert(host, Open { prompt, answer });
        match tokio::time::timeout(PATIENCE, answered).await {
            Ok(Ok(answer)) => answer,
            _ => None,
        }
    }

    pub fn answer(&self, host: &HostId, given: PromptAnswer) -> Result<(), Failure> {
        let mut open = self.lock();
        let is_open = open
            .get(host)
            .is_some_and(|open| open.prompt.id == given.id && !open.answer.is_closed());
        let found = if is_open { open.remove(host) } else { None };
        match found {
            Some(open) => {
                // It may have been given up in this very moment.
                let _ = open.answer.send(given.answer);
                Ok(())
            }
            None => Err(Failure::conflict("prompt_gone", "nobody waits for that answer any more")
                .advice("look at `schmux host list` for what is asked now")),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<HostId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
