//! `config.toml` as a form: what can be set, what it means, what the file says, and
//! changes to it that keep everything else as its owner wrote it.
//!
//! What can be set is kept in two places only: `docs/config.md` says what each key
//! means, and `config` knows what is valid. `manual` reads the first, `probe` asks the
//! second, and a test holds them together. `edit` changes texts.

mod edit;
mod manual;
mod probe;

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use crate::app::App;
use crate::config::{Config, ConfigError};
use crate::http::auth::hex;
use crate::http::error::Failure;
use crate::wire::{
    Settings, SettingsChange, SettingsKey, SettingsProblem, SettingsSection, SettingsTable,
};

/// Changes come one at a time. The lock is held while files are written, which
/// takes a millisecond.
#[derive(Default)]
pub struct Desk {
    one_change: Mutex<()>,
}

/// All settings as they are now.
pub fn read(app: &App) -> Result<Settings, Failure> {
    let path = app.home.config();
    let text = text_of(&path)?;
    let parsed = Config::checked(&text, &path, user().as_deref());
    let problem = parsed.as_ref().err().and_then(problem);
    // While the file is wrong, what it means isn't known.
    let table: toml::Table = text.parse().unwrap_or_default();
    let said: Value = serde_json::to_value(&table).unwrap_or_default();
    let (sections, tables) = form(&said);
    Ok(Settings {
        path: path.to_string_lossy().into_owned(),
        etag: etag(&text),
        restart_needed: is_restart_needed(app),
        text,
        problem,
        sections,
        tables,
    })
}

/// Makes a change, or leaves everything as it was.
pub async fn change(app: &App, change: SettingsChange) -> Result<Settings, Failure> {
    let _one = app.settings.one_change.lock().await;
    let path = app.home.config();
    let before = text_of(&path)?;
    if etag(&before) != change.etag {
        return Err(Failure::conflict(
            "settings_changed",
            format!("{} has changed meanwhile", path.display()),
        )
        .advice("read the settings again and repeat the change"));
    }
    let after = match &change.text {
        Some(_) if !change.set.is_empty() || !change.unset.is_empty() => {
            return Err(Failure::bad_request(
                "bad_change",
                "`text` can't be used together with `set` or `unset`",
            )
            .advice("send one of them"));
        }
        Some(text) => text.clone(),
        None => edit::edit(&before, &change.set, &change.unset).map_err(refused)?,
    };
    if let Err(error) = Config::checked(&after, &path, user().as_deref()) {
        return Err(explain(&error, &before, &change, &path));
    }
    write(&path, &before, &after).map_err(|error| {
        Failure::conflict("not_written", format!("can't write {}: {error}", path.display()))
            .advice("check its permissions, and that the disk isn't full; the file is as it was")
    })?;
    tracing::info!(path = %path.display(), set = ?change.set.keys(), unset = ?change.unset, "settings changed");
    read(app)
}

/// Sections and tables with what the file says of them.
fn form(said: &Value) -> (Vec<SettingsSection>, Vec<SettingsTable>) {
    let (mut sections, mut tables) = (Vec::new(), Vec::new());
    for form in probe::forms() {
        let of_file = said.get(&form.name).cloned().unwrap_or_default();
        let doc = form.doc.clone();
        if form.is_table {
            let entries = of_file.as_object().cloned().unwrap_or_default();
            let (name, keys) = (form.name.clone(), form.keys.clone());
            tables.push(SettingsTable { name, doc, keys, entries: entries.into_iter().collect() });
            continue;
        }
        let keys = form.keys.iter().cloned().map(|mut key: SettingsKey| {
            key.value = of_file.get(&key.name).cloned().unwrap_or_default();
            let is_port = (form.name.as_str(), key.name.as_str()) == ("server", "port");
            let variable =
                std::env::var_os("SCHMUX_PORT").filter(|port| is_port && !port.is_empty());
            key.overridden_by = variable.map(|_| "SCHMUX_PORT".to_owned());
            key
        });
        sections.push(SettingsSection { name: form.name.clone(), doc, keys: keys.collect() });
    }
    (sections, tables)
}

/// Presets are read for each use; everything else when the daemon starts.
fn is_restart_needed(app: &App) -> bool {
    let Ok(config) = Config::load(&app.home) else { return false };
    Config { presets: app.config.presets.clone(), ..config } != app.config
}

fn problem(error: &ConfigError) -> Option<SettingsProblem> {
    let ConfigError::Invalid { line, column, message, .. } = error else { return None };
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Some(SettingsProblem { line: number(*line), column: number(*column), message: message.clone() })
}

/// A mistake, with the key that brought it in where one did.
fn explain(error: &ConfigError, before: &str, change: &SettingsChange, path: &Path) -> Failure {
    let alone = |(name, value): &(&String, &Value)| {
        let set = [((*name).clone(), (*value).clone())].into();
        edit::edit(before, &set, &[])
            .is_ok_and(|text| Config::checked(&text, path, user().as_deref()).is_err())
    };
    let culprit = change.set.iter().find(alone).map(|(name, _)| format!("`{name}`: "));
    let message = format!("{}{error}", culprit.unwrap_or_default());
    Failure::unprocessable("bad_settings", message).advice("correct it; nothing was written")
}

fn refused(error: edit::EditError) -> Failure {
    Failure::unprocessable("bad_settings", error.to_string())
        .advice("correct it; nothing was written")
}

fn text_of(path: &Path) -> Result<String, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => {
            let message = format!("can't read {}: {error}", path.display());
            Err(Failure::conflict("settings_unreadable", message).advice("make it readable"))
        }
    }
}

fn etag(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..16])
}

fn user() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from)
}

/// Puts a new file in the old one's place, if that still says `before`. A
/// symbolic link stays one: people keep such files elsewhere.
fn write(path: &Path, before: &str, after: &str) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // It may hold keys, so a new one is for its owner only.
    let mode = fs::metadata(&path).map_or(0o600, |meta| meta.permissions().mode() & 0o777);
    let beside = path.with_extension(format!("toml.{}.new", std::process::id()));
    let result = (|| {
        let mut file =
            fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(&beside)?;
        file.write_all(after.as_bytes())?;
        file.sync_all()?;
        let now = fs::read_to_string(&path).unwrap_or_default();
        if now != before {
            return Err(io::Error::other("it has changed this very moment"));
        }
        fs::rename(&beside, &path)
    })();
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result
}

#[cfg(test)]
mod tests;
