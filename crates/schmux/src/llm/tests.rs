//! Every way to ask, against a real server that speaks it, and real programs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use schmux_core::evidence::Confidence;
use schmux_core::nudgenik::{extract, prompt};
use schmux_core::signal::State;
use serde_json::{Value, json};

use super::*;
use crate::config::OneShot;

const KEY: &str = "key-0123456789";

/// A web service on this machine: answers requests in turn with these (the last
/// one from then on), and hands on what each one sent.
struct Service {
    url: String,
    received: mpsc::Receiver<(String, Value)>,
}

#[derive(Clone)]
struct Reply {
    status: u16,
    header: &'static str,
    body: String,
    delay: Duration,
}

fn reply(status: u16, body: impl ToString) -> Reply {
    Reply { status, header: "X-None: 1", body: body.to_string(), delay: Duration::ZERO }
}

impl Service {
    fn start(replies: Vec<Reply>) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, received) = mpsc::channel();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let reply = replies[number.min(replies.len() - 1)].clone();
                serve(stream.unwrap(), &reply, &sender);
            }
        });
        Service { url, received }
    }

    fn model(&self, api: Api) -> Model {
        let settings = Nudgenik {
            api: Some(api),
            model: Some("some/model".into()),
            url: Some(format!("{}/", self.url)),
            ..Nudgenik::default()
        };
        let mut model = Model::new(&settings, PathBuf::new()).unwrap();
        model.pace = 0.001;
        if let Way::Api { key, .. } = &mut model.way {
            *key = KeySource::Given(key::Key::new(KEY));
        }
        model
    }

    fn requests(&self) -> Vec<(String, Value)> {
        self.received.try_iter().collect()
    }
}

/// Answers a request, and hands on its head in small letters and its body before
/// that: whoever has the answer finds them.
fn serve(mut stream: TcpStream, reply: &Reply, received: &mpsc::Sender<(String, Value)>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line.to_lowercase());
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    // Whoever has waited long enough has gone.
    let _ = received.send((head, serde_json::from_slice(&body).unwrap()));
    std::thread::sleep(reply.delay);
    let Reply { status, header, body: answer, .. } = reply;
    let length = answer.len();
    let answer = format!(
        "HTTP/1.1 {status} X\r\n{header}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}"
    );
    let _ = stream.write_all(answer.as_bytes());
}

fn question() -> Prompt {
    prompt("claude", &extract(&["I am done. Shall I push? TOKEN=abcdefgh12345678"]), "fence")
}

const VERDICT: &str =
    r#"{"state":"needs_input","confidence":"high","summary":"It asks.","evidence":["push?"]}"#;

/// What each service says when it says `text`.
fn said(api: Api, text: &str) -> Value {
    match api {
        Api::Openai => {
            json!({ "choices": [{ "message": { "role": "assistant", "content": text } }],
            "usage": { "prompt_tokens": 300, "completion_tokens": 40 } })
        }
        Api::Anthropic => json!({ "content": [{ "type": "text", "text": "Let me see." },
            { "type": "tool_use", "name": "verdict", "input": serde_json::from_str::<Value>(text).unwrap() }],
            "usage": { "input_tokens": 300, "output_tokens": 40 } }),
        Api::Gemini => json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }],
            "usageMetadata": { "promptTokenCount": 300, "candidatesTokenCount": 30,
                "thoughtsTokenCount": 10 } }),
        Api::Ollama => json!({ "message": { "role": "assistant", "content": text },
            "prompt_eval_count": 300, "eval_count": 40 }),
    }
}

#[tokio::test]
async fn each_api_is_spoken_to_in_its_own_way() {
    let cases = [
        (
            Api::Openai,
            "post /chat/completions",
            "authorization: bearer",
            "/response_format/json_schema/schema",
        ),
        (Api::Anthropic, "post /v1/messages", "x-api-key:", "/tools/0/input_schema"),
        (
            Api::Gemini,
            "post /v1beta/models/some%2fmodel:generatecontent",
            "x-goog-api-key:",
            "/generationConfig/responseSchema",
        ),
        (Api::Ollama, "post /api/chat", "authorization: bearer", "/format"),
    ];
    for (api, path, auth, schema) in cases {
        let service = Service::start(vec![reply(200, said(api, VERDICT))]);
        let (opinion, usage) = service.model(api).ask(&question()).await.unwrap();
        assert_eq!((opinion.state, opinion.confidence), (State::NeedsInput, Confidence::High));
        assert_eq!(usage, Usage { sent: 300, received: 40 }, "{api:?}");
        let (head, body) = service.requests().remove(0);
        assert!(head.starts_with(path), "{api:?}: {head}");
        assert!(head.contains(&format!("{auth} {KEY}")), "{api:?}: {head}");
        let states = body.pointer(schema).map(|schema| &schema["properties"]["state"]["enum"]);
        assert_eq!(states.and_then(Value::as_array).map(Vec::len), Some(5), "{api:?}: {body}");
        let sent = body.to_string();
        assert!(sent.contains("Shall I push?") && !sent.contains("abcdefgh12345678"), "{sent}");
    }
}

