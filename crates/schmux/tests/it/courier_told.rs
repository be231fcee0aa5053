//! What people are told of messages that wait, and of drafts that can't go back.

use std::fs;
use std::process::Command;

use schmux::wire::MessageState;

use crate::courier::Agent;
use crate::support::{Daemon, until};

const NOTIFIER: &str = "[notify.mine]\n\
    command = [\"sh\", \"-c\", 'echo \"$SCHMUX_NUDGE_MESSAGE\" >> told']\n";

#[tokio::test]
async fn a_message_that_waits_for_long_is_told_of_once() {
    let daemon = Daemon::with_config(&format!("{NOTIFIER}[messages]\nremind_after = 1\n"));
    let told = || fs::read_to_string(daemon.path("work/told")).unwrap_or_default();
    let agent = Agent::start(&daemon, "waits", &[]).await;
    agent.tmux(&["copy-mode", "-t", &agent.pane()]);
    let message = agent.tells("hello").await;
    until("the reminder", || async { told().contains("in copy mode").then_some(()) }).await;
    daemon.kill().await;
    daemon.schmux(&["start"]);
    agent.tmux(&["send-keys", "-t", &agent.pane(), "-X", "cancel"]);
    agent.becomes(&message, MessageState::Confirmed).await;
    assert_eq!(told().matches("a message to it waits").count(), 1, "{}", told());
}

#[tokio::test]
async fn a_draft_whose_agent_ends_is_a_file() {
    let daemon = Daemon::with_config(NOTIFIER);
    let told = || fs::read_to_string(daemon.path("work/told")).unwrap_or_default();
    // The editor takes a second, in which the draft is away.
    let agent = Agent::start(&daemon, "ends", &["--editor-delay", "1000"]).await;
    agent.types("a draft of mine");
    agent.sees("a draft of mine").await;
    agent.tells("run the tests").await;
    until("the message", || async { agent.received().pop() }).await;
    let pid = agent.tmux(&["display-message", "-p", "-t", &agent.pane(), "#{pane_pid}"]);
    assert!(Command::new("kill").args(["-9", pid.trim()]).status().unwrap().success());
    let drafts = || fs::read_dir(daemon.home().drafts()).into_iter().flatten().flatten();
    let file = until("the draft's file", || async { drafts().next() }).await;
    assert_eq!(fs::read_to_string(file.path()).unwrap(), "a draft of mine");
    let name = file.path().to_string_lossy().into_owned();
    until("word of it", || async { told().contains(&name).then_some(()) }).await;
    assert_eq!(drafts().count(), 1);
}
