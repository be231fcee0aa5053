//! What agents report of their turns, through a real daemon: by their hooks, as the
//! real program `schmux hook` passes them on, and by asides to their terminal.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use schmux::wire::{Session, Status, Why};
use serde_json::Value;

use crate::support::{Daemon, until};

/// Plays a recorded hook of a real agent in a session.
fn hook(daemon: &Daemon, session: &Session, recording: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../schmux-core/tests/hooks")
        .join(recording)
        .with_extension("json");
    let recorded: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let (agent, event) =
        (recording.split('/').next().unwrap(), recorded["event"].as_str().unwrap());
    let mut command = daemon.command(&["hook", agent, event]);
    command
        .env("SCHMUX_SESSION_ID", &session.id)
        .env("SCHMUX_EVENTS_FILE", &session.events_file)
        .stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(recorded["payload"].to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

async fn why(daemon: &Daemon, session: &Session) -> Why {
    daemon.client().get(&format!("/api/sessions/{}/why", session.id)).await.unwrap()
}

/// Waits until it is shown so, has made so many calls, and this is the rule that won.
async fn shows(
    daemon: &Daemon,
    session: &Session,
    status: Status,
    calls: u64,
    rule: &str,
) -> Session {
    until(&format!("{status:?}, {calls} calls, because {rule}"), || async {
        let shown = daemon.session(&session.id).await?;
        let is_it = shown.status == status && shown.said.nudge_seq == calls;
        (is_it && shown.verdict.rule == rule).then_some(shown)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_give_the_verdict_and_each_call_once() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    let play = |recording: &'static str| hook(&daemon, &session, recording);
    play("claude/session-start");
    play("claude/prompt");
    shows(&daemon, &session, Status::Working, 0, "it told that it works").await;
    play("claude/tool");
    play("claude/tool-permission");
    let asks = shows(&daemon, &session, Status::NeedsInput, 1, "it told that it asks").await;
    assert_eq!(asks.said.nudge_state.as_deref(), Some("Needs Authorization"));
    // The reminder of the same dialog, some seconds into it, is no other call.
    play("claude/permission-late");
    play("claude/tool-done");
    let works = shows(&daemon, &session, Status::Working, 1, "it told that it works").await;
    assert_eq!(works.said.nudge_state, None);
    // A child's end is not its parent's.
    play("claude/subagent-stop");
    play("claude/stop");
    let done = shows(&daemon, &session, Status::Completed, 2, "it said so").await;
    assert_eq!(done.said.nudge_state.as_deref(), Some("Completed"));
    play("claude/prompt");
    shows(&daemon, &session, Status::Working, 2, "it told that it works").await;
    play("claude/stop-failed");
    shows(&daemon, &session, Status::Error, 3, "it told that its turn failed").await;
    let votes = why(&daemon, &session).await.votes;
    let mut decided = votes.iter().filter(|vote| vote.decided).peekable();
    assert!(decided.peek().is_some() && decided.all(|vote| vote.source == "hook"), "{votes:?}");
    // They outlive the daemon: nothing is told again, and the next one counts on.
    daemon.kill().await;
    play("claude/prompt");
    play("claude/stop");
    daemon.schmux(&["start"]);
    until("the hooks that nobody was there to hear", || async {
        let shown = daemon.session(&session.id).await?;
        (shown.said.nudge_seq == 4 && shown.status == Status::Completed).then_some(())
    })
    .await;
}

/// What an agent says aside passes tmux, and is a call with the words on the screen.
#[tokio::test(flavor = "multi_thread")]
async fn asides_are_heard_through_tmux() {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let dir = daemon.home().agents();
    fs::create_dir_all(&dir).unwrap();
    let knows = "name = \"sh\"\n[field]\nglyphs = [\"›\"]\nframe = \"cursor\"\n\
         [error]\nrows = ['^■ ']\n\
         [aside]\nosc = 7501\nworking = ['^state=working']\nfailed = ['^state=error']\n";
    fs::write(dir.join("sh.toml"), knows).unwrap();
    daemon.schmux(&["start"]);
    let aside = |state: &str| format!("printf '\\033]7501;state={state}:app=x\\033\\\\'");
    let script = format!(
        "stty -echo; {}; echo begun; read -r x; {}; printf '■ no credit\\n\\n› '; \
         read -r x; {}; {}; echo '--<[schmux:completed:fence]>--'; exec cat",
        aside("working"),
        aside("error"),
        // Said again, without work in between, it is no other failure.
        aside("error"),
        aside("error"),
    );
    let session = daemon.run(&script).await;
    shows(&daemon, &session, Status::Working, 0, "it told that it works").await;
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    let failed = shows(&daemon, &session, Status::Error, 1, "it told that its turn failed").await;
    assert_eq!(failed.said.nudge_summary.as_deref(), Some("no credit"));
    let votes = why(&daemon, &session).await.votes;
    assert!(votes.iter().any(|vote| vote.decided && vote.source == "aside"), "{votes:?}");
    // Typed without the human, whose Enter would answer the call.
    let target = format!("={}:", session.tmux_session);
    daemon.tmux(&["send-keys", "-t", &target, "Enter"]);
    let last = until("the fence", || async {
        let shown = daemon.session(&session.id).await?;
        (shown.said.nudge_summary.as_deref() == Some("fence")).then_some(shown)
    })
    .await;
    assert_eq!(last.said.nudge_seq, 2);
}
