//! What people try with hosts, and what they find there: one machine by two names,
//! two with one home, names that are formats to tmux, a perl that is no good, a
//! host that is gone, commands that fail.

use std::fs;
use std::process::Command;

use schmux::wire::{HostState, HostStatus, Session, SpawnRequest, Status};

use super::far::{END_ALL, Far};
use super::hosts::{is, says};
use super::support::{Daemon, until};

/// The same words with some of those that set a variable replaced.
fn with(words: Vec<String>, name: &str, value: &str) -> Vec<String> {
    let beginning = format!("{name}=");
    let other = |word: String| match word.starts_with(&beginning) {
        true => format!("{beginning}{value}"),
        false => word,
    };
    words.into_iter().map(other).collect()
}

/// Both are heard again and again, by the connection that each has had from the start.
async fn both_are_good(daemon: &Daemon, pair: [(&Far, Session); 2]) {
    let mut since = Vec::new();
    for (_, session) in &pair {
        since.push(host_of(daemon, session).await.since);
    }
    for round in 1..=4 {
        for (far, session) in &pair {
            let words = format!("round {round} on {}", session.host);
            fs::write(&session.status_file, format!("needs_input {words}\n")).unwrap();
            let now = says(daemon, session, Status::NeedsInput, &words).await;
            assert_eq!(now.said.nudge_seq, round);
            let echo = far.run_on(daemon, &session.host, &format!("echo {round}; exec cat")).await;
            daemon.view(&echo, "").await.sees(&round.to_string()).await;
        }
    }
    for ((_, session), since) in pair.iter().zip(since) {
        let status = host_of(daemon, session).await;
        assert_eq!((status.state, status.since), (HostState::Connected, since), "{status:#?}");
    }
}

