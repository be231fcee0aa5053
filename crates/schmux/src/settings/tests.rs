use std::collections::BTreeSet;

use serde_json::json;

use super::*;
use crate::wire::SettingsKind;

/// What the parser knows, section by section.
fn known(head: &str) -> BTreeSet<String> {
    let said = probe::complaint(&format!("{head}no-such-key = 1")).unwrap();
    probe::valid(&said, "key").into_iter().collect()
}

#[test]
fn the_manual_names_every_setting_and_no_other() {
    let sections: BTreeSet<String> = probe::forms().iter().map(|form| form.name.clone()).collect();
    assert_eq!(sections, known(""));
    for form in probe::forms() {
        let head = if form.is_table { ".x" } else { "" };
        let keys: BTreeSet<String> = form.keys.iter().map(|key| key.name.clone()).collect();
        assert_eq!(
            keys,
            known(&format!("[{}{head}]\n", form.name)),
            "docs/config.md, {}",
            form.name
        );
    }
}

#[test]
fn the_manual_tells_the_true_defaults() {
    for form in probe::forms().iter().filter(|form| !form.is_table) {
        for key in form.keys.iter().filter(|key| !key.default.is_null()) {
            let set = [(format!("{}.{}", form.name, key.name), key.default.clone())].into();
            let text = edit::edit("", &set, &[]).unwrap();
            let config = Config::parse(&text, Path::new("/config.toml"), None).unwrap();
            assert_eq!(config, Config::default(), "docs/config.md: {text}");
        }
    }
}

#[test]
fn kinds_and_choices_are_found() {
    let find = |section: &str, name: &str| {
        let form = probe::forms().iter().find(|form| form.name == section).unwrap();
        form.keys.iter().find(|key| key.name == name).unwrap().clone()
    };
    let cases = [
        ("server", "port", SettingsKind::Integer),
        ("server", "bind", SettingsKind::Text),
        ("server", "tls_cert", SettingsKind::Text),
        ("server", "allowed_hosts", SettingsKind::List),
        ("provision", "enabled", SettingsKind::Boolean),
        ("targets", "env", SettingsKind::Map),
        ("presets", "count", SettingsKind::Integer),
        ("nudgenik", "price_in", SettingsKind::Number),
    ];
    for (section, name, kind) in cases {
        assert_eq!(find(section, name).kind, kind, "{section}.{name}");
    }
    assert_eq!(find("log", "level").choices, ["error", "warn", "info", "debug", "trace"]);
    assert!(find("notify", "states").choices.contains(&"needs_input".to_owned()));
    assert_eq!(find("server", "port").default, json!(7337));
}

#[test]
fn edits_keep_what_they_do_not_mean() {
    let text = "# mine\n[server]\nport = 1 # why\n\n[targets.a] # t\ncommand = \"x\"\n";
    let cases: [(serde_json::Value, &[&str], &str); 7] = [
        (json!({}), &[], text),
        (
            json!({"server.port": 2}),
            &[],
            "# mine\n[server]\nport = 2 # why\n\n[targets.a] # t\ncommand = \"x\"\n",
        ),
        (
            json!({"server.bind": "::1"}),
            &["server.port"],
            "# mine\n[server]\nbind = \"::1\"\n\n[targets.a] # t\ncommand = \"x\"\n",
        ),
        (json!({}), &["targets.a", "spawn.cols", "x.y.z"], "# mine\n[server]\nport = 1 # why\n"),
        (
            json!({"targets.a.env": {"K": "v"}}),
            &[],
            "# mine\n[server]\nport = 1 # why\n\n[targets.a] # t\ncommand = \"x\"\nenv = { K = \"v\" }\n",
        ),
        (
            json!({"targets.\"b.c\"": {"command": ["y", "z"]}}),
            &[],
            "# mine\n[server]\nport = 1 # why\n\n[targets.a] # t\ncommand = \"x\"\n\n[targets.\"b.c\"]\ncommand = [\"y\", \"z\"]\n",
        ),
        (
            json!({"log.keep": 3}),
            &[],
            "# mine\n[server]\nport = 1 # why\n\n[targets.a] # t\ncommand = \"x\"\n\n[log]\nkeep = 3\n",
        ),
    ];
    for (set, unset, expected) in cases {
        let set = serde_json::from_value(set).unwrap();
        let unset: Vec<String> = unset.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(edit::edit(text, &set, &unset).unwrap(), expected, "{set:?} {unset:?}");
    }
    for (text, set, expected) in [
        ("[", json!({}), "before its mistake is corrected"),
        ("", json!({"port": 1}), "`port` can't be the name"),
        ("", json!({"server..x": 1}), "can't be the name"),
        ("server = 1", json!({"server.port": 1}), "is no table"),
        ("", json!({"server.port": null}), "can't be null"),
    ] {
        let error = edit::edit(text, &serde_json::from_value(set).unwrap(), &[]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn files_are_replaced_whole_and_links_stay() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real.toml"), dir.path().join("config.toml"));
    fs::write(&real, "a").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write(&link, "a", "b").unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "b");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(write(&link, "a", "c").is_err(), "someone else was faster");
    assert_eq!(fs::read_to_string(&real).unwrap(), "b");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "nothing is left over");
}
