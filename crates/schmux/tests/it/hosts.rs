//! Agents on other hosts, by a plain command and by a real sshd.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use schmux::wire::{HostRequest, HostState, HostStatus, Session, SpawnRequest, Status};
use serde_json::json;

use super::far::Far;
use super::support::{Daemon, until};
use schmux::wire::{Message, MessageRequest, MessageState};

async fn says(daemon: &Daemon, session: &Session, status: Status, summary: &str) -> Session {
    until(&format!("{summary:?}"), || async {
        let now = daemon.session(&session.id).await?;
        let said = now.said.nudge_summary.as_deref() == Some(summary) && now.status == status;
        said.then_some(now)
    })
    .await
}

async fn is(daemon: &Daemon, session: &Session, status: Status) -> Session {
    until(&format!("{status:?}"), || async {
        daemon.session(&session.id).await.filter(|now| now.status == status)
    })
    .await
}

/// All that matters of one session on one host.
async fn all_of(daemon: &Daemon, far: &Far) {
    let told = far.join(daemon);
    assert!(told.contains("tmux") && told.contains("as here"), "{told}");
    let session = far.run(daemon, "stty -echo; echo \"I am $SCHMUX_SESSION_ID\"; exec cat").await;
    assert_eq!(session.host, far.name);
    let mut view = daemon.view(&session, "").await;
    view.sees(&format!("I am {}", session.id)).await;
    view.type_in("typed $HOME 'x' é\r").await;
    view.sees("typed $HOME 'x' é").await;

    // The status file, with all that a shell or a frame could stumble over.
    let words = "it's \"50%\" __END__ `x` \\n é";
    fs::write(&session.status_file, format!("needs_input {words}\nprogress: 40\n")).unwrap();
    let now = says(daemon, &session, Status::NeedsInput, words).await;
    assert_eq!(now.said.nudge_seq, 1);
    // Without a newline at its end, and by another file in its place.
    let fresh = format!("{}.new", session.status_file);
    fs::write(&fresh, "error no newline").unwrap();
    fs::rename(&fresh, &session.status_file).unwrap();
    says(daemon, &session, Status::Error, "no newline").await;
    // The events file, and more of it than one frame holds.
    let mut lines = String::new();
    for number in 0..3000 {
        let note = json!({"type": "note", "number": number, "text": "x".repeat(50)});
        lines.push_str(&format!("{note}\n"));
    }
    lines.push_str("{\"type\":\"status\",\"state\":\"completed\",\"message\":\"all read\"}\n");
    fs::write(&session.events_file, lines).unwrap();
    let now = says(daemon, &session, Status::Completed, "all read").await;
    assert_eq!(now.said.nudge_seq, 3);
    // A marker in the output.
    view.type_in("--<[schmux:needs_testing:try it]>--\r").await;
    says(daemon, &session, Status::NeedsTesting, "try it").await;

    let captured = daemon.schmux(&["capture", &session.id]);
    assert!(captured.contains("typed $HOME"), "{captured}");
    daemon.schmux(&["dispose", &session.id]);
    until("the end of its window", || async {
        let left = far.tmux(&["list-panes", "-a", "-F", "#{session_name}"]).stdout;
        (!String::from_utf8_lossy(&left).contains(&session.id)).then_some(())
    })
    .await;
    daemon.schmux(&["host", "remove", &far.name]);
}

#[tokio::test]
async fn a_plain_command_is_a_host() {
    let daemon = Daemon::start();
    all_of(&daemon, &Far::plain("container")).await;
}

#[tokio::test]
async fn a_machine_behind_sshd_is_a_host() {
    let Some(far) = Far::ssh("box") else { return };
    // What login shells print is not taken for anything.
    fs::write(far.path("home").join(".profile"), "echo 'Welcome! __SCHMUX_SIGNAL__'\n").unwrap();
    let daemon = Daemon::start();
    all_of(&daemon, &far).await;
}

