//! `config.toml` as a form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// All settings, for `GET /api/settings`, and the answer of `PUT /api/settings`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Settings {
    /// Where `config.toml` is (or would be).
    pub path: String,
    /// The file as it is; empty when there is none.
    pub text: String,
    /// Names this state of the file; a change must bring it along.
    pub etag: String,
    /// What is wrong with the file now. The daemon goes on with what it started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<SettingsProblem>,
    /// Whether the file says something that counts from the next start only.
    pub restart_needed: bool,
    /// `[server]` and the like.
    pub sections: Vec<SettingsSection>,
    /// `[targets.NAME]` and the like: as many as one wants.
    pub tables: Vec<SettingsTable>,
}

/// A mistake in `config.toml`, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettingsProblem {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsSection {
    /// Like `server`.
    pub name: String,
    /// A few words of introduction, in Markdown; may be empty.
    pub doc: String,
    pub keys: Vec<SettingsKey>,
}

/// One key of a section, or of the entries of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsKey {
    /// Like `port`.
    pub name: String,
    /// What it means, in Markdown.
    pub doc: String,
    pub kind: SettingsKind,
    /// The valid values, where there are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Its default in words: `7337`, `that of base`. In Markdown.
    pub default_words: String,
    /// Its default as a value; null when there is none.
    #[schema(value_type = Value)]
    pub default: serde_json::Value,
    /// What the file says; null when it doesn't.
    #[schema(value_type = Value)]
    pub value: serde_json::Value,
    /// An environment variable that wins over the file now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overridden_by: Option<String>,
    /// Whether a change counts from the next start only.
    pub restart: bool,
}

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingsKind {
    Boolean,
    Integer,
    Number,
    Text,
    /// A list of texts.
    List,
    /// Texts by name.
    Map,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsTable {
    /// Like `targets`.
    pub name: String,
    pub doc: String,
    /// What an entry may say; `value` and `overridden_by` mean nothing here.
    pub keys: Vec<SettingsKey>,
    /// What the file says, by the entries' names.
    #[schema(value_type = Object)]
    pub entries: BTreeMap<String, serde_json::Value>,
}

/// A change of `config.toml`, for `PUT /api/settings`: either `set` and
/// `unset`, which keep comments and everything else as it is, or a whole `text`.
/// It is checked as at a start, and nothing is written if it is wrong
/// (422 `bad_settings`, whose message names line and column) or if the file is no
/// longer what `etag` names (409 `settings_changed`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingsChange {
    pub etag: String,
    /// Values by their dotted names: `server.port`, `targets.mine.command`. Names
    /// with other characters than letters, digits, `-` and `_` are quoted as in TOML.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Object)]
    pub set: BTreeMap<String, serde_json::Value>,
    /// Keys and whole tables to take out: `spawn.cols`, `targets.mine`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unset: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
