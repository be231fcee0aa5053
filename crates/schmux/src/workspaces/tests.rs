//! With real git, in directories of the test's own.

use std::fs;

use super::*;

struct World {
    dir: tempfile::TempDir,
    known: Vec<Workspace>,
    turns: Turns,
}

/// A workspace that a request got.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Got {
    id: String,
    existing: bool,
    path: PathBuf,
    kind: WorkspaceKind,
    branch: Option<String>,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        World { dir, known: Vec::new(), turns: Turns::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    fn home(&self) -> Home {
        Home::at(self.path("home"))
    }

    async fn git(&self, dir: &str, line: &str) {
        let identity = "-c user.name=n -c user.email=e -c init.defaultBranch=main";
        let argv: Vec<&str> =
            ["git"].into_iter().chain(identity.split(' ')).chain(line.split(' ')).collect();
        let limit = std::time::Duration::from_secs(30);
        crate::proc::output(&argv, Some(&self.path(dir)), limit).await.unwrap();
    }

    async fn repo(&self, name: &str) {
        fs::create_dir(self.path(name)).unwrap();
        self.git(name, "init -q").await;
        fs::write(self.path(name).join("file"), "text").unwrap();
        self.git(name, "add .").await;
        self.git(name, "commit -qm first").await;
    }

    async fn try_prepare(&self, request: SpawnRequest) -> Result<Prepared, WorkspaceError> {
        prepare(&request, &self.known, &self.home(), &Config::default(), &self.turns).await
    }

    /// Prepares and remembers, as the daemon does.
    async fn prepare(&mut self, request: SpawnRequest) -> Got {
        let prepared = self.try_prepare(request).await.unwrap();
        let id = id_of(&prepared, &self.known, &self.home(), &Config::default());
        let existing = self.known.iter().any(|known| known.id == id);
        if !existing {
            self.known.push(Workspace {
                id: id.clone(),
                path: prepared.path.to_string_lossy().into_owned(),
                kind: prepared.kind,
                host: LOCAL.to_owned(),
                branch: prepared.branch.clone(),
                created_at: jiff::Timestamp::UNIX_EPOCH,
                sessions: Vec::new(),
            });
        }
        let (path, branch) = (prepared.path.clone(), prepared.branch.clone());
        let got = Got { id, existing, path, kind: prepared.kind, branch };
        prepared.keep();
        got
    }

    fn at(&self, name: &str) -> SpawnRequest {
        let workspace = Some(self.path(name).to_string_lossy().into_owned());
        SpawnRequest { workspace, ..SpawnRequest::default() }
    }

    fn worktree(&self, name: &str, branch: &str) -> SpawnRequest {
        SpawnRequest { worktree: Some(branch.to_owned()), ..self.at(name) }
    }
}

fn clone(url: String) -> SpawnRequest {
    SpawnRequest { clone: Some(url), ..SpawnRequest::default() }
}

#[tokio::test]
async fn a_directory_has_one_id_however_it_is_named() {
    let mut world = World::new();
    fs::create_dir_all(world.path("My Project/sub")).unwrap();
    fs::create_dir_all(world.path("other/My Project")).unwrap();
    std::os::unix::fs::symlink(world.path("My Project"), world.path("link")).unwrap();
    let first = world.prepare(world.at("My Project")).await;
    assert_eq!((first.id.as_str(), first.existing), ("my-project-001", false));
    for same in ["My Project", "My Project/", "My Project/sub/..", "link"] {
        let again = world.prepare(world.at(same)).await;
        assert_eq!(again, Got { existing: true, ..first.clone() }, "{same}");
    }
    let by_id = SpawnRequest { workspace: Some(first.id.clone()), ..SpawnRequest::default() };
    assert!(world.prepare(by_id).await.existing);
    let other = world.prepare(world.at("other/My Project")).await;
    assert_eq!(other.id, "my-project-002");
}

