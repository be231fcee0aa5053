//! Messages by the real command line: what people write, who may write to whom,
//! and what agents write to each other.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use schmux::client::{Client, ClientError};
use schmux::wire::{Message, MessageRequest, MessageState, Session, SpawnRequest};

use crate::support::{Daemon, until};

/// Agents that stand still, each with what an agent knows of itself.
struct World {
    daemon: Daemon,
}

impl World {
    fn new(config: &str) -> World {
        World { daemon: Daemon::with_config(config) }
    }

    async fn agent(&self, name: &str, dir: &str) -> (Session, Client) {
        fs::create_dir_all(self.daemon.path(dir)).unwrap();
        let request = SpawnRequest {
            target: "sh".into(),
            workspace: Some(self.daemon.path(dir).to_string_lossy().into_owned()),
            nickname: Some(name.into()),
            args: vec![format!("echo $SCHMUX_TOKEN > {name}.token; exec sleep 1000")],
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> =
            self.daemon.client().post("/api/spawn", &request).await.unwrap();
        let file = self.daemon.path(dir).join(format!("{name}.token"));
        let token = until("the agent's token", || async {
            fs::read_to_string(&file).ok().filter(|token| token.ends_with('\n'))
        })
        .await;
        let client = self.daemon.client().speaking_for(Some(token.trim().to_owned()));
        (made.remove(0), client)
    }

    async fn waiting(&self) -> Vec<Message> {
        self.daemon.client().get("/api/messages").await.unwrap()
    }

    /// Writes to `to` with `input` on stdin, and returns what was posted.
    fn tell(&self, args: &[&str], input: &str) -> Vec<Message> {
        let mut command = self.daemon.command(&[&["tell", "--json"], args].concat());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn refuses(&self, args: &[&str], words: &str, code: i32) {
        let output = self.daemon.try_schmux(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    }
}

fn to(name: &str, text: &str) -> MessageRequest {
    MessageRequest { to: vec![name.into()], text: text.into(), ..MessageRequest::default() }
}

async fn post(client: &Client, request: &MessageRequest) -> Result<Vec<Message>, ClientError> {
    client.post("/api/messages", request).await
}

fn code(answer: Result<Vec<Message>, ClientError>) -> String {
    match answer {
        Err(ClientError::Refused { error, .. }) => error.code,
        other => panic!("it should be refused: {other:?}"),
    }
}

#[tokio::test]
async fn whatever_people_write_arrives_in_the_outbox() {
    let world = World::new("");
    world.agent("one", "work").await;
    world.agent("two", "work").await;
    let file = world.daemon.path("long.txt");
    let long = "line\n".repeat((1 << 20) / 5);
    fs::write(&file, &long).unwrap();
    let path = file.to_string_lossy().into_owned();
    for (args, input, expected) in [
        (vec!["one", "plain"], "", "plain"),
        (vec!["one", "--", "-rf --wait ;"], "", "-rf --wait ;"),
        (
            vec!["one", "tab\there; $(x) `y` \u{1f44d}\u{1f3fd} \u{6f22}"],
            "",
            "tab\there; $(x) `y` \u{1f44d}\u{1f3fd} \u{6f22}",
        ),
        (vec!["one", "-"], "a\r\nb\r\n", "a\nb"),
        (vec!["one", "-f", &path], "", long.trim_end()),
        (vec!["one", "\u{1b}[201~rm"], "", "\u{241b}[201~rm"),
    ] {
        let posted = world.tell(&args, input);
        assert_eq!(posted.len(), 1, "{args:?}");
        assert!(
            posted[0].text == expected,
            "{args:?}: {:?}",
            &posted[0].text[..40.min(posted[0].text.len())]
        );
        assert!(!posted[0].state.is_final() && posted[0].from.is_none(), "{posted:?}");
        world.daemon.schmux(&["outbox", "cancel", &posted[0].id.to_string()]);
    }
    assert_eq!(world.tell(&["one", "two", "both"], "").len(), 2);
    assert_eq!(world.tell(&["--all", "all"], "").len(), 2);
    let timed = world.tell(&["one", "--urgent", "--expires", "10m", "timed"], "").remove(0);
    assert!(timed.urgent && timed.expires_at.unwrap() > timed.created_at);
    assert!(world.daemon.schmux(&["nudge", "one", "by its other name"]).contains(" "));
    world.refuses(&["tell", "nobody", "x"], "there is no session", 4);
    world.refuses(&["tell", "x"], "for nobody", 2);
    world.refuses(&["tell", "one", " \n "], "empty", 2);
    world.refuses(&["tell", "--needs-me", "x"], "for nobody", 1);
    fs::write(&file, "x".repeat((1 << 20) + 1)).unwrap();
    world.refuses(&["tell", "one", "-f", &path], "1 MB is the most", 2);
    fs::write(&file, [0xff, 0xfe]).unwrap();
    world.refuses(&["tell", "one", "-f", &path], "not UTF-8", 2);
}

#[tokio::test]
async fn messages_expire_and_are_reordered_also_over_a_restart() {
    let world = World::new("");
    let (one, _) = world.agent("one", "work").await;
    let ids: Vec<i64> =
        ["a", "b", "c"].map(|text| world.tell(&["one", text], "").remove(0).id).to_vec();
    let first = ids[2].to_string();
    world.daemon.schmux(&["outbox", "first", &first]);
    let listed: Vec<i64> = world.waiting().await.iter().map(|message| message.id).collect();
    assert_eq!(listed, [ids[2], ids[0], ids[1]]);
    world.daemon.schmux(&["outbox", "retry", &first]);
    world.daemon.kill().await;
    world.daemon.schmux(&["start"]);
    // The one that goes first says what it waits for; the others wait for it.
    until("the first to be held", || async {
        let waiting = world.waiting().await;
        let held = |message: &&Message| message.state == MessageState::Held;
        let held: Vec<i64> = waiting.iter().filter(held).map(|message| message.id).collect();
        held.contains(&ids[2]).then_some(())
    })
    .await;
    let soon = world.tell(&["one", "--expires", "1s", "late"], "").remove(0);
    until("it to expire", || async {
        let path = format!("/api/messages?all=true&session={}", one.id);
        let all: Vec<Message> = world.daemon.client().get(&path).await.unwrap();
        let gone = all.into_iter().find(|message| message.id == soon.id)?;
        (gone.reason.as_deref() == Some("it expired")).then_some(())
    })
    .await;
    world.refuses(&["outbox", "retry", &soon.id.to_string()], "is failed already", 1);
    world.refuses(&["outbox", "first", "1"], "there is no message 1", 4);
}

#[tokio::test]
async fn agents_write_in_their_own_name_to_those_they_may() {
    let world = World::new("[messages]\nallow = [{ from = \"boss\", to = \"far\" }]\n");
    let (boss, as_boss) = world.agent("boss", "work").await;
    let (near, as_near) = world.agent("near", "work").await;
    let (far, as_far) = world.agent("far", "elsewhere").await;
    let sent = post(&as_boss, &to("near", "hello")).await.unwrap().remove(0);
    assert_eq!((sent.from.as_deref(), sent.text.as_str()), (Some(boss.id.as_str()), "hello"));
    assert_eq!(post(&as_boss, &to("far", "hello")).await.unwrap().len(), 1);
    assert_eq!(code(post(&as_near, &to("far", "hello")).await), "not_allowed");
    assert_eq!(code(post(&as_far, &to("boss", "hello")).await), "not_allowed");
    // Whoever writes to all writes to those it may, and not to itself.
    let all = MessageRequest { all: true, text: "all".into(), ..MessageRequest::default() };
    let sent = post(&as_near, &all).await.unwrap();
    assert_eq!(sent.iter().map(|m| m.session_id.as_str()).collect::<Vec<_>>(), [&boss.id]);

    // Each sees and changes its own only.
    let seen: Vec<Message> = as_far.get("/api/messages").await.unwrap();
    assert!(seen.iter().all(|message| message.session_id == far.id) && seen.len() == 1);
    let path = format!("/api/messages/{}/cancel", sent[0].id);
    let answer: Result<Message, _> = as_far.post(&path, &serde_json::json!({})).await;
    assert_eq!(code(answer.map(|message| vec![message])), "not_yours");
    assert!(as_near.post::<_, Message>(&path, &serde_json::json!({})).await.is_ok());

    // Nobody speaks for another, and no token is taken for one that it isn't.
    let signal = serde_json::json!({"id": "x", "state": "error", "message": "m"});
    let path = |id: &str| format!("/api/sessions/{id}/signal");
    assert!(as_near.tell(&path(&near.id), &signal).await.is_ok());
    let refused = as_near.tell(&path(&boss.id), &signal).await.map(|()| vec![]);
    assert_eq!(code(refused), "not_yours");
    for token in ["nonsense", "work-001-x.00", "a\nb: c"] {
        let stranger = world.daemon.client().speaking_for(Some(token.into()));
        let answer = post(&stranger, &to("near", "x")).await;
        match token.contains('\n') {
            true => assert!(answer.is_ok(), "what can't be sent says nothing"),
            false => assert_eq!(code(answer), "wrong_token"),
        }
    }
}

#[tokio::test]
async fn agents_that_answer_each_other_without_end_are_slowed_and_stopped() {
    let world = World::new("");
    let (_, one) = world.agent("one", "work").await;
    let (_, two) = world.agent("two", "work").await;
    let mut ends = Vec::new();
    for n in 0..24 {
        let (client, name) = if n % 2 == 0 { (&one, "two") } else { (&two, "one") };
        let sent = post(client, &to(name, &format!("answer {n}"))).await.unwrap().remove(0);
        ends.push((sent.id, sent.state));
    }
    assert!(ends[..6].iter().all(|(_, state)| *state != MessageState::Failed), "{ends:?}");
    assert_eq!(ends[23].1, MessageState::Failed, "{ends:?}");
    let damped = until("a damped one to say so", || async {
        let waiting = world.waiting().await;
        let why = Some("agents are answering each other in a loop");
        waiting.into_iter().find(|message| message.reason.as_deref() == why)
    })
    .await;
    // A human may have it delivered all the same, and may always write.
    world.daemon.schmux(&["outbox", "retry", &damped.id.to_string()]);
    assert_eq!(world.tell(&["one", "stop it"], "").len(), 1);
    let sent = post(&two, &to("one", "one more")).await.unwrap().remove(0);
    assert_ne!(sent.state, MessageState::Failed, "a human's word starts the count anew");
}

/// Runs a hook of `session`'s agent as Claude Code would; returns what it prints.
fn hook(world: &World, session: &Session, event: &str) -> String {
    let mut child = inside(world, session, &["hook", "claude", event]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Our program with what an agent's programs know.
fn inside(world: &World, session: &Session, args: &[&str]) -> Command {
    let name = session.nickname.as_deref().unwrap();
    let token = fs::read_to_string(world.daemon.path(&format!("work/{name}.token"))).unwrap();
    let events = world.daemon.path(&format!("work/.schmux/events/{}.jsonl", session.id));
    let mut command = world.daemon.command(args);
    command
        .env("SCHMUX_SESSION_ID", &session.id)
        .env("SCHMUX_TOKEN", token.trim())
        .env("SCHMUX_EVENTS_FILE", events)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

async fn state(world: &World, id: i64) -> (MessageState, Option<String>) {
    let all: Vec<Message> = world.daemon.client().get("/api/messages?all=true").await.unwrap();
    let message = all.into_iter().find(|message| message.id == id).unwrap();
    (message.state, message.reason)
}

/// Calls a hook until it brings something: on a loaded machine one may be too
/// late for its answer, and the message then waits for the next.
async fn hooked(world: &World, session: &Session, event: &str) -> String {
    until("a hook that brings a message", || async {
        Some(hook(world, session, event)).filter(|said| !said.is_empty())
    })
    .await
}

#[tokio::test]
async fn hooks_bring_messages_exactly_once() {
    let world = World::new("");
    let (boss, as_boss) = world.agent("boss", "work").await;
    let (near, _) = world.agent("near", "work").await;
    assert_eq!(hook(&world, &near, "PostToolUse"), "");
    let sent = post(&as_boss, &to("near", "look at this")).await.unwrap().remove(0);
    let said = hooked(&world, &near, "PostToolUse").await;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let words = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    let heading =
        format!("[schmux] Message from the agent boss ({0}). To answer: schmux tell {0}", boss.id);
    assert!(words.starts_with(&heading) && words.ends_with("\nlook at this"), "{words}");
    until("the hook's word", || async {
        (state(&world, sent.id).await.0 == MessageState::Submitted).then_some(())
    })
    .await;
    assert_eq!(hook(&world, &near, "PreToolUse"), "");
    until("the agent to go on", || async {
        (state(&world, sent.id).await.0 == MessageState::Confirmed).then_some(())
    })
    .await;
    assert_eq!(hook(&world, &near, "PostToolUse"), "", "once");
    let inbox = world.daemon.path(&format!("work/.schmux/inbox/{}", near.id));
    assert!(fs::read_to_string(inbox).unwrap().contains("look at this"));

    // A human's words wait to be typed; a long one is in the file.
    world.tell(&["near", "typed, please"], "");
    assert_eq!(hook(&world, &near, "Stop"), "");
    let waiting = world.waiting().await;
    world.daemon.schmux(&["outbox", "cancel", &waiting[0].id.to_string()]);
    let long = "much ".repeat(5000);
    post(&as_boss, &to("near", &long)).await.unwrap();
    let said = hooked(&world, &near, "Stop").await;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["decision"], "block");
    let words = said["reason"].as_str().unwrap();
    assert!(words.len() < 1000 && words.contains(".schmux/inbox/"), "{words}");
}

#[tokio::test]
async fn what_a_hook_passed_on_while_the_daemon_was_away_is_not_sent_again() {
    let world = World::new("");
    let (_, as_boss) = world.agent("boss", "work").await;
    let (near, _) = world.agent("near", "work").await;
    let sent = post(&as_boss, &to("near", "once only")).await.unwrap().remove(0);
    hooked(&world, &near, "PostToolUse").await;
    world.daemon.kill().await;
    // The next hook finds nobody and writes itself down.
    assert_eq!(hook(&world, &near, "PreToolUse"), "");
    world.daemon.schmux(&["start"]);
    until("its fate", || async {
        let (state, _) = state(&world, sent.id).await;
        matches!(state, MessageState::Submitted | MessageState::Confirmed).then_some(())
    })
    .await;
    assert_eq!(hook(&world, &near, "PostToolUse"), "");
    assert_eq!(hook(&world, &near, "PostToolUse"), "");
    assert_eq!(state(&world, sent.id).await.0, MessageState::Confirmed);
}

#[tokio::test]
async fn mcp_offers_the_tools_and_they_work() {
    use std::io::{BufRead, BufReader};
    let world = World::new("");
    let (boss, as_boss) = world.agent("boss", "work").await;
    let (near, _) = world.agent("near", "work").await;
    post(&as_boss, &to("near", "from the boss")).await.unwrap();
    let mut child = inside(&world, &near, &["mcp"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut say =
        |message: serde_json::Value| stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
    let mut number = 0;
    let mut ask = |method: &str, params: serde_json::Value| {
        number += 1;
        say(
            serde_json::json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params}),
        );
        loop {
            let line: serde_json::Value =
                serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            if line["id"] == number {
                return line["result"].clone();
            }
        }
    };
    let client = serde_json::json!({"name": "test", "version": "1"});
    let hello = serde_json::json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    assert_eq!(ask("initialize", hello)["serverInfo"]["name"], "schmux");
    let tools = ask("tools/list", serde_json::json!({}));
    let mut names: Vec<&str> = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["check_inbox", "list_sessions", "send_message", "set_status"]);
    let mut call = |name: &str, arguments: serde_json::Value| {
        let result = ask("tools/call", serde_json::json!({"name": name, "arguments": arguments}));
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        (text, result["isError"] == true)
    };
    let (inbox, _) = call("check_inbox", serde_json::json!({}));
    assert!(inbox.contains("from the boss") && inbox.contains(&boss.id), "{inbox}");
    assert_eq!(call("check_inbox", serde_json::json!({})).0, "No message waits for you.");
    let (sessions, _) = call("list_sessions", serde_json::json!({}));
    assert!(sessions.contains("\"boss\"") && sessions.contains("\"you\": true"), "{sessions}");
    let (sent, failed) = call("send_message", serde_json::json!({"to": "boss", "message": "done"}));
    assert!(!failed && sent.contains(&boss.id), "{sent}");
    let (sent, failed) = call("send_message", serde_json::json!({"to": "nobody", "message": "x"}));
    assert!(failed && sent.contains("there is no session"), "{sent}");
    let (_, failed) =
        call("set_status", serde_json::json!({"state": "needs_input", "message": "which?"}));
    assert!(!failed);
    assert!(call("set_status", serde_json::json!({"state": "asleep", "message": "x"})).1);
    let sent =
        world.waiting().await.into_iter().find(|message| message.session_id == boss.id).unwrap();
    assert_eq!((sent.from.as_deref(), sent.text.as_str()), (Some(near.id.as_str()), "done"));
    assert_eq!(
        world.daemon.session(&near.id).await.unwrap().said.nudge_state.as_deref(),
        Some("Needs Authorization")
    );
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
