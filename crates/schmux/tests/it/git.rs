//! What git knows of a workspace: its state, its diff, hostile repositories, and
//! the end of worktrees and clones.

use std::path::Path;
use std::process::Command;

use schmux::wire::{ChangeKind, GitDiff, GitState, Session, SpawnRequest};

use crate::far::Far;
use crate::support::{Daemon, until};

/// Runs git as a person would.
fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(dir).args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]);
    let output = command.args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn write(dir: &Path, name: &str, text: &[u8]) {
    std::fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
    std::fs::write(dir.join(name), text).unwrap();
}

/// A repository with one commit, cloned into `work`.
fn repository(daemon: &Daemon) -> std::path::PathBuf {
    let (origin, work) = (daemon.path("origin"), daemon.path("work"));
    std::fs::create_dir_all(&origin).unwrap();
    git(&origin, &["init", "-q", "-b", "main"]);
    write(&origin, "a.txt", b"one\ntwo\nthree\n");
    write(&origin, "old name.txt", b"a\nb\nc\nd\ne\nf\n");
    write(&origin, "gone.txt", b"x\n");
    git(&origin, &["add", "."]);
    git(&origin, &["commit", "-qm", "First"]);
    git(daemon.path("").as_path(), &["clone", "-q", origin.to_str().unwrap(), "work"]);
    work
}

async fn state(daemon: &Daemon, workspace: &str) -> GitState {
    daemon.client().get(&format!("/api/workspaces/{workspace}/git")).await.unwrap()
}

async fn diff(daemon: &Daemon, workspace: &str, query: &str) -> GitDiff {
    daemon.client().get(&format!("/api/workspaces/{workspace}/diff{query}")).await.unwrap()
}

#[tokio::test]
async fn changes_are_told_and_shown() {
    let daemon = Daemon::start();
    let work = repository(&daemon);
    write(&work, "a.txt", b"one\n2\nthree\nfour\n");
    git(&work, &["mv", "old name.txt", "new name.txt"]);
    git(&work, &["rm", "-q", "gone.txt"]);
    write(&work, "staged.txt", b"s\n");
    git(&work, &["add", "staged.txt"]);
    git(&work, &["commit", "-qm", "Second <b>", "staged.txt"]);
    write(&work, "dir/un tracked.txt", b"u\nv");
    write(&work, "picture", b"\0\0\0");
    std::os::unix::fs::symlink("/etc/passwd", work.join("link")).unwrap();
    let session = daemon.run("cat").await;
    let state = state(&daemon, &session.workspace_id).await;
    assert_eq!((state.is_repo, state.branch.as_deref()), (true, Some("main")));
    assert_eq!((state.upstream.as_deref(), state.ahead, state.behind), (Some("origin/main"), 1, 0));
    let told: Vec<_> = state
        .changed
        .iter()
        .map(|f| (f.path.as_str(), f.status, f.additions, f.deletions, f.staged))
        .collect();
    use ChangeKind::*;
    assert_eq!(
        told,
        [
            ("a.txt", Modified, Some(2), Some(1), false),
            ("dir/un tracked.txt", Untracked, Some(2), Some(0), false),
            ("gone.txt", Deleted, Some(0), Some(1), true),
            ("link", Untracked, None, None, false),
            ("new name.txt", Renamed, Some(0), Some(0), true),
            ("picture", Untracked, None, None, false),
        ]
    );
    assert_eq!(state.changed[4].old_path.as_deref(), Some("old name.txt"));
    assert_eq!(state.unpushed[0].subject, "Second <b>");
    assert_eq!((state.risk.uncommitted, state.risk.untracked, state.risk.unpushed), (3, 3, 1));
    assert!(!state.risk.removable && state.risk.lost.is_empty());

    let all = diff(&daemon, &session.workspace_id, "").await;
    let names: Vec<&str> = all.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(names, told.iter().map(|f| f.0).collect::<Vec<_>>());
    assert!(all.files[0].diff.contains("\n-two\n+2\n three\n+four\n"), "{}", all.files[0].diff);
    assert!(all.files[1].diff.ends_with("+u\n+v\n\\ No newline at end of file\n"));
    assert!(all.files[3].diff.contains("+/etc/passwd"), "a link is where it points to");
    assert!(all.files[5].binary && all.files[5].diff.is_empty());
    let one = diff(&daemon, &session.workspace_id, "?path=dir%2Fun%20tracked.txt").await;
    assert_eq!(one.files, [all.files[1].clone()]);
    let renamed = diff(&daemon, &session.workspace_id, "?path=new%20name.txt").await;
    assert_eq!(renamed.files, [all.files[4].clone()]);
    let nothing = diff(&daemon, &session.workspace_id, "?path=..%2F..%2Fetc%2Fpasswd").await;
    assert_eq!(nothing, GitDiff::default());
    let output = daemon.try_schmux(&["dispose", &session.id]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("3 uncommitted changes, 3 untracked files, 1 unpushed commit"), "{said}");
}

