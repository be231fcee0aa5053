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

/// What is known of an agent that says something aside, as Codex does.
const KNOWS: &str = "name = \"sh\"\n[field]\nglyphs = [\"›\"]\nframe = \"cursor\"\n\
     [work]\nabove = ['^• Working']\n[error]\nrows = ['^■ ']\nstop = ['^• ']\n\
     [dialog]\nmarks = [\"›\"]\nshapes = [\"numbered\"]\nhints = ['enter to confirm']\n\
     permission = ['^Would you like to run']\n\
     [aside]\nosc = 7501\nworking = ['^state=working']\nidle = ['^state=idle']\n\
     asking = ['^state=blocked']\nfailed = ['^state=error']\n";

/// A daemon that knows it.
fn listener() -> Daemon {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let dir = daemon.home().agents();
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("sh.toml"), KNOWS).unwrap();
    daemon.schmux(&["start"]);
    daemon
}

fn aside(state: &str) -> String {
    format!("printf '\\033]7501;state={state}:app=x\\033\\\\'")
}

/// Waits until its screen was read after a restart, and for longer than the daemon takes to
/// make up its mind about what it didn't hear.
async fn caught_up(daemon: &Daemon, session: &Session) {
    until("the daemon to have caught up", || async {
        let votes = why(daemon, session).await.votes;
        let screen = votes.into_iter().find(|vote| vote.source == "screen")?;
        (screen.age_ms > 3_500).then_some(())
    })
    .await;
}

/// What an agent says aside passes tmux, and is a call with the words on the screen.
#[tokio::test(flavor = "multi_thread")]
async fn asides_are_heard_through_tmux() {
    let daemon = listener();
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

/// What it says aside while there is no daemon is made out from its screen: one call,
/// through restarts; and what was told before is not told again.
#[tokio::test(flavor = "multi_thread")]
async fn asides_that_nobody_heard_are_told_once() {
    let daemon = listener();
    // Works, and then shows what the next line that it reads says.
    let clear = "printf '\\033[2J\\033[H'";
    let script = format!(
        "stty -echo; {idle}; printf '› '; while read -r x; do {clear}; case $x in \
         work) {work}; printf '• Working\\n\\n› ';; \
         fail*) {fail}; printf '■ %s\\n\\n› ' \"$x\";; \
         ask*) {ask}; printf 'Would you like to run %s?\\n\\n\\033[?25l› 1. Yes\\n  2. No\\n\\nenter to confirm' \"$x\";; \
         esac; done",
        idle = aside("idle"),
        work = aside("working"),
        fail = aside("error"),
        ask = aside("blocked"),
    );
    let session = daemon.run(&script).await;
    let target = format!("={}:", session.tmux_session);
    // By tmux, since the human's own Enter would answer the call.
    let tell = |line: &str| drop(daemon.tmux(&["send-keys", "-t", &target, line, "Enter"]));
    let fence = async |message: &str, calls| {
        daemon.schmux(&["signal", "--session", &session.id, "needs_testing", message]);
        let shown = daemon.session(&session.id).await.unwrap();
        assert_eq!(shown.said.nudge_seq, calls, "{message}");
    };
    let restart = async || {
        daemon.kill().await;
        daemon.schmux(&["start"]);
    };
    tell("work");
    shows(&daemon, &session, Status::Working, 0, "its screen shows that it works").await;
    daemon.kill().await;
    tell("fail1");
    daemon.schmux(&["start"]);
    let told = shows(&daemon, &session, Status::Error, 1, "it told that its turn failed").await;
    assert_eq!(told.said.nudge_summary.as_deref(), Some("fail1"));
    restart().await;
    caught_up(&daemon, &session).await;
    assert_eq!(daemon.session(&session.id).await.unwrap().said.nudge_seq, 1);
    // Heard while it is said, and then the same; a question, too.
    tell("work");
    shows(&daemon, &session, Status::Working, 1, "its screen shows that it works").await;
    tell("fail1");
    shows(&daemon, &session, Status::Error, 2, "it told that its turn failed").await;
    restart().await;
    caught_up(&daemon, &session).await;
    daemon.kill().await;
    tell("ask2");
    daemon.schmux(&["start"]);
    let asks = shows(&daemon, &session, Status::NeedsInput, 3, "a dialog is on its screen").await;
    assert_eq!(asks.said.nudge_summary.as_deref(), Some("Would you like to run ask2?"));
    restart().await;
    caught_up(&daemon, &session).await;
    fence("the end", 4).await;
}
