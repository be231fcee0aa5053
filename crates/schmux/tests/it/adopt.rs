//! Agents in several panes of one tmux session of the user's own: each is offered,
//! adopted and let go by itself.

use schmux::wire::{Adoptable, MessageState, Session, Status, TerminalMessage};
use schmux_core::screen::{META_FORMAT, Screen, Seed, Size};
use serde_json::json;

use super::attach::Outer;
use super::courier;
use super::support::{Daemon, View, until};

/// The user's tmux server, whose socket has this name.
const OWN: &str = "own";

fn tmux(daemon: &Daemon, args: &[&str]) -> String {
    let output = daemon.tmux_on(OWN, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

fn ask(daemon: &Daemon, target: &str, format: &str) -> String {
    tmux(daemon, &["display-message", "-p", "-t", target, format])
}

/// Starts a session `my work`: a shell in its first window; in its second the demo
/// agent twice, side by side.
async fn start(daemon: &Daemon) {
    let work = daemon.path("work").to_string_lossy().into_owned();
    let agent = |name: &str| {
        let (exe, journal) = (env!("CARGO_BIN_EXE_schmux"), daemon.path(name));
        format!("EDITOR=true {exe} demo-agent --speed 0 --journal {}", journal.display())
    };
    let size = ["-x", "161", "-y", "40"];
    let new = ["-f", "/dev/null", "new-session", "-d", "-s", "my work", "-c", &work];
    tmux(daemon, &[&new[..], &size, &["sh"]].concat());
    tmux(daemon, &["new-window", "-d", "-t", "=my work:", "-c", &work, &agent("left")]);
    let split = ["split-window", "-d", "-h", "-l", "60", "-t", "=my work:1", "-c", &work];
    tmux(daemon, &[&split[..], &[&agent("right")]].concat());
    for pane in ["=my work:1.0", "=my work:1.1"] {
        until("the agent's field", || async {
            let shown = tmux(daemon, &["capture-pane", "-p", "-t", pane]);
            shown.contains('❯').then_some(())
        })
        .await;
    }
}

async fn offers(daemon: &Daemon) -> Vec<String> {
    let offers: Vec<Adoptable> = daemon.client().get("/api/adoptable?host=local").await.unwrap();
    let mut offers: Vec<String> = offers
        .into_iter()
        .filter(|offer| offer.target.as_deref() == Some("demo"))
        .filter_map(|offer| offer.place)
        .collect();
    offers.sort();
    offers
}

/// What tmux shows in a pane, as a screen.
fn truth(daemon: &Daemon, pane: &str) -> Screen {
    let tmux = |args: &[&str]| daemon.tmux_on(OWN, args).stdout.trim_ascii_end().to_vec();
    let whole = |args: &[&str]| {
        let said = daemon.tmux_on(OWN, args).stdout;
        said.strip_suffix(b"\n").unwrap_or(&said).to_vec()
    };
    let meta = tmux(&["display-message", "-p", "-t", pane, META_FORMAT]);
    let capture = whole(&["capture-pane", "-p", "-e", "-N", "-t", pane]);
    Seed::new(&meta, &capture, b"").unwrap().screen(None)
}

fn sized(view: &View) -> Option<Size> {
    view.screen.as_ref().map(Screen::size)
}

async fn named(daemon: &Daemon, name: &str) -> Session {
    daemon.client().get(&format!("/api/sessions/{name}")).await.unwrap()
}

async fn is(daemon: &Daemon, id: &str, status: Status) -> Session {
    until(&format!("{id} to be {status:?}"), || async {
        daemon.session(id).await.filter(|session| session.status == status)
    })
    .await
}

fn received(daemon: &Daemon, name: &str) -> String {
    std::fs::read_to_string(daemon.path(name)).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_panes_of_a_window_are_two_sessions() {
    let daemon = Daemon::start();
    start(&daemon).await;
    assert_eq!(offers(&daemon).await, ["my work:1.0", "my work:1.1"]);
    // Which one is meant has to be said, and the list says how.
    let unclear = daemon.try_schmux(&["adopt", "-L", OWN, "my work"]);
    let told = String::from_utf8_lossy(&unclear.stderr).into_owned();
    let ids = ["=my work:1.0", "=my work:1.1"].map(|pane| ask(&daemon, pane, "#{pane_id}"));
    assert!(!unclear.status.success() && told.contains("my work:1.0"), "{told}");
    assert!(ids.iter().all(|id| told.contains(id.as_str())), "{told}");
    let listed = daemon.schmux(&["list"]);
    let line = listed.lines().find(|line| line.contains(&ids[1])).unwrap();
    let words = shlex::split(line.trim()).unwrap();
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    daemon.schmux(&[&words[..], &["-n", "right"]].concat());
    assert_eq!(offers(&daemon).await, ["my work:1.0"]);
    // The other one is clear now.
    daemon.schmux(&["adopt", "-L", OWN, "my work", "-n", "left"]);
    assert!(offers(&daemon).await.is_empty());
    for name in ["my work", "my work:1.1", &ids[0]] {
        let again = daemon.try_schmux(&["adopt", "-L", OWN, name]);
        let told = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(told.contains("already"), "{name}: {told}");
    }
    let missing = daemon.try_schmux(&["adopt", "-L", OWN, "my work:7"]);
    let told = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(told.contains("`my work:0.0`"), "{told}");

    let (left, right) = (named(&daemon, "left").await, named(&daemon, "right").await);
    assert_eq!([&left.target, &right.target], ["demo", "demo"]);
    assert_eq!([&left.pane, &right.pane], [&Some(ids[0].clone()), &Some(ids[1].clone())]);
    assert_eq!([&left.tmux_session, &right.tmux_session], ["my work", "my work"]);
    // Each has its own screen of its own size, and keys of its own.
    let mut views = [daemon.view(&left, "").await, daemon.view(&right, "").await];
    for (at, word) in [(0, "to the left"), (1, "to the right")] {
        views[at].type_in(word).await;
        views[at].sees(word).await;
    }
    for (view, id) in views.iter_mut().zip(&ids) {
        view.settles_to(|| truth(&daemon, id)).await;
    }
    assert_eq!(sized(&views[0]), Some(Size { cols: 100, rows: 40 }));
    assert_eq!(sized(&views[1]), Some(Size { cols: 60, rows: 40 }));
    // The user's window keeps its size, whatever a viewer would like to have.
    views[1].request(json!({"type": "resize", "cols": 90, "rows": 30, "claim": true})).await;
    let told = |view: &View| {
        view.was_told(|m| matches!(m, TerminalMessage::Size { cols: 60, owner: false, .. }))
    };
    while !told(&views[1]) {
        views[1].step().await.unwrap();
    }
    // A message goes to one of them. Before 3.4 tmux doesn't tell that they take framed
    // pastes; after their editor they ask for it again.
    for view in &mut views {
        view.type_in("\x15\x07").await;
    }
    let message = courier::tell(&daemon, &right, "for the right one").await;
    courier::becomes(&daemon, &message, MessageState::Confirmed).await;
    assert!(received(&daemon, "right").contains("for the right one"));
    assert!(!received(&daemon, "left").contains("for the right one"));
    assert_eq!(ask(&daemon, "=my work:1", "#{window_width} #{window_height}"), "161 40");
    assert_eq!(tmux(&daemon, &["show-options", "-w", "-t", "=my work:1", "window-size"]), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_of_one_pane_is_nothing_to_the_other() {
    let daemon = Daemon::start();
    start(&daemon).await;
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.0", "-n", "left"]);
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.1", "-n", "right"]);
    let (left, right) = (named(&daemon, "left").await, named(&daemon, "right").await);
    daemon.view(&left, "").await.sees("❯").await;
    // Through a restart of the daemon.
    daemon.kill().await;
    daemon.schmux(&["start"]);
    let mut views = [daemon.view(&left, "").await, daemon.view(&right, "").await];
    for (view, word) in views.iter_mut().zip(["first left", "first right"]) {
        view.type_in(word).await;
        view.sees(word).await;
    }
    // Their user gives the session another name, and the pane another window.
    tmux(&daemon, &["rename-session", "-t", "=my work", "renamed"]);
    until("the new name", || async {
        let (left, right) = (daemon.session(&left.id).await?, daemon.session(&right.id).await?);
        (left.tmux_session == "renamed" && right.attach_cmd.contains("=renamed:.")).then_some(())
    })
    .await;
    // Outside of a terminal tmux may well think of our session as the nearest one.
    let pane = right.pane.as_deref().unwrap();
    tmux(&daemon, &["break-pane", "-d", "-s", pane, "-t", "=schmux-hub:"]);
    until("the pane to be in their session", || async {
        let panes = ["list-panes", "-s", "-t", "=renamed", "-F", "#{pane_id}"];
        tmux(&daemon, &panes).lines().any(|id| id == pane).then_some(())
    })
    .await;
    let linked = || tmux(&daemon, &["list-windows", "-t", "=schmux-hub", "-F", "#{window_id}"]);
    let window = ask(&daemon, pane, "#{window_id}");
    until("its window to be watched", || async {
        linked().lines().any(|id| id == window).then_some(())
    })
    .await;
    for (view, word) in views.iter_mut().zip([", then left", ", then right"]) {
        view.type_in(word).await;
        view.sees(word).await;
    }
    // A terminal that is attached shows the one that is meant, also if another one
    // fills the window.
    tmux(&daemon, &["join-pane", "-d", "-h", "-s", pane, "-t", "=renamed:1"]);
    tmux(&daemon, &["resize-pane", "-Z", "-t", left.pane.as_deref().unwrap()]);
    tmux(&daemon, &["select-window", "-t", "=renamed:0"]);
    let outer = Outer::open(&daemon);
    outer.attach(&right).await;
    outer.sees("then right").await;
    outer.type_in(" by hand");
    views[1].sees("by hand").await;
    assert!(!views[0].rows().concat().contains("by hand"));
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    // One is closed: it has ended, and nothing else.
    tmux(&daemon, &["kill-pane", "-t", left.pane.as_deref().unwrap()]);
    let ended = is(&daemon, &left.id, Status::Exited).await;
    assert_eq!(ended.reason.as_deref(), Some("its pane is no longer there"));
    views[1].type_in(", and still here").await;
    views[1].sees("and still here").await;
    // The other one is let go, and nothing of ours is left there.
    daemon.schmux(&["dispose", "right"]);
    until("their server to be as it was", || async {
        let left = tmux(&daemon, &["list-panes", "-a", "-F", "#{session_name} #{pane_id}"]);
        let mine = format!("renamed {pane}");
        (left.lines().count() == 2 && left.contains(&mine)).then_some(())
    })
    .await;
    assert_eq!(offers(&daemon).await, ["renamed:1.0"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_is_let_go_and_the_other_is_watched_on() {
    let daemon = Daemon::start();
    start(&daemon).await;
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.0", "-n", "left"]);
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.1", "-n", "right"]);
    let (left, right) = (named(&daemon, "left").await, named(&daemon, "right").await);
    let mut view = daemon.view(&right, "").await;
    view.sees("❯").await;
    daemon.view(&left, "").await.sees("❯").await;
    daemon.schmux(&["dispose", "left"]);
    assert_eq!(offers(&daemon).await, ["my work:1.0"]);
    view.type_in("not alone").await;
    view.sees("not alone").await;
    daemon.schmux(&["adopt", "-L", OWN, left.pane.as_deref().unwrap(), "-n", "again"]);
    let again = named(&daemon, "again").await;
    let mut other = daemon.view(&again, "").await;
    other.type_in("here again").await;
    other.sees("here again").await;
    // Their program ends and the pane stays: only that one has ended.
    tmux(&daemon, &["set-option", "-w", "-t", "=my work:1", "remain-on-exit", "on"]);
    let pid = ask(&daemon, right.pane.as_deref().unwrap(), "#{pane_pid}");
    assert!(std::process::Command::new("kill").arg(&pid).status().unwrap().success());
    is(&daemon, &right.id, Status::Exited).await;
    other.type_in(" and there").await;
    other.sees("here again and there").await;
    // The user ends the whole session, and it ends.
    tmux(&daemon, &["kill-session", "-t", "=my work"]);
    is(&daemon, &again.id, Status::Exited).await;
    until("the end of their server", || async {
        (!daemon.tmux_on(OWN, &["-N", "list-sessions"]).status.success()).then_some(())
    })
    .await;
    // A new server gives the same names to other panes.
    start(&daemon).await;
    assert_eq!(ask(&daemon, "=my work:1.1", "#{pane_id}"), right.pane.unwrap());
    daemon.kill().await;
    daemon.schmux(&["start"]);
    assert_eq!(offers(&daemon).await, ["my work:1.0", "my work:1.1"]);
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.1", "-n", "anew"]);
    let anew = named(&daemon, "anew").await;
    daemon.view(&anew, "").await.sees("❯").await;
    assert_eq!(daemon.session(&right.id).await.unwrap().status, Status::Exited);
}

/// What was adopted before panes were told apart is the first pane of its session.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_a_pane_is_the_first_one() {
    let daemon = Daemon::start();
    start(&daemon).await;
    tmux(&daemon, &["send-keys", "-t", "=my work:0", "echo a $((40 + 2))", "Enter"]);
    daemon.schmux(&["adopt", "-L", OWN, "my work:0.0", "-n", "old"]);
    let old = named(&daemon, "old").await;
    daemon.view(&old, "").await.sees("a 42").await;
    daemon.kill().await;
    let store = rusqlite::Connection::open(daemon.home().database()).unwrap();
    let forget = "UPDATE sessions SET record = json_remove(record, '$.address.pane')";
    assert_eq!(store.execute(forget, []).unwrap(), 1);
    drop(store);
    daemon.schmux(&["start"]);
    let now = named(&daemon, "old").await;
    assert_eq!((now.pane, now.tmux_session.as_str()), (None, "my work"));
    let mut view = daemon.view(&old, "").await;
    view.sees("a 42").await;
    view.type_in("echo still $((40 + 3))\r").await;
    view.sees("still 43").await;
    let again = daemon.try_schmux(&["adopt", "-L", OWN, "my work:0"]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("already"), "{again:?}");
    assert_eq!(offers(&daemon).await, ["my work:1.0", "my work:1.1"]);
    daemon.schmux(&["adopt", "-L", OWN, "my work:1.0", "-n", "left"]);
    let left = named(&daemon, "left").await;
    daemon.view(&left, "").await.sees("❯").await;
    daemon.schmux(&["dispose", "old"]);
    view = daemon.view(&left, "").await;
    view.type_in("on and on").await;
    view.sees("on and on").await;
}
