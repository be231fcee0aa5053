//! Asks the settings' own parser what kind of value a key takes and which ones,
//! so that nobody has to write it down a second time.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use super::manual;
use crate::config::{Config, ConfigError};
use crate::wire::{SettingsKey, SettingsKind};

/// What can be set in one section, or in the entries of one table.
pub(super) struct Form {
    pub name: String,
    pub is_table: bool,
    pub doc: String,
    pub keys: Vec<SettingsKey>,
}

pub(super) fn forms() -> &'static [Form] {
    static FORMS: LazyLock<Vec<Form>> =
        LazyLock::new(|| manual::sections().into_iter().map(form).collect());
    &FORMS
}

fn form(section: manual::Section) -> Form {
    let manual::Section { name, is_table, doc, keys } = section;
    let head = if is_table { format!("[{name}.x]") } else { format!("[{name}]") };
    // The only one that is read for each use.
    let restart = name != "presets";
    let keys = keys.into_iter().map(|key| {
        let place = format!("{head}\n{} =", key.name);
        let kind = kind(&place);
        SettingsKey {
            choices: choices(&place, kind),
            kind,
            default: default(&key.default_words),
            name: key.name,
            doc: key.doc,
            default_words: key.default_words,
            value: Value::Null,
            overridden_by: None,
            restart,
        }
    });
    Form { keys: keys.collect(), name, is_table, doc }
}

/// The first kind of value that the parser doesn't call the wrong one. A whole
/// number is good for a fraction too, so that is tried first.
fn kind(place: &str) -> SettingsKind {
    let tries = [
        ("\"x\"", SettingsKind::Text),
        ("true", SettingsKind::Boolean),
        ("0.5", SettingsKind::Number),
        ("7", SettingsKind::Integer),
        ("[]", SettingsKind::List),
        ("{}", SettingsKind::Map),
    ];
    let fits = |value: &str| {
        !complaint(&format!("{place} {value}")).is_some_and(|said| said.contains("invalid type"))
    };
    tries.into_iter().find(|(value, _)| fits(value)).map_or(SettingsKind::Text, |(_, kind)| kind)
}

/// What the parser names when it is given a word that nobody uses.
fn choices(place: &str, kind: SettingsKind) -> Vec<String> {
    let value = match kind {
        SettingsKind::Text => "\"no-such-word\"",
        SettingsKind::List => "[\"no-such-word\"]",
        _ => return Vec::new(),
    };
    let said = complaint(&format!("{place} {value}")).unwrap_or_default();
    valid(&said, "value")
}

/// The names in ``unknown key `x`. Valid: `a`, `b` ``.
pub(super) fn valid(said: &str, what: &str) -> Vec<String> {
    let list = said.contains(&format!("unknown {what}")).then(|| said.split_once("Valid: "));
    let names = list.flatten().map(|(_, names)| names).unwrap_or_default();
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

pub(super) fn complaint(text: &str) -> Option<String> {
    match Config::parse(text, Path::new("/config.toml"), None) {
        Err(ConfigError::Invalid { message, .. }) => Some(message),
        _ => None,
    }
}

/// A default that is written as a value is one; other words are for people.
fn default(words: &str) -> Value {
    let value = words.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or_default();
    let parsed: Option<toml::Table> = format!("v = {value}").parse().ok();
    parsed.and_then(|table| serde_json::to_value(&table["v"]).ok()).unwrap_or_default()
}
