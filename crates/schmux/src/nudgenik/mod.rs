//! NudgeNik: has the last words of silent sessions read, and tells the hub what
//! they say.
//!
//! Whom to ask about and when is decided by [`schmux_core::nudgenik`]; this is the
//! task that looks at screens for it, asks the model of the settings, and reads the
//! words alone where there is none. Nobody waits for it. What it cost is in the
//! [`Account`] that `schmux doctor` shows.

mod bill;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use schmux_core::evidence::State;
use schmux_core::fleet::{Event, Life, Session};
use schmux_core::ids::SessionId;
use schmux_core::nudgenik::{
    Candidate, Extract, LINES, Nudgenik, Opinion, Read, Way, classify, extract, prompt,
};
use schmux_core::time::Moment;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use crate::app::App;
use crate::llm::{LlmError, Model, Usage};

pub use bill::Account;
pub(crate) use bill::check;

/// How many questions may be under way: a service counts those at once, and an
/// agent that is asked takes a core while it starts.
const AT_ONCE: usize = 3;

/// Between two screens: a thousand in a row would hold up terminals for half a second.
const BETWEEN_SCREENS: Duration = Duration::from_millis(5);

/// Whose opinion it is where no model was asked.
const WORDS: &str = "the words alone";

/// What is known of a session's words, until it prints again.
struct Known {
    output: Option<Moment>,
    extract: Extract,
    /// When they stood on its screen.
    at: Moment,
}

/// A question that has come back.
struct Returned {
    session: SessionId,
    result: Result<(Opinion, Usage), LlmError>,
    extract: Extract,
    at: Moment,
}

struct Driver {
    app: Arc<App>,
    pure: Nudgenik,
    model: Option<Arc<Model>>,
    known: HashMap<SessionId, Known>,
    /// Questions wait here for their turn.
    turn: Arc<Semaphore>,
    asking: JoinSet<Returned>,
    account: watch::Sender<Account>,
}

/// Looks until the daemon ends.
pub async fn run(app: Arc<App>, account: watch::Sender<Account>) {
    let settings = &app.config.nudgenik;
    if !settings.enabled {
        return;
    }
    let model = Model::new(settings, app.home.questions()).map(Arc::new);
    if let Some(Err(error)) = model.as_ref().map(|model| model.is_ready()) {
        tracing::warn!(%error, "NudgeNik can't ask its model");
        account.send_modify(|account| account.fail(&error));
    }
    let mut driver = Driver {
        pure: Nudgenik::new(settings.habits(), now()),
        model,
        known: HashMap::new(),
        turn: Arc::new(Semaphore::new(AT_ONCE)),
        asking: JoinSet::new(),
        account,
        app: app.clone(),
    };
    let mut stopping = app.shutdown.subscribe();
    loop {
        let until = u64::try_from(driver.pure.due().0 - now().0).unwrap_or(0);
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(until)) => driver.look().await,
            Some(Ok(returned)) = driver.asking.join_next() => driver.take(returned).await,
            _ = stopping.changed() => return,
        }
    }
}

impl Driver {
    /// Looks at every session once.
    async fn look(&mut self) {
        let fleet = self.app.fleet.borrow().clone();
        let is_there = |id: &SessionId| fleet.session(id).is_some();
        self.known.retain(|id, _| is_there(id));
        self.pure.keep(is_there);
        for session in fleet.sessions() {
            if self.pure.is_open(&candidate(session), now()) {
                self.read_screen(session).await;
            }
        }
        // Some may have gone on meanwhile.
        let fleet = self.app.fleet.borrow().clone();
        let with_words = |session: &Session| {
            let known = self.known.get(&session.id)?;
            let counts = known.output == session.last_output_at && !known.extract.answer.is_empty();
            let fingerprint = known.extract.fingerprint;
            counts.then(|| Candidate { fingerprint, ..candidate(session) })
        };
        let candidates: Vec<Candidate> = fleet.sessions().filter_map(with_words).collect();
        for (id, way) in self.pure.look(&candidates, now()) {
            let (Some(known), Some(session)) = (self.known.get(&id), fleet.session(&id)) else {
                continue;
            };
            let (extract, at) = (known.extract.clone(), known.at);
            match (way, self.model.clone()) {
                (Way::Model, Some(model)) => self.ask(model, session, extract, at),
                _ => self.read_words(id, &extract, at).await,
            }
        }
    }

    /// Takes down a session's last words, if it has printed since that was done.
    async fn read_screen(&mut self, session: &Session) {
        let output = session.last_output_at;
        if self.known.get(&session.id).is_some_and(|known| known.output == output) {
            return;
        }
        let at = now();
        // A pane that can't be read now will be, or is gone.
        if let Ok(captured) = self.app.host.capture(session, LINES as u32, false).await {
            let rows: Vec<&str> = captured.text.lines().collect();
            let known = Known { output, extract: extract(&rows), at };
            self.known.insert(session.id.clone(), known);
        }
        tokio::time::sleep(BETWEEN_SCREENS).await;
    }

    /// Asks the model, beside everything else.
    fn ask(&mut self, model: Arc<Model>, session: &Session, extract: Extract, at: Moment) {
        let agent = session.agent.as_ref().unwrap_or(&session.target);
        let fence = format!("{:016x}", rand::random::<u64>());
        let asked = prompt(agent, &extract, &fence);
        let (session, turn) = (session.id.clone(), self.turn.clone());
        tracing::debug!(%session, model = model.name(), "NudgeNik asks");
        self.asking.spawn(async move {
            // The semaphore is never closed, so its turn comes.
            let _turn = turn.acquire().await;
            Returned { session, result: model.ask(&asked).await, extract, at }
        });
    }

    async fn take(&mut self, Returned { session, result, extract, at }: Returned) {
        match result {
            Ok((opinion, usage)) => {
                self.pure.answered();
                self.account.send_modify(|account| account.pay(usage));
                let by = self.model.as_ref().map_or(WORDS, |model| model.name()).to_owned();
                self.tell(session, Read { opinion, by }, at).await;
            }
            Err(error) => {
                tracing::warn!(%session, %error, "NudgeNik got no answer");
                self.pure.failed(&session, now());
                self.account.send_modify(|account| account.fail(&error));
                self.read_words(session, &extract, at).await;
            }
        }
    }

    async fn read_words(&self, session: SessionId, extract: &Extract, at: Moment) {
        if let Some(opinion) = classify(extract) {
            self.tell(session, Read { opinion, by: WORDS.to_owned() }, at).await;
        }
    }

    async fn tell(&self, session: SessionId, read: Read, at: Moment) {
        let (state, by) = (read.opinion.state, read.by.clone());
        tracing::debug!(%session, state = state.as_str(), by, "NudgeNik has an opinion");
        // If the hub has ended, so has the daemon.
        let _ = self.app.hub.tell(Event::Opinion { session, read, at }).await;
    }
}

fn candidate(session: &Session) -> Candidate {
    let attention = &session.attention;
    Candidate {
        session: session.id.clone(),
        state: session.verdict.as_ref().map_or(State::Unknown, |verdict| verdict.state),
        has_nudge: attention.nudge.is_some(),
        running: session.life == Life::Running,
        last_signal: attention.last_signal_at,
        last_output: session.last_output_at,
        fingerprint: 0,
    }
}

fn now() -> Moment {
    Moment(jiff::Timestamp::now().as_millisecond())
}