#[tokio::test]
async fn what_is_too_long_is_cut_and_said() {
    let daemon = Daemon::start();
    let work = repository(&daemon);
    write(&work, "long.txt", "a line of some length\n".repeat(20_000).as_bytes());
    for number in 0..10 {
        let text = format!("{number}: another line\n").repeat(20_000);
        write(&work, &format!("many/{number}"), text.as_bytes());
    }
    let session = daemon.run("cat").await;
    let all = diff(&daemon, &session.workspace_id, "").await;
    assert!(all.files.iter().all(|file| file.cut && file.diff.len() <= 256 << 10));
    assert!(!all.left_out.is_empty());
    let one = diff(&daemon, &session.workspace_id, "?path=long.txt").await;
    assert!(!one.files[0].cut, "one file alone has more room");
    assert!(one.files[0].diff.contains("@@ -0,0 +1,20000 @@"));
}

#[tokio::test]
async fn a_hostile_repository_runs_nothing() {
    let daemon = Daemon::start();
    let work = repository(&daemon);
    let trap = daemon.path("trap");
    let ran = daemon.path("ran");
    std::fs::write(&trap, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", ran.display()))
        .unwrap();
    Command::new("chmod").arg("+x").arg(&trap).status().unwrap();
    let trap = trap.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "gpg.program",
    ] {
        git(&work, &["config", key, trap]);
    }
    git(&work, &["config", "log.showSignature", "true"]);
    git(&work, &["config", "core.hooksPath", daemon.path("hooks").to_str().unwrap()]);
    for hook in ["post-index-change", "fsmonitor-watchman", "reference-transaction"] {
        write(&daemon.path("hooks"), hook, std::fs::read(trap).unwrap().as_slice());
        Command::new("chmod").arg("+x").arg(daemon.path("hooks").join(hook)).status().unwrap();
    }
    write(&work, ".gitattributes", b"* filter=evil diff=evil\n");
    write(&work, ".git/info/attributes", b"* filter=evil diff=evil\n");
    write(&work, "a.txt", b"changed\n");
    let _ = std::fs::remove_file(&ran);
    let session = daemon.run("cat").await;
    let _ = std::fs::remove_file(&ran);
    let state = state(&daemon, &session.workspace_id).await;
    assert!(state.changed.iter().any(|file| file.path == "a.txt"));
    let all = diff(&daemon, &session.workspace_id, "").await;
    assert!(all.files.iter().any(|file| file.diff.contains("+changed")));
    let told = std::fs::read_to_string(&ran).unwrap_or_default();
    assert_eq!(told, "", "these were run");
}

#[tokio::test]
async fn outside_a_repository_there_is_nothing_to_tell() {
    let daemon = Daemon::start();
    let session = daemon.run("cat").await;
    assert_eq!(state(&daemon, &session.workspace_id).await, GitState::default());
    assert_eq!(diff(&daemon, &session.workspace_id, "").await, GitDiff::default());
    let wrong: Result<GitState, _> = daemon.client().get("/api/workspaces/nothing/git").await;
    assert!(wrong.unwrap_err().to_string().contains("there is no workspace"));
}

async fn spawn(daemon: &Daemon, request: SpawnRequest) -> Session {
    let request = SpawnRequest { target: "sh".into(), args: vec!["cat".into()], ..request };
    let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    made.remove(0)
}

async fn path_of(daemon: &Daemon, session: &Session) -> std::path::PathBuf {
    let all: Vec<schmux::wire::Workspace> = daemon.client().get("/api/workspaces").await.unwrap();
    all.into_iter().find(|w| w.id == session.workspace_id).unwrap().path.into()
}

