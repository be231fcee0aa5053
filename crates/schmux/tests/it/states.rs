//! States through a turn, with signals and without; why; answers to dialogs; reports.

use std::fs;

use schmux::wire::{AnswerReply, AnswerRequest, Dialog, HistoryEntry, HistoryWhat, Session};
use schmux::wire::{SpawnRequest, Status, Why};
use schmux_core::reading::{Case, Library, Sight};
use schmux_core::screen::Rows;

use crate::support::{Daemon, until};

/// What the demo agent plays: work that lasts until a file is there, a tool that
/// asks, a list of choices, an error.
const SCRIPT: &str = "\
[when work]
wait-for-file GO
reply Done with it.
[when tool]
tool echo ran >> RAN
reply It ran.
[when fail]
error 529 overloaded
[when leave]
exit 0
";

/// A demo agent that signals nothing, or does.
async fn demo(daemon: &Daemon, signals: &str) -> Session {
    let at = |name: &str| daemon.path(name).to_string_lossy().into_owned();
    let script = SCRIPT.replace("GO", &at("go")).replace("RAN", &at("ran"));
    fs::write(daemon.path("script"), script).unwrap();
    let args = ["--signals", signals, "--speed", "0", "--script", &at("script")];
    let request = SpawnRequest {
        target: "demo".into(),
        workspace: Some(at("work")),
        args: args.map(Into::into).to_vec(),
        ..SpawnRequest::default()
    };
    let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    made.remove(0)
}

async fn shows(daemon: &Daemon, session: &Session, status: Status) -> Session {
    until(&format!("{status:?}"), || async {
        daemon.session(&session.id).await.filter(|session| session.status == status)
    })
    .await
}

fn say(daemon: &Daemon, session: &Session, text: &str) {
    daemon.schmux(&["send-keys", &session.id, "--text", text]);
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
}

async fn open_dialog(daemon: &Daemon, session: &Session) -> Dialog {
    until("a dialog", || async { daemon.session(&session.id).await?.dialog }).await
}

async fn answer(
    daemon: &Daemon,
    session: &Session,
    dialog: &str,
    choice: usize,
) -> Result<AnswerReply, String> {
    let path = format!("/api/sessions/{}/answer", session.id);
    let request = AnswerRequest { dialog: dialog.into(), choice };
    daemon.client().post(&path, &request).await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_alone_tells_the_states_of_a_turn() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "none").await;
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "work");
    shows(&daemon, &session, Status::Working).await;
    fs::write(daemon.path("go"), "").unwrap();
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "tool");
    let asks = shows(&daemon, &session, Status::NeedsInput).await;
    // It is seen and shown, but nobody was called.
    assert_eq!((asks.said.nudge_seq, asks.said.nudge_state), (0, None));
    daemon.schmux(&["send-keys", &session.id, "Escape"]);
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "fail");
    let failed = shows(&daemon, &session, Status::Error).await;
    assert!(failed.verdict.message.unwrap().contains("529"));
    say(&daemon, &session, "leave");
    shows(&daemon, &session, Status::Exited).await;
}

/// What the history says of a session's state, from its beginning.
async fn told(daemon: &Daemon, session: &Session) -> Vec<Status> {
    let path = format!("/api/events?after=0&limit=1000&session={}", session.id);
    let entries: Vec<HistoryEntry> = daemon.client().get(&path).await.unwrap();
    let states = entries.into_iter().filter_map(|entry| match entry.what {
        HistoryWhat::Life { status, .. } => Some(status),
        HistoryWhat::Verdict { state, .. } => Some(state),
        _ => None,
    });
    states.collect()
}

/// The history is written before others are shown what it says; who reads it first and
/// then the sessions, as `schmux wait` does, must not find them as they were.
#[tokio::test(flavor = "multi_thread")]
async fn what_has_just_come_is_not_waited_for() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "none").await;
    until("the line of its rest", || async {
        (told(&daemon, &session).await.last() == Some(&Status::Idle)).then_some(())
    })
    .await;
    assert_eq!(daemon.session(&session.id).await.unwrap().status, Status::Idle);
    say(&daemon, &session, "tool");
    until("the line of its question", || async {
        (told(&daemon, &session).await.last() == Some(&Status::NeedsInput)).then_some(())
    })
    .await;
    let waited = daemon.schmux(&["wait", &session.id, "--for", "needs_input", "--timeout", "15s"]);
    assert!(waited.contains("needs_input"), "{waited}");
    // It stands so already.
    let next = ["wait", &session.id, "--for", "needs_input", "--next", "--timeout", "1"];
    assert_eq!(daemon.try_schmux(&next).status.code(), Some(6));
    daemon.schmux(&["send-keys", &session.id, "Escape"]);
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "leave");
    shows(&daemon, &session, Status::Exited).await;
    let late = daemon.try_schmux(&["wait", &session.id, "--for", "idle"]);
    let why = String::from_utf8_lossy(&late.stderr).into_owned();
    assert!(why.contains("has ended and won't be idle any more"), "{why}");
    assert_eq!(late.status.code(), Some(7));
}

