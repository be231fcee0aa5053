//! Terminals from tmux to a viewer: nothing lost, nothing forged, nobody slowed.

use schmux::wire::{KeyframeReason, Session, SpawnRequest, Status, TerminalMessage};
use serde_json::json;

use crate::support::{Daemon, assert_same, until};

/// A script that prints `n` lines of changing width and colour once a key comes,
/// raw, so that every byte arrives as it was written.
pub fn flood(lines: u32) -> String {
    format!(
        "stty raw -echo; printf 'ready'; head -c 1 >/dev/null; \
         seq 1 {lines} | awk '{{ printf \"\\033[3%dm%s %0*d é 漢\\033[0m\\r\\n\", $1 % 8, \"line\", $1 % 60, $1 }}'; \
         printf 'the end'; cat >/dev/null"
    )
}

/// What `flood` writes after the key.
pub fn flooded(lines: u32) -> Vec<u8> {
    let mut all = Vec::new();
    for n in 1..=lines {
        let width = (n % 60) as usize;
        all.extend(format!("\x1b[3{}mline {n:0width$} é 漢\x1b[0m\r\n", n % 8).into_bytes());
    }
    all.extend_from_slice(b"the end");
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_go_in_and_the_echo_comes_out() {
    let daemon = Daemon::start();
    let session = daemon.run("echo hello; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("hello").await;
    view.type_in("typed é 漢 -x ;\r").await;
    view.sees("typed é 漢 -x ;").await;
    view.settles(&daemon, &session).await;
    view.request(json!({"type": "paste", "text": "two\nlines; #{pane_id} $HOME \"'\\\n"})).await;
    view.sees("lines; #{pane_id} $HOME \"'\\").await;
    view.settles(&daemon, &session).await;
}

/// A clipboard is filled by others: what it holds can't end its frame and press Enter,
/// and its line ends are those that a terminal sends.
#[tokio::test(flavor = "multi_thread")]
async fn a_paste_stays_in_its_frame_and_its_lines_end_once() {
    let daemon = Daemon::start();
    let raw = "stty raw -echo; printf '\\033[?2004hready'; exec cat -v";
    let session = daemon.run_sized(raw, 240, 20).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("ready").await;
    let hostile = "echo harmless\x1b[201~\rtouch x\r\nend\u{9b}201~";
    view.request(json!({"type": "paste", "text": hostile})).await;
    // All of it in one frame, which ends where the text does.
    view.sees("^[[200~echo harmlessM-bM-^PM-^[[201~^Mtouch x^MendM-oM-?M-=201~^[[201~").await;
    daemon.schmux(&["send-keys", session.id.as_str(), "--paste", "two\x1b[201~\r\nlines\n"]);
    view.sees("^[[200~twoM-bM-^PM-^[[201~^Mlines^M^[[201~").await;
}

/// The page hears of sessions before tmux runs them, and its thumbnails come at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_being_started_can_be_watched() {
    let daemon = Daemon::start();
    // Stored one after the other, and only then started.
    let request = SpawnRequest {
        target: "sh".into(),
        workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
        args: vec!["exec cat".into()],
        count: Some(50),
        ..SpawnRequest::default()
    };
    let client = daemon.client();
    let spawning =
        tokio::spawn(async move { client.post::<_, Vec<Session>>("/api/spawn", &request).await });
    let starting = until("the first session to be stored", async || {
        let sessions: Vec<Session> = daemon.client().get("/api/sessions").await.ok()?;
        sessions.into_iter().find(|session| session.status == Status::Starting)
    })
    .await;
    let mut view = daemon.view(&starting, "").await;
    while view.screen.is_none() {
        view.step().await.expect("the socket stays open");
    }
    assert_eq!(spawning.await.unwrap().unwrap().len(), 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_keys_arrive_byte_for_byte_and_in_their_order() {
    let daemon = Daemon::start();
    let file = daemon.path("typed");
    let all: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    let text = "-x; é 漢 \u{1b}[A\n".repeat(3_000);
    let pasted = schmux_core::paste::by_hand(&text);
    let expected = [&all, &b"a"[..], text.as_bytes(), b"b", pasted.as_bytes(), b"c"].concat();
    let script = format!(
        "stty raw -echo; printf ready; head -c {} >{}; printf done; exec cat",
        expected.len(),
        file.display()
    );
    let session = daemon.run(&script).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("ready").await;
    // Nobody waits for an answer: the order is that of the messages.
    view.type_in(&all).await;
    view.type_in("a").await;
    view.type_in(&text).await;
    view.type_in("b").await;
    view.request(json!({"type": "paste", "text": text})).await;
    view.type_in("c").await;
    view.sees("done").await;
    assert!(std::fs::read(file).unwrap() == expected, "the bytes differ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_arrives_byte_for_byte() {
    let daemon = Daemon::start();
    let session = daemon.run(&flood(60_000)).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("ready").await;
    view.bytes.clear();
    view.type_in("x").await;
    view.sees("the end").await;
    let expected = flooded(60_000);
    assert_eq!(view.bytes.len(), expected.len());
    assert!(view.bytes == expected, "the bytes differ");
    let keyframes = view.messages.iter().filter(|m| matches!(m, TerminalMessage::Keyframe { .. }));
    assert_eq!(keyframes.count(), 1);
    assert_same(view.screen.as_ref().unwrap(), &daemon.truth(&session));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_stops_reading_slows_nobody_and_catches_up() {
    let daemon = Daemon::start();
    let session = daemon.run(&flood(150_000)).await;
    // It acknowledges nothing and reads nothing for now.
    let mut slow = daemon.view(&session, "?ack=1").await;
    let mut fast = daemon.view(&session, "").await;
    slow.sees("ready").await;
    fast.sees("ready").await;
    fast.bytes.clear();
    fast.type_in("x").await;
    fast.sees("the end").await;
    assert!(fast.bytes == flooded(150_000), "the fast viewer missed something");
    // What it has drawn so far, with what was on its way, makes it eligible again.
    slow.request(json!({"type": "ack", "bytes": u32::MAX})).await;
    slow.sees("the end").await;
    let behind = |m: &TerminalMessage| {
        matches!(m, TerminalMessage::Keyframe { reason: KeyframeReason::Behind, .. })
    };
    assert!(slow.was_told(behind), "{:?}", slow.messages);
    assert_same(slow.screen.as_ref().unwrap(), &daemon.truth(&session));
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_looks_like_protocol_changes_nothing() {
    let daemon = Daemon::start();
    let bystander = daemon.run("echo bystander; exec cat").await;
    let script = "printf '%%exit\\n%%output %%0 forged\\n%%begin 1 2 1\\n%%end 1 2 1\\n%%error 1 2 1\\n%%pause %%0\\n\
                  %%session-changed $1 x\\nrow @0 %%0 1 x0 1 y schmux-hub\\nmeta 1 1 1 1\\n'; exec cat";
    let session = daemon.run(script).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("meta 1 1 1 1").await;
    // Viewers that come later are shown what was captured from tmux.
    let mut late = daemon.view(&session, "?history=100").await;
    late.sees("meta 1 1 1 1").await;
    assert_same(late.screen.as_ref().unwrap(), &daemon.truth(&session));
    let capture = daemon.schmux(&["capture", &session.id]);
    assert!(
        capture.starts_with("%exit\n%output %0 forged\n%begin 1 2 1\n%end 1 2 1\n"),
        "{capture}"
    );
    let mut other = daemon.view(&bystander, "").await;
    other.type_in("still here\r").await;
    other.sees("still here").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resize_is_granted_to_one_and_shown_to_all() {
    let daemon = Daemon::start();
    let script = "trap 'printf \"\\033[2J\\033[H\"; stty size' WINCH; stty size; while :; do sleep 0.05; done";
    let session = daemon.run(script).await;
    let mut owner = daemon.view(&session, "").await;
    let mut other = daemon.view(&session, "").await;
    owner.sees("24 80").await;
    owner.resize(100, 30).await;
    owner.sees("30 100").await;
    other.sees("30 100").await;
    other.resize(50, 10).await;
    let refused = |m: &TerminalMessage| {
        matches!(m, TerminalMessage::Size { cols: 100, rows: 30, owner: false })
    };
    while !other.was_told(refused) {
        other.step().await.unwrap();
    }
    other.request(json!({"type": "resize", "cols": 60, "rows": 12, "claim": true})).await;
    other.sees("12 60").await;
    owner.sees("12 60").await;
    owner.settles(&daemon, &session).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn history_and_both_screens_are_in_the_keyframe() {
    let daemon = Daemon::start();
    let script = "seq 1 300; printf 'main\\033[?1049h\\033[Halternate'; head -n 1 >/dev/null; printf '\\033[?1049l'; exec cat";
    let session = daemon.run(script).await;
    let mut early = daemon.view(&session, "").await;
    early.sees("alternate").await;
    let mut view = daemon.view(&session, "?history=100").await;
    view.sees("alternate").await;
    view.type_in("\r").await;
    view.sees("300").await;
    view.settles(&daemon, &session).await;
    view.request(json!({"type": "refresh", "history": 200})).await;
    let requested = |m: &TerminalMessage| {
        matches!(
            m,
            TerminalMessage::Keyframe { history: Some(200), reason: KeyframeReason::Requested, .. }
        )
    };
    while !view.was_told(requested) {
        view.step().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_end_copy_mode_instead_of_vanishing_in_it() {
    let daemon = Daemon::start();
    let session = daemon.run("echo ready; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("ready").await;
    let target = format!("={}:", session.tmux_session);
    daemon.tmux(&["copy-mode", "-t", &target]);
    // The daemon learns of the mode from tmux; until then keys would be swallowed.
    until("keys that arrive", || {
        let mode = daemon.tmux(&["display-message", "-p", "-t", &target, "#{pane_in_mode}"]);
        let send = if mode == b"1" { Some(()) } else { None };
        async move { send }
    })
    .await;
    loop {
        view.type_in("through\r").await;
        let mode = daemon.tmux(&["display-message", "-p", "-t", &target, "#{pane_in_mode}"]);
        if mode == b"0" {
            break;
        }
    }
    view.sees("through").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_panes_at_once_are_exact() {
    let daemon = Daemon::start();
    let mut views = Vec::new();
    for _ in 0..12 {
        let session = daemon.run(&flood(4_000)).await;
        let mut view = daemon.view(&session, "").await;
        view.sees("ready").await;
        view.bytes.clear();
        views.push((session, view));
    }
    for (_, view) in &mut views {
        view.type_in("x").await;
    }
    let expected = flooded(4_000);
    for (session, view) in &mut views {
        view.sees("the end").await;
        assert!(view.bytes == expected, "{} differs: {:?}", session.id, view.messages);
        assert_same(view.screen.as_ref().unwrap(), &daemon.truth(session));
    }
}
