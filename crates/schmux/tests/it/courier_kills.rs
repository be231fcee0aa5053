//! A daemon that dies in mid-delivery, and one that comes back: nothing is lost
//! or sent twice, and agents that were there before still get their messages.

use std::fs;
use std::future::pending;
use std::time::Duration;

use schmux::client::ClientError;
use schmux::wire::{DaemonStatus, Health, Message, MessageState};
use serde_json::json;
use tokio::select;
use tokio::time::sleep;

use crate::courier::Agent;
use crate::support::{Daemon, until, until_for, until_left_alone};

/// More steps than a delivery over a draft has.
const MOST: u32 = 60;

/// A press of the editor key that a loaded machine answers too late is not made
/// again for a minute.
const FATE: Duration = Duration::from_secs(100);

/// Short beside a delivery's steps, long beside what a look costs.
const LOOK_EVERY: Duration = Duration::from_millis(10);

impl Daemon {
    /// Starts anew as one that will be killed before its `step`th deed of a delivery.
    fn restart_to_die(&self, step: u32) {
        self.schmux(&["stop"]);
        let mut start = self.command(&["start"]);
        let started = start.env("SCHMUX_TEST_KILL_AT", step.to_string()).output().unwrap();
        assert!(started.status.success(), "{started:?}");
    }
}

/// Starts the daemon again once it was killed, whenever that is, and never ends:
/// the last steps of a delivery come after its message has found its fate.
async fn revive(daemon: &Daemon) {
    let client = daemon.client();
    let is_absent =
        |answer: Result<Health, ClientError>| matches!(answer, Err(e) if e.is_absence());
    while !is_absent(client.get("/api/healthz").await) {
        sleep(LOOK_EVERY).await;
    }
    daemon.schmux(&["start"]);
    pending().await
}

/// What became of the message with these words; none as long as it may change, or nobody answers.
async fn fate(daemon: &Daemon, text: &str) -> Option<Message> {
    let all: Vec<Message> = daemon.client().get("/api/messages?all=true&limit=1000").await.ok()?;
    let found = all.into_iter().find(|message| message.text == text);
    let found = found.expect("what was posted is on disk before anything else happens");
    found.state.is_final().then_some(found)
}

/// One delivery over a draft, cut at a step. False if it was over by then.
async fn is_cut(agent: &Agent<'_>, step: u32) -> bool {
    let daemon = agent.daemon;
    let (draft, text) = (format!("draft number {step}"), format!("message number {step}"));
    agent.types(&draft);
    agent.sees(&draft).await;
    daemon.restart_to_die(step);
    let doomed = daemon.status().await.pid;
    let request = json!({ "to": [agent.session.id], "text": text });
    // It may die before it can say that it has it.
    let _ = daemon.client().post::<_, Vec<Message>>("/api/messages", &request).await;
    let delivery = async {
        let fate = until_for(FATE, "a fate", || fate(daemon, &text)).await;
        until("the draft", || async { agent.screen().contains(&draft).then_some(()) }).await;
        until_left_alone(&daemon.ticket(&agent.session.id), || agent.screen()).await;
        fate
    };
    let fate = select! { fate = delivery => fate, () = revive(daemon) => unreachable!() };
    assert_eq!(agent.submits_field().await, draft, "step {step}: {fate:#?}");
    let times = agent.received().iter().filter(|got| **got == text).count();
    match fate.state {
        MessageState::Confirmed => assert_eq!(times, 1, "step {step}: {fate:#?}"),
        _ => assert!(times <= 1, "step {step}: {fate:#?}"),
    }
    let now: Result<DaemonStatus, _> = daemon.client().get("/api/status").await;
    now.map_or(true, |status| status.pid != doomed)
}

/// A share of all steps: `first`, and each `of`th after it.
async fn check_share(first: u32, of: u32) {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "killed", &[]).await;
    for step in (first..MOST).step_by(of as usize) {
        if !is_cut(&agent, step).await {
            assert!(step > 12, "a delivery has more steps than {step}");
            return;
        }
    }
    panic!("a delivery has fewer than {MOST} steps");
}

/// Waiting takes most of it, so four daemons die beside each other.
#[tokio::test]
async fn a_kill_before_every_step_loses_and_doubles_nothing() {
    tokio::join!(check_share(1, 4), check_share(2, 4), check_share(3, 4), check_share(4, 4));
}

/// A prompt that echoes what it is given without the frame, and says what it got.
const LINE_PROMPT: &str = r#"
import os, tty
tty.setraw(0)
out = lambda text: os.write(1, text.encode())
out('\x1b[?2004h> ')
line = ''
while True:
    read = os.read(0, 4096).decode().replace('\x1b[200~', '').replace('\x1b[201~', '')
    for c in read:
        if c == '\r':
            out(f'\r\ngot: {line}\r\n> ')
            line = ''
        else:
            out(c)
            line += c
"#;

/// An agent asks for framed pastes once, when it starts; up to 3.3a tmux doesn't
/// tell of it.
#[tokio::test]
async fn an_agent_from_before_a_restart_gets_messages_into_its_empty_field() {
    let daemon = Daemon::start();
    let file = daemon.path("prompt.py");
    fs::write(&file, LINE_PROMPT).unwrap();
    let session = daemon.run(&format!("exec python3 {}", file.display())).await;
    let pane = format!("={}:", session.tmux_session);
    let screen =
        || String::from_utf8_lossy(&daemon.tmux(&["capture-pane", "-p", "-t", &pane])).into_owned();
    until("a prompt", || async { screen().contains('>').then_some(()) }).await;
    until("tmux's note", || async {
        let told = daemon.tmux(&["display-message", "-p", "-t", &pane, "#{@schmux_frames}"]);
        (!told.is_empty()).then_some(())
    })
    .await;
    daemon.kill().await;
    daemon.schmux(&["start"]);
    let message = crate::courier::tell(&daemon, &session, "hello again").await;
    crate::courier::becomes(&daemon, &message, MessageState::Confirmed).await;
    assert_eq!(screen().matches("got: hello again").count(), 1, "{}", screen());
}