/// An agent says that it works before it draws it, and its screen is read later still.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_has_just_begun_has_not_ended() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "file").await;
    shows(&daemon, &session, Status::Idle).await;
    for turn in 1..=3 {
        let _ = fs::remove_file(daemon.path("go"));
        let before = told(&daemon, &session).await.len();
        say(&daemon, &session, "work");
        until("its work on the screen", || async {
            let shown = daemon.session(&session.id).await?;
            (shown.verdict.rule == "its screen shows that it works").then_some(())
        })
        .await;
        let since = told(&daemon, &session).await.split_off(before);
        assert!(!since.contains(&Status::Idle), "turn {turn}: {since:?}");
        fs::write(daemon.path("go"), "").unwrap();
        shows(&daemon, &session, Status::Completed).await;
    }
}

/// That the daemon is started again is nothing that happens to an agent; what happened
/// to it meanwhile is.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_ends_no_turn() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "none").await;
    let other = demo(&daemon, "none").await;
    shows(&daemon, &session, Status::Idle).await;
    shows(&daemon, &other, Status::Idle).await;
    say(&daemon, &other, "work");
    shows(&daemon, &other, Status::Working).await;
    let before = (told(&daemon, &session).await, told(&daemon, &other).await);
    for by_force in [false, true] {
        let waiting = daemon.begin_schmux(&["wait", &session.id, "--next"]);
        daemon.is_asked().await;
        match by_force {
            true => daemon.kill().await,
            false => drop(daemon.schmux(&["stop"])),
        }
        daemon.schmux(&["start"]);
        for (session, status) in [(&session, Status::Idle), (&other, Status::Working)] {
            // Also before anyone has looked at its screen.
            assert_eq!(daemon.session(&session.id).await.unwrap().status, status);
            until("a look at its screen, and the time in which it counts", || async {
                let path = format!("/api/sessions/{}/why", session.id);
                let why: Why = daemon.client().get(&path).await.ok()?;
                assert_eq!(why.verdict.state, status);
                let born = why.votes.iter().find(|vote| vote.source == "life")?.age_ms;
                let is_read = why.votes.iter().any(|vote| vote.source == "screen");
                (is_read && born > 4_000).then_some(())
            })
            .await;
        }
        let after = (told(&daemon, &session).await, told(&daemon, &other).await);
        assert_eq!(after, before);
        let mut waiting = waiting;
        let has_ended = waiting.try_wait().unwrap().is_some();
        waiting.kill().unwrap();
        let said = waiting.wait_with_output().unwrap();
        assert!(!has_ended, "{said:?}");
    }
    daemon.kill().await;
    fs::write(daemon.path("go"), "").unwrap();
    daemon.tmux(&["kill-session", "-t", &format!("={}", session.tmux_session)]);
    daemon.schmux(&["start"]);
    shows(&daemon, &other, Status::Idle).await;
    shows(&daemon, &session, Status::Exited).await;
    assert_eq!(told(&daemon, &other).await[before.1.len()..], [Status::Idle]);
    assert_eq!(told(&daemon, &session).await[before.0.len()..], [Status::Exited]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_says_and_what_is_seen_are_one_state() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "file").await;
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "tool");
    shows(&daemon, &session, Status::NeedsInput).await;
    let dialog = open_dialog(&daemon, &session).await;
    assert_eq!(dialog.choices[0].label, "Yes");
    assert!(dialog.choices.iter().all(|choice| choice.answerable));
    assert!(dialog.body.iter().any(|row| row.contains("echo ran")), "{dialog:?}");

    assert!(answer(&daemon, &session, "other", 0).await.unwrap_err().contains("not on the screen"));
    assert!(answer(&daemon, &session, &dialog.id, 9).await.unwrap_err().contains("3 choices"));
    assert!(!daemon.path("ran").exists());
    assert!(answer(&daemon, &session, &dialog.id, 0).await.unwrap().closed);
    let done = shows(&daemon, &session, Status::Completed).await;
    assert_eq!(done.dialog, None);
    assert_eq!(done.said.nudge_state.as_deref(), Some("Completed"));
    assert_eq!(fs::read_to_string(daemon.path("ran")).unwrap(), "ran\n");
    // The same answer again is for a dialog that has gone.
    answer(&daemon, &session, &dialog.id, 0).await.unwrap_err();
    assert_eq!(fs::read_to_string(daemon.path("ran")).unwrap(), "ran\n");

    let path = format!("/api/sessions/{}/why", session.id);
    let why: Why = daemon.client().get(&path).await.unwrap();
    assert_eq!((why.verdict.state, why.reader.as_str()), (Status::Completed, "demo"));
    let decided: Vec<&str> =
        why.votes.iter().filter(|vote| vote.decided).map(|vote| vote.source.as_str()).collect();
    assert_eq!(decided, ["status_file"]);
    let states: Vec<Status> = why.changes.iter().map(|change| change.to).collect();
    assert!(states.contains(&Status::NeedsInput), "{states:?}");
    let told = daemon.schmux(&["why", &session.id]);
    assert!(told.contains("completed, high confidence") && told.contains("because it said so"));
    assert_eq!(daemon.schmux(&["list", "--json"]).matches("\"status\": \"completed\"").count(), 1);
}