#[tokio::test]
async fn a_way_that_fails_says_why() {
    let daemon = Daemon::start();
    let far = Far::plain("poor");
    let way = |words: &[&str]| {
        let mut args = vec!["host", "add", "bad", "--"];
        args.extend_from_slice(words);
        let output = daemon.try_schmux(&args);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let home = format!("HOME={}", far.path("home").display());
    let path = format!("PATH={}", far.path("bin").display());
    for (program, to) in
        [("od", "od"), ("tr", "tr"), ("sed", "sed"), ("tail", "tail"), ("id", "id"), ("sh", "sh")]
    {
        std::os::unix::fs::symlink(format!("/usr/bin/{to}"), far.path("bin").join(program))
            .unwrap();
    }
    // A login shell that says nothing of PATH.
    let shell = "SHELL=/bin/false";
    let none = way(&["env", "-i", shell, &home, &path]);
    assert!(none.contains("tmux is not installed there"), "{none}");
    far.install("tmux", "#!/bin/sh\necho tmux 2.9a\n");
    let old = way(&["env", "-i", shell, &home, &path]);
    assert!(old.contains("tmux there is 2.9a, and schmux needs 3.2 or later"), "{old}");
    assert!(way(&["no-such-command"]).contains("no-such-command was not found on PATH"));
    assert!(way(&["sh", "-c", "echo No route >&2; exit 255"]).contains("No route"));
    let spawned = daemon.try_schmux(&["spawn", "--host", "nowhere", "-t", "sh"]);
    assert_eq!(spawned.status.code(), Some(4));
}

#[tokio::test]
async fn workspaces_are_made_over_there() {
    let far = Far::plain("box");
    let daemon = Daemon::start();
    far.join(&daemon);
    let repo = far.path("it's a repo");
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e", "-C"]).arg(&repo);
        assert!(command.args(args).output().unwrap().status.success(), "{args:?}");
    };
    fs::create_dir(&repo).unwrap();
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    let base = SpawnRequest {
        target: "sh".into(),
        host: Some("box".into()),
        args: vec!["exec cat".into()],
        ..SpawnRequest::default()
    };
    let path = repo.to_string_lossy().into_owned();
    let worktree = SpawnRequest {
        workspace: Some(path.clone()),
        worktree: Some("feature/x".into()),
        ..base.clone()
    };
    let clone = SpawnRequest { clone: Some(path.clone()), ..base.clone() };
    let mut seen = Vec::new();
    for request in [&worktree, &clone] {
        let made: Vec<Session> = daemon.client().post("/api/spawn", request).await.unwrap();
        assert!(fs::metadata(made[0].status_file.replace(&made[0].id, "")).unwrap().is_dir());
        seen.push(made[0].workspace_id.clone());
    }
    // The same worktree again is the same workspace, and .schmux is hidden from git.
    let again: Vec<Session> = daemon.client().post("/api/spawn", &worktree).await.unwrap();
    assert_eq!(again[0].workspace_id, seen[0]);
    assert_ne!(seen[0], seen[1]);
    let dir = again[0].status_file.split("/.schmux/signal").next().unwrap().to_owned();
    let status = Command::new("git").args(["-C", &dir, "status", "--porcelain"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&status.stdout), "");

    for (request, code) in [
        (SpawnRequest { workspace: Some("/no/where".into()), ..base.clone() }, "no_such_workspace"),
        (SpawnRequest { workspace: Some("work".into()), ..base.clone() }, "no_such_workspace"),
        (SpawnRequest { worktree: Some("x".into()), ..base.clone() }, "not_a_repository"),
        (SpawnRequest { clone: Some("/no/repo".into()), ..base.clone() }, "git_failed"),
        (SpawnRequest { worktree: Some("a..b".into()), ..worktree.clone() }, "bad_branch"),
        (SpawnRequest { target: "demo".into(), ..base.clone() }, "target_not_installed"),
    ] {
        let refused = daemon.client().post::<_, Vec<Session>>("/api/spawn", &request).await;
        let error = refused.unwrap_err();
        assert!(format!("{error:?}").contains(code), "{code}: {error:?}");
    }
}

