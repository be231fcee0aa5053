//! `schmux wait`: until a session is in one of some states, for scripts.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use crate::client::ClientError;
use crate::wire::{HistoryEntry, HistoryWhat, Session, Status};

use super::events::{Feed, PAUSE};
use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

/// How long a daemon that was there a moment ago may be away.
const COME_BACK: Duration = Duration::from_secs(10);

/// How much of the history is read once it is known that no more will come: far more
/// than a session does between two looks.
const LAST_NEWS: u32 = 1000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
    /// The states to wait for. Default: whatever ends its turn
    #[arg(long = "for", value_name = "STATE,…", value_delimiter = ',', value_parser = state,
        default_value = "completed,needs_input,needs_testing,error,idle,exited")]
    states: Vec<Status>,
    /// Give up after this long: 90, 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,
    /// Only what comes from now on counts, not how it stands
    #[arg(long)]
    next: bool,
    /// Print the session as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let deadline = args.timeout.map(|timeout| Instant::now() + timeout);
    let (mut feed, sessions) = begin(context).await?;
    let session = pick::among(&sessions, &args.session)?.clone();
    feed.narrow(&session.id);
    let wanted = |status: &Status| args.states.contains(status);
    if !args.next && wanted(&session.status) {
        return report(&session, session.status, args.json);
    }
    let waiting = async {
        loop {
            let over = look(context, &session, &args).await?;
            let news = match &over {
                // What came before that may be what is waited for.
                Some(_) => feed.first(LAST_NEWS).await?,
                None => feed.next().await?,
            };
            if let Some(status) = reached(context, &session, &news, &wanted).await {
                return Ok(status);
            }
            if let Some(over) = over {
                return Err(over);
            }
        }
    };
    let status = match deadline {
        None => waiting.await,
        Some(deadline) => tokio::time::timeout_at(deadline, waiting)
            .await
            .unwrap_or_else(|_| Err(too_late(&session, &args))),
    }?;
    let now = pick::session(context, &session.id).await.unwrap_or(session);
    report(&now, status, args.json)
}

/// The end of the history, and how all sessions stand after that: nothing falls in
/// between, because the daemon answers the second by what is so at that moment. So a
/// state stands there already, or its line comes after that end. A daemon that dies
/// while it answers is given time to come back.
async fn begin(context: &Context) -> Result<(Feed, Vec<Session>), ClientError> {
    let was_there = Cell::new(false);
    let look = || async {
        let mut feed = Feed::new(&context.client, None, None);
        feed.first(1).await?;
        was_there.set(true);
        let sessions: Vec<Session> = context.client.get("/api/sessions").await?;
        Ok::<_, ClientError>((feed, sessions))
    };
    let deadline = Instant::now() + COME_BACK;
    loop {
        match look().await {
            Err(error) if error.is_absence() && Instant::now() < deadline => {
                if matches!(error, ClientError::NotRunning { .. }) && !was_there.get() {
                    return Err(error);
                }
                was_there.set(true);
                tokio::time::sleep(PAUSE).await;
            }
            found => return found,
        }
    }
}

/// Why waiting makes no sense any more, if it doesn't.
async fn look(
    context: &Context,
    session: &Session,
    args: &Args,
) -> Result<Option<Failure>, Failure> {
    let sessions: Vec<Session> = match context.client.get("/api/sessions").await {
        Err(error) if error.is_absence() => return Ok(None),
        sessions => sessions?,
    };
    let gone = match sessions.iter().find(|other| other.id == session.id) {
        None => "was disposed",
        Some(now) if now.status == Status::Exited && !args.states.contains(&Status::Exited) => {
            "has ended"
        }
        Some(_) => return Ok(None),
    };
    let words: Vec<&str> = args.states.iter().map(|state| state.word()).collect();
    // What it was before this wait, nobody has asked here.
    let message = format!("{} {gone} and won't be {} any more", session.id, words.join(" or "));
    Ok(Some(Failure::new(message).exit(Exit::Ended)))
}

fn too_late(session: &Session, args: &Args) -> Failure {
    let words: Vec<&str> = args.states.iter().map(|state| state.word()).collect();
    let seconds = args.timeout.unwrap_or_default().as_secs();
    Failure::new(format!("{} was not {} within {seconds} s", session.id, words.join(" or ")))
        .exit(Exit::TooLate)
}

/// The wanted state that these lines of the history tell of. What the agent says
/// counts only if all that is known doesn't speak against it.
async fn reached(
    context: &Context,
    session: &Session,
    news: &[HistoryEntry],
    wanted: &impl Fn(&Status) -> bool,
) -> Option<Status> {
    for entry in news {
        let Some(status) = status(entry).filter(wanted) else { continue };
        if !matches!(entry.what, HistoryWhat::Signal { .. }) {
            return Some(status);
        }
        let now = pick::session(context, &session.id).await.map(|now| now.status);
        if now.is_ok_and(|now| now == status) {
            return Some(status);
        }
    }
    None
}

/// The state that a line of the history tells of.
fn status(entry: &HistoryEntry) -> Option<Status> {
    match &entry.what {
        HistoryWhat::Signal { state, .. } => Some(*state),
        HistoryWhat::Life { status, .. } => Some(*status),
        HistoryWhat::Verdict { state, .. } => Some(*state),
        HistoryWhat::Cleared { .. } | HistoryWhat::Message { .. } | HistoryWhat::Record { .. } => {
            None
        }
    }
}

fn report(session: &Session, status: Status, as_json: bool) -> Outcome {
    if as_json {
        return print::json(session);
    }
    let says = session.said.nudge_summary.as_deref().map(print::safe).unwrap_or_default();
    let text = format!("{} {} {says}", session.id, status.word());
    print::text(&format!("{}\n", text.trim_end()))
}

fn state(word: &str) -> Result<Status, String> {
    Status::ALL.into_iter().find(|status| status.word() == word).ok_or_else(|| {
        let words: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
        format!("the states are {}", words.join(", "))
    })
}

/// Seconds, or a number with `s`, `m` or `h` behind it.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3600),
        _ => (text, 1),
    };
    let seconds = number.trim().parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    seconds.map(Duration::from_secs).ok_or_else(|| "write a time as 90, 90s, 10m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_do() {
        for (text, seconds) in [
            ("90", Some(90)),
            ("0", Some(0)),
            ("5s", Some(5)),
            ("10m", Some(600)),
            ("2h", Some(7200)),
            ("", None),
            ("m", None),
            ("-1", None),
            ("1d", None),
        ] {
            assert_eq!(duration(text).ok().map(|time| time.as_secs()), seconds, "{text}");
        }
    }

    #[test]
    fn states_are_named_in_the_error() {
        assert_eq!(state("needs_input"), Ok(Status::NeedsInput));
        assert!(state("done").unwrap_err().contains("completed"));
    }
}
