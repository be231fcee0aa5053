use std::path::Path;

use super::*;

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, Path::new("/h/config.toml"), Some(Path::new("/u")))
}

#[test]
fn an_empty_file_means_defaults() {
    let config = parse("").unwrap();
    assert_eq!(config, Config::default());
    assert_eq!((config.server.port, config.tmux.history_limit), (7337, 5000));
    assert_eq!((config.spawn.cols, config.spawn.rows), (120, 40));
}

#[test]
fn the_example_in_the_doc_comment_is_valid() {
    let example: String = include_str!("mod.rs")
        .lines()
        .skip_while(|line| *line != "//! ```toml")
        .skip(1)
        .take_while(|line| *line != "//! ```")
        .map(|line| format!("{}\n", line.trim_start_matches("//!").trim_start()))
        .collect();
    let config = parse(&example).unwrap();
    assert_eq!(config.targets["mine"].command, ["my-agent", "--yes"]);
    assert_eq!(config.targets["mine"].prompt, Some(PromptStyle::Flag("--prompt".into())));
    assert_eq!(config.provision, Provision { enabled: true, except: vec!["gemini".into()] });
    assert_eq!(config.server.tls_cert.as_deref(), Some(Path::new("/h/cert.pem")));
    assert_eq!(config.spawn.workspaces_dir.as_deref(), Some(Path::new("/u/agents")));
    assert_eq!(config.nudgenik.api, Some(Api::Anthropic));
}

#[test]
fn mistakes_are_told_with_their_place_and_a_way_out() {
    let cases = [
        ("[server]\nprot = 1", "2:1: unknown key `prot`: did you mean `port`?"),
        ("[sever]\nport = 1", "1:2: unknown key `sever`: did you mean `server`?"),
        (
            "\n[server]\nport = 70000",
            "3:8: invalid value: integer `70000`, expected a number from 0",
        ),
        ("[replay]\ndays = -1", "2:8: invalid value: integer `-1`, expected a whole number"),
        (
            "[server]\nport = \"x\"",
            "2:8: invalid type: string \"x\", expected a number from 0 to 65535",
        ),
        ("[server]\nbind = \"nowhere\"", "2:8: this is no IP address: write one such as 127.0.0.1"),
        ("[server]\ntls_cert = \"a\"", "2:1: `tls_cert` needs `tls_key` beside it"),
        ("[log]\nlevel = \"inf\"", "2:9: unknown value `inf`: did you mean `info`?"),
        ("[spawn]\nrows = 2", "2:1: `rows` is 2: use a number from 5 to 1000"),
        ("[targets.x]\ndescription = \"d\"", "1:10: target `x` says nothing to run"),
        ("[targets.x]\ncommand = []", "2:11: the command is empty"),
        ("[targets.x]\ncommand = \"a 'b\"", "2:11: a quote in `a 'b` is not closed"),
        ("[targets.x]\ncommand = 3", "2:11: invalid type: integer `3`, expected a command as"),
        ("[targets.x]\ncommand=\"a\"\nprompt = \"flag\"", "3:10: `flag` is no way to give"),
        ("[targets.\"a b\"]\ncommand=\"a\"", "1:10: target name `a b`"),
        ("[targets.x]\ncommand=\"a\"\nenv={\"A B\"=\"1\"}", "1:10: `A B` in `env`"),
        (
            "[targets.x]\nargs = []\nbase = \"claud\"",
            "3:1: `base` of target `x` is `claud`, which is no known agent or model: did you \
             mean `claude`",
        ),
        (
            "[provision]\nexcept = [\"codex\", \"gemni\"]",
            "2:1: `except` names `gemni`, which is no target: did you mean `gemini`",
        ),
        (
            "[presets.a]\ntargets = [\"mine\", \"mien\"]\n[targets.mine]\ncommand = \"m\"",
            "2:1: preset `a` runs `mien`, which is no target: did you mean `mine`",
        ),
        ("[targets.x]\nbase = \"zzzz\"", "2:1: `base` of target `x` is `zzzz`, which is no"),
        // Another target of one's own has no habits to lend.
        ("[targets.a]\ncommand = \"a\"\n[targets.b]\nbase = \"a\"", "4:1: `base` of target `b`"),
        ("targets = { x = { base = \"zzzz\" } }", "1:19: `base` of target `x`"),
        ("[notify.x]\ndelay = 1", "1:9: notifier `x` needs exactly one of"),
        ("[notify.x]\nwebhook = \"a\"", "1:9: `a` is no address"),
        ("[notify.x]\ndesktop = true\nstates = [\"eror\"]", "3:11: unknown value `eror`"),
        ("[notify.x]\ndesktop = true\nstates = [\"working\"]", "1:9: `states` of notifier"),
        (
            "[nudgenik]\napi = \"antropic\"",
            "2:7: unknown value `antropic`: did you mean `anthropic`?",
        ),
        ("[nudgenik]\napi = \"openai\"", "2:1: `api` needs `model` beside it"),
        ("[nudgenik]\nmodel = \"m\"", "2:1: `model` needs `api` or `agent`"),
        ("[nudgenik]\napi=\"ollama\"\nmodel=\"m\"\nagent=\"claude\"", "4:1: set `api` or `agent`"),
        ("[nudgenik]\nagent = \"claude\"\nkey_env = \"A\"", "3:1: `key_env` needs `api`"),
        (
            "[nudgenik]\napi=\"openai\"\nmodel=\"m\"\nkey_env = \"sk-1\"",
            "4:1: `key_env` is the name",
        ),
        ("[nudgenik]\napi=\"openai\"\nmodel=\"m\"\nurl = \"x\"", "4:1: `x` is no address"),
        ("[nudgenik]\nprice_in = -1.0", "2:12: -1 is no price"),
        ("[nudgenik]\nevery = 0", "2:1: `every` is 0: use a number from 1 to 86400"),
        ("[server\nport = 1", "1:8: "),
    ];
    for (text, expected) in cases {
        let err = parse(text).unwrap_err().to_string();
        let expected = format!("/h/config.toml:{expected}");
        assert!(err.starts_with(&expected), "{text:?}: {err:?} is not {expected:?}");
    }
}

