use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use crate::proc;

use super::*;

const TEXT: &str = "one\ntwo\n";

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let world = World { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(world.root()).unwrap();
        world
    }

    async fn repository() -> World {
        let world = World::new();
        world.git(&["init", "--quiet"]).await;
        world
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    async fn git(&self, args: &[&str]) -> String {
        let author = ["-c", "user.name=n", "-c", "user.email=e"];
        let argv: Vec<&str> =
            ["git"].into_iter().chain(author).chain(args.iter().copied()).collect();
        let limit = Duration::from_secs(30);
        let out = proc::output(&argv, Some(&self.root()), limit).await.unwrap();
        String::from_utf8(out).unwrap()
    }

    async fn put(&self, file: &str) -> Result<(), String> {
        put_block(&self.root(), &[file.to_owned()], TEXT).await
    }

    async fn unprovision(&self) -> Vec<(String, bool)> {
        let (removed, notes) = unprovision(&self.root()).await;
        assert_eq!(notes, Vec::<String>::new());
        removed.into_iter().map(|removed| (removed.file, removed.whole)).collect()
    }
}

#[tokio::test]
async fn a_file_that_was_made_goes_again() {
    let world = World::repository().await;
    world.put("AGENTS.md").await.unwrap();
    assert!(world.read("AGENTS.md").contains("\ntwo\n"));
    assert_eq!(world.git(&["status", "--porcelain"]).await, "");
    assert_eq!(world.unprovision().await, [("AGENTS.md".to_owned(), true)]);
    assert!(!world.path("AGENTS.md").exists());
    // And nothing of it is left with git: a file of that name shows again.
    fs::write(world.path("AGENTS.md"), "mine").unwrap();
    assert_eq!(world.git(&["status", "--porcelain"]).await, "?? AGENTS.md\n");
    assert_eq!(world.unprovision().await, []);
}