#[tokio::test]
async fn nothing_is_lost_or_told_twice_through_broken_connections() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let script = "stty -echo; n=0; while read -r line; do n=$((n+1)); echo \"$n $line\"; done";
    let session = far.run(&daemon, script).await;
    let cuts: u64 = std::env::var("SCHMUX_TEST_CUTS").map_or(4, |cuts| cuts.parse().unwrap());
    let mut view = daemon.view(&session, "").await;
    for cut in 1..=cuts {
        far.cut();
        // While it is away: signals by both files.
        fs::write(&session.status_file, format!("needs_input status {cut}\n")).unwrap();
        says(&daemon, &session, Status::NeedsInput, &format!("status {cut}")).await;
        let line = json!({"type": "status", "state": "error", "message": format!("event {cut}")});
        let mut events = fs::read_to_string(&session.events_file).unwrap_or_default();
        events.push_str(&format!("{line}\n"));
        fs::write(&session.events_file, events).unwrap();
        let now = says(&daemon, &session, Status::Error, &format!("event {cut}")).await;
        assert_eq!(now.said.nudge_seq, 2 * cut);
        view.type_in(&format!("after {cut}\r")).await;
        view.sees(&format!("{cut} after {cut}")).await;
    }
    // The daemon itself, and its tmux over there.
    daemon.kill().await;
    fs::write(&session.status_file, "completed while nobody was there\n").unwrap();
    daemon.schmux(&["start"]);
    let now = says(&daemon, &session, Status::Completed, "while nobody was there").await;
    assert_eq!(now.said.nudge_seq, 2 * cuts + 1);
    far.tmux(&["kill-server"]);
    is(&daemon, &session, Status::Exited).await;
    far.is(&daemon, HostState::Connected).await;
}

#[tokio::test]
async fn a_watcher_that_is_killed_comes_again() {
    let far = Far::plain("box");
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "exec cat").await;
    for round in 1..=3 {
        fs::write(&session.status_file, format!("needs_input round {round}\n")).unwrap();
        says(&daemon, &session, Status::NeedsInput, &format!("round {round}")).await;
        let panes =
            far.tmux(&["list-panes", "-a", "-F", "#{pane_id} #{pane_start_command}"]).stdout;
        let panes = String::from_utf8(panes).unwrap();
        for line in panes.lines().filter(|line| line.contains("/run/")) {
            far.tmux(&["kill-pane", "-t", line.split(' ').next().unwrap()]);
        }
    }
}

#[tokio::test]
async fn a_host_is_let_go_and_wanted_again() {
    let far = Far::plain("box");
    let daemon = Daemon::start();
    far.join(&daemon);
    let session = far.run(&daemon, "echo hello; exec cat").await;
    daemon.schmux(&["host", "disconnect", "box"]);
    far.is(&daemon, HostState::Idle).await;
    let away = is(&daemon, &session, Status::Unreachable).await;
    assert!(away.reason.unwrap().contains("host disconnect"));
    let refused = daemon.try_schmux(&["host", "remove", "box"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("has sessions"));
    // It was stored: a restart finds it again, and the sessions there.
    daemon.kill().await;
    daemon.schmux(&["start"]);
    until("the session", || async {
        daemon.session(&session.id).await.filter(|now| now.status != Status::Unreachable)
    })
    .await;
    let mut view = daemon.view(&session, "").await;
    view.sees("hello").await;
}

#[tokio::test]
async fn a_host_speaks_only_for_its_own_sessions() {
    let (good, evil) = (Far::plain("good"), Far::plain("evil"));
    let daemon = Daemon::start();
    good.join(&daemon);
    evil.join(&daemon);
    let victim = good.run(&daemon, "exec cat").await;
    let own = evil.run(&daemon, "exec cat").await;
    let local = daemon.run("exec cat").await;
    for session in [&victim, &local] {
        let forged = own.status_file.replace(&own.id, &session.id);
        fs::write(forged, "error forged\n").unwrap();
    }
    // Its own word comes after them, so that they were surely read.
    fs::write(&own.status_file, "needs_input mine\n").unwrap();
    says(&daemon, &own, Status::NeedsInput, "mine").await;
    for session in [&victim, &local] {
        assert_eq!(daemon.session(&session.id).await.unwrap().said.nudge_seq, 0);
    }
    // Frames that are printed by its agent are only text.
    let text = "printf '__SCHMUX_SIGNAL__status 0 %s 1 13 1.0 0 13 6572726f7220666f726765640a__END__\\n' \
                \"$SCHMUX_SESSION_ID\"; exec cat";
    let printed = evil.run(&daemon, text).await;
    let mut view = daemon.view(&printed, "").await;
    view.sees("__END__").await;
    assert_eq!(daemon.session(&printed.id).await.unwrap().said.nudge_seq, 0);
}

#[tokio::test]
async fn a_half_open_connection_is_noticed() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    // Its far end stands still: nothing is closed, and nothing comes.
    let proxy = far.path("proxy.sh");
    let pid = far.path("proxy.pid");
    let ssh = far.ssh_words(far.port()).join(" ");
    fs::write(&proxy, format!("echo $$ >{}\nexec {ssh} \"$@\"\n", pid.display())).unwrap();
    let mut connect = vec!["sh".to_owned(), proxy.to_string_lossy().into_owned()];
    connect.extend(far.connect().into_iter().skip(far.ssh_words(far.port()).len()));
    far.join_by(&daemon, &connect);
    let session = far.run(&daemon, "echo hello; exec cat").await;
    let stopped = fs::read_to_string(&pid).unwrap().trim().to_owned();
    assert!(Command::new("kill").args(["-STOP", &stopped]).status().unwrap().success());
    let began = Instant::now();
    is(&daemon, &session, Status::Unreachable).await;
    let took = began.elapsed();
    assert!(took < Duration::from_secs(20), "it took {took:?}");
    far.is(&daemon, HostState::Connected).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("hello").await;
}

