//! Sessions through everything that can happen to the daemon, tmux and their programs.

use std::process::Command;
use std::time::Duration;

use schmux::wire::{Session, Status, TerminalMessage};
use serde_json::json;

use crate::support::{Daemon, assert_same, runs, until};

async fn becomes(daemon: &Daemon, id: &str, status: Status) -> Session {
    until(&format!("{id} to be {status:?}"), || async {
        daemon.session(id).await.filter(|session| session.status == status)
    })
    .await
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([name, pid]).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_daemon_finds_everything_again() {
    let daemon = Daemon::start();
    let session = daemon.run("printf '\\033[31mcolour\\033[0m 漢'; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("colour").await;
    for _ in 0..3 {
        daemon.kill().await;
        while view.step().await.is_some() {}
        daemon.schmux(&["start"]);
        view = daemon.view(&session, "").await;
        view.sees("colour").await;
        assert_same(view.screen.as_ref().unwrap(), &daemon.truth(&session));
        becomes(&daemon, &session.id, Status::Unknown).await;
    }
    view.type_in("and it still listens\r").await;
    view.sees("and it still listens").await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn the_daemon_may_open_more_files_than_whoever_started_it() {
    let daemon = Daemon::start();
    daemon.kill().await;
    let status = Command::new("sh")
        .args(["-c", "ulimit -Sn 300; exec \"$0\" start", env!("CARGO_BIN_EXE_schmux")])
        .env("SCHMUX_HOME", daemon.home().dir())
        .env("SCHMUX_PORT", "0")
        .env("TMUX_TMPDIR", daemon.path(""))
        .env_remove("TMUX")
        .status();
    assert!(status.unwrap().success());
    let pid = daemon.status().await.pid;
    let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] > 300, "{line}");
    daemon.schmux(&["list"]);
}

/// tmux gives no notice of a program that ended in a pane that stays, so a hook makes one:
/// it renames the hub's own window.
#[tokio::test(flavor = "multi_thread")]
async fn tmux_tells_of_an_end_by_itself() {
    let daemon = Daemon::start();
    let name = || {
        let name = daemon.tmux(&["display-message", "-p", "-t", "=schmux-hub:^", "#{window_name}"]);
        String::from_utf8_lossy(&name).trim().to_owned()
    };
    let session = daemon.run("read -r _; exit 3").await;
    assert_eq!(name(), "cat");
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    let ended = becomes(&daemon, &session.id, Status::Exited).await;
    assert_eq!(ended.exit_code, Some(3));
    until("the hook", || async { (name() == "schmux-hub").then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_the_daemon_leaves_the_agents_running() {
    let daemon = Daemon::start();
    let session = daemon.run("echo alive; exec cat").await;
    becomes(&daemon, &session.id, Status::Unknown).await;
    assert!(daemon.schmux(&["stop"]).contains("stopped"));
    let alive = daemon.tmux(&["list-sessions", "-F", "#{session_name}"]);
    assert!(String::from_utf8_lossy(&alive).lines().any(|name| name == session.tmux_session));
    daemon.schmux(&["start"]);
    becomes(&daemon, &session.id, Status::Unknown).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_the_daemon_ends_tmux_servers_without_agents() {
    let daemon = Daemon::with_config("[tmux]\nsessions_per_server = 1\n");
    let [stays, goes] = [daemon.run("exec cat").await, daemon.run("exec cat").await];
    daemon.schmux(&["dispose", &goes.id]);
    let base = daemon.home().tmux_socket();
    let servers = || {
        let names = [base.clone(), format!("{base}-2")];
        let answers = |name: &&String| daemon.tmux_on(name, &["list-sessions"]).status.success();
        names.iter().filter(answers).count()
    };
    assert_eq!(servers(), 2);
    daemon.schmux(&["stop"]);
    assert_eq!(servers(), 1);
    daemon.schmux(&["start"]);
    becomes(&daemon, &stays.id, Status::Unknown).await;
    daemon.schmux(&["dispose", &stays.id]);
    daemon.schmux(&["stop"]);
    assert_eq!(servers(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tmux_has_no_complaint_about_its_configuration() {
    let daemon = Daemon::start();
    becomes(&daemon, &daemon.run("exec cat").await.id, Status::Unknown).await;
    // What it can't read it shows in the first pane of all, and keys go nowhere there.
    assert_eq!(daemon.tmux(&["list-panes", "-a", "-f", "#{pane_in_mode}"]), b"");
    let config = daemon.home().tmux_conf();
    let said =
        daemon.tmux_on(&daemon.home().tmux_socket(), &["source-file", config.to_str().unwrap()]);
    assert!(said.status.success() && said.stdout.is_empty() && said.stderr.is_empty(), "{said:?}");
}

/// tmux stands still, so that what is asked surely comes before it was looked at.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_right_after_a_start_waits_for_tmux() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    becomes(&daemon, &session.id, Status::Unknown).await;
    daemon.schmux(&["stop"]);
    let tmux = String::from_utf8(daemon.tmux(&["display-message", "-p", "#{pid}"])).unwrap();
    signal("-STOP", tmux.trim());
    daemon.schmux(&["start"]);
    let typing = daemon.begin_schmux(&["send-keys", &session.id, "--text", "at once", "Enter"]);
    daemon.is_asked().await;
    signal("-CONT", tmux.trim());
    let typed = typing.wait_with_output().unwrap();
    assert!(typed.status.success(), "{}", String::from_utf8_lossy(&typed.stderr));
    let mut view = daemon.view(&session, "").await;
    view.sees("at once").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_is_seen_and_the_last_screen_stays() {
    let daemon = Daemon::start();
    let session = daemon.run("echo last words; head -n 1 >/dev/null; exit 7").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("last words").await;
    view.type_in("\r").await;
    let ended = becomes(&daemon, &session.id, Status::Exited).await;
    // tmux 3.3a loses the code now and then; it never tells a wrong one.
    assert!(matches!(ended.exit_code, None | Some(7)), "{ended:?}");
    while !view.was_told(|m| matches!(m, TerminalMessage::Exited { .. })) {
        view.step().await.unwrap();
    }
    assert!(daemon.schmux(&["capture", &session.id]).contains("last words"));
    let refused = daemon.try_schmux(&["send-keys", &session.id, "Enter"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has ended"));
    // A restart remembers that it ended.
    daemon.kill().await;
    daemon.schmux(&["start"]);
    becomes(&daemon, &session.id, Status::Exited).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_disposed_and_its_program_with_it() {
    let daemon = Daemon::start();
    let session = daemon.run("echo $$ > pid; exec cat").await;
    let pid = until("the pid", || async {
        std::fs::read_to_string(daemon.path("work/pid")).ok().filter(|p| p.ends_with('\n'))
    })
    .await;
    let mut view = daemon.view(&session, "").await;
    view.step().await;
    daemon.schmux(&["dispose", &session.id]);
    while view.step().await.is_some() {}
    assert!(view.was_told(|m| matches!(m, TerminalMessage::Gone)));
    assert!(daemon.session(&session.id).await.is_none());
    until("the program's end", || async { (!runs(pid.trim())).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_killed_in_tmux_is_noticed_and_leaves_nothing_behind() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    becomes(&daemon, &session.id, Status::Unknown).await;
    daemon.tmux(&["kill-session", "-t", &format!("={}", session.tmux_session)]);
    let ended = becomes(&daemon, &session.id, Status::Exited).await;
    assert!(ended.reason.unwrap().contains("no longer there"));
    until("the window's end", || async {
        let panes = daemon.tmux(&["list-panes", "-a", "-F", "#{@schmux}"]);
        (!String::from_utf8_lossy(&panes).contains(&session.id)).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tmux_server_that_dies_takes_its_sessions_and_nothing_else() {
    let daemon = Daemon::start();
    let session = daemon.run("exec cat").await;
    becomes(&daemon, &session.id, Status::Unknown).await;
    let mut view = daemon.view(&session, "").await;
    view.step().await;
    daemon.tmux(&["kill-server"]);
    becomes(&daemon, &session.id, Status::Exited).await;
    while !view.was_told(|m| matches!(m, TerminalMessage::Exited { .. })) {
        view.step().await.unwrap();
    }
    let next = daemon.run("echo risen; exec cat").await;
    daemon.view(&next, "").await.sees("risen").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_client_that_is_killed_comes_back_exactly() {
    let daemon = Daemon::start();
    let session = daemon.run("echo before; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("before").await;
    let mut killed = String::new();
    for round in 0..3 {
        // The one that was killed last may still stand there, and its successor not yet.
        let pid = until("the hub's client", || async {
            let clients = daemon.tmux(&["list-clients", "-F", "#{client_pid} #{client_session}"]);
            let clients = String::from_utf8(clients).unwrap();
            let hub = clients.lines().find_map(|line| line.strip_suffix(" schmux-hub"));
            hub.filter(|pid| *pid != killed).map(str::to_owned)
        })
        .await;
        let told = view.messages.len();
        signal("-9", &pid);
        killed = pid;
        // Typed without schmux while it can't see.
        let target = format!("={}:", session.tmux_session);
        daemon.tmux(&["send-keys", "-t", &target, &format!("round-{round}"), "Enter"]);
        view.sees(&format!("round-{round}")).await;
        while view.messages.len() == told {
            view.step().await.unwrap();
        }
        becomes(&daemon, &session.id, Status::Unknown).await;
        view.settles(&daemon, &session).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn further_servers_are_opened_and_found_again() {
    let daemon = Daemon::with_config("[tmux]\nsessions_per_server = 2\n");
    let mut sessions = Vec::new();
    for number in 0..5 {
        sessions.push(daemon.run(&format!("echo number-{number}; exec cat")).await);
    }
    let servers: std::collections::HashSet<String> =
        sessions.iter().map(|s| s.attach_cmd.split(' ').nth(2).unwrap().to_owned()).collect();
    assert_eq!(servers.len(), 3);
    daemon.kill().await;
    daemon.schmux(&["start"]);
    for (number, session) in sessions.iter().enumerate() {
        let mut view = daemon.view(session, "").await;
        view.sees(&format!("number-{number}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_the_users_own_is_adopted_and_let_go() {
    let daemon = Daemon::start();
    let work = daemon.path("work");
    std::fs::write(work.join("claude"), "#!/bin/sh\necho I am an agent\ncat\n").unwrap();
    let started = daemon.tmux_on(
        "own",
        &[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "my own",
            "-c",
            work.to_str().unwrap(),
            "sh claude",
        ],
    );
    assert!(started.status.success());
    // The daemon looks where its own environment says that sockets are.
    let offers = until("the offer", || async {
        let offers: serde_json::Value = daemon.client().get("/api/adoptable").await.unwrap();
        offers.as_array().unwrap().iter().find(|o| o["tmux_session"] == "my own").cloned()
    })
    .await;
    assert_eq!(offers["target"], "claude");
    let request = json!({"tmux_session": "my own", "socket": offers["socket"], "nickname": "mine"});
    let adopted: Session = daemon.client().post("/api/adopt", &request).await.unwrap();
    assert!(adopted.adopted);
    let mut view = daemon.view(&adopted, "").await;
    view.sees("I am an agent").await;
    view.type_in("hello agent\r").await;
    view.sees("hello agent").await;
    daemon.kill().await;
    daemon.schmux(&["start"]);
    let mut view = daemon.view(&adopted, "").await;
    view.sees("hello agent").await;
    daemon.schmux(&["dispose", "mine"]);
    let left = daemon.tmux_on("own", &["list-panes", "-s", "-t", "=my own", "-F", "#{pane_dead}"]);
    assert_eq!(left.stdout, b"0\n", "an adopted session is let go, not ended");
    // Nothing of ours stays there, where it would keep the server alive.
    until("its server to be as it was", || async {
        let left = daemon.tmux_on("own", &["list-sessions", "-F", "#{session_name}"]);
        (left.stdout == b"my own\n").then_some(())
    })
    .await;
    // Whoever names the server is told of all that is on it, and of nothing else.
    let socket = offers["socket"].as_str().unwrap();
    let listed = daemon.schmux(&["adopt", "-S", socket, "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let again: Session = daemon.client().post("/api/adopt", &request).await.unwrap();
    daemon.view(&again, "").await.sees("hello agent").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_adopted_is_not_ours_already_and_has_a_name_of_its_own() {
    let daemon = Daemon::start();
    let session = daemon.run("echo here I am; exec cat").await;
    daemon.schmux(&["spawn", "-t", "sh", "-n", "twin-1", "--", "exec cat"]);
    let started =
        daemon.tmux_on("own", &["-f", "/dev/null", "new-session", "-d", "-s", "x", "cat"]);
    assert!(started.status.success());
    let socket = daemon.home().tmux_socket();
    for (args, words) in [
        (vec!["adopt", "-L", &socket, &session.tmux_session], session.id.as_str()),
        (vec!["adopt", "-L", "own", "x", "-n", "twin-1"], "already"),
        (vec!["adopt", "-L", "own", "x", "-n", " "], "nickname"),
        (vec!["adopt", "-L", "own", "x", "-t", "calude"], "claude"),
        (vec!["adopt", "-L", "nobody"], "nobody"),
        (vec!["spawn", "-t", "sh", "-n", "twin", "--count", "2", "--", "exec cat"], "twin-1"),
    ] {
        let output = daemon.try_schmux(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{args:?}: {said}");
    }
    assert_eq!(daemon.client().get::<Vec<Session>>("/api/sessions").await.unwrap().len(), 2);
    let disposed = daemon.schmux(&["dispose", &session.id]);
    assert_eq!(disposed, format!("ended {}\n", session.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_ends_our_hub_session_ends_nothing_else() {
    let daemon = Daemon::start();
    let session = daemon.run("echo here I am; exec cat").await;
    let mut view = daemon.view(&session, "").await;
    view.sees("here I am").await;
    let server = String::from_utf8(daemon.tmux(&["display-message", "-p", "#{pid}"])).unwrap();
    let client = ["list-clients", "-t", "=schmux-hub", "-F", "#{client_pid}"];
    let before = daemon.tmux(&client);
    daemon.tmux(&["kill-session", "-t", "=schmux-hub"]);
    until("a hub with another client", || async {
        let found = daemon.tmux_on(&daemon.home().tmux_socket(), &client);
        let now = found.status.success().then_some(found.stdout)?;
        (!now.is_empty() && now != before).then_some(())
    })
    .await;
    assert_eq!(daemon.tmux(&["display-message", "-p", "#{pid}"]), server.as_bytes());
    view.type_in("and go on\r").await;
    view.sees("and go on").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_the_users_own_that_ends_is_not_started_again() {
    let daemon = Daemon::start();
    let work = daemon.path("work").to_string_lossy().into_owned();
    let start = |name: &str| {
        let new = [
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            name,
            "-c",
            &work,
            "echo here I am; exec cat",
        ];
        assert!(daemon.tmux_on("own", &new).status.success());
    };
    start("mine");
    let adopt = |name: &str| {
        let request = json!({"tmux_session": name, "socket": "own"});
        let client = daemon.client();
        let path = ["display-message", "-p", "-t", name, "#{pane_current_path}"].map(String::from);
        let daemon = &daemon;
        async move {
            until("tmux to know where it is", || async {
                let path = path.each_ref().map(String::as_str);
                let told = daemon.tmux_on("own", &path).stdout;
                (!told.trim_ascii().is_empty()).then_some(())
            })
            .await;
            client.post::<_, Session>("/api/adopt", &request).await.unwrap()
        }
    };
    let adopted = adopt("mine").await;
    let mut view = daemon.view(&adopted, "").await;
    view.sees("here I am").await;
    view.type_in("hello\r").await;
    view.sees("hello").await;
    assert!(daemon.tmux_on("own", &["kill-server"]).status.success());
    until("its end", || async {
        let now = daemon.session(&adopted.id).await?;
        (now.status == Status::Exited).then_some(())
    })
    .await;
    // Longer than the pauses between the first attempts to connect.
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let asked = daemon.tmux_on("own", &["-N", "list-sessions"]);
        assert!(!asked.status.success(), "{}", String::from_utf8_lossy(&asked.stdout));
    }
    // One that the user starts is theirs, until they have something adopted again.
    start("another");
    let again = adopt("another").await;
    let mut view = daemon.view(&again, "").await;
    view.sees("here I am").await;
    view.type_in("hello again\r").await;
    view.sees("hello again").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_too_long_for_a_command_line_arrives_whole() {
    let daemon = Daemon::start();
    let long = "x'y \"z $HOME \\ é\n".repeat(3000);
    let request = json!({
        "target": "sh",
        "workspace": daemon.path("work"),
        "args": ["printf %s \"$1\" > got; echo done; exec cat", "sh", long],
    });
    let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    daemon.view(&made[0], "").await.sees("done").await;
    assert_eq!(std::fs::read_to_string(daemon.path("work/got")).unwrap(), long);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_know_who_they_are() {
    let daemon = Daemon::start();
    let session = daemon.run("env | grep ^SCHMUX_ | sort > env; echo done; exec cat").await;
    daemon.view(&session, "").await.sees("done").await;
    let env = std::fs::read_to_string(daemon.path("work/env")).unwrap();
    for line in [
        "SCHMUX_ENABLED=1".to_owned(),
        format!("SCHMUX_SESSION_ID={}", session.id),
        format!("SCHMUX_WORKSPACE_ID={}", session.workspace_id),
        format!("SCHMUX_STATUS_FILE={}", session.status_file),
        format!("SCHMUX_EVENTS_FILE={}", session.events_file),
    ] {
        assert!(env.lines().any(|have| have == line), "{line} is not in\n{env}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn spawning_says_what_is_wrong() {
    let daemon = Daemon::start();
    for (args, code, words) in [
        (vec!["spawn", "-t", "calude"], 4, "claude"),
        (vec!["spawn", "-t", "demo", "-w", "/nowhere/at/all"], 4, "/nowhere/at/all"),
        (vec!["spawn", "-t", "demo", "--count", "0"], 2, "count"),
        (vec!["capture", "nobody"], 4, "nobody"),
        (vec!["spawn", "-t", "demo", "--worktree", "x"], 1, "git"),
    ] {
        let output = daemon.try_schmux(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_daemon_freezes_no_agent() {
    let daemon = Daemon::start();
    // It prints more than every buffer holds, and tells in a file how far it has come.
    let script = "n=0; while :; do n=$((n+1)); seq 1 2000; echo $n > count; done";
    let session = daemon.run(script).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("2000").await;
    let count = || -> u64 {
        let text = std::fs::read_to_string(daemon.path("work/count")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    };
    let pid = daemon.status().await.pid.to_string();
    signal("-STOP", &pid);
    // tmux 3.3a may crash as it lets a control client in, so that the stand-in is none.
    until("the one that stands in", || async {
        let format = "#{session_name} #{client_control_mode}";
        let clients = String::from_utf8(daemon.tmux(&["list-clients", "-F", format])).unwrap();
        let mut clients: Vec<&str> = clients.lines().collect();
        clients.sort_unstable();
        (clients == ["schmux-hub 1", "schmux-keep 0"]).then_some(())
    })
    .await;
    let stalled_at = count();
    until("the agent to go on", || async { (count() > stalled_at + 300).then_some(()) }).await;
    signal("-CONT", &pid);
    let target = format!("={}:", session.tmux_session);
    daemon.tmux(&["send-keys", "-t", &target, "C-c"]);
    becomes(&daemon, &session.id, Status::Exited).await;
    view.settles(&daemon, &session).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_tells_how_another_one_like_it_is_started() {
    let daemon = Daemon::start();
    let client = daemon.client();
    let request = json!({"target": "demo", "workspace": daemon.home().dir(), "nickname": "first",
        "prompt": "two\nlines", "args": ["--seed", "7"]});
    let [session]: [Session; 1] =
        client.post::<_, Vec<Session>>("/api/spawn", &request).await.unwrap().try_into().unwrap();
    daemon.schmux(&["stop"]);
    let server = daemon.home().tmux_socket();
    assert!(daemon.tmux_on(&server, &["kill-server"]).status.success());
    daemon.schmux(&["start"]);
    becomes(&daemon, &session.id, Status::Exited).await;
    let path = format!("/api/sessions/{}/again", session.id);
    let again: serde_json::Value = client.get(&path).await.unwrap();
    // Names are told apart, so another one has none yet.
    let mut expected = request.clone();
    expected.as_object_mut().unwrap().remove("nickname");
    assert_eq!(again, expected);
    let made: Vec<Session> = client.post("/api/spawn", &again).await.unwrap();
    assert_eq!(
        (&made[0].command, &made[0].workspace_id),
        (&session.command, &session.workspace_id)
    );
}
