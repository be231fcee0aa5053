//! `schmux tell --wait`: it ends when the message's fate is known, and its exit
//! code says which; through a restart of the daemon, and when its session goes.

use std::process::{Child, Command, Output};

use schmux::wire::{Message, MessageState};
use serde_json::Value;

use crate::courier::Agent;
use crate::support::{Daemon, until};

/// A `schmux tell --wait` that runs beside the test.
struct Teller<'a> {
    daemon: &'a Daemon,
    child: Child,
}

impl<'a> Teller<'a> {
    fn begin(daemon: &'a Daemon, args: &[&str]) -> Teller<'a> {
        let args = [&["tell", "--wait", "--json"], args].concat();
        Teller { daemon, child: daemon.begin_schmux(&args) }
    }

    /// Until the message with this text waits for this reason.
    async fn waits(&self, text: &str, why: &str) -> Message {
        until(why, || async {
            let open: Vec<Message> = self.daemon.client().get("/api/messages").await.ok()?;
            let mine = open.into_iter().find(|message| message.text == text)?;
            mine.reason.as_deref().is_some_and(|reason| reason.contains(why)).then_some(mine)
        })
        .await
    }

    /// Until the message is in the outbox, behind another that is held.
    async fn waits_behind(&self, text: &str) {
        until("the message", || async {
            let open: Vec<Message> = self.daemon.client().get("/api/messages").await.ok()?;
            open.into_iter().find(|message| message.text == text)
        })
        .await;
    }

    fn is_waiting(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Its exit code, what it said of each message, and what it complained of.
    async fn ends(mut self) -> (i32, Vec<(MessageState, String)>, String) {
        until("the end of tell --wait", || {
            let ended = !self.is_waiting();
            async move { ended.then_some(()) }
        })
        .await;
        told(self.child.wait_with_output().unwrap())
    }
}

fn told(output: Output) -> (i32, Vec<(MessageState, String)>, String) {
    let said = String::from_utf8(output.stderr).unwrap();
    let messages: Vec<Message> = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let fate = |message: Message| (message.state, message.reason.unwrap_or_default());
    (output.status.code().unwrap(), messages.into_iter().map(fate).collect(), said)
}

#[tokio::test]
async fn a_confirmed_message_ends_the_wait_well() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "takes", &[]).await;
    let (code, fates, said) =
        Teller::begin(&daemon, &[&agent.session.id, "run the tests"]).ends().await;
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(fates[0].0, MessageState::Confirmed);
    assert_eq!(agent.received(), ["run the tests"]);
}

#[tokio::test]
async fn a_held_message_is_waited_for_also_over_a_restart() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "holds", &[]).await;
    agent.tmux(&["copy-mode", "-t", &agent.pane()]);
    let mut teller = Teller::begin(&daemon, &[&agent.session.id, "after copy mode"]);
    teller.waits("after copy mode", "copy mode").await;
    daemon.kill().await;
    assert!(teller.is_waiting());
    daemon.schmux(&["start"]);
    agent.tmux(&["send-keys", "-t", &agent.pane(), "-X", "cancel"]);
    let (code, fates, said) = teller.ends().await;
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(fates[0].0, MessageState::Confirmed);
    assert_eq!(agent.received(), ["after copy mode"]);
}