#[tokio::test]
async fn a_file_of_the_users_keeps_all_that_is_theirs() {
    let world = World::repository().await;
    for content in ["# Mine\r\nno final newline", "# Mine\n", ""] {
        fs::write(world.path("GEMINI.md"), content).unwrap();
        fs::set_permissions(world.path("GEMINI.md"), fs::Permissions::from_mode(0o640)).unwrap();
        world.put("GEMINI.md").await.unwrap();
        assert!(world.read("GEMINI.md").starts_with(content));
        put_block(&world.root(), &["GEMINI.md".to_owned()], "other words").await.unwrap();
        assert!(world.read("GEMINI.md").contains("other words"));
        assert_eq!(world.unprovision().await, [("GEMINI.md".to_owned(), false)]);
        assert_eq!(world.read("GEMINI.md"), content);
        let mode = fs::metadata(world.path("GEMINI.md")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
    assert_eq!(fs::read_dir(world.root()).unwrap().count(), 2, "something was left behind");
}

#[tokio::test]
async fn what_others_add_to_a_file_of_ours_stays() {
    let world = World::new();
    world.put("AGENTS.md").await.unwrap();
    let ours = world.read("AGENTS.md");
    fs::write(world.path("AGENTS.md"), format!("above\n{ours}below\n")).unwrap();
    assert_eq!(world.unprovision().await, [("AGENTS.md".to_owned(), false)]);
    assert_eq!(world.read("AGENTS.md"), "above\nbelow\n");
}

#[tokio::test]
async fn files_in_git_are_left_alone() {
    let world = World::repository().await;
    fs::write(world.path("CLAUDE.md"), "mine").unwrap();
    world.git(&["add", "CLAUDE.md"]).await;
    let names = ["AGENTS.md", "CLAUDE.md"].map(str::to_owned);
    let note = put_block(&world.root(), &names, TEXT).await.unwrap_err();
    assert!(note.contains("CLAUDE.md is in git"), "{note}");
    assert_eq!(world.read("CLAUDE.md"), "mine");
    assert!(!world.path("AGENTS.md").exists(), "it would hide the other from the agent");
}

#[tokio::test]
async fn a_workspace_below_the_top_of_a_repository() {
    let world = World::repository().await;
    let sub = world.path("a [b]/c");
    fs::create_dir_all(&sub).unwrap();
    put_block(&sub, &["AGENTS.md".to_owned()], TEXT).await.unwrap();
    assert_eq!(world.git(&["status", "--porcelain"]).await, "");
    let (removed, notes) = unprovision(&sub).await;
    assert_eq!((removed.len(), notes.len()), (1, 0));
    assert!(!world.read(".git/info/exclude").contains("AGENTS.md"));
}

#[tokio::test]
async fn links_are_followed_inside_and_refused_outside() {
    let world = World::new();
    fs::write(world.path("real.md"), "mine\n").unwrap();
    symlink("real.md", world.path("AGENTS.md")).unwrap();
    world.put("AGENTS.md").await.unwrap();
    assert!(world.read("real.md").starts_with("mine\n<!-- SCHMUX:BEGIN -->"));
    assert!(world.path("AGENTS.md").symlink_metadata().unwrap().is_symlink());
    assert_eq!(world.unprovision().await, [("AGENTS.md".to_owned(), false)]);
    assert_eq!(world.read("real.md"), "mine\n");

    let outside = world.dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file.md"), "theirs").unwrap();
    symlink(outside.join("file.md"), world.path("GEMINI.md")).unwrap();
    symlink(&outside, world.path(".cursor")).unwrap();
    symlink("nowhere", world.path("CLAUDE.md")).unwrap();
    for (file, why) in [
        ("GEMINI.md", "leads out"),
        (".cursor/rules/x.mdc", "leads out"),
        ("CLAUDE.md", "No such file"),
    ] {
        let note = world.put(file).await.unwrap_err();
        assert!(note.contains(why), "{note}");
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("file.md")).unwrap(), "theirs");
}

#[tokio::test]
async fn odd_files_are_left_alone() {
    let world = World::new();
    fs::create_dir(world.path("dir.md")).unwrap();
    fs::write(world.path("wide.md"), [0xff, 0xfe, b'a', 0]).unwrap();
    fs::write(world.path("huge.md"), vec![b'x'; MOST as usize + 1]).unwrap();
    for file in ["dir.md", "wide.md", "huge.md"] {
        assert!(world.put(file).await.unwrap_err().contains("left alone"), "{file}");
    }
}

#[tokio::test]
async fn another_name_of_the_same_file_stays_one() {
    let world = World::new();
    fs::write(world.path("AGENTS.md"), "mine\n").unwrap();
    fs::hard_link(world.path("AGENTS.md"), world.path("twin.md")).unwrap();
    world.put("AGENTS.md").await.unwrap();
    assert_eq!(world.read("twin.md"), world.read("AGENTS.md"));
    world.unprovision().await;
    assert_eq!(world.read("twin.md"), "mine\n");
}

#[tokio::test]
async fn files_of_our_own() {
    let world = World::repository().await;
    let file = ".cursor/rules/schmux.mdc";
    let head = "---\ndescription: How to signal your state\nalwaysApply: true\n---\n\n";
    let put = |text: &'static str| {
        let root = world.root();
        async move { put_text(&root, file, head, text).await }
    };
    put("one").await.unwrap();
    put("two").await.unwrap();
    assert!(world.read(file).starts_with(head) && world.read(file).contains("\ntwo\n"));
    assert_eq!(world.git(&["status", "--porcelain"]).await, "");
    // Once the user has written into it, it is theirs.
    let edited = format!("{}more\n", world.read(file));
    fs::write(world.path(file), &edited).unwrap();
    assert!(put("three").await.unwrap_err().contains("is yours"));
    assert_eq!(world.unprovision().await, [(file.to_owned(), false)]);
    assert_eq!(world.read(file), format!("{head}more\n"));
    fs::remove_file(world.path(file)).unwrap();
    put("four").await.unwrap();
    assert_eq!(world.unprovision().await, [(file.to_owned(), true)]);
    assert!(!world.path(".cursor").exists());
}

#[tokio::test]
async fn settings_of_gemini() {
    let world = World::new();
    let ours = br#"{"hooks": {"Stop": [{"hooks": [{"name": "schmux", "command": "c"}]}]}}"#;
    put_own(&world.root(), gemini::FILE, Part::GeminiSettings, ours).await.unwrap();
    assert_eq!(world.unprovision().await, [(gemini::FILE.to_owned(), true)]);
    assert!(!world.path(".gemini").exists());
    for theirs in [
        r#"{"hooks": {"Stop": [{"hooks": [{"name": "theirs"}]}]}}"#,
        r#"{"hooks": {"Stop": [{"hooks": [{"name": "schmux"}]}]}, "ui": {}}"#,
        r#"{"hooks": {}}"#,
        "not json",
        "{}",
    ] {
        fs::create_dir_all(world.path(".gemini")).unwrap();
        fs::write(world.path(gemini::FILE), theirs).unwrap();
        let put = put_own(&world.root(), gemini::FILE, Part::GeminiSettings, ours).await;
        assert!(put.unwrap_err().contains("is yours"), "{theirs}");
        assert_eq!(world.unprovision().await, []);
        assert_eq!(world.read(gemini::FILE), theirs);
    }
}

#[tokio::test]
async fn sessions_that_start_together_share_a_file() {
    let world = World::repository().await;
    let puts: Vec<_> = (0..20).map(|_| world.put("AGENTS.md")).collect();
    for put in futures_util::future::join_all(puts).await {
        put.unwrap();
    }
    assert_eq!(world.read("AGENTS.md").matches("SCHMUX:BEGIN").count(), 1);
    assert_eq!(world.read(".git/info/exclude").matches("AGENTS.md").count(), 1);
}
