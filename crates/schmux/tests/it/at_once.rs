//! Requests that meet each other, and requests whose client leaves.

use schmux::wire::{Session, Status};

use crate::support::{Daemon, until};

/// The user's tmux server, whose socket has this name.
const OWN: &str = "own";

/// A closed tab, a Ctrl-C.
#[tokio::test(flavor = "multi_thread")]
async fn a_spawn_whose_client_leaves_is_done_to_its_end() {
    let daemon = Daemon::start();
    let mut client = daemon.begin_schmux(&["spawn", "-t", "sh", "--count", "40", "--", "exec cat"]);
    let sessions = || async {
        let all: Vec<Session> = daemon.client().get("/api/sessions").await.unwrap();
        all
    };
    until("the first of them", || async { (!sessions().await.is_empty()).then_some(()) }).await;
    client.kill().unwrap();
    client.wait().unwrap();
    until("all of them in tmux", || async {
        let running = |session: &&Session| !matches!(session.status, Status::Starting);
        (sessions().await.iter().filter(running).count() == 40).then_some(())
    })
    .await;
    let listed = daemon.tmux(&["list-sessions", "-F", "#{session_name}"]);
    let listed = String::from_utf8(listed).unwrap();
    assert!(sessions().await.iter().all(|it| listed.lines().any(|name| name == it.tmux_session)));
}

/// One that never answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_clone_that_hangs_holds_up_nobody() {
    let daemon = Daemon::start();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}/app", silent.local_addr().unwrap());
    let mut hangs = daemon.begin_schmux(&["spawn", "-t", "sh", "--clone", &url, "--", "exec cat"]);
    let reserved = daemon.home().workspaces().join("app-001");
    until("git at work", || async { reserved.join(".git").exists().then_some(()) }).await;
    daemon.run("exec cat").await;
    hangs.kill().unwrap();
    hangs.wait().unwrap();
    // The daemon goes on with it, and takes it along when it ends.
    daemon.schmux(&["stop"]);
    until("the end of the clone", || async { (!reserved.exists()).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_nickname_is_given_once_whoever_asks_at_the_same_time() {
    let daemon = Daemon::start();
    for round in 0..5 {
        let name = format!("dup-{round}");
        let asked: Vec<_> = (0..6)
            .map(|_| daemon.begin_schmux(&["spawn", "-t", "sh", "-n", &name, "--", "exec cat"]))
            .collect();
        let outputs: Vec<_> = asked.into_iter().map(|it| it.wait_with_output().unwrap()).collect();
        let (given, refused): (Vec<_>, Vec<_>) =
            outputs.iter().partition(|output| output.status.success());
        assert_eq!(given.len(), 1);
        for output in refused {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("is called"), "{said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pane_is_adopted_once_whoever_asks_at_the_same_time() {
    let daemon = Daemon::start();
    let work = daemon.path("work").to_string_lossy().into_owned();
    for round in 0..5 {
        let name = format!("own-{round}");
        let new = ["-f", "/dev/null", "new-session", "-d", "-s", &name, "-c", &work, "cat"];
        assert!(daemon.tmux_on(OWN, &new).status.success());
        let ask = ["display-message", "-p", "-t", &format!("={name}:"), "#{pane_current_path}"];
        until("its program", || async {
            (daemon.tmux_on(OWN, &ask).stdout.trim_ascii() == work.as_bytes()).then_some(())
        })
        .await;
        let asked: Vec<_> =
            (0..5).map(|_| daemon.begin_schmux(&["adopt", "-L", OWN, &name])).collect();
        let outputs: Vec<_> = asked.into_iter().map(|it| it.wait_with_output().unwrap()).collect();
        let (taken, refused): (Vec<_>, Vec<_>) =
            outputs.iter().partition(|output| output.status.success());
        assert_eq!(taken.len(), 1);
        for output in refused {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains("one of schmux's sessions already"), "{said}");
        }
    }
}
