//! Messages by the real command line: what people write, who may write to whom,
//! and what agents write to each other.

use std::fs;
use std::io::Write;
use std::process::Stdio;

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
    world.refuses(&["tell", "one", " \n "], "empty", 1);
    world.refuses(&["tell", "--needs-me", "x"], "for nobody", 1);
    fs::write(&file, "x".repeat((1 << 20) + 1)).unwrap();
    world.refuses(&["tell", "one", "-f", &path], "1 MB is the most", 1);
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
