//! What each agent is started with, as goldens (`goldens/*.txt`), with programs
//! that say a version and nothing else. `UPDATE_EXPECT=1` renews them.

use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect_file;

use super::*;

/// A machine with an agent, a user and a workspace.
struct World {
    dir: tempfile::TempDir,
    config: Config,
}

/// Answers as Codex does, and trusts what it is told to.
const CODEX: &str = r#"
trust=untrusted
case "$*" in *hooks.state=*) trust=trusted;; esac
case "$*" in *app-server) ;; *) exit;; esac
while read -r line; do case "$line" in
  *initialize\"*) echo '{"id":1,"result":{}}';;
  *hooks/list*) echo '{"id":2,"result":{"data":[{"hooks":[
    {"key":"k:stop:0:0","currentHash":"sha256:1","source":"sessionFlags","trustStatus":"'$trust'"},
    {"key":"theirs","currentHash":"sha256:2","source":"user","trustStatus":"untrusted"}]}]}}' | tr -d '\n'; echo;;
esac; done"#;

impl World {
    fn new(program: &str, version: &str) -> World {
        let world = World { dir: tempfile::tempdir().unwrap(), config: Config::default() };
        for dir in ["bin", "user/.codex", "work", "home"] {
            fs::create_dir_all(world.path(dir)).unwrap();
        }
        let more = if program == "codex" { CODEX } else { "" };
        let script = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo '{version}'\n{more}\n");
        let path = world.path("bin").join(program);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    async fn provision(&self, target: &str, prompt: Option<&str>, extra: &[&str]) -> Provisioned {
        let exe = PathBuf::from("/opt/my tools/schmux");
        let bin = self.path("bin");
        let extra: Vec<String> = extra.iter().map(|word| (*word).to_owned()).collect();
        let mut launch = crate::agents::resolve(target, &self.config, bin.as_os_str(), &exe)
            .unwrap()
            .with(prompt, &extra)
            .unwrap();
        launch.env.push(("HOME".into(), self.path("user").to_string_lossy().into_owned()));
        let home = Home::at(self.path("home"));
        provision(&Request {
            launch: &launch,
            session: "work-001-abcd1234",
            workspace: &self.path("work"),
            home: &home,
            exe: &exe,
            config: &self.config,
            elsewhere: None,
        })
        .await
    }

    /// Everything that was made, with the world's own names in it.
    fn tell(&self, made: &Provisioned) -> String {
        let mut text = String::new();
        for word in &made.argv {
            writeln!(text, "arg  {}", word.replace('\n', "\n     ")).unwrap();
        }
        for (name, value) in made.env.iter().filter(|(name, _)| name != "HOME") {
            writeln!(text, "env  {name}={value}").unwrap();
        }
        for note in &made.notes {
            writeln!(text, "note {note}").unwrap();
        }
        for file in files(&self.path("home")).into_iter().chain(files(&self.path("work"))) {
            let content = fs::read_to_string(&file).unwrap();
            writeln!(text, "\nfile {}\n{}", file.display(), content.trim_end()).unwrap();
        }
        text.replace(&*self.dir.path().to_string_lossy(), "")
    }

    async fn check(&self, target: &str, prompt: Option<&str>, extra: &[&str], golden: &str) {
        let made = self.provision(target, prompt, extra).await;
        expect_file![format!("./goldens/{golden}.txt")].assert_eq(&self.tell(&made));
        // The second session of an agent in a workspace gets the same.
        assert_eq!(self.provision(target, prompt, extra).await, made);
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[tokio::test]
async fn each_agent_gets_what_it_offers() {
    for (agent, program, version) in [
        ("claude", "claude", "2.1.197 (Claude Code)"),
        ("codex", "codex", "codex-cli 0.166.0"),
        ("gemini", "gemini", "0.61.0"),
        ("opencode", "opencode", "1.18.33"),
        ("copilot", "copilot", "GitHub Copilot CLI 1.0.102."),
        ("qwen", "qwen", "0.15.10"),
        ("droid", "droid", "0.215.0"),
        ("cursor-agent", "cursor-agent", "2026.01.01"),
    ] {
        World::new(program, version).check(agent, Some("fix it"), &[], agent).await;
    }
    World::new("amp", "1.0.0").check("amp", None, &[], "amp").await;
}

#[tokio::test]
async fn unknown_agents_and_unwilling_users_get_nothing() {
    for (config, program, target) in [
        ("", "goose", "goose"),
        ("[targets.mine]\ncommand = \"mine --go\"", "mine", "mine"),
        ("[provision]\nenabled = false", "claude", "claude"),
        ("[provision]\nexcept = [\"claude\"]", "claude", "claude-opus"),
        ("[provision]\nexcept = [\"claude-opus\"]", "claude", "claude-opus"),
    ] {
        let mut world = World::new(program, "2.1.197");
        world.config = Config::parse(config, Path::new("/h/config.toml"), None).unwrap();
        let told = world.tell(&world.provision(target, None, &[]).await);
        let plain =
            |line: &str| line.starts_with("arg  ") || line.starts_with("env  SCHMUX_AGENT=");
        assert!(told.lines().all(plain), "{told}");
    }
}

#[tokio::test]
async fn versions_get_only_what_they_know() {
    let settings = |version: &'static str| async move {
        let world = World::new("claude", version);
        let told = world.tell(&world.provision("claude", None, &[]).await);
        ["Stop\"", "PermissionRequest", "StopFailure", "prompt-file", "too old"]
            .map(|word| told.contains(word))
    };
    assert_eq!(settings("2.1.325").await, [true, true, true, true, false]);
    assert_eq!(settings("2.1.30").await, [true, true, false, true, false]);
    assert_eq!(settings("2.0.1").await, [true, false, false, false, false]);
    assert_eq!(settings("1.0.30").await, [false, false, false, false, true]);
    // It may be new or old: only what all of them know.
    assert_eq!(settings("no number").await, [true, false, false, false, false]);
}

#[tokio::test]
async fn a_command_of_the_users_is_not_asked() {
    let mut world = World::new("wrapper", "9.9.9");
    let config = "[targets.boxed]\ncommand = [\"wrapper\", \"claude\"]\nbase = \"claude\"";
    world.config = Config::parse(config, Path::new("/h/config.toml"), None).unwrap();
    world.check("boxed", Some("-x"), &["--verbose"], "claude-in-a-wrapper").await;
}

#[tokio::test]
async fn what_the_user_gives_claude_is_kept() {
    let world = World::new("claude", "2.1.197");
    let mine = r#"{"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}"#;
    fs::write(world.path("work/mine.json"), mine).unwrap();
    let extra = [
        "--settings",
        "{}",
        "--settings=mine.json",
        "--append-system-prompt",
        "Be kind.",
        "--",
        "-p",
    ];
    world.check("claude", None, &extra, "claude-with-flags").await;

    fs::write(world.path("work/prompt.md"), "Be brief.\n").unwrap();
    let made =
        world.provision("claude", Some("go"), &["--append-system-prompt-file", "prompt.md"]).await;
    let path = made.argv.iter().position(|word| word == "--append-system-prompt-file").unwrap() + 1;
    let text = fs::read_to_string(&made.argv[path]).unwrap();
    assert!(text.starts_with("Be brief.\n\nYou run in schmux"), "{text}");

    // What we can't read the agent shall see as it is.
    for bad in ["nowhere.json", "{broken", r#"{"hooks": 3}"#] {
        let made = world.provision("claude", None, &["--settings", bad]).await;
        assert!(made.argv.iter().any(|word| word == bad), "{made:?}");
        assert_eq!(made.notes.len(), 1, "{made:?}");
    }
}

#[tokio::test]
async fn what_the_user_gives_codex_is_kept() {
    let world = World::new("codex", "codex-cli 0.166.0");
    let config = "notify = [\"bell\", \"x y\"]\ndeveloper_instructions = '''\nBe \"kind\".\n'''\n";
    fs::write(world.path("user/.codex/config.toml"), config).unwrap();
    let extra = ["-c", "hooks.Stop=[]", "--config=model=\"m\""];
    world.check("codex", Some("fix it"), &extra, "codex-with-settings").await;

    let extra = [
        "-c",
        "notify=[\"mine\"]",
        "-c",
        "developer_instructions=plain words",
        "-c",
        "hooks.Stop=[]",
    ];
    let made = world.provision("codex", None, &extra).await;
    let given = |begin: &str| made.argv.iter().find(|word| word.starts_with(begin)).unwrap();
    assert!(given("notify=").ends_with("\"notify\", \"--then\", \"mine\"]"), "{made:?}");
    assert!(given("developer_instructions=").contains("plain words"), "{made:?}");
    assert_eq!(made.argv.iter().filter(|word| word.starts_with("notify=")).count(), 1);
}

#[tokio::test]
async fn codex_without_trust_is_told_by_notify() {
    let world = World::new("codex", "codex-cli 0.50.0");
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && echo 0.50.0\nexit 2\n";
    fs::write(world.path("bin/codex"), script).unwrap();
    let made = world.provision("codex", None, &[]).await;
    assert!(!made.argv.iter().any(|word| word.contains("hooks.")), "{made:?}");
    assert!(made.argv.iter().any(|word| word.starts_with("notify=[")), "{made:?}");
}

#[tokio::test]
async fn what_the_user_gives_others_is_kept() {
    let mut world = World::new("opencode", "1.18.33");
    let config = "[targets.oc]\nbase = \"opencode\"\nenv = { OPENCODE_CONFIG_CONTENT = '{\"model\":\"m\",\"plugin\":[\"theirs\"]}' }";
    world.config = Config::parse(config, Path::new("/h/config.toml"), None).unwrap();
    let told = world.tell(&world.provision("oc", None, &[]).await);
    assert!(
        told.contains("\"model\":\"m\"") && told.contains("[\"theirs\",\"file:///home/"),
        "{told}"
    );

    let mut world = World::new("qwen", "0.15.10");
    let machine = world.path("machine.json");
    fs::write(&machine, r#"{"ui": 1, "hooks": {"Stop": ["theirs"]}}"#).unwrap();
    let config = format!(
        "[targets.q]\nbase = \"qwen\"\nenv = {{ QWEN_CODE_SYSTEM_DEFAULTS_PATH = {machine:?} }}"
    );
    world.config = Config::parse(&config, Path::new("/h/config.toml"), None).unwrap();
    let told = world.tell(&world.provision("q", None, &[]).await);
    assert!(told.contains("\"ui\": 1") && told.contains("\"theirs\","), "{told}");
    assert!(told.contains("env  QWEN_CODE_SYSTEM_DEFAULTS_PATH=/home/launches/"), "{told}");

    let world = World::new("gemini", "0.61.0");
    fs::create_dir(world.path("work/.gemini")).unwrap();
    fs::write(world.path("work/.gemini/settings.json"), "{}").unwrap();
    world.check("gemini", None, &[], "gemini-with-settings").await;
}

#[test]
fn files_are_for_the_user_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b.json");
    write_private(&path, "{}").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
}

#[test]
fn gemini_is_taught_by_its_first_hook() {
    let said: Value = serde_json::from_str(&answer("gemini", "SessionStart").unwrap()).unwrap();
    let context = said.pointer("/hookSpecificOutput/additionalContext").unwrap();
    assert!(context.as_str().unwrap().contains("$SCHMUX_STATUS_FILE"));
    assert_eq!(answer("gemini", "AfterAgent"), None);
    assert_eq!(answer("claude", "SessionStart"), None);
}