#[tokio::test]
async fn directories_that_cannot_be_used() {
    let world = World::new();
    fs::write(world.path("file"), "").unwrap();
    let named =
        |name: &str| SpawnRequest { workspace: Some(name.to_owned()), ..SpawnRequest::default() };
    let both = SpawnRequest { clone: Some("/x".into()), ..world.worktree("file", "b") };
    let cases = [
        (world.at("nowhere"), "no_such_workspace", "mkdir -p"),
        (world.at("file"), "not_a_directory", "directory it is in"),
        (named("a/b"), "no_such_workspace", "path from /"),
        (named("app-009"), "no_such_workspace", "path from /"),
        (both, "bad_request", "choose one"),
        (clone("-x".into()), "bad_url", "https://"),
        (clone("some/where".into()), "bad_url", "https://"),
    ];
    for (request, code, advice) in cases {
        let err = world.try_prepare(request.clone()).await.unwrap_err();
        assert_eq!(err.code(), code, "{request:?}: {err}");
        assert!(err.advice().contains(advice), "{}", err.advice());
    }
}

#[tokio::test]
async fn worktrees() {
    let mut world = World::new();
    world.repo("app").await;
    world.git("app", "branch old").await;

    let new = world.prepare(world.worktree("app", "feature/x")).await;
    assert_eq!((new.id.as_str(), new.kind), ("app-001", WorkspaceKind::Worktree));
    assert_eq!(new.branch.as_deref(), Some("feature/x"));
    assert_eq!(new.path, world.home().workspaces().join("app-001"));
    assert!(new.path.join("file").exists());
    assert_eq!(fs::read_to_string(new.path.join("file")).unwrap(), "text");

    let again = world.prepare(world.worktree("app", "feature/x")).await;
    assert_eq!(again, Got { existing: true, ..new.clone() });
    // Off the worktree it is the same repository.
    let old = SpawnRequest {
        workspace: Some(new.id.clone()),
        worktree: Some("old".into()),
        ..SpawnRequest::default()
    };
    assert_eq!(world.prepare(old).await.id, "app-002");

    // The directory was deleted by hand: it is made anew.
    fs::remove_dir_all(&new.path).unwrap();
    world.known.remove(0);
    let anew = world.prepare(world.worktree("app", "feature/x")).await;
    assert!(!anew.existing && anew.path.join("file").exists());
}

#[tokio::test]
async fn a_worktree_that_the_store_forgot_is_taken_up_again() {
    let mut world = World::new();
    world.repo("app").await;
    let first = world.prepare(world.worktree("app", "b")).await;
    world.known.clear();
    let again = world.prepare(world.worktree("app", "b")).await;
    assert_eq!(again, first);
    // And its directory isn't given away to another.
    assert_eq!(world.prepare(world.worktree("app", "c")).await.id, "app-002");
}

#[tokio::test]
async fn branches_of_a_remote_are_tracked() {
    let mut world = World::new();
    world.repo("origin-repo").await;
    world.git("origin-repo", "branch theirs").await;
    let cloned =
        world.prepare(clone(format!("file://{}", world.path("origin-repo").display()))).await;
    assert_eq!((cloned.id.as_str(), cloned.kind), ("origin-repo-001", WorkspaceKind::Clone));
    let request = SpawnRequest {
        workspace: Some(cloned.id),
        worktree: Some("theirs".into()),
        ..SpawnRequest::default()
    };
    let tree = world.prepare(request).await;
    let config = fs::read_to_string(cloned.path.join(".git/config")).unwrap();
    assert!(config.contains("[branch \"theirs\"]"), "{config}");
    assert!(tree.path.join("file").exists());
}

