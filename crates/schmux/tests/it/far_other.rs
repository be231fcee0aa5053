//! What else is done on another host as on this machine: sessions are adopted,
//! workspaces removed, agents provisioned, screens read; and what a hostile host
//! says of others' sessions counts for nothing.

use std::fs;
use std::process::Command;

use schmux::wire::{Adoptable, HostState, Session, SpawnRequest, Status};
use serde_json::{Value, json};

use super::attach::Outer;
use super::far::Far;
use super::far_courier::{self, Agent};
use super::hosts::{is, says};
use super::support::{Daemon, until};

/// What they called their session.
const OWN: &str = "my $(own)'s";

/// The user's own tmux over there.
fn theirs(far: &Far, args: &[&str]) -> std::process::Output {
    let dir = fs::read_dir(far.path("tmux")).unwrap().next().unwrap().unwrap().path();
    let mut command = Command::new("tmux");
    command.env_remove("TMUX").arg("-S").arg(dir.join("theirs")).args(args).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_over_there_is_adopted_and_let_go() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let work = far.path("work");
    // A program that is called like an agent; a shell in front would mean that it has gone.
    fs::copy("/bin/cat", work.join("codex")).unwrap();
    fs::write(work.join("banner"), "I am an agent\n").unwrap();
    let dir = work.to_string_lossy();
    // It is the second pane of its window.
    let new = ["-f", "/dev/null", "new-session", "-d", "-s", OWN, "-c", &dir, "sh"];
    assert!(theirs(&far, &new).status.success());
    let target = format!("={OWN}:");
    let split = ["split-window", "-h", "-t", &target, "-c", &dir, "exec ./codex banner -"];
    assert!(theirs(&far, &split).status.success());
    let shown = daemon.schmux(&["adopt", "--host", "box"]);
    assert!(shown.contains("schmux adopt --host box -S ") && shown.contains("codex"), "{shown}");
    let listed = daemon.schmux(&["list"]);
    assert!(listed.contains("schmux adopt --host box -S "), "{listed}");
    let here: Vec<Adoptable> = daemon.client().get("/api/adoptable?host=local").await.unwrap();
    assert!(here.iter().all(|offer| offer.host.is_none()), "{here:#?}");
    let offers: Vec<Adoptable> = daemon.client().get("/api/adoptable?host=box").await.unwrap();
    let offer = offers.into_iter().find(|offer| offer.tmux_session == OWN).unwrap();
    assert_eq!(offer.host.as_deref(), Some("box"));
    assert_eq!(offer.place, Some(format!("{OWN}:0.1")));
    daemon.schmux(&["adopt", "--host", "box", "-S", &offer.socket, OWN, "-n", "mine"]);
    let adopted = daemon.client().get::<Session>("/api/sessions/mine").await.unwrap();
    assert!(adopted.adopted && adopted.host == "box" && adopted.target == "codex", "{adopted:#?}");
    let again = json!({"host": "box", "socket": offer.socket, "tmux_session": OWN});
    let again = daemon.client().post::<_, Session>("/api/adopt", &again).await.unwrap_err();
    assert!(format!("{again:?}").contains("already_adopted"), "{again:?}");
    assert!(!daemon.schmux(&["list"]).contains("adopt --host"), "it is ours now");

    let mut view = daemon.view(&adopted, "").await;
    view.sees("I am an agent").await;
    view.type_in("hello agent\r").await;
    view.sees("hello agent").await;
    // By a terminal, too: its name is read by two shells on the way.
    // The shell beside it is a session of its own, and is let go by itself.
    let beside = format!("{OWN}:0.0");
    daemon.schmux(&["adopt", "--host", "box", "-S", &offer.socket, &beside, "-n", "beside"]);
    let shell = daemon.client().get::<Session>("/api/sessions/beside").await.unwrap();
    assert_eq!((shell.target.as_str(), &shell.tmux_session), ("command", &adopted.tmux_session));
    let mut other = daemon.view(&shell, "").await;
    other.type_in("echo $((40 + 2)) beside\r").await;
    other.sees("42 beside").await;
    daemon.schmux(&["dispose", "beside"]);
    view.type_in("not alone\r").await;
    view.sees("not alone").await;
    assert!(theirs(&far, &["select-pane", "-t", &format!("={OWN}:0.0")]).status.success());
    let outer = Outer::open(&daemon);
    outer.attach(&adopted).await;
    outer.sees("hello agent").await;
    outer.type_in("by hand");
    view.sees("by hand").await;
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    fs::write(&adopted.status_file, "needs_input from over there\n").unwrap();
    says(&daemon, &adopted, Status::NeedsInput, "from over there").await;
    // Through a cut, and a kill of the daemon.
    far.cut();
    is(&daemon, &adopted, Status::Unreachable).await;
    view.type_in("").await;
    is(&daemon, &adopted, Status::NeedsInput).await;
    daemon.kill().await;
    daemon.schmux(&["start"]);
    let mut view = daemon.view(&adopted, "").await;
    view.sees("hello agent").await;
    view.type_in("after all\r").await;
    view.sees("after all").await;
    fs::write(&adopted.status_file, "error and by another daemon\n").unwrap();
    let now = says(&daemon, &adopted, Status::Error, "and by another daemon").await;
    assert_eq!(now.said.nudge_seq, 2);

    daemon.schmux(&["dispose", "mine"]);
    let left = theirs(&far, &["list-panes", "-s", "-t", &format!("={OWN}"), "-F", "#{pane_dead}"]);
    assert_eq!(left.stdout, b"0\n0\n", "an adopted session is let go, not ended");
    until("their server to be as it was", || async {
        let left = theirs(&far, &["list-sessions", "-F", "#{session_name}"]);
        (left.stdout == format!("{OWN}\n").as_bytes()).then_some(())
    })
    .await;
    // It is offered again, and nobody is asked for that whose connection is gone.
    until("the offer", || async {
        daemon.schmux(&["list"]).contains("schmux adopt --host box -S ").then_some(())
    })
    .await;
    daemon.schmux(&["host", "disconnect", "box"]);
    far.is(&daemon, HostState::Idle).await;
    assert!(!daemon.schmux(&["list"]).contains("adopt --host"));
    far.is(&daemon, HostState::Idle).await;
    let missing = daemon.try_schmux(&["adopt", "--host", "box", "-S", &offer.socket, "other"]);
    assert_eq!(missing.status.code(), Some(4));
    let told = String::from_utf8_lossy(&missing.stderr);
    assert!(told.contains(&format!("the sessions there are: {OWN}")), "{told}");
    // A server that ends there is not started again.
    let request = json!({"host": "box", "socket": offer.socket, "tmux_session": OWN});
    let adopted: Session = daemon.client().post("/api/adopt", &request).await.unwrap();
    daemon.view(&adopted, "").await.sees("after all").await;
    assert!(theirs(&far, &["kill-server"]).status.success());
    is(&daemon, &adopted, Status::Exited).await;
    assert!(!theirs(&far, &["-N", "list-sessions"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_over_there_are_removed_but_no_work_is_lost() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    far.join(&daemon);
    let repo = far.path("it's a repo");
    let git = |dir: &std::path::Path, args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=n", "-c", "user.email=e", "-C"]).arg(dir);
        assert!(command.args(args).output().unwrap().status.success(), "{args:?}");
    };
    fs::create_dir(&repo).unwrap();
    git(&repo, &["init", "-q"]);
    git(&repo, &["commit", "-q", "--allow-empty", "-m", "first"]);
    let path = repo.to_string_lossy().into_owned();
    let base = SpawnRequest {
        target: "sh".into(),
        host: Some("box".into()),
        args: vec!["exec cat".into()],
        ..SpawnRequest::default()
    };
    let worktree = SpawnRequest {
        workspace: Some(path.clone()),
        worktree: Some("feature/x".into()),
        ..base.clone()
    };
    let clone = SpawnRequest { clone: Some(path.clone()), ..base.clone() };
    for request in [worktree, clone] {
        let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        let dir = made[0].status_file.split("/.schmux/signal").next().unwrap().to_owned();
        let dispose = |more: &[&str]| {
            daemon.try_schmux(&[&["dispose", &made[0].id, "--remove-workspace"], more].concat())
        };
        fs::write(format!("{dir}/precious"), "work").unwrap();
        let refused = dispose(&[]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains("would be lost"), "{said}");
        assert!(daemon.session(&made[0].id).await.is_some(), "nothing has happened");
        // A second session in it keeps it, too.
        let workspace = Some(made[0].workspace_id.clone());
        let more = SpawnRequest { workspace, host: None, ..base.clone() };
        let second: Vec<Session> = daemon.client().post("/api/spawn", &more).await.unwrap();
        let in_use = dispose(&["--force"]);
        assert!(String::from_utf8_lossy(&in_use.stderr).contains("more session is in"));
        daemon.schmux(&["dispose", &second[0].id]);
        let removed = dispose(&["--force"]);
        assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
        assert!(!fs::exists(&dir).unwrap(), "{dir} is still there");
        assert!(fs::exists(&repo).unwrap());
    }
    let worktrees = Command::new("git").args(["-C", &path, "worktree", "list"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&worktrees.stdout).lines().count(), 1);
    // A directory that schmux didn't make is not removed, whatever is said.
    let made = far.run(&daemon, "exec cat").await;
    let refused = daemon.try_schmux(&["dispose", &made.id, "--remove-workspace", "--force"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("schmux didn't make"));
    assert!(far.path("work").exists());
}

/// Agents that read files in their workspace, with programs that only say a version.
#[tokio::test(flavor = "multi_thread")]
async fn agents_that_read_their_workspace_are_provisioned_there() {
    let far = Far::plain("box");
    far.install("gemini", "#!/bin/sh\n[ \"$1\" = --version ] && echo 0.61.0 && exit\nexec cat\n");
    far.install("amp", "#!/bin/sh\nexec cat\n");
    let daemon = Daemon::start();
    far.join(&daemon);
    let work = far.path("work");
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        let command = command.args(["-c", "user.name=n", "-c", "user.email=e", "-C"]).arg(&work);
        String::from_utf8(command.args(args).output().unwrap().stdout).unwrap()
    };
    git(&["init", "-q"]);
    let spawn = |target: &str| {
        daemon.schmux(&["spawn", "--host", "box", "-t", target, "-w", &work.to_string_lossy()])
    };
    spawn("gemini");
    let settings = fs::read_to_string(work.join(".gemini/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let hook = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(hook.ends_with("/bin/schmux hook gemini SessionStart"), "{hook}");
    // The hook tells the daemon, and teaches the agent.
    let session = far.run(&daemon, "exec cat").await;
    let mut run = Command::new("sh");
    let told = run
        .args(["-c", &format!("echo '{{}}' | {hook}")])
        .env("SCHMUX_SESSION_ID", &session.id)
        .env("SCHMUX_EVENTS_FILE", &session.events_file)
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&told.stdout).unwrap();
    let taught = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(taught.contains("STATE"), "{taught}");
    // How a turn ended that gave no answer stands in the transcript.
    let transcript = far.path("transcript");
    let lines = "{\"type\":\"error\",\"content\":\"old\"}\n{\"type\": \"user\",\"content\":[]}\n\
                 {\"$set\":1}\n{\"type\":\"error\",\"content\":\"it's \\\"no\\\"\"}\n";
    fs::write(&transcript, lines).unwrap();
    let payload = json!({"transcript_path": transcript, "prompt_response": ""});
    let mut run = Command::new("sh");
    let helper = hook.replace("SessionStart", "AfterAgent");
    run.args(["-c", &format!("printf %s \"$0\" | {helper}"), &payload.to_string()]);
    run.env("SCHMUX_SESSION_ID", &session.id).env("SCHMUX_EVENTS_FILE", &session.events_file);
    assert!(run.status().unwrap().success());
    let told = fs::read_to_string(&session.events_file).unwrap();
    let told: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    let ends = json!([{"type": "error", "content": "it's \"no\""}]);
    assert_eq!(told["payload"]["transcript_end"], ends, "{told:#}");
    // A file of the user's keeps what is in it, and gets our block behind it.
    fs::write(work.join("AGENTS.md"), "Be kind.").unwrap();
    std::os::unix::fs::symlink("AGENTS.md", work.join("CLAUDE.md")).unwrap();
    for _ in 0..2 {
        spawn("amp");
        let text = fs::read_to_string(work.join("AGENTS.md")).unwrap();
        assert!(text.starts_with("Be kind.\n<!-- SCHMUX:BEGIN -->"), "{text}");
        assert_eq!(text.matches("SCHMUX:BEGIN").count(), 1, "{text}");
    }
    assert_eq!(git(&["status", "--porcelain", "--", ".gemini", ".schmux"]), "");
    // What git has, and what is the user's own, is left alone.
    fs::write(work.join("AGENTS.md"), "Be kind.").unwrap();
    fs::write(work.join(".gemini/settings.json"), "{\"theme\": \"mine\"}").unwrap();
    git(&["add", "-f", "AGENTS.md"]);
    git(&["commit", "-q", "-m", "ours"]);
    spawn("amp");
    spawn("gemini");
    assert_eq!(fs::read_to_string(work.join("AGENTS.md")).unwrap(), "Be kind.");
    let settings = fs::read_to_string(work.join(".gemini/settings.json")).unwrap();
    assert_eq!(settings, "{\"theme\": \"mine\"}");
    // Gemini is taught by its own file then.
    assert!(fs::read_to_string(work.join("GEMINI.md")).unwrap().contains("SCHMUX:BEGIN"));
    // Nothing outside of the workspace is written, whatever leads there.
    fs::remove_dir_all(work.join(".gemini")).unwrap();
    fs::remove_file(work.join("GEMINI.md")).unwrap();
    fs::create_dir(far.path("outside")).unwrap();
    std::os::unix::fs::symlink(far.path("outside"), work.join(".gemini")).unwrap();
    std::os::unix::fs::symlink(far.path("outside/it"), work.join("GEMINI.md")).unwrap();
    spawn("gemini");
    assert_eq!(fs::read_dir(far.path("outside")).unwrap().count(), 0);
}

/// The demo agent over there, which signals nothing.
#[tokio::test(flavor = "multi_thread")]
async fn the_screen_alone_tells_the_state_over_there() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::with_config(&far_courier::config());
    far.join(&daemon);
    let script = format!(
        "[when work]\nwait-for-file {go}\nreply Done with it.\n[when tool]\ntool true\nreply It ran.\n\
         [when leave]\nexit 0\n",
        go = far.path("go").display()
    );
    fs::write(far.path("script"), script).unwrap();
    let path = far.path("script").to_string_lossy().into_owned();
    let args = ["--signals", "none", "--speed", "0", "--script", &path];
    let request = SpawnRequest {
        target: "far-demo".into(),
        host: Some("box".into()),
        workspace: Some(far.path("work").to_string_lossy().into_owned()),
        args: args.map(str::to_owned).into(),
        ..SpawnRequest::default()
    };
    let made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    let session = &made[0];
    let say = |text: &str| {
        daemon.schmux(&["send-keys", &session.id, "--text", text]);
        daemon.schmux(&["send-keys", &session.id, "Enter"]);
    };
    is(&daemon, session, Status::Idle).await;
    say("work");
    is(&daemon, session, Status::Working).await;
    // It stays that way through a broken connection.
    far.cut();
    is(&daemon, session, Status::Unreachable).await;
    is(&daemon, session, Status::Working).await;
    fs::write(far.path("go"), "").unwrap();
    is(&daemon, session, Status::Idle).await;
    say("tool");
    let asks = is(&daemon, session, Status::NeedsInput).await;
    assert!(asks.dialog.is_some(), "{asks:#?}");
    daemon.schmux(&["send-keys", &session.id, "Enter"]);
    is(&daemon, session, Status::Idle).await;
    say("leave");
    is(&daemon, session, Status::Exited).await;
    assert!(!fs::exists(&session.status_file).unwrap(), "it has signalled nothing");
}

/// A hostile host speaks for editors of sessions that aren't its own.
#[tokio::test(flavor = "multi_thread")]
async fn forged_frames_of_editors_count_for_nothing() {
    let Some(good) = Far::ssh("good") else { return };
    let evil = Far::plain("evil");
    let daemon = Daemon::with_config(&far_courier::config());
    good.join(&daemon);
    evil.join(&daemon);
    let own = evil.run(&daemon, "exec cat").await;
    let agent = Agent::start(&daemon, &good).await;
    let local = daemon.run("exec cat").await;
    let from =
        fs::read_dir(evil.path("home/.schmux/from")).unwrap().next().unwrap().unwrap().path();
    let pipe = from.join("calls");
    until("its listener", || async { pipe.exists().then_some(()) }).await;
    let mut number = 0;
    let mut forge = |frame: &str| {
        number += 1;
        let name = format!("{}/forged-{number}.call", own.id);
        fs::write(from.join("launches").join(&name), format!("{frame}\n")).unwrap();
        fs::OpenOptions::new().read(true).write(true).open(&pipe).map(|mut pipe| {
            std::io::Write::write_all(&mut pipe, format!("{name}\n").as_bytes()).unwrap();
        })
    };
    // While a message with a draft is delivered elsewhere.
    agent.types("a draft of mine");
    agent.sees("a draft of mine").await;
    let message = agent.tells("hello there").await;
    for victim in [&agent.session.id, &local.id] {
        for call in 0..8 {
            let edited = format!("edited {victim} {call} yes 3 6c730d");
            forge(&format!("__SCHMUX_SIGNAL__{edited}__END__")).unwrap();
        }
        let edit = format!("edit {victim} aaaa 4 65766964");
        forge(&format!("__SCHMUX_SIGNAL__{edit}__END__")).unwrap();
    }
    for wrong in [
        format!("edit {} ../../../../../../tmp/x 1 61", own.id),
        format!("edit {} bbbb 2 fffe", own.id),
        format!("edit {} cccc 999999999 61", own.id),
        "edit ../../x dddd 1 61".to_owned(),
        "edited".to_owned(),
        "edit".to_owned(),
    ] {
        forge(&format!("__SCHMUX_SIGNAL__{wrong}__END__")).unwrap();
    }
    // Its own session may be spoken for: the answer shows that all before it was read.
    forge(&format!("__SCHMUX_SIGNAL__edit {} eeee 1 61__END__", own.id)).unwrap();
    let answer = from.join("launches").join(&own.id).join("edit-eeee.do");
    // It may be empty for a moment, as for the editor.
    let whole = |said: &String| said.ends_with('\n');
    let said =
        until("an answer", || async { fs::read_to_string(&answer).ok().filter(whole) }).await;
    assert!(said.starts_with("human ") || said.starts_with("leave "), "{said}");
    for victim in [&agent.session.id, &local.id] {
        let answer = from.join("launches").join(victim);
        assert!(!answer.exists(), "{} was answered", answer.display());
    }
    let fate = agent.fate(&message).await;
    assert_eq!(fate.state, schmux::wire::MessageState::Confirmed, "{fate:#?}");
    agent.sees("a draft of mine").await;
    agent.is_at_rest().await;
    assert_eq!(agent.submits_field().await, "a draft of mine");
    assert_eq!(agent.received(), ["hello there", "a draft of mine"]);
}
