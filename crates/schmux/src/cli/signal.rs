//! `schmux signal`: tells a session's state, for scripts and for agents that
//! rather run a command than write a file.

use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use schmux_core::signal::State;
use serde_json::{Value, json};

use crate::client::{Client, ClientError, encode_segment};
use crate::wire::SignalRequest;

use super::failure::{Exit, Failure};
use super::{Context, Outcome, letterbox, pick};

/// A signal has a second way, so it doesn't wait long for the first.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// completed, needs_input, needs_testing, error or working
    state: String,
    /// What to tell the human
    #[arg(allow_hyphen_values = true)]
    message: Vec<String>,
    /// Whose state it is; default: the session that this runs in
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// More to tell, as in progress=40; may be repeated
    #[arg(long = "detail", value_name = "KEY=VALUE", value_parser = key_value)]
    details: Vec<(String, String)>,
}

/// What the environment of a session says.
struct Own {
    id: String,
    events_file: Option<PathBuf>,
}

impl Args {
    /// A message may begin with a dash, so the parser takes all words behind the
    /// first one for it. Our own flags among them are flags.
    fn sorted(mut self) -> Result<Args, Failure> {
        let mut words = std::mem::take(&mut self.message).into_iter();
        while let Some(word) = words.next() {
            let (flag, value) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            if !matches!(flag, "--session" | "--detail") {
                self.message.push(word);
                continue;
            }
            let value = value.or_else(|| words.next()).ok_or_else(|| {
                Failure::new(format!("{flag} needs a value behind it")).exit(Exit::Usage)
            })?;
            match flag {
                "--session" => self.session = Some(value),
                _ => self.details.push(
                    key_value(&value).map_err(|wrong| Failure::new(wrong).exit(Exit::Usage))?,
                ),
            }
        }
        Ok(self)
    }
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let args = args.sorted()?;
    let request = request(&args)?;
    match &args.session {
        // Another session's events file is not ours to write.
        Some(name) => {
            let session = pick::session(context, name).await?;
            Ok(tell(&context.client, &session.id, &request).await?)
        }
        None => {
            let env = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
            let own = Own {
                id: env("SCHMUX_SESSION_ID").ok_or_else(outside)?,
                events_file: env("SCHMUX_EVENTS_FILE").map(PathBuf::from),
            };
            tell_own(&context.client, &own, &request).await
        }
    }
}

fn request(args: &Args) -> Result<SignalRequest, Failure> {
    let state: State = args.state.parse().map_err(|unknown| {
        Failure::new(format!("`{}`: {unknown}", super::print::safe(&args.state)))
            .exit(Exit::Usage)
            .advice("as in: schmux signal completed 'The tests pass'")
    })?;
    Ok(SignalRequest {
        id: format!("{:032x}", rand::random::<u128>()),
        state,
        message: args.message.join(" "),
        details: args.details.iter().cloned().collect(),
    })
}

async fn tell(client: &Client, id: &str, request: &SignalRequest) -> Result<(), ClientError> {
    let path = format!("/api/sessions/{}/signal", encode_segment(id));
    client.patient(PATIENCE).tell(&path, request).await
}

/// To the daemon, else into the session's own events file, where it is found later.
async fn tell_own(client: &Client, own: &Own, request: &SignalRequest) -> Outcome {
    match (tell(client, &own.id, request).await, &own.events_file) {
        (Ok(()), _) => Ok(()),
        // It was heard, and the answer is no.
        (Err(err @ ClientError::Refused { .. }), _) | (Err(err), None) => Err(err.into()),
        (Err(_), Some(file)) => letterbox::post(file, &line(request)).map_err(|err| {
            Failure::new(format!(
                "the daemon is away, and {} can't be written: {err}",
                file.display()
            ))
            .advice("start the daemon: schmux start")
        }),
    }
}

/// The line of the events file that says the same.
fn line(request: &SignalRequest) -> Value {
    let mut line = json!(request.details);
    let said = json!({
        "ts": Timestamp::now(), "type": "status", "state": request.state,
        "message": request.message, "id": request.id,
    });
    if let (Value::Object(line), Value::Object(said)) = (&mut line, said) {
        line.extend(said);
    }
    line
}