/// The demo agent over there, and what it really got.
async fn demo(daemon: &Daemon, far: &Far) -> (Session, std::path::PathBuf) {
    let journal = far.path("journal");
    let request = SpawnRequest {
        target: "far-demo".into(),
        host: Some(far.name.clone()),
        workspace: Some(far.path("work").to_string_lossy().into_owned()),
        args: ["--speed", "0", "--journal", &journal.to_string_lossy()].map(str::to_owned).into(),
        ..SpawnRequest::default()
    };
    let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    (made.remove(0), journal)
}

fn received(journal: &std::path::Path) -> Vec<String> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let events =
        text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let submitted = events.filter(|event| event["event"] == "submitted");
    submitted.map(|event| event["text"].as_str().unwrap_or_default().to_owned()).collect()
}

async fn tell(daemon: &Daemon, session: &Session, text: &str) -> i64 {
    let request = MessageRequest {
        to: vec![session.id.clone()],
        text: text.into(),
        ..MessageRequest::default()
    };
    let posted: Vec<Message> = daemon.client().post("/api/messages", &request).await.unwrap();
    posted[0].id
}

async fn fate(daemon: &Daemon, id: i64) -> MessageState {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let all: Vec<Message> = daemon.client().get("/api/messages?all=true").await.unwrap();
        let message = all.into_iter().find(|message| message.id == id).expect("it was posted");
        if message.state.is_final() {
            return message.state;
        }
        if Instant::now() > deadline {
            let sessions: Vec<Session> = daemon.client().get("/api/sessions").await.unwrap();
            panic!("{message:#?} {sessions:#?} {}", daemon.schmux(&["capture", &sessions[0].id]));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Real agents take seconds to start. One that asks for bracketed paste before its
/// pane is followed is not known to take pastes, because tmux doesn't tell.
fn demo_config() -> String {
    let start = "sleep 2; exec \"$0\" demo-agent \"$@\"";
    let exe = env!("CARGO_BIN_EXE_schmux");
    format!("[targets.far-demo]\nbase = \"demo\"\ncommand = [\"sh\", \"-c\", {start:?}, {exe:?}]\n")
}

#[tokio::test]
async fn messages_reach_an_agent_over_there_once() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::with_config(&demo_config());
    far.join(&daemon);
    let (session, journal) = demo(&daemon, &far).await;
    let first = tell(&daemon, &session, "hello, it's $HOME; \"ok\"?").await;
    assert_eq!(fate(&daemon, first).await, MessageState::Confirmed);
    assert_eq!(received(&journal), ["hello, it's $HOME; \"ok\"?"]);
    // The connection breaks around each delivery.
    let mut sure = 0;
    for number in 1..=3 {
        let text = format!("message {number}");
        let id = tell(&daemon, &session, &text).await;
        tokio::time::sleep(Duration::from_millis(150 * number)).await;
        far.cut();
        let state = fate(&daemon, id).await;
        let times = received(&journal).iter().filter(|got| **got == text).count();
        match state {
            MessageState::Confirmed => {
                sure += 1;
                assert_eq!(times, 1, "{text}");
            }
            _ => assert!(times <= 1, "{text}: {state:?}, {times} times"),
        }
    }
    eprintln!("{sure} of 3 confirmed, the others shown as not sure");
}

#[tokio::test]
async fn a_verdict_over_there_comes_from_the_screen_too() {
    let far = Far::plain("box");
    let daemon = Daemon::with_config(&demo_config());
    far.join(&daemon);
    let (session, _) = demo(&daemon, &far).await;
    // Its own signals by file: the turn's end is a call.
    let id = tell(&daemon, &session, "say something").await;
    assert_eq!(fate(&daemon, id).await, MessageState::Confirmed);
    is(&daemon, &session, Status::Completed).await;
}

#[tokio::test]
async fn few_programs_and_any_shell_will_do() {
    // Ended after the daemon, which would start their tmux again.
    let mut ended_last = Vec::new();
    let daemon = Daemon::start();
    for shell in ["dash", "bash", "busybox"] {
        if !["/usr/bin", "/bin"].iter().any(|dir| fs::metadata(format!("{dir}/{shell}")).is_ok()) {
            eprintln!("skipped: {shell} is not installed");
            continue;
        }
        let far = Far::bare(shell, shell);
        let told = far.join(&daemon);
        assert!(told.contains("polled every second"), "{told}");
        let session = far
            .run(&daemon, "schmux signal needs_input \"by the helper's \\\"hand\\\"\"; exec cat")
            .await;
        says(&daemon, &session, Status::NeedsInput, "by the helper's \"hand\"").await;
        fs::write(&session.status_file, "error é %s\n").unwrap();
        says(&daemon, &session, Status::Error, "é %s").await;
        // A hook, as an agent calls it.
        let hook = "printf '{\"hook_event_name\":\"Notification\",\\n\"message\":\"50%%\"}' \
                    | schmux hook claude Notification; echo told; exec cat";
        let session = far.run(&daemon, hook).await;
        until("the hook", || async {
            let text = fs::read_to_string(&session.events_file).ok()?;
            let line: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
            (line["payload"]["message"] == "50%" && line["event"] == "Notification").then_some(())
        })
        .await;
        let none = daemon.try_schmux(&["spawn", "--host", shell, "-t", "sh", "--clone", "/x"]);
        assert!(String::from_utf8_lossy(&none.stderr).contains("git is not installed there"));
        ended_last.push(far);
    }
}

#[tokio::test]
async fn a_passphrase_is_asked_of_the_human() {
    let Some(far) = Far::ssh("box") else { return };
    let key = far.path("user");
    let locked = Command::new("ssh-keygen")
        .args(["-q", "-p", "-P", "", "-N", "open sesame", "-f"])
        .arg(&key)
        .status();
    assert!(locked.unwrap().success());
    let daemon = Daemon::start();
    let request = HostRequest { name: "box".into(), connect: far.connect(), attach: Vec::new() };
    for (answer, good) in [(None, false), (Some("open sesame"), true)] {
        let client = daemon.client().patient(Duration::from_secs(60));
        let asked = request.clone();
        let added = tokio::spawn(async move {
            client.post::<_, HostStatus>("/api/hosts", &asked).await.is_ok()
        });
        let mut seen = 0;
        let deadline = Instant::now() + Duration::from_secs(60);
        while !added.is_finished() {
            assert!(Instant::now() < deadline, "it is neither added nor refused");
            let hosts: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
            let prompt = hosts.into_iter().find_map(|host| host.prompt);
            if let Some(prompt) = prompt.filter(|prompt| prompt.id > seen) {
                assert!(prompt.secret && prompt.text.contains("passphrase"), "{prompt:?}");
                seen = prompt.id;
                let given = json!({"id": prompt.id, "answer": answer});
                // It may have been given up meanwhile.
                let _ = daemon.client().tell("/api/hosts/box/answer", &given).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(added.await.unwrap(), good);
        assert!(seen > 0);
    }
}
