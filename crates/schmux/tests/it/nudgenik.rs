//! NudgeNik, from a silent session to what the page is told: with a real web
//! server for a model, and without one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;

use schmux::wire::{Check, CheckResult, Confidence, NudgeSource, Session};

use crate::support::{Daemon, until};

/// A service that speaks as OpenAI does: it answers with the same words each time,
/// and hands on what it was asked.
fn model(status: u16, answer: &'static str) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, received) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let answer = serde_json::json!({
                "choices": [{ "message": { "content": answer } }],
                "usage": { "prompt_tokens": 400, "completion_tokens": 60 },
            });
            let answer = answer.to_string();
            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", answer.len());
            let sent = write!(stream, "{head}Connection: close\r\n\r\n{answer}");
            if sent.is_err() || sender.send(String::from_utf8(body).unwrap()).is_err() {
                return;
            }
        }
    });
    (url, received)
}

/// As impatient as the settings allow.
const HASTE: &str = "first = 0\nevery = 1\nsilent = 1\nunsignalled = 0\n";

/// A silent agent: what it printed, an empty field, and then nothing until it is
/// given a line.
fn silent(words: &str) -> String {
    format!(
        "stty -echo; printf '\\n{words}\\n\\n❯ '; read -r x; printf '\\n\\nGoing on.\\n'; exec cat"
    )
}

async fn opinion(daemon: &Daemon, session: &Session) -> Session {
    until("an opinion", || async {
        daemon.session(&session.id).await.filter(|session| session.said.nudge.is_some())
    })
    .await
}

async fn check(daemon: &Daemon) -> Check {
    let checks: Vec<Check> = daemon.client().get("/api/doctor").await.unwrap();
    checks.into_iter().find(|check| check.name == "nudgenik").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_reads_a_silent_session_once_and_nobody_is_called() {
    let (url, asked) = model(
        200,
        r#"{"state":"needs_input","confidence":"high","summary":"It wants to push.","evidence":["Shall I?"]}"#,
    );
    let daemon = Daemon::with_config(&format!(
        "[nudgenik]\napi = \"openai\"\nurl = \"{url}\"\nmodel = \"m\"\n{HASTE}"
    ));
    let session = daemon.run(&silent("All is done. API_KEY=abcdef123456 Shall I push it?")).await;
    let shown = opinion(&daemon, &session).await;
    let nudge = shown.said.nudge.clone().unwrap();
    assert_eq!((nudge.source, nudge.confidence), (NudgeSource::Llm, Confidence::Medium));
    assert_eq!(
        (nudge.state.as_str(), nudge.summary.as_str()),
        ("Needs Authorization", "It wants to push.")
    );
    assert_eq!(nudge.evidence, ["m", "Shall I?"]);
    assert_eq!((shown.said.nudge_seq, shown.said.rung_seq, shown.said.nudge_at), (0, 0, None));
    let question = asked.recv().unwrap();
    assert!(
        question.contains("Shall I push it?") && !question.contains("abcdef123456"),
        "{question}"
    );
    let told = check(&daemon).await;
    assert_eq!(told.result, CheckResult::Ok);
    assert!(told.detail.contains("1 answered, 460 tokens"), "{}", told.detail);
    // It dies with the next output, and the same screen was asked about once.
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    until("its end", || async {
        daemon.session(&session.id).await.filter(|session| session.said.nudge.is_none())
    })
    .await;
    assert_eq!(asked.try_iter().filter(|other| *other == question).count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_model_or_when_it_fails_the_words_are_read() {
    let (url, _asked) = model(401, "");
    let broken = format!("api = \"openai\"\nurl = \"{url}\"\nmodel = \"m\"\n");
    tokio::join!(
        words_are_read("", CheckResult::Ok),
        words_are_read(&broken, CheckResult::Warning)
    );
}

async fn words_are_read(model: &str, result: CheckResult) {
    let daemon = Daemon::with_config(&format!("[nudgenik]\n{model}{HASTE}"));
    let session = daemon.run(&silent("The login page has been fixed.")).await;
    let shown = opinion(&daemon, &session).await;
    let nudge = shown.said.nudge.unwrap();
    assert_eq!((nudge.source, nudge.confidence), (NudgeSource::Llm, Confidence::Low));
    assert_eq!(nudge.state, "Completed");
    assert_eq!(nudge.evidence[0], "the words alone");
    assert_eq!(shown.said.nudge_seq, 0);
    let told = check(&daemon).await;
    assert_eq!(told.result, result, "{}", told.detail);
}