async fn host_of(daemon: &Daemon, session: &Session) -> HostStatus {
    let all: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
    all.into_iter().find(|host| host.name == session.host).expect("it is known")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_machine_may_have_two_names() {
    let far = Far::plain("one");
    let daemon = Daemon::start();
    far.join(&daemon);
    let mut add = vec!["host".to_owned(), "add".into(), "other".into(), "--".into()];
    add.extend(far.connect());
    daemon.schmux(&add.iter().map(String::as_str).collect::<Vec<_>>());
    let one = far.run(&daemon, "exec cat").await;
    let other = far.run_on(&daemon, "other", "exec cat").await;
    both_are_good(&daemon, [(&far, one), (&far, other)]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_machines_may_have_one_home() {
    let (one, other) = (Far::plain("one"), Far::plain("other"));
    let daemon = Daemon::start();
    one.join(&daemon);
    let home = one.path("home").display().to_string();
    other.join_by(&daemon, &with(other.connect(), "HOME", &home));
    let sessions = [one.run(&daemon, "exec cat").await, other.run(&daemon, "exec cat").await];
    let [first, second] = sessions;
    both_are_good(&daemon, [(&one, first), (&other, second)]).await;
}

/// tmux expands formats in the names of directories, and runs what stands in `#(…)`.
#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_formats_are_names() {
    let odd = "it's \"C#S\" $x; #(touch hit) ##{pane_id}";
    let far = Far::plain("box");
    let daemon = Daemon::start();
    let (home, work) = (far.path("home").join(odd), far.path("work").join(odd));
    for dir in [&home, &work] {
        fs::create_dir(dir).unwrap();
    }
    far.join_by(&daemon, &with(far.connect(), "HOME", &home.display().to_string()));
    for host in [Some("box".to_owned()), None] {
        let request = SpawnRequest {
            target: "sh".into(),
            workspace: Some(work.display().to_string()),
            args: vec!["basename \"$PWD\"; exec cat".into()],
            host,
            ..SpawnRequest::default()
        };
        let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        daemon.view(&made[0], "").await.sees(odd).await;
        fs::write(&made[0].status_file, "needs_input from there\n").unwrap();
        says(&daemon, &made[0], Status::NeedsInput, "from there").await;
    }
    for dir in [far.path("home"), home, far.path("work"), work] {
        assert!(!dir.join("hit").exists(), "{}", dir.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_perl_that_is_no_good_is_done_without() {
    let locale = "[ \"$PERL_BADLANG\" = 0 ] || echo 'perl: warning: Setting locale failed.' >&2\n\
                  exec /usr/bin/perl \"$@\"";
    for (what, perl) in [
        ("fails", "exit 1"),
        ("is too old", "[ \"$2\" != 1 ] || exit 0\necho 'syntax error at -e line 7' >&2\nexit 255"),
        ("says something", "echo 'This is perl'"),
        ("misses a locale", locale),
    ] {
        let Some(far) = Far::ssh("box") else { return };
        far.install("perl", &format!("#!/bin/sh\n{perl}\n"));
        let daemon = Daemon::start();
        far.join(&daemon);
        let session = far.run(&daemon, "echo hello; exec cat").await;
        daemon.view(&session, "").await.sees("hello").await;
        far.cut();
        let away = is(&daemon, &session, Status::Unreachable).await;
        let reason = away.reason.unwrap();
        assert!(!reason.contains("perl") && !reason.contains("syntax"), "{what}: {reason}");
        far.hurry(&daemon).await;
        far.is(&daemon, HostState::Connected).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_on_a_host_that_is_away_is_not_ended() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    let broken = far.path("broken");
    let script = format!("[ ! -e {} ] || exit 255\nexec \"$@\"\n", broken.display());
    far.join_by(&daemon, &far.connect_through(&script));
    let session = far.run(&daemon, "echo hello; exec cat").await;
    daemon.view(&session, "").await.sees("hello").await;
    let refused = || {
        let output = daemon.try_schmux(&["dispose", &session.id]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("schmux dispose --forget"), "{said}");
    };
    fs::write(&broken, "").unwrap();
    far.cut();
    is(&daemon, &session, Status::Unreachable).await;
    refused();
    // It is watched as before when its host is back.
    fs::remove_file(&broken).unwrap();
    far.hurry(&daemon).await;
    until("the session", || async {
        daemon.session(&session.id).await.filter(|now| now.status != Status::Unreachable)
    })
    .await;
    let mut view = daemon.view(&session, "").await;
    view.type_in("still here\r").await;
    view.sees("still here").await;
    // Neither does a daemon end it that hasn't seen it.
    fs::write(&broken, "").unwrap();
    daemon.kill().await;
    daemon.schmux(&["start"]);
    is(&daemon, &session, Status::Unreachable).await;
    refused();
    daemon.schmux(&["dispose", "--forget", &session.id]);
    assert!(daemon.session(&session.id).await.is_none());
    daemon.schmux(&["host", "remove", "box"]);
    let left = far.tmux(&["list-sessions", "-F", "#{session_name}"]).stdout;
    assert!(
        String::from_utf8_lossy(&left).contains(&session.id),
        "nothing is ended behind our back"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_around_a_host_that_fail_say_so() {
    let far = Far::plain("box");
    let connect =
        far.connect().iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
    let pid = far.path("left.pid");
    let config = format!(
        "[hosts.full]\nconnect = [{connect}]\nprepare = ['sh', '-c', 'echo no room is left >&2; exit 3']\n\
         [hosts.left]\nconnect = [{connect}]\nprepare = ['sh', '-c', 'sleep 600 & echo $! >{}']\n\
         release = ['sh', '-c', 'echo it is busy >&2; exit 1']\n",
        pid.display()
    );
    let daemon = Daemon::with_config(&config);
    let failed = daemon.try_schmux(&["host", "connect", "full"]);
    let said = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(!failed.status.success(), "{said}");
    assert!(said.contains("its `prepare` failed") && said.contains("no room is left"), "{said}");
    // What it leaves running is not waited for.
    daemon.schmux(&["host", "connect", "left"]);
    let failed = daemon.try_schmux(&["host", "disconnect", "left"]);
    let said = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(said.contains("the `release` of left failed") && said.contains("it is busy"), "{said}");
    let left = fs::read_to_string(&pid).unwrap();
    assert!(Command::new("kill").arg(left.trim()).status().unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_are_made_at_once_are_different_ones() {
    let base = tempfile::tempdir().unwrap();
    let base = base.path().display();
    let config = format!(
        "[hosts.the-cluster-of-production]\neach_workspace = true\n\
         prepare = ['sh', '-c', 'mkdir -p {base}/$SCHMUX_WORKSPACE_ID/tmux {base}/$SCHMUX_WORKSPACE_ID/a-very-long-project-name']\n\
         connect = ['env', '-i', 'SHELL=/bin/sh', 'PATH=/usr/bin:/bin', \
         'HOME={base}/{{workspace}}', 'TMUX_TMPDIR={base}/{{workspace}}/tmux']\n\
         release = ['sh', '-c', 'place={base}/{{workspace}}; {END_ALL}; true']\n"
    );
    let daemon = Daemon::with_config(&config);
    let request = SpawnRequest {
        target: "sh".into(),
        host: Some("the-cluster-of-production".into()),
        workspace: Some("~/a-very-long-project-name".into()),
        args: vec!["exec cat".into()],
        ..SpawnRequest::default()
    };
    let spawn = || async {
        let client = daemon.client().patient(std::time::Duration::from_secs(60));
        client.post::<_, Vec<Session>>("/api/spawn", &request).await.unwrap().remove(0)
    };
    let (one, two, three) = tokio::join!(spawn(), spawn(), spawn());
    let all = [one, two, three];
    for (number, session) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            assert_ne!(session.host, other.host);
            assert_ne!(session.workspace_id, other.workspace_id);
        }
        fs::write(&session.status_file, "needs_input mine\n").unwrap();
        says(&daemon, session, Status::NeedsInput, "mine").await;
    }
    daemon.schmux(&["dispose", "--all", "--yes"]);
}
