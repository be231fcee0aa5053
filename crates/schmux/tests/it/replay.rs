//! Recordings: what was printed comes back, from any moment, through restarts,
//! with the signals as marks.

use schmux::wire::{GapReason, Recording, Replay, ReplayFrame, ReplayFrames, Session};
use schmux_core::screen::{Screen, Size};
use serde_json::Value;

use crate::support::{Daemon, until};

async fn overview(daemon: &Daemon, session: &Session) -> Option<Replay> {
    daemon.client().get(&format!("/api/sessions/{}/replay", session.id)).await.ok()
}

async fn part(daemon: &Daemon, session: &Session, query: &str) -> ReplayFrames {
    let path = format!("/api/sessions/{}/replay/frames?{query}", session.id);
    daemon.client().get(&path).await.unwrap()
}

/// All frames, asked for in small parts.
async fn frames(daemon: &Daemon, session: &Session, query: &str) -> Vec<ReplayFrame> {
    let mut answer = part(daemon, session, &format!("limit=1&{query}")).await;
    let mut all = std::mem::take(&mut answer.frames);
    while let Some(next) = answer.next {
        answer = part(daemon, session, &format!("limit=1&after={next}&{query}")).await;
        all.append(&mut answer.frames);
    }
    all
}

/// The screen after playing frames.
fn play(frames: &[ReplayFrame]) -> Screen {
    let mut screen = Screen::new(Size { cols: 80, rows: 24 });
    for frame in frames {
        match frame {
            ReplayFrame::Keyframe { cols, rows, data, .. } => {
                screen = Screen::new(Size { cols: *cols, rows: *rows });
                screen.advance(data.as_bytes());
            }
            ReplayFrame::Output { data, .. } => screen.advance(data.as_bytes()),
            ReplayFrame::Gap { .. } => {}
        }
    }
    screen
}

/// Waits until the whole recording shows `text`.
async fn shows(daemon: &Daemon, session: &Session, text: &str) -> Vec<ReplayFrame> {
    until(text, || async {
        let all = frames(daemon, session, "").await;
        play(&all).rows().iter().any(|row| row.contains(text)).then_some(all)
    })
    .await
}

#[tokio::test]
async fn what_was_printed_can_be_played_and_exported() {
    let daemon = Daemon::start();
    let script = "printf 'first é\\n'; read a; printf '\\033[2J\\033[Hsecond\\n'; \
        printf -- '--<[schmux:needs_input:may I?]>--\\n'; cat";
    let session = daemon.run(script).await;
    shows(&daemon, &session, "first é").await;
    let middle = overview(&daemon, &session).await.unwrap().recording.to;
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    let all = shows(&daemon, &session, "second").await;
    let truth = daemon.truth(&session);
    until("the same picture", || async {
        play(&frames(&daemon, &session, "").await).shows_same_as(&truth).then_some(())
    })
    .await;
    assert!(matches!(all[0], ReplayFrame::Keyframe { cols: 80, rows: 24, .. }));
    // A part ends where it was told to, and begins with a picture.
    let before = frames(&daemon, &session, &format!("to={}", middle + 1)).await;
    assert!(play(&before).rows().iter().any(|row| row.contains("first")));
    let late = frames(&daemon, &session, &format!("from={}", i64::MAX)).await;
    assert!(matches!(late[0], ReplayFrame::Keyframe { .. }));
    let replay = until("the signal's mark", || async {
        let replay = overview(&daemon, &session).await?;
        let marks = serde_json::to_string(&replay.marks).unwrap();
        marks.contains("may I?").then_some(replay)
    })
    .await;
    assert!(!replay.activity.is_empty() && replay.gaps.is_empty(), "{:?}", replay.gaps);

    for version in ["2", "3"] {
        let cast = daemon.schmux(&["replay", &session.id, "--export", "-", "--cast", version]);
        let mut lines = cast.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = lines.next().unwrap();
        assert_eq!(head["version"].to_string(), version);
        let events: Vec<Value> = lines.collect();
        assert!(events.iter().any(|event| event[1] == "m" && event[2] == "needs_input: may I?"));
        assert!(
            events.iter().any(|event| event[1] == "o" && event[2].to_string().contains("second"))
        );
    }
    let listed: Vec<Recording> = daemon.client().get("/api/replays").await.unwrap();
    assert_eq!(listed[0].session_id, session.id);
    // It outlives its session.
    daemon.schmux(&["dispose", &session.id]);
    assert!(daemon.schmux(&["replay", &session.id, "--export", "-"]).contains("second"));
    assert!(daemon.schmux(&["replay"]).contains(&session.id));
}

#[tokio::test]
async fn a_restart_is_a_gap_and_a_resize_a_keyframe() {
    let daemon = Daemon::start();
    let session = daemon.run("echo begin; cat").await;
    shows(&daemon, &session, "begin").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("begin").await;
    view.request(serde_json::json!({"type": "resize", "cols": 100, "rows": 30, "claim": true}))
        .await;
    let is_large =
        |frame: &ReplayFrame| matches!(frame, ReplayFrame::Keyframe { cols: 100, rows: 30, .. });
    until("the new size", || async {
        frames(&daemon, &session, "").await.iter().any(is_large).then_some(())
    })
    .await;
    drop(view);
    daemon.schmux(&["stop"]);
    daemon.schmux(&["start"]);
    daemon.schmux(&["send-keys", &session.id, "--text", "after", "Enter"]);
    shows(&daemon, &session, "after").await;
    let replay = overview(&daemon, &session).await.unwrap();
    assert!(replay.gaps.iter().any(|gap| gap.reason == GapReason::Away), "{:?}", replay.gaps);
}

#[tokio::test]
async fn a_flood_is_left_out_and_its_end_is_there() {
    let daemon = Daemon::start();
    let session = daemon.run("read a; seq 1 400000; echo the end; cat").await;
    until("the pane", || async { overview(&daemon, &session).await }).await;
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    let all = shows(&daemon, &session, "the end").await;
    let is_flood =
        |frame: &ReplayFrame| matches!(frame, ReplayFrame::Gap { reason: GapReason::Flood, .. });
    assert!(all.iter().any(is_flood));
    let replay = overview(&daemon, &session).await.unwrap();
    assert!(replay.recording.bytes < 1_000_000, "{} bytes of 2.7 MB", replay.recording.bytes);
}

#[tokio::test]
async fn nothing_is_recorded_when_it_is_off() {
    let daemon = Daemon::with_config("[replay]\nenabled = false\n");
    let session = daemon.run("echo hello; cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("hello").await;
    let output = daemon.try_schmux(&["replay", &session.id, "--export", "-"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("nothing is recorded of") && said.contains("[replay]"), "{said}");
    let unknown = daemon.try_schmux(&["replay", "no-such-001-session"]);
    assert_eq!(unknown.status.code(), Some(4));
}