#[tokio::test]
async fn worktrees_and_clones_go_only_when_asked_and_nothing_is_lost() {
    let daemon = Daemon::start();
    let work = repository(&daemon);
    let named = |path: &Path| Some(path.to_string_lossy().into_owned());
    let worktree = || SpawnRequest {
        workspace: named(&work),
        worktree: Some("fix".into()),
        ..SpawnRequest::default()
    };
    // Plainly disposed, the directory stays, and is used again.
    let first = spawn(&daemon, worktree()).await;
    let path = path_of(&daemon, &first).await;
    daemon.schmux(&["dispose", &first.id]);
    assert!(path.is_dir());
    let second = spawn(&daemon, worktree()).await;
    let third = spawn(&daemon, worktree()).await;
    let remove = |id: &str| ["dispose", id, "--remove-workspace"].map(str::to_owned);
    let refused = |args: &[String], why: &str| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = daemon.try_schmux(&args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{said}");
    };
    refused(&remove(&second.id), "one more session is in");
    write(&path, "draft.txt", b"precious");
    daemon.schmux(&["dispose", &third.id]);
    refused(&remove(&second.id), "1 file that git doesn't know");
    assert!(daemon.session(&second.id).await.is_some(), "a refusal changes nothing");
    std::fs::remove_file(path.join("draft.txt")).unwrap();
    daemon.schmux(&["dispose", &second.id, "--remove-workspace"]);
    assert!(!path.exists());
    git(&work, &["rev-parse", "--verify", "-q", "fix"]);

    let clone = SpawnRequest { clone: named(&work), ..SpawnRequest::default() };
    let session = spawn(&daemon, clone).await;
    let path = path_of(&daemon, &session).await;
    git(&path, &["commit", "-q", "--allow-empty", "-m", "Only here"]);
    refused(&remove(&session.id), "1 commit that is nowhere else");
    daemon.schmux(&["dispose", &session.id, "--remove-workspace", "--force"]);
    assert!(!path.exists());

    let own = daemon.run("cat").await;
    refused(&remove(&own.id), "schmux didn't make");
    assert!(work.is_dir());
}

#[tokio::test]
async fn what_can_be_ended_is_ended_beside_what_cannot() {
    let daemon = Daemon::start();
    repository(&daemon);
    let first = daemon.run("exec cat").await;
    let request = SpawnRequest {
        workspace: Some(first.workspace_id.clone()),
        worktree: Some("b".into()),
        ..SpawnRequest::default()
    };
    let second = spawn(&daemon, request).await;
    let tree = path_of(&daemon, &second).await;
    // The first one's directory is not schmux's to remove.
    let dispose = ["dispose", "--remove-workspace", "--yes", "--json", &first.id, &second.id];
    let output = daemon.try_schmux(&dispose);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(&first.id) && !told.contains(&second.id), "{told}");
    let ended: Vec<Session> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ended.iter().map(|session| &session.id).collect::<Vec<_>>(), [&second.id]);
    assert!(!tree.exists() && daemon.session(&first.id).await.is_some());
}

#[tokio::test]
async fn another_host_tells_the_same_of_the_same_directory() {
    let far = Far::plain("box");
    let daemon = Daemon::start();
    far.join(&daemon);
    let work = repository(&daemon);
    write(&work, "a.txt", b"one\n2\nthree\nfour\n");
    git(&work, &["mv", "old name.txt", "new name.txt"]);
    git(&work, &["rm", "-q", "gone.txt"]);
    write(&work, "staged.txt", b"s\n");
    git(&work, &["add", "staged.txt"]);
    git(&work, &["commit", "-qm", "Second; `touch forged`", "staged.txt"]);
    write(&work, "dir/it's un tracked.txt", b"u\nv");
    write(&work, "-picture", b"\0\0\0");
    write(&work, "empty", b"");
    std::os::unix::fs::symlink("/etc/passwd", work.join("link")).unwrap();
    let here = daemon.run("cat").await;
    let request = SpawnRequest {
        target: "sh".into(),
        host: Some("box".into()),
        workspace: Some(work.to_string_lossy().into_owned()),
        args: vec!["exec cat".into()],
        ..SpawnRequest::default()
    };
    let there: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
    let there = &there[0].workspace_id;
    assert_ne!(*there, here.workspace_id);
    let began = std::time::Instant::now();
    let told = state(&daemon, there).await;
    eprintln!("the state of a workspace over there took {:?}", began.elapsed());
    assert_eq!(told, state(&daemon, &here.workspace_id).await);
    assert_eq!(told.changed.len(), 7, "{:#?}", told.changed);
    for query in ["", "?path=a.txt", "?path=-picture&context=0"] {
        let shown = diff(&daemon, there, query).await;
        assert_eq!(shown, diff(&daemon, &here.workspace_id, query).await, "{query}");
        assert!(!shown.files.is_empty());
    }
    // While it is away, that is what one is told.
    daemon.schmux(&["host", "disconnect", "box"]);
    // What was seen a moment ago counts for a moment more.
    let away = until("the host to be missed", || async {
        let path = format!("/api/workspaces/{there}/git");
        daemon.client().get::<GitState>(&path).await.err()
    })
    .await;
    assert!(format!("{away:?}").contains("host_unreachable"), "{away:?}");
}
