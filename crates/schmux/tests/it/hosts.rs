//! Agents on other hosts, by a plain command and by a real sshd.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use schmux::wire::{HostRequest, HostState, HostStatus, Session, SpawnRequest, Status};
use serde_json::json;

use super::far::{END_ALL, Far};
use super::support::{Daemon, until};

pub async fn says(daemon: &Daemon, session: &Session, status: Status, summary: &str) -> Session {
    until(&format!("{summary:?}"), || async {
        let now = daemon.session(&session.id).await?;
        let said = now.said.nudge_summary.as_deref() == Some(summary) && now.status == status;
        said.then_some(now)
    })
    .await
}

pub async fn is(daemon: &Daemon, session: &Session, status: Status) -> Session {
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
async fn a_login_shell_may_leave_something_running_and_change_its_mind() {
    let daemon = Daemon::start();
    let far = Far::plain("box");
    let (profile, agents) = (far.path("home").join(".profile"), far.path("agents"));
    fs::write(&profile, "sleep 600 &\necho $! >~/left\n").unwrap();
    let told = far.join(&daemon);
    assert!(!told.contains("codex"), "{told}");
    let left = fs::read_to_string(far.path("home").join("left")).unwrap();
    Command::new("kill").arg(left.trim()).status().unwrap();
    // tmux runs there by now, with the PATH of its start.
    far.install("codex", "#!/bin/sh\n");
    fs::rename(far.path("bin"), &agents).unwrap();
    fs::write(&profile, format!("PATH=$PATH:'{}'\n", agents.display())).unwrap();
    daemon.schmux(&["host", "disconnect", "box"]);
    far.is(&daemon, HostState::Idle).await;
    let told = daemon.schmux(&["host", "connect", "box"]);
    assert!(told.contains("codex"), "{told}");
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
async fn whoever_asks_for_a_host_does_not_wait_for_what_failed_before() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    let (tries, broken) = (far.path("tries"), far.path("broken"));
    let way = format!(
        "echo >> {}; [ ! -e {} ] || exit 255; exec \"$@\"",
        tries.display(),
        broken.display()
    );
    let mut connect = vec!["sh".into(), "-c".into(), way, "sh".into()];
    connect.extend(far.connect());
    let request = HostRequest { name: "box".into(), connect, attach: Vec::new() };
    daemon.client().post::<_, HostStatus>("/api/hosts", &request).await.unwrap();
    let tried = || std::fs::read(&tries).unwrap().len();
    std::fs::write(&broken, "").unwrap();
    far.cut();
    let before = tried();
    until("many failures", || async { (tried() >= before + 8).then_some(()) }).await;
    // The ninth pause would be 12 s, the tenth 25.
    daemon.try_schmux(&["host", "connect", "box"]);
    let before = tried();
    until("more", || async { (tried() >= before + 3).then_some(()) }).await;
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
    // Twelve at most, by the clock of a daemon that is let run; three are slack.
    assert!(took < Duration::from_secs(15), "it took {took:?}");
    far.is(&daemon, HostState::Connected).await;
    let mut view = daemon.view(&session, "").await;
    view.sees("hello").await;
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

#[tokio::test]
async fn a_place_is_made_for_each_workspace_and_ends_with_it() {
    let base = tempfile::tempdir().unwrap();
    let base = base.path().display();
    let config = format!(
        "[hosts.engine]\neach_workspace = true\n\
         prepare = ['sh', '-c', 'mkdir -p {base}/$SCHMUX_WORKSPACE_ID/tmux && echo up >>{base}/log']\n\
         connect = ['env', '-i', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin', \
         'HOME={base}/{{workspace}}', 'TMUX_TMPDIR={base}/{{workspace}}/tmux']\n\
         release = ['sh', '-c', 'place={base}/$SCHMUX_WORKSPACE_ID; {END_ALL}; \
         rm -r $place && echo down >>{base}/log']\n"
    );
    let daemon = Daemon::with_config(&config);
    let spawn = |target: &str| {
        let host = Some("engine".to_owned());
        SpawnRequest { target: target.into(), host, ..SpawnRequest::default() }
    };
    let request = SpawnRequest { args: vec!["pwd; exec cat".into()], ..spawn("sh") };
    let mut made = Vec::new();
    for _ in 0..2 {
        let one: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        made.extend(one);
    }
    let [first, second] = made.as_slice() else { panic!("two sessions") };
    assert_ne!(first.workspace_id, second.workspace_id);
    let home = format!("{base}/{}", first.workspace_id);
    assert!(first.status_file.starts_with(&home), "{}", first.status_file);
    daemon.view(first, "").await.sees(&first.workspace_id).await;
    // A second session in the same workspace is in the same place.
    let workspace = Some(first.workspace_id.clone());
    let again = SpawnRequest { workspace, host: None, ..request.clone() };
    let third: Vec<Session> = daemon.client().post("/api/spawn", &again).await.unwrap();
    assert_eq!(third[0].host, first.host);
    // It is known after a restart, too.
    daemon.kill().await;
    daemon.schmux(&["start"]);
    until("both places", || async {
        let all: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
        let up = all.iter().filter(|host| host.state == HostState::Connected).count();
        (up == 2).then_some(())
    })
    .await;
    // The recipe is no place, and there is nothing to let go.
    let recipe = daemon.try_schmux(&["host", "disconnect", "engine"]);
    let told = String::from_utf8_lossy(&recipe.stderr);
    assert!(told.contains("has a place for each workspace"), "{told}");
    daemon.schmux(&["dispose", &first.id, "--yes"]);
    assert!(fs::metadata(&home).is_ok(), "someone is left in it");
    daemon.schmux(&["dispose", &third[0].id, "--yes"]);
    assert!(fs::metadata(&home).is_err(), "it has ended");
    // What can't be started there leaves nothing behind.
    let refused = daemon.client().post::<_, Vec<Session>>("/api/spawn", &spawn("claude")).await;
    assert!(format!("{:?}", refused.unwrap_err()).contains("target_not_installed"));
    daemon.schmux(&["dispose", &second.id, "--yes"]);
    let all: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
    let names: Vec<&str> = all.iter().map(|host| host.name.as_str()).collect();
    assert_eq!(names, ["engine"]);
    let log = fs::read_to_string(format!("{base}/log")).unwrap();
    assert_eq!(log.matches("down").count(), 3, "{log}");
    let refused = daemon.try_schmux(&["host", "connect", "engine"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("a place for each workspace"));
}

/// With a tmux of another version, named by `SCHMUX_TEST_OLD_TMUX`: 3.2 is the
/// oldest that is good enough.
#[tokio::test]
async fn an_old_tmux_is_good_enough() {
    let Some(tmux) = std::env::var_os("SCHMUX_TEST_OLD_TMUX") else {
        eprintln!("not run: SCHMUX_TEST_OLD_TMUX names no tmux");
        return;
    };
    let far = Far::plain("old");
    std::os::unix::fs::symlink(tmux, far.path("bin").join("tmux")).unwrap();
    let daemon = Daemon::start();
    all_of(&daemon, &far).await;
}

#[test]
fn names_of_ssh_are_completed_in_bash() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".ssh/config.d")).unwrap();
    fs::write(home.path().join(".ssh/config"), "Include config.d/*\nHost box *.lan\n").unwrap();
    fs::write(home.path().join(".ssh/config.d/work"), "Host build-1 build-2\n").unwrap();
    let exe = std::path::Path::new(env!("CARGO_BIN_EXE_schmux")).parent().unwrap();
    let script = "source <(schmux completions bash); COMP_WORDS=(schmux host add bu); COMP_CWORD=3; \
                  _schmux schmux bu add; echo ${COMPREPLY[@]}";
    let path = format!("{}:/usr/bin:/bin", exe.display());
    let mut bash = Command::new("bash");
    let bash = bash.args(["-c", script]).env("HOME", home.path()).env("PATH", path);
    let output = bash.env("SCHMUX_HOME", home.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(said.trim(), "build-1 build-2", "{}", String::from_utf8_lossy(&output.stderr));
}
