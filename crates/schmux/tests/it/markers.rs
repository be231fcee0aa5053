//! Markers in the output of real panes: each is a call once, through repaints,
//! resizes and restarts.

use std::fs;

use schmux::wire::{MessageState, Session, SpawnRequest, Status};

use crate::courier;
use crate::support::{Daemon, until};

/// Waits until the session has made this many calls and looks as expected.
async fn calls(daemon: &Daemon, id: &str, seq: u64, status: Status) -> Session {
    until(&format!("call {seq} of {id} and {status:?}"), || async {
        let session = daemon.session(id).await?;
        (session.said.nudge_seq == seq && session.status == status).then_some(session)
    })
    .await
}

/// A program that does what each line of its input says.
const OBEDIENT: &str = "stty -echo; echo ready; while read -r line; do eval \"$line\"; done";

fn marker(state: &str, message: &str) -> String {
    format!("--<[schmux:{state}:{message}]>--")
}

async fn tell(daemon: &Daemon, session: &Session, line: &str) {
    // Typed without the human: Enter of a human would answer the call.
    let target = format!("={}:", session.tmux_session);
    daemon.tmux(&["send-keys", "-t", &target, "-l", "--", line]);
    daemon.tmux(&["send-keys", "-t", &target, "Enter"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_marker_calls_and_enter_answers() {
    let daemon = Daemon::start();
    let session =
        daemon.run(&format!("echo '{}'; {OBEDIENT}", marker("needs_input", "May I?"))).await;
    let called = calls(&daemon, &session.id, 1, Status::NeedsInput).await;
    assert_eq!(called.said.nudge_state.as_deref(), Some("Needs Authorization"));
    assert_eq!(called.said.nudge_summary.as_deref(), Some("May I?"));
    assert!(daemon.schmux(&["list", "--needs-me"]).contains("May I?"));
    let mut view = daemon.view(&session, "").await;
    view.sees("ready").await;
    view.type_in("x").await;
    view.type_in("\r").await;
    calls(&daemon, &session.id, 1, Status::Unknown).await;
    assert!(daemon.schmux(&["list", "--needs-me"]).contains("No session needs you"));
    // The same words in a later turn are another call.
    tell(&daemon, &session, &format!("echo '{}'", marker("needs_input", "May I?"))).await;
    calls(&daemon, &session.id, 2, Status::NeedsInput).await;
    tell(&daemon, &session, &format!("printf '%s' '{}'", marker("working", ""))).await;
    calls(&daemon, &session.id, 2, Status::Working).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_while_the_daemon_was_dead_is_told_once() {
    let daemon = Daemon::start();
    let session = daemon.run(&format!("echo '{}'; {OBEDIENT}", marker("completed", "one"))).await;
    calls(&daemon, &session.id, 1, Status::Completed).await;
    daemon.kill().await;
    for message in ["two", "three"] {
        tell(&daemon, &session, &format!("echo '{}'", marker("error", message))).await;
    }
    let target = format!("={}:", session.tmux_session);
    until("the words on the screen", || async {
        let shown = daemon.tmux(&["capture-pane", "-p", "-t", &target]);
        String::from_utf8_lossy(&shown).contains("three").then_some(())
    })
    .await;
    for _ in 0..2 {
        daemon.schmux(&["start"]);
        let session = calls(&daemon, &session.id, 3, Status::Error).await;
        assert_eq!(session.said.nudge_summary.as_deref(), Some("three"));
        // A fence: what is said now comes after whatever the scrollback brought.
        daemon.kill().await;
    }
    daemon.schmux(&["start"]);
    tell(&daemon, &session, &format!("echo '{}'", marker("completed", "fence"))).await;
    calls(&daemon, &session.id, 4, Status::Completed).await;
}

/// Words of several turns on one screen: a new daemon tells none of them again.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_tells_no_old_turn_again() {
    let daemon = Daemon::start();
    let answered = daemon.run(OBEDIENT).await;
    tell(&daemon, &answered, &format!("echo '{}'", marker("needs_input", "Shall I?"))).await;
    calls(&daemon, &answered.id, 1, Status::NeedsInput).await;
    tell(&daemon, &answered, &format!("echo '{}'", marker("working", ""))).await;
    calls(&daemon, &answered.id, 1, Status::Working).await;
    let open = daemon.run(OBEDIENT).await;
    tell(&daemon, &open, &format!("echo '{}'", marker("completed", "A"))).await;
    calls(&daemon, &open.id, 1, Status::Completed).await;
    let mut view = daemon.view(&open, "").await;
    view.type_in("\r").await;
    tell(&daemon, &open, &format!("echo '{}'", marker("needs_input", "Q?"))).await;
    calls(&daemon, &open.id, 2, Status::NeedsInput).await;
    for _ in 0..2 {
        daemon.kill().await;
        daemon.schmux(&["start"]);
        // Its screen is looked at, and more than once.
        for session in [&answered, &open] {
            for word in ["one", "two"] {
                tell(&daemon, session, &format!("echo {word} look")).await;
                daemon.view(session, "").await.sees(&format!("{word} look")).await;
            }
        }
    }
    for (session, seq) in [(&answered, 1), (&open, 2)] {
        tell(&daemon, session, &format!("echo '{}'", marker("error", "fence"))).await;
        calls(&daemon, &session.id, seq + 1, Status::Error).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repaint_is_no_call() {
    let daemon = Daemon::start();
    let paint =
        format!("clear; printf 'top\\n{}\\nbottom\\n'", marker("completed", "all is done here"));
    // A signal ends `read`, not the program.
    let obey = "while :; do read -r line && eval \"$line\"; done";
    let session = daemon.run(&format!("{paint}; trap \"{paint}\" WINCH; {obey}")).await;
    calls(&daemon, &session.id, 1, Status::Completed).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("bottom").await;
    for cols in [24, 100, 20, 80] {
        view.resize(cols, 24).await;
        view.settles(&daemon, &session).await;
        tell(&daemon, &session, &paint).await;
    }
    tell(&daemon, &session, &format!("echo '{}'", marker("error", "fence"))).await;
    let session = calls(&daemon, &session.id, 2, Status::Error).await;
    assert_eq!(session.said.nudge_summary.as_deref(), Some("fence"));
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_wait_and_read_the_history() {
    let daemon = Daemon::start();
    let session = daemon.run(OBEDIENT).await;
    let late = daemon.try_schmux(&["wait", &session.id, "--for", "error", "--timeout", "0"]);
    assert_eq!(late.status.code(), Some(6));
    let waiting = daemon.begin_schmux(&["wait", &session.id, "--for", "needs_input,error"]);
    daemon.is_asked().await;
    // Through a restart of the daemon, too.
    daemon.kill().await;
    daemon.schmux(&["start"]);
    tell(&daemon, &session, &format!("echo '{}'", marker("needs_input", "Which one?"))).await;
    let waited = waiting.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&waited.stdout).into_owned();
    assert!(waited.status.success() && told.contains("needs_input Which one?"), "{waited:?}");
    let never = daemon.begin_schmux(&["wait", &session.id, "--for", "completed", "--next"]);
    daemon.is_asked().await;
    tell(&daemon, &session, "exit 3").await;
    assert_eq!(never.wait_with_output().unwrap().status.code(), Some(7));
    let events = daemon.schmux(&["events", &session.id, "--json"]);
    let events: Vec<serde_json::Value> = serde_json::from_str(&events).unwrap();
    let calls: Vec<_> = events.iter().filter(|event| !event["nudge_seq"].is_null()).collect();
    assert_eq!(calls.len(), 1, "{events:#?}");
    assert_eq!(calls[0]["message"], "Which one?");
    let numbers: Vec<u64> = events.iter().map(|e| e["number"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted() && events.last().unwrap()["status"] == "exited", "{events:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_misses_by_a_hair_is_named_by_the_doctor() {
    let daemon = Daemon::start();
    let session = daemon.run("echo '--<[schmux:done:all of it]>--'; exec cat").await;
    until("the doctor's word", || async {
        let told = daemon.schmux(&["doctor"]);
        (told.contains("schmux:done:all of it") && told.contains(&session.id)).then_some(())
    })
    .await;
}

/// An agent without hooks, whose turns nobody tells of.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_after_a_message_are_another_call() {
    let daemon = Daemon::start();
    let script = daemon.path("script");
    let reply =
        format!("[message]\nwork 3 Thinking\nreply {}\n", marker("needs_testing", "Try it"));
    fs::write(&script, reply).unwrap();
    let request = SpawnRequest {
        target: "demo".into(),
        workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
        args: ["--signals", "none", "--script", &script.to_string_lossy()].map(Into::into).into(),
        ..SpawnRequest::default()
    };
    let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    let session = made.remove(0);
    for seq in 1..=2 {
        let message = courier::tell(&daemon, &session, "go on").await;
        courier::becomes(&daemon, &message, MessageState::Confirmed).await;
        calls(&daemon, &session.id, seq, Status::NeedsTesting).await;
    }
}