fn outside() -> Failure {
    Failure::new("this is not a session of schmux: SCHMUX_SESSION_ID is not set")
        .exit(Exit::Usage)
        .advice("name one, as in: schmux signal completed --session SESSION 'Done'")
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write it as KEY=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use axum::extract::Path as Segment;
    use axum::http::StatusCode;
    use axum::routing::post;
    use axum::{Json, Router};

    use super::*;
    use crate::home::Home;

    fn args(state: &str) -> Args {
        Args {
            state: state.into(),
            message: vec!["two".into(), "words".into()],
            session: None,
            details: vec![("progress".into(), "40".into())],
        }
    }

    fn own(dir: &tempfile::TempDir) -> Own {
        Own { id: "w-1".into(), events_file: Some(dir.path().join("events/w-1.jsonl")) }
    }

    #[test]
    fn only_states_are_states() {
        let err = request(&args("done")).unwrap_err();
        assert_eq!(err.exit, Exit::Usage);
        assert!(err.message.contains("completed, needs_input, needs_testing, error, working"));
        assert_eq!(outside().exit, Exit::Usage);
        assert_eq!(key_value("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(key_value("=b").is_err() && key_value("a").is_err());
    }

    #[test]
    fn flags_may_stand_behind_the_message() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect();
        let with = |text: &str| Args { message: words(text), ..args("error") }.sorted();
        let sorted = with("- 2 failed --session fixer --detail task=x=y now").unwrap();
        assert_eq!(sorted.message.join(" "), "- 2 failed now");
        assert_eq!(sorted.session.as_deref(), Some("fixer"));
        assert_eq!(sorted.details[1], ("task".into(), "x=y".into()));
        assert_eq!(with("no --session=a").unwrap().session.as_deref(), Some("a"));
        assert!(with("no --session").is_err() && with("no --detail x").is_err());
    }

    #[tokio::test]
    async fn the_daemon_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let heard: Arc<Mutex<Vec<(String, SignalRequest)>>> = Arc::default();
        let told = heard.clone();
        let app = Router::new().route(
            "/api/sessions/{id}/signal",
            post(|Segment(id): Segment<String>, Json(body): Json<SignalRequest>| async move {
                told.lock().unwrap().push((id.clone(), body));
                if id == "gone" { StatusCode::NOT_FOUND } else { StatusCode::NO_CONTENT }
            }),
        );
        let listener = tokio::net::UnixListener::bind(home.socket()).unwrap();
        tokio::spawn(async { axum::serve(listener, app).await });
        let client = Client::new(&home);
        let request = request(&args("needs_input")).unwrap();
        tell_own(&client, &own(&dir), &request).await.unwrap();
        assert_eq!(*heard.lock().unwrap(), [("w-1".to_owned(), request.clone())]);
        // A no is an answer: nothing goes to the file.
        let gone = Own { id: "gone".into(), ..own(&dir) };
        let err = tell_own(&client, &gone, &request).await.unwrap_err();
        assert_eq!(err.exit, Exit::NotFound);
        assert!(!own(&dir).events_file.unwrap().exists());
    }

    #[tokio::test]
    async fn without_a_daemon_it_is_written_down() {
        let dir = tempfile::tempdir().unwrap();
        let client = Client::new(&Home::at(dir.path()));
        let request = request(&args("error")).unwrap();
        tell_own(&client, &own(&dir), &request).await.unwrap();
        let text = std::fs::read_to_string(own(&dir).events_file.unwrap()).unwrap();
        let line: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["type"], "status");
        assert_eq!((&line["state"], &line["message"]), (&json!("error"), &json!("two words")));
        assert_eq!((&line["progress"], &line["id"]), (&json!("40"), &json!(request.id)));
        let nowhere = Own { id: "w-1".into(), events_file: None };
        let err = tell_own(&client, &nowhere, &request).await.unwrap_err();
        assert_eq!(err.exit, Exit::NotRunning);
    }
}
