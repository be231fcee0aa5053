//! What people do by hand on schmux's own tmux servers, and what their settings do
//! there: agents go on, and are found where they were taken.

use schmux::wire::{Session, Status};

use crate::attach::Outer;
use crate::support::{Daemon, runs, until};

fn tmux(daemon: &Daemon, args: &[&str]) -> String {
    String::from_utf8(daemon.tmux(args)).unwrap().trim_end().to_owned()
}

fn pid(daemon: &Daemon, session: &Session) -> String {
    tmux(daemon, &["display-message", "-p", "-t", &pane(daemon, session), "#{pane_pid}"])
}

/// The id of its pane, wherever that is.
fn pane(daemon: &Daemon, session: &Session) -> String {
    let panes = tmux(daemon, &["list-panes", "-a", "-F", "#{@schmux} #{pane_id}"]);
    let of = |line: &str| line.strip_prefix(&session.id).map(|id| id.trim().to_owned());
    panes.lines().find_map(of).unwrap()
}

async fn is_called(daemon: &Daemon, session: &Session, name: &str) {
    until(name, || async {
        let now = daemon.session(&session.id).await?;
        assert_ne!(now.status, Status::Exited, "{now:#?}");
        (now.tmux_session == name && now.attach_cmd.contains(name)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_goes_on_under_another_name() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    let mut view = daemon.view(&session, "").await;
    let pid = pid(&daemon, &session);
    tmux(&daemon, &["rename-session", "-t", &format!("={}", session.id), "my docs"]);
    is_called(&daemon, &session, "my docs").await;
    // Another session has everything looked at anew.
    daemon.run("exec cat").await;
    view.type_in("renamed\r").await;
    view.sees("renamed").await;
    daemon.schmux(&["stop"]);
    daemon.schmux(&["start"]);
    is_called(&daemon, &session, "my docs").await;
    tmux(&daemon, &["new-session", "-d", "-s", "mine", "cat"]);
    tmux(&daemon, &["move-window", "-d", "-s", "=my docs:0", "-t", "=mine:7"]);
    is_called(&daemon, &session, "mine").await;
    let mut view = daemon.view(&session, "").await;
    view.type_in("and moved\r").await;
    view.sees("and moved").await;
    assert!(runs(&pid));
    daemon.schmux(&["dispose", &session.id]);
    until("its end", || async { (!runs(&pid)).then_some(()) }).await;
    assert_eq!(tmux(&daemon, &["list-windows", "-t", "=mine", "-F", "#{window_index}"]), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_side_by_side_are_two() {
    let daemon = Daemon::start();
    let (left, right) = (daemon.run("exec cat").await, daemon.run("exec cat").await);
    let pids = [pid(&daemon, &left), pid(&daemon, &right)];
    let (from, to) = (pane(&daemon, &right), pane(&daemon, &left));
    tmux(&daemon, &["join-pane", "-d", "-h", "-s", &from, "-t", &to]);
    is_called(&daemon, &right, &left.id).await;
    let mut views = [daemon.view(&left, "").await, daemon.view(&right, "").await];
    for (view, word) in views.iter_mut().zip(["on the left", "on the right"]) {
        view.type_in(word).await;
        view.sees(word).await;
    }
    daemon.schmux(&["dispose", &left.id]);
    until("one end", || async { (!runs(&pids[0])).then_some(()) }).await;
    views[1].type_in(", alone").await;
    views[1].sees("on the right, alone").await;
    // A pane of their own takes over the window, and the agent's goes elsewhere.
    tmux(&daemon, &["split-window", "-d", "-t", &from, "cat"]);
    tmux(&daemon, &["new-session", "-d", "-s", "mine", "cat"]);
    tmux(&daemon, &["break-pane", "-d", "-s", &from, "-t", "=mine:"]);
    is_called(&daemon, &right, "mine").await;
    views[1].type_in(", elsewhere").await;
    views[1].sees("alone, elsewhere").await;
    daemon.schmux(&["dispose", &right.id]);
    until("the other end", || async { (!runs(&pids[1])).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pane_of_the_users_beside_an_agent_is_left_alone() {
    let daemon = Daemon::start();
    tmux(&daemon, &["new-session", "-d", "-s", "mine", "cat"]);
    tmux(&daemon, &["new-window", "-d", "-t", "=mine:5", "cat"]);
    let agents = ["one", "two"].map(|name| format!("echo agent {name}; exec cat"));
    let mut sessions = Vec::new();
    for agent in &agents {
        let session = daemon.run(agent).await;
        let from = pane(&daemon, &session);
        tmux(&daemon, &["join-pane", "-d", "-s", &from, "-t", "=mine:5"]);
        is_called(&daemon, &session, "mine").await;
        sessions.push(session);
    }
    let panes = || tmux(&daemon, &["list-panes", "-s", "-t", "=mine", "-F", "#{pane_pid}"]);
    let pids = sessions.iter().map(|session| pid(&daemon, session)).collect::<Vec<_>>();
    let own = panes().lines().filter(|pid| !pids.contains(&(*pid).into())).count();
    assert_eq!(own, 2);
    // The window that `mine` shows is another one.
    daemon.schmux(&["stop"]);
    let outer = Outer::open(&daemon);
    outer.attach(&sessions[0]).await;
    outer.sees("agent one").await;
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    daemon.schmux(&["start"]);
    // At once: before its pane was looked for.
    for (session, pid) in sessions.iter().zip(&pids) {
        daemon.schmux(&["dispose", &session.id]);
        until("its end", || async { (!runs(pid)).then_some(()) }).await;
    }
    assert_eq!(panes().lines().filter(|pid| runs(pid)).count(), 2);
    // And what they end later ends: nothing of ours holds it.
    until("a hub without it", || async {
        let hub = tmux(&daemon, &["list-windows", "-t", "=schmux-hub", "-F", "#{window_id}"]);
        (hub.lines().count() == 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_started_by_hand_on_our_server_is_not_adopted() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    tmux(&daemon, &["new-session", "-d", "-s", "mine", "cat"]);
    let socket = daemon.status().await.tmux_socket;
    let refused = daemon.try_schmux(&["adopt", "-L", &socket, "mine"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("schmux spawn"), "{refused:?}");
    assert_eq!(daemon.schmux(&["adopt", "-L", &socket, "--json"]).trim(), "[]");
    assert_ne!(daemon.session(&session.id).await.unwrap().status, Status::Unreachable);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_setting_of_the_users_ends_an_agent_that_nobody_is_attached_to() {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let file = daemon.path("mine.conf");
    std::fs::write(&file, "set -g destroy-unattached on\nset -g exit-empty on\n").unwrap();
    let mut config = std::fs::read_to_string(daemon.home().config()).unwrap();
    config.push_str(&format!("[tmux]\nconfig = {:?}\n", file.display().to_string()));
    std::fs::write(daemon.home().config(), config).unwrap();
    daemon.schmux(&["start"]);
    let session = daemon.run("exec cat").await;
    let pid = pid(&daemon, &session);
    daemon.schmux(&["stop"]);
    daemon.schmux(&["start"]);
    let mut view = daemon.view(&session, "").await;
    view.type_in("still here").await;
    view.sees("still here").await;
    assert!(runs(&pid));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_a_shell_runs_agents() {
    let daemon = Daemon::start();
    daemon.schmux(&["stop"]);
    let mut start = daemon.command(&["start"]);
    // Where there is no SHELL tmux takes the same from the list of accounts.
    let started = start.env("SHELL", "/usr/sbin/nologin").output().unwrap();
    assert!(started.status.success(), "{started:?}");
    let session = daemon.run("echo up; exec cat").await;
    daemon.view(&session, "").await.sees("up").await;
    tmux(&daemon, &["split-window", "-d", "-t", &pane(&daemon, &session), "echo split; cat"]);
    until("a pane of their own", || async {
        let seen = tmux(&daemon, &["capture-pane", "-p", "-t", &format!("={}:.1", session.id)]);
        seen.contains("split").then_some(())
    })
    .await;
}