#[tokio::test]
async fn worktrees_that_cannot_be_had() {
    let world = World::new();
    world.repo("app").await;
    fs::create_dir(world.path("plain")).unwrap();
    fs::create_dir(world.path("empty")).unwrap();
    world.git("empty", "init -q").await;
    let main = world.path("app").to_string_lossy().into_owned();
    let cases = [
        (world.worktree("plain", "b"), "not_a_repository", "git init"),
        (world.worktree("empty", "b"), "no_commit", "--allow-empty"),
        (world.worktree("app", "main"), "branch_checked_out", main.as_str()),
        (world.worktree("app", "a..b"), "bad_branch", "feature/login"),
        (world.worktree("app", "-b"), "bad_branch", "feature/login"),
        (world.worktree("app", "@{-1}"), "bad_branch", "feature/login"),
        (
            clone(format!("file://{}", world.path("nowhere").display())),
            "git_failed",
            "check the URL",
        ),
    ];
    for (request, code, advice) in cases {
        let err = world.try_prepare(request.clone()).await.unwrap_err();
        assert_eq!(err.code(), code, "{request:?}: {err}");
        assert!(err.advice().contains(advice), "{}", err.advice());
    }
    let left: Vec<_> = fs::read_dir(world.home().workspaces()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_failed_clone_shows_gits_words() {
    let world = World::new();
    let url = format!("file://{}", world.path("nowhere").display());
    let err = world.try_prepare(clone(url)).await.unwrap_err().to_string();
    assert!(err.contains("does not exist") || err.contains("not appear to be"), "{err}");
}

#[tokio::test]
async fn nobody_waits_for_the_clone_of_another() {
    let mut world = World::new();
    world.repo("app").await;
    // It takes a connection and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}/app", silent.local_addr().unwrap());
    {
        let hangs = world.try_prepare(clone(url));
        let others = async {
            let reserved = world.home().workspaces().join("app-001");
            while !reserved.exists() {
                tokio::task::yield_now().await;
            }
            let one = world.try_prepare(world.worktree("app", "b")).await.unwrap();
            assert_eq!(one.path.file_name().unwrap(), "app-002");
            one.keep();
        };
        tokio::select! {
            done = hangs => panic!("{done:?}"),
            () = others => {}
        }
    }
    // Nothing is left of it when it is given up.
    assert!(!world.home().workspaces().join("app-001").exists());
    let taken_up = world.prepare(world.worktree("app", "b")).await;
    assert_eq!(taken_up.path, world.home().workspaces().join("app-002"));
}

#[tokio::test]
async fn two_who_want_one_branch_at_once_get_one_worktree() {
    let world = World::new();
    world.repo("app").await;
    let one = async {
        let prepared = world.try_prepare(world.worktree("app", "b")).await.unwrap();
        let path = prepared.path.clone();
        prepared.keep();
        path
    };
    let other = async {
        let prepared = world.try_prepare(world.worktree("app", "b")).await.unwrap();
        prepared.path.clone()
    };
    let (one, other) = tokio::join!(one, other);
    assert_eq!(one, other);
}

#[test]
fn names_of_urls() {
    let cases = [
        ("https://h/x/app.git", "app"),
        ("git@h:x/app.git", "app"),
        ("git@h:app", "app"),
        ("ssh://h/app/", "app"),
        ("/srv/app/.git", "app"),
        ("file:///srv/app", "app"),
    ];
    for (url, name) in cases {
        assert_eq!(git::name_of_url(url), name, "{url}");
    }
}

#[tokio::test]
async fn our_directory_is_hidden_from_git() {
    let mut world = World::new();
    world.repo("app").await;
    let tree = world.prepare(world.worktree("app", "b")).await.path;
    fs::create_dir(world.path("plain")).unwrap();
    for dir in [world.path("app"), tree.clone(), tree, world.path("plain")] {
        assert_eq!(ensure_schmux_dirs(&dir).await, None);
        assert!(dir.join(".schmux/signal").is_dir() && dir.join(".schmux/events").is_dir());
        fs::write(status_file(&dir, "s"), "working").unwrap();
        fs::write(events_file(&dir, "s"), "{}").unwrap();
        if dir != world.path("plain") {
            let limit = std::time::Duration::from_secs(30);
            let status = ["git", "status", "--porcelain"];
            let out = crate::proc::output(&status, Some(&dir), limit).await.unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), "", "{dir:?}");
        }
    }
    let exclude = fs::read_to_string(world.path("app/.git/info/exclude")).unwrap();
    assert_eq!(exclude.matches(".schmux/").count(), 1, "{exclude}");
}

#[tokio::test]
async fn agents_may_be_where_nothing_can_be_written() {
    let world = World::new();
    // Nobody can make a file in there, not even root.
    let there = SpawnRequest { workspace: Some("/proc/1".into()), ..SpawnRequest::default() };
    assert_eq!(world.try_prepare(there).await.unwrap().path, Path::new("/proc/1"));
    assert_eq!(ensure_schmux_dirs(Path::new("/proc/1")).await, None);
}

#[tokio::test]
async fn a_link_that_a_repository_brought_is_not_followed() {
    let world = World::new();
    fs::create_dir_all(world.path("clone")).unwrap();
    fs::create_dir_all(world.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", world.path("clone/.schmux")).unwrap();
    ensure_schmux_dirs(&world.path("clone")).await;
    let said = crate::watch::make_dirs(&world.path("clone")).unwrap_err();
    assert!(said.contains("symbolic link"), "{said}");
    assert_eq!(fs::read_dir(world.path("elsewhere")).unwrap().count(), 0);
}
