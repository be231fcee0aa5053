use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::*;

/// A PATH with these programs on it, and settings.
struct World {
    dir: tempfile::TempDir,
    config: Config,
}

impl World {
    fn new(programs: &[&str], config: &str) -> World {
        let dir = tempfile::tempdir().unwrap();
        for program in programs {
            let path = dir.path().join(program);
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let config = Config::parse(config, Path::new("/h/config.toml"), None).unwrap();
        World { dir, config }
    }

    fn path_env(&self) -> OsString {
        self.dir.path().into()
    }

    fn resolve(&self, name: &str) -> Result<Launch, TargetError> {
        resolve(name, &self.config, &self.path_env(), Path::new("/bin/schmux"))
    }

    /// The command line, with the directory of the programs left out.
    fn line(&self, name: &str, prompt: Option<&str>, extra: &[&str]) -> String {
        let extra: Vec<String> = extra.iter().map(|word| (*word).to_owned()).collect();
        let launch = self.resolve(name).unwrap().with(prompt, &extra).unwrap();
        let dir = format!("{}/", self.dir.path().display());
        launch.argv.iter().map(|word| word.replace(&dir, "")).collect::<Vec<_>>().join("|")
    }
}

#[test]
fn the_known_agents_are_well_formed() {
    let all = known::all();
    let mut names: Vec<&str> = all.names().collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a name is there twice");
    for name in names {
        let known = all.find(name).unwrap();
        assert!(!known.agent.programs.is_empty() && !known.agent.description.is_empty(), "{name}");
        assert!(known.agent.install.is_some() || name == DEMO, "{name} has no way to get it");
        // Variables that a model needs are told to the reader of the list.
        for value in known.model.iter().flat_map(|model| model.env.values()) {
            if let Some(variable) = value.strip_prefix("${") {
                let description = &known.model.unwrap().description;
                assert!(description.contains(variable.trim_end_matches('}')), "{name}");
            }
        }
    }
}

#[test]
fn command_lines() {
    let world = World::new(
        &["claude", "codex", "gemini", "opencode", "goose", "cline", "pi", "kilocode", "mine"],
        r#"
        [targets.mine]
        command = "mine --go"
        [targets.asker]
        command = ["mine"]
        prompt = "flag:--ask"
        [targets.short]
        command = ["mine"]
        prompt = "flag:-q"
        [targets.reviewer]
        base = "claude-opus"
        args = ["--verbose"]
        [targets.wrapped]
        command = ["mine", "claude"]
        base = "claude"
        [targets.goosey]
        base = "goose"
        args = ["--debug"]
        "#,
    );
    type Case<'a> = (&'a str, Option<&'a str>, &'a [&'a str], &'a str);
    let cases: [Case; 27] = [
        ("claude", None, &[], "claude"),
        ("claude", None, &["--resume"], "claude|--resume"),
        ("claude", Some("fix it"), &[], "claude|fix it"),
        ("claude", Some("  "), &[], "claude"),
        ("claude", Some("-x is wrong"), &[], "claude|--|-x is wrong"),
        ("claude", Some("update"), &[], "claude| update"),
        ("claude", Some("/init"), &[], "claude|/init"),
        ("claude", Some("fix it"), &["--add-dir", "a"], "claude|--add-dir|a|--|fix it"),
        ("claude", Some("fix it"), &["-c", "--"], "claude|-c|--|fix it"),
        ("claude-opus", Some("fix it"), &[], "claude|--model|opus|fix it"),
        ("gpt-5-codex", Some("go on"), &[], "codex|--model|gpt-5-codex|go on"),
        ("gemini", Some("fix it"), &[], "gemini|--prompt-interactive|fix it"),
        ("gemini", Some("-x"), &[], "gemini|--prompt-interactive=-x"),
        ("gemini-2.5-pro", None, &[], "gemini|--model|gemini-2.5-pro"),
        ("opencode", Some("fix it"), &["--x"], "opencode|--x|--prompt|fix it"),
        ("goose", None, &[], "goose|session"),
        ("goose", Some("fix it"), &[], "goose|run|--interactive|--text|fix it"),
        ("goosey", Some("fix it"), &[], "goose|run|--interactive|--debug|--text|fix it"),
        ("cline", Some("fix it"), &[], "cline|-i|fix it"),
        ("pi", Some("-x is wrong"), &[], "pi| -x is wrong"),
        ("kilocode", None, &[], "kilocode"),
        ("mine", Some("-x"), &[], "mine|--go| -x"),
        ("mine", Some("update"), &["a"], "mine|--go|a|update"),
        ("asker", Some("why"), &[], "mine|--ask|why"),
        ("short", Some("-why"), &[], "mine|-q| -why"),
        ("reviewer", Some("all of it"), &[], "claude|--model|opus|--verbose|all of it"),
        ("wrapped", Some("-x"), &[], "mine|claude|--|-x"),
    ];
    for (name, prompt, extra, expected) in cases {
        assert_eq!(world.line(name, prompt, extra), expected, "{name} {prompt:?} {extra:?}");
    }
}

#[test]
fn the_demo_is_always_there() {
    let launch = World::new(&[], "").resolve(DEMO).unwrap();
    let launch = launch.with(Some("hello"), &[]).unwrap();
    assert_eq!(launch.argv, ["/bin/schmux", "demo-agent", "hello"]);
    assert_eq!(launch.base.as_deref(), Some("demo"));
}

#[test]
fn bases_are_agents_and_variables_add_up() {
    let world = World::new(
        &["claude"],
        r#"
        [targets.kimi-k2]
        base = "kimi-k2"
        env = { MOONSHOT_API_KEY = "secret", ANTHROPIC_MODEL = "other" }
        "#,
    );
    let launch = world.resolve("kimi-k2").unwrap();
    assert_eq!((launch.target.as_str(), launch.base.as_deref()), ("kimi-k2", Some("claude")));
    let value = |name: &str| launch.env.iter().find(|(n, _)| n == name).unwrap().1.as_str();
    assert_eq!(value("ANTHROPIC_AUTH_TOKEN"), "secret");
    assert_eq!(value("ANTHROPIC_MODEL"), "other");
    assert!(value("ANTHROPIC_BASE_URL").starts_with("https://"));

    let mut bare = Launch::bare("x");
    bare.env = vec![("A".into(), "${NOWHERE}".into()), ("B".into(), "${FULL}".into())];
    let err = bare.expand_env(|_| None).unwrap_err();
    assert!(err.to_string().contains("NOWHERE") && err.advice().contains("[targets.x]"));
    bare.expand_env(|name| Some(format!("<{name}>"))).unwrap();
    assert_eq!(bare.env[1].1, "<FULL>");
}

#[test]
fn errors_say_what_to_do() {
    let world = World::new(&["claude"], "[targets.lost]\ncommand=\"nowhere\"");
    let aider = World::new(&["aider"], "").resolve("aider").unwrap();
    let cases = [
        (world.resolve("calude").unwrap_err(), "unknown_target", "did you mean claude"),
        (world.resolve("zzz").unwrap_err(), "unknown_target", "Available here: lost"),
        (world.resolve("zzz").unwrap_err(), "unknown_target", "[targets.zzz]"),
        (world.resolve("codex").unwrap_err(), "target_not_installed", "npm install -g @openai"),
        (world.resolve("lost").unwrap_err(), "target_not_installed", "install `nowhere`"),
        (aider.with(Some("x"), &[]).unwrap_err(), "no_prompt_at_start", "send-keys"),
    ];
    for (err, code, advice) in cases {
        let api = ApiError::from(&err);
        let said = api.advice.unwrap();
        assert_eq!(api.code, code);
        if advice != "Available here: lost" {
            assert!(said.contains(advice), "{said}");
        } else {
            // What isn't there is not offered.
            assert!(said.contains("Available here: claude, demo."), "{said}");
        }
    }
}

#[test]
fn the_list_says_what_is_there() {
    let world = World::new(&["codex"], "[targets.mine]\ncommand=\"codex\"");
    let list = list(&world.config, &world.path_env(), Path::new("/bin/schmux"));
    let get = |name: &str| list.iter().find(|target| target.name == name).unwrap();
    assert_eq!((list[0].name.as_str(), list[0].kind), ("mine", TargetKind::Command));
    assert!(get("mine").available && get("codex").available && get("demo").available);
    assert_eq!(get("gpt-5-codex").base.as_deref(), Some("codex"));
    assert_eq!(get("gpt-5-codex").kind, TargetKind::Model);
    assert_eq!(get("codex").base, None);
    assert!(!get("claude").available && get("claude").install.is_some());
    assert_eq!(get("demo").command, ["/bin/schmux", "demo-agent"]);
}

#[test]
fn only_executable_files_on_absolute_paths_count() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("plain"), "").unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    let path_env: OsString = std::env::join_paths([PathBuf::from("."), dir.path().into()]).unwrap();
    assert_eq!(path::find("plain", &path_env), None);
    assert_eq!(path::find("folder", &path_env), None);
    assert_eq!(path::find("/bin/sh", &path_env), Some("/bin/sh".into()));
}

#[test]
fn agents_are_known_by_their_program() {
    assert_eq!(by_program("kilo"), Some("kilocode"));
    assert_eq!(by_program("claude"), Some("claude"));
    assert_eq!(by_program("bash"), None);
}