/// Where digits mean nothing, the selection is moved and Enter pressed, and only in
/// the dialog that was meant.
#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_is_answered_by_moves_and_enter() {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let dir = daemon.home().agents();
    fs::create_dir_all(&dir).unwrap();
    let ours = include_str!("../../../schmux-core/src/reading/agents/demo.toml");
    let moves = ours.replace("digits = \"choose\"", "digits = \"nothing\"");
    assert_ne!(ours, moves);
    fs::write(dir.join("demo.toml"), moves).unwrap();
    daemon.schmux(&["start"]);
    let session = demo(&daemon, "none").await;
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "tool");
    let first = open_dialog(&daemon, &session).await;
    daemon.schmux(&["send-keys", &session.id, "Escape"]);
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "tool");
    let second = until("another dialog", || async {
        daemon.session(&session.id).await?.dialog.filter(|dialog| dialog.id != first.id)
    })
    .await;
    assert_eq!(first.question, second.question);
    // The same words, but not the dialog that was meant: no key is pressed.
    answer(&daemon, &session, &first.id, 0).await.unwrap_err();
    let still = open_dialog(&daemon, &session).await;
    assert_eq!((still.id, still.choices[0].selected), (second.id.clone(), true));
    assert!(!daemon.path("ran").exists());
    // Its second choice is "don't ask again": one move down, and Enter.
    assert!(answer(&daemon, &session, &second.id, 1).await.unwrap().closed);
    shows(&daemon, &session, Status::Idle).await;
    assert_eq!(fs::read_to_string(daemon.path("ran")).unwrap(), "ran\n");
    say(&daemon, &session, "tool");
    until("the tool without a question", || async {
        (fs::read_to_string(daemon.path("ran")).unwrap() == "ran\nran\n").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_hand_ends_what_it_said() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "none").await;
    shows(&daemon, &session, Status::Idle).await;
    daemon.schmux(&["signal", "--session", &session.id, "needs_input", "May I?"]);
    let asks = shows(&daemon, &session, Status::NeedsInput).await;
    assert_eq!(asks.said.nudge_seq, 1);
    // Enter answers what it said; its field waits, and nothing else is known.
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    let idle = shows(&daemon, &session, Status::Idle).await;
    assert_eq!(idle.said.nudge_state, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_a_test_case() {
    let daemon = Daemon::start();
    let session = demo(&daemon, "none").await;
    shows(&daemon, &session, Status::Idle).await;
    say(&daemon, &session, "tool");
    shows(&daemon, &session, Status::NeedsInput).await;
    let text = daemon.schmux(&["report", &session.id, "-o", "-", "--truth", "dialog"]);
    let case = Case::parse(&text).unwrap();
    assert_eq!(case.truth, "dialog");
    let rows = Rows::read(&case.screen());
    let reading = Library::embedded().reader("demo").read(&rows, &case.title);
    assert!(matches!(reading.sight, Sight::Dialog(_)), "{text}");
    let nowhere = daemon.try_schmux(&["report", &session.id, "-o", "/nowhere/x"]);
    assert_eq!(nowhere.status.code(), Some(5));
    let file = daemon.schmux(&["report", &session.id]);
    assert_eq!(file.trim(), "demo-needs_input-120x40.screen");
    assert!(daemon.path("work").join(file.trim()).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_user_teach_how_an_agent_looks() {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let dir = daemon.home().agents();
    fs::create_dir_all(&dir).unwrap();
    let mine =
        "name = \"sh\"\n[work]\nshown = true\nbare = ['^BUSY']\n[field]\nglyphs = [\"READY\"]\n";
    fs::write(dir.join("sh.toml"), mine).unwrap();
    fs::write(dir.join("broken.toml"), "name = 3\n").unwrap();
    daemon.schmux(&["start"]);
    let doctor = daemon.schmux(&["doctor"]);
    assert!(doctor.contains("broken.toml is left out"), "{doctor}");
    let session = daemon.run("echo 'BUSY with it'; while :; do sleep 1; done").await;
    shows(&daemon, &session, Status::Working).await;
    let path = format!("/api/sessions/{}/why", session.id);
    let why: Why = daemon.client().get(&path).await.unwrap();
    assert_eq!(why.reader, "sh");
}