#[test]
fn a_base_is_an_agent_a_model_or_the_demo() {
    for base in ["claude", "claude-opus", "demo"] {
        parse(&format!("[targets.x]\nbase = \"{base}\"")).unwrap();
    }
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    let text = "[tmux]\nhistory_limit = 1\nconfig = \"my.conf\"";
    let check = || Config::checked(text, &path, None);
    let err = check().unwrap_err().to_string();
    let expected = format!("{}:3:1: `config` is {}", path.display(), dir.path().display());
    assert!(err.starts_with(&expected), "{err}");
    std::fs::write(dir.path().join("my.conf"), "").unwrap();
    assert_eq!(check().unwrap().tmux.config, Some(dir.path().join("my.conf")));
}

#[test]
fn the_port_of_the_environment_is_a_number() {
    assert_eq!(port_from(OsStr::new("0")).unwrap(), 0);
    for bad in ["", "x", "65536", "-1"] {
        assert!(port_from(OsStr::new(bad)).unwrap_err().to_string().contains("65535"));
    }
}

#[test]
fn allowed_hosts_are_hosts() {
    let check = |entry: &str| {
        let text = format!("[server]\nport = 1\nallowed_hosts = [\"box.lan\", \"{entry}\"]\n");
        Config::parse(&text, Path::new("/c.toml"), None).map_err(|error| error.to_string())
    };
    check("box.lan:8443").unwrap();
    let error = check("https://x/").unwrap_err();
    assert!(error.starts_with("/c.toml:3:1: ") && error.contains("`https://x/`"), "{error}");
}

#[test]
fn the_table_for_users_names_every_key() {
    let table = include_str!("../../../../docs/config.md");
    for key in [
        "port",
        "bind",
        "tls_cert",
        "tls_key",
        "allowed_hosts",
        "history_limit",
        "sessions_per_server",
        "config",
        "cols",
        "rows",
        "workspaces_dir",
        "enabled",
        "except",
        "command",
        "base",
        "args",
        "description",
        "prompt",
        "env",
        "api",
        "agent",
        "model",
        "url",
        "key_env",
        "key_file",
        "per_hour",
        "timeout",
        "price_in",
        "first",
        "every",
        "silent",
        "unsignalled",
        "level",
        "keep",
    ] {
        assert!(table.contains(&format!("| `{key}` |")), "docs/config.md misses `{key}`");
    }
}

#[test]
fn the_examples_of_hosts_are_valid() {
    let document = include_str!("../../../../docs/hosts.md");
    let blocks = document.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut scripts = Vec::new();
    for block in blocks {
        let config = parse(block).unwrap();
        for (name, host) in &config.hosts {
            host.check(name).unwrap();
            let commands = [&host.connect, &host.attach, &host.prepare, &host.release];
            for command in commands.into_iter().filter(|command| !command.is_empty()) {
                if let [program, flag, script, ..] = command.as_slice()
                    && (program.as_str(), flag.as_str()) == ("sh", "-c")
                {
                    scripts.push(script.clone());
                }
            }
        }
    }
    assert!(scripts.len() >= 4, "{scripts:#?}");
    for script in scripts {
        let child = crate::proc::collected(&["sh", "-n", "-c", &script]).unwrap();
        assert!(child.wait_with_output().unwrap().status.success(), "{script}");
    }
}
