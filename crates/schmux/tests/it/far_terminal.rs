//! Terminals of sessions on another host, behind a real sshd: on the page, in
//! `schmux attach`, and as recordings.

use super::attach::{ECHO, Outer};
use super::far::Far;
use super::support::{Daemon, until};
use super::terminal::{flood, flooded};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_s_screen_is_tmux_s_over_there() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let short = far.run(&daemon, &flood(2_000)).await;
    let mut view = daemon.view(&short, "").await;
    view.sees("ready").await;
    view.bytes.clear();
    view.type_in("x").await;
    view.sees("the end").await;
    assert!(view.bytes == flooded(2_000), "the bytes differ");
    view.settles_to(|| far.truth(&short)).await;
    // More than the connection carries, and a cut in the middle of it.
    let long = far.run(&daemon, &flood(60_000)).await;
    let mut view = daemon.view(&long, "").await;
    view.sees("ready").await;
    view.type_in("x").await;
    view.sees("line").await;
    far.cut();
    view.sees("the end").await;
    view.settles_to(|| far.truth(&long)).await;
    view.resize(100, 30).await;
    view.request(json!({"type": "refresh", "history": 100})).await;
    until("the new size", || async { (far.truth(&long).size().cols == 100).then_some(()) }).await;
    view.settles_to(|| far.truth(&long)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_is_attached_through_ssh() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, ECHO).await;
    let outer = Outer::open(&daemon);
    outer.attach(&session).await;
    outer.sees("hello").await;
    outer.run("one — ünïcode; and \\ all");
    outer.sees("[one — ünïcode; and \\ all]").await;
    outer.tmux(&["resize-window", "-x", "100", "-y", "30"]);
    outer.sees("size=29 100").await;
    // What is typed there is known here: the courier waits for it.
    outer.type_in("half a line");
    outer.sees("half a line").await;
    let why = daemon.schmux(&["why", &session.id]);
    assert!(why.contains(&session.id), "{why}");
    // The daemon may come and go, and so may its own connection.
    far.tmux(&["detach-client", "-s", "schmux-hub"]);
    daemon.kill().await;
    outer.run(", and the rest");
    outer.sees("[half a line, and the rest]").await;
    daemon.schmux(&["start"]);
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    outer.run("echo still a $((40 + 2))");
    outer.sees("still a 42").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_over_there_is_recorded() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "echo first é; read a; echo second; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("first é").await;
    view.type_in("\r").await;
    view.sees("second").await;
    let cast = daemon.path("recording.cast");
    let path = cast.to_string_lossy();
    until("the recording", || async {
        let export = daemon.try_schmux(&["replay", &session.id, "--export", &path]);
        let text = std::fs::read_to_string(&cast).unwrap_or_default();
        (export.status.success() && text.contains("first é") && text.contains("second"))
            .then_some(())
    })
    .await;
}