#[tokio::test]
async fn a_message_that_will_not_be_sent_ends_the_wait_with_one() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "never", &[]).await;
    agent.tmux(&["copy-mode", "-t", &agent.pane()]);
    let id = agent.session.id.as_str();

    let cancelled = Teller::begin(&daemon, &[id, "cancelled"]);
    let message = cancelled.waits("cancelled", "copy mode").await;
    daemon.schmux(&["outbox", "cancel", &message.id.to_string()]);
    let (code, fates, said) = cancelled.ends().await;
    assert_eq!((code, &fates[0]), (1, &(MessageState::Failed, "it was cancelled".into())));
    assert!(said.contains("it was cancelled"), "{said}");

    let (code, fates, said) =
        Teller::begin(&daemon, &[id, "--expires", "1s", "expired"]).ends().await;
    assert_eq!((code, &fates[0]), (1, &(MessageState::Failed, "it expired".into())));
    assert!(said.contains("it expired"), "{said}");

    // Time is up, and the message waits on: its state is told all the same.
    let output = daemon.try_schmux(&["tell", id, "late", "--wait", "--timeout", "1s", "--json"]);
    let (code, fates, said) = told(output);
    assert_eq!((code, fates.len()), (6, 1), "{said}");
    assert!(!fates[0].0.is_final() && said.contains("1 of 1 messages wait still"), "{said}");

    // Its session goes, and nobody would ever say what became of it.
    let gone = Teller::begin(&daemon, &[id, "gone"]);
    gone.waits_behind("gone").await;
    daemon.schmux(&["dispose", id]);
    let (code, fates, said) = gone.ends().await;
    assert_eq!((code, &fates[0]), (1, &(MessageState::Failed, "the session is gone".into())));
    assert!(said.contains("the session is gone"), "{said}");
    assert_eq!(agent.received(), Vec::<String>::new());
}

#[tokio::test]
async fn of_several_each_is_told_and_one_that_fails_decides() {
    let daemon = Daemon::start();
    let (takes, holds) =
        (Agent::start(&daemon, "takes", &[]).await, Agent::start(&daemon, "holds", &[]).await);
    holds.tmux(&["copy-mode", "-t", &holds.pane()]);
    let args = [takes.session.id.as_str(), &holds.session.id, "--expires", "20s", "both"];
    let teller = Teller::begin(&daemon, &args);
    let held = teller.waits("both", "copy mode").await;
    until("the first to have it", || async { takes.received().pop() }).await;
    daemon.schmux(&["outbox", "cancel", &held.id.to_string()]);
    let (code, mut fates, said) = teller.ends().await;
    fates.sort_by_key(|(state, _)| state.word());
    let states: Vec<MessageState> = fates.iter().map(|(state, _)| *state).collect();
    assert_eq!((code, states), (1, vec![MessageState::Confirmed, MessageState::Failed]));
    assert!(said.contains(&holds.session.id) && !said.contains(&takes.session.id), "{said}");
}

#[tokio::test]
async fn what_can_not_be_sent_is_not_waited_for() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "idle", &[]).await;
    let id = agent.session.id.as_str();
    for (args, code, words) in [
        (vec!["nobody", "x", "--wait"], 4, "there is no session"),
        (vec![id, "nobody", "x", "--wait"], 4, "there is no session"),
        (vec![id, " ", "--wait"], 2, "empty"),
        (vec![id, "x", "--timeout", "1s"], 2, "--wait"),
        (vec![id, "x", "--wait", "--timeout", "soon"], 2, "soon"),
    ] {
        let output = daemon.try_schmux(&[&["tell"], &args[..]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
    let all: Vec<Value> = daemon.client().get("/api/messages?all=true").await.unwrap();
    assert!(all.is_empty(), "{all:?}");
    daemon.schmux(&["stop"]);
    assert_eq!(daemon.try_schmux(&["tell", id, "x", "--wait"]).status.code(), Some(3));
}

#[tokio::test]
async fn a_message_that_is_under_way_is_taken_back() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "stopped", &[]).await;
    agent.types("a draft of mine");
    agent.sees("a draft of mine").await;
    // It reads nothing, so the delivery stays where it asks for the draft.
    let pid = agent.tmux(&["display-message", "-p", "-t", &agent.pane(), "#{pane_pid}"]);
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, pid.trim()]).status().unwrap().success());
    };
    signal("-STOP");
    let message = agent.tells("never mind").await;
    let ticket = daemon.ticket(&agent.session.id);
    until("the editor key", || async { ticket.exists().then_some(()) }).await;
    daemon.try_schmux(&["outbox", "cancel", &message.id.to_string()]);
    let failed = agent.becomes(&message, MessageState::Failed).await;
    assert_eq!(failed.reason.as_deref(), Some("it was cancelled"));
    signal("-CONT");
    // The late call of the editor finds nothing to do.
    until("the ticket's end", || async { (!ticket.exists()).then_some(()) }).await;
    assert_eq!(agent.submits_field().await, "a draft of mine");
    assert_eq!(agent.received(), ["a draft of mine"]);
}