#[tokio::test]
async fn what_may_pass_is_tried_again_and_what_may_not_is_told() {
    let ok = || reply(200, said(Api::Openai, VERDICT));
    let later = |header| Reply { header, ..reply(429, "{}") };
    let refused = reply(401, json!({ "error": { "message": format!("bad key {KEY}") } }));
    let moved = Reply { header: "Location: http://127.0.0.1:1/", ..reply(302, "") };
    let cases = [
        (vec![reply(500, ""), ok()], Ok(()), 2),
        (vec![reply(500, ""), reply(503, ""), ok()], Ok(()), 3),
        (vec![reply(500, "oh")], Err("answered 500: oh"), 3),
        (vec![later("Retry-After: 2"), ok()], Ok(()), 2),
        (vec![later("Retry-After: 3600"), ok()], Err("answered 429"), 1),
        (vec![refused], Err("answered 401: bad key [key]"), 1),
        (vec![moved], Err("answered 302"), 1),
        (vec![reply(200, "<html>")], Err("not this API's: <html>"), 1),
        (vec![reply(200, json!({ "choices": [] }))], Err("not this API's"), 1),
        (vec![reply(200, said(Api::Openai, "no idea"))], Err("without a JSON object"), 1),
    ];
    for (replies, expected, count) in cases {
        let service = Service::start(replies);
        let result = service.model(Api::Openai).ask(&question()).await;
        match (result, expected) {
            (Ok(_), Ok(())) => {}
            (Err(error), Err(text)) => {
                let error = format!("{error} {error:?}");
                assert!(error.contains(text) && !error.contains(KEY), "{error}");
            }
            (result, expected) => panic!("{result:?} is not {expected:?}"),
        }
        assert_eq!(service.requests().len(), count, "{expected:?}");
    }
}

#[tokio::test]
async fn a_service_that_is_slow_or_away_is_not_waited_for() {
    let slow = Reply { delay: Duration::from_secs(20), ..reply(200, "{}") };
    let service = Service::start(vec![slow]);
    let mut model = service.model(Api::Anthropic);
    model.limit = Duration::from_millis(200);
    let begun = Instant::now();
    let error = model.ask(&question()).await.unwrap_err();
    assert!(matches!(error, LlmError::Slow { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(10));

    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (_, received) = mpsc::channel();
    let away = Service { url: format!("http://{nobody}"), received };
    let error = away.model(Api::Ollama).ask(&question()).await.unwrap_err();
    assert!(matches!(error, LlmError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_service_that_takes_no_schema_is_asked_without() {
    let ok = reply(200, said(Api::Openai, &format!("Well.\n```json\n{VERDICT}\n```")));
    let service = Service::start(vec![reply(400, "response_format?"), ok.clone(), ok]);
    let model = service.model(Api::Openai);
    for _ in 0..2 {
        assert_eq!(model.ask(&question()).await.unwrap().0.state, State::NeedsInput);
    }
    let with: Vec<bool> =
        service.requests().iter().map(|(_, body)| body.get("response_format").is_some()).collect();
    assert_eq!(with, [true, false, false]);
}

#[test]
fn keys_come_from_where_the_settings_say_and_go_where_they_are_meant_for() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key");
    std::fs::write(&file, format!("{KEY}\n")).unwrap();
    let settings = |api| Nudgenik { api: Some(api), ..Nudgenik::default() };
    let of_file = Nudgenik { key_file: Some(file.clone()), ..settings(Api::Openai) };
    let key = KeySource::of(Api::Openai, &of_file).read().unwrap().unwrap();
    assert_eq!((key.reveal(), format!("{key:?}").contains(KEY)), (KEY, false));
    std::fs::write(&file, "two words").unwrap();
    assert!(KeySource::of(Api::Openai, &of_file).read().is_err());
    // The usual variable is for the usual place only.
    let elsewhere = Nudgenik { url: Some("http://box/v1".into()), ..settings(Api::Openai) };
    assert_eq!(KeySource::of(Api::Openai, &elsewhere), KeySource::None);
    let named = Nudgenik { key_env: Some("SURELY_NOT_SET".into()), ..elsewhere };
    let error = KeySource::of(Api::Openai, &named).read().unwrap_err();
    assert!(error.to_string().contains("SURELY_NOT_SET"), "{error}");
}

/// An agent that answers with its own arguments, what it reads, and a verdict.
fn agent(kind: OneShot, script: &str) -> (tempfile::TempDir, Model) {
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join("agent");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut agent = Agent::new(kind, Some("small".into()), dir.path().join("empty"));
    agent.program = program.to_string_lossy().into_owned();
    let limit = Duration::from_secs(20);
    let name = agent.to_string();
    (dir, Model { name, way: Way::Agent(agent), limit, pace: 0.001 })
}

#[tokio::test]
async fn agents_are_asked_once_in_an_empty_place() {
    let script =
        format!("printf '%s\\n' \"$@\" > ../args; cat > ../read; pwd > ../place\necho '{VERDICT}'");
    for (kind, flag) in [
        (OneShot::Claude, "--tools="),
        (OneShot::Codex, "--sandbox=read-only"),
        (OneShot::Gemini, "--prompt="),
    ] {
        let (dir, model) = agent(kind, &script);
        let (opinion, _) = model.ask(&question()).await.unwrap();
        assert_eq!(opinion.summary, "It asks.");
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        assert!(read("args").lines().any(|arg| arg == flag), "{}", read("args"));
        assert!(read("args").contains("--model=small"));
        assert!(read("read").contains("Shall I push?"), "{}", read("read"));
        assert!(read("place").trim_end().ends_with("empty"));
    }
    let (_dir, broken) = agent(OneShot::Claude, "echo 'not logged in' >&2; exit 1");
    let error = broken.ask(&question()).await.unwrap_err();
    assert!(error.to_string().contains("not logged in"), "{error}");
    let (_dir, mut slow) = agent(OneShot::Claude, "exec sleep 60");
    slow.limit = Duration::from_millis(200);
    assert!(matches!(slow.ask(&question()).await, Err(LlmError::Agent(ProcError::TooSlow { .. }))));
}
