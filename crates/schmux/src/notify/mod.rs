//! Other ways than the page to tell the human of a call: a program, the
//! desktop, a webhook.
//!
//! Each notifier tells of each call at most once: it claims the call in the
//! ledger before it tries, and one that failed for sure is tried again as long
//! as the call is open. They wait for nobody, and nobody waits for them.

mod call;
mod desktop;
mod webhook;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use schmux_core::fleet::{Fleet, Session};
use schmux_core::ids::SessionId;
use schmux_core::nudge::Nudge;
use schmux_core::signal::State;

use crate::app::App;
use crate::config::{Config, Notifier};
use crate::http::error::Failure;
use crate::proc::{self, ProcError};
use crate::wire::RING;
use call::Call;

/// How long a notifier's program may run.
const PROGRAM_LIMIT: Duration = Duration::from_secs(30);

/// When a failed attempt is made again: soon for a slip, later for an outage.
const RETRIES: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(300),
];

/// The desktop lets an open page ring first.
const DESKTOP_DELAY: u64 = 3;

/// A call that is older when the daemon starts is not told any more: whoever
/// adds a notifier doesn't want to hear of yesterday.
const STALE_MS: i64 = 3_600_000;

/// Why a call was not told.
#[derive(Debug)]
enum Failed {
    /// Nobody can have heard of it: it is tried again.
    Surely(String),
    /// Somebody may have heard of it: once is enough.
    Perhaps(String),
}

/// Runs the notifiers of the settings until the daemon ends.
pub async fn run(app: Arc<App>) {
    if app.config.notify.is_empty() {
        return;
    }
    let mut fleet = app.fleet.clone();
    let mut begun: HashMap<(String, SessionId), u64> = HashMap::new();
    loop {
        let open = open_calls(&fleet.borrow_and_update());
        begun.retain(|(_, session), _| open.iter().any(|(other, _)| other.id == *session));
        for (name, notifier) in &app.config.notify {
            for (session, nudge) in &open {
                let key = (name.clone(), session.id.clone());
                let is_new = begun.get(&key).is_none_or(|seq| *seq < nudge.seq);
                let is_told = session.attention.told(&channel(name)) >= nudge.seq;
                if is_new && !is_told && notifier.states.contains(&nudge.state) {
                    begun.insert(key, nudge.seq);
                    let call = Call::new(session, nudge, &app.url);
                    let (app, name) = (app.clone(), name.clone());
                    tokio::spawn(tell(app, name, notifier.clone(), session.id.clone(), call));
                }
            }
        }
        if fleet.changed().await.is_err() {
            return;
        }
    }
}

/// Tells the human once of something that waits for them, by the ways that tell
/// of questions. Whoever asks has it on disk that it was told.
pub fn remind(app: &Arc<App>, session: &Session, text: &str) {
    let call = Call::waiting(session, text, &app.url, crate::spawn::now());
    let wanted = |notifier: &&Notifier| notifier.states.contains(&State::NeedsInput);
    for notifier in app.config.notify.values().filter(wanted) {
        let (notifier, call) = (notifier.clone(), call.clone());
        tokio::spawn(async move {
            if let Err(Failed::Surely(error) | Failed::Perhaps(error)) =
                attempt(&notifier, &call).await
            {
                tracing::warn!(error, "could not tell of a message that waits");
            }
        });
    }
}

/// Tells of nothing by one notifier, once and at once, as `config.toml` has it now:
/// whoever has just written it wants to know whether it works.
pub async fn test(app: &App, name: &str) -> Result<(), Failure> {
    let config = Config::load(&app.home).map_err(|error| {
        Failure::unprocessable("bad_settings", error.to_string()).advice("correct config.toml")
    })?;
    let Some(notifier) = config.notify.get(name) else {
        let message = format!("config.toml has no notifier {name:?}");
        return Err(Failure::not_found("no_such_notifier", message)
            .advice(format!("write it there first, as [notify.{name}]")));
    };
    let call = Call::test(&app.url, crate::spawn::now());
    attempt(notifier, &call).await.map_err(|failed| {
        let (Failed::Surely(error) | Failed::Perhaps(error)) = failed;
        let message = format!("the notifier {name} failed: {error}");
        Failure::unprocessable("notifier_failed", message)
            .advice(format!("look at [notify.{name}] in config.toml"))
    })
}

fn open_calls(fleet: &Fleet) -> Vec<(Session, Nudge)> {
    let oldest = jiff::Timestamp::now().as_millisecond() - STALE_MS;
    let calls = fleet.sessions().filter_map(|session| {
        let nudge = session.attention.nudge.as_ref().filter(|nudge| nudge.at.0 > oldest)?;
        Some((session.clone(), nudge.clone()))
    });
    calls.collect()
}

/// The name of a notifier in the ledger.
fn channel(name: &str) -> String {
    format!("notify:{name}")
}

/// Tells of one call by one notifier.
async fn tell(app: Arc<App>, name: String, notifier: Notifier, session: SessionId, call: Call) {
    let default = if notifier.desktop { DESKTOP_DELAY } else { 0 };
    let delay = notifier.delay.unwrap_or(default);
    if delay > 0 {
        tokio::time::sleep(Duration::from_secs(delay)).await;
        if was_heard(&app.fleet.borrow(), &session, call.nudge_seq) {
            return;
        }
    }
    match app.hub.claim(session.clone(), channel(&name), call.nudge_seq, String::new()).await {
        Ok(true) => {}
        Ok(false) => return,
        Err(error) => return tracing::warn!(notifier = name, %error, "can't tell of a call"),
    }
    let mut retries = RETRIES.into_iter();
    loop {
        let (error, retry) = match attempt(&notifier, &call).await {
            Ok(()) => return,
            Err(Failed::Surely(error)) => (error, retries.next()),
            Err(Failed::Perhaps(error)) => (error, None),
        };
        tracing::warn!(notifier = name, session = %session, error, "could not tell of a call");
        let Some(pause) = retry else { return };
        tokio::time::sleep(pause).await;
        if !is_open(&app.fleet.borrow(), &session, call.nudge_seq) {
            return;
        }
    }
}

fn is_open(fleet: &Fleet, session: &SessionId, seq: u64) -> bool {
    let nudge = fleet.session(session).and_then(|session| session.attention.nudge.as_ref());
    nudge.is_some_and(|nudge| nudge.seq == seq)
}

/// Whether the human was reached by another way, or has answered.
fn was_heard(fleet: &Fleet, session: &SessionId, seq: u64) -> bool {
    fleet.session(session).is_none_or(|session| {
        let attention = &session.attention;
        attention.told(RING) >= seq || attention.acked >= seq || !is_open(fleet, &session.id, seq)
    })
}

async fn attempt(notifier: &Notifier, call: &Call) -> Result<(), Failed> {
    if let Some(url) = &notifier.webhook {
        return webhook::post(url, notifier.format, &notifier.headers, call).await;
    }
    let told = match notifier.desktop {
        true => proc::feed(&desktop::command(call), &[], b"", PROGRAM_LIMIT).await,
        false => proc::feed(&notifier.command, &call.env(), &call.json(), PROGRAM_LIMIT).await,
    };
    told.map_err(|error| match error {
        ProcError::TooSlow { .. } => Failed::Perhaps(error.to_string()),
        error => Failed::Surely(error.to_string()),
    })
}
