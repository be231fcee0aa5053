//! Qwen Code's way: a variable names the file with the machine's defaults, on
//! which the user's and the project's settings are laid; lists of hooks add up.
//! What the machine's own file says is taken along.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Work, add_hooks};

const DEFAULTS: &str = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";
const SETTINGS: &str = "QWEN_CODE_SYSTEM_SETTINGS_PATH";

/// Where the settings of a whole machine usually are.
pub(super) const FILE: &str = "/etc/qwen-code/system-defaults.json";

/// Milliseconds; a hook takes a few dozen.
const LIMIT: u32 = 5000;

pub(super) fn by_variable(work: &mut Work<'_>, events: &[&str]) -> Result<(), String> {
    let path = machine_file(work);
    let mut settings = match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str::<Value>(&text)
            .map_err(|err| format!("{} can't be taken along: {err}", path.display()))?,
        Err(err) if err.kind() == io::ErrorKind::NotFound => json!({}),
        Err(err) => return Err(format!("can't read {}: {err}", path.display())),
    };
    add_hooks(&mut settings, work.hook_table(events, LIMIT))?;
    let file = work.write("defaults.json", &format!("{settings:#}\n"))?;
    work.set_variable(DEFAULTS, file.to_string_lossy().into_owned());
    Ok(())
}

/// Where the agent would look for it.
fn machine_file(work: &Work<'_>) -> PathBuf {
    if let Some(elsewhere) = work.request.elsewhere {
        return elsewhere.copy_of(FILE);
    }
    if let Some(path) = work.variable(DEFAULTS) {
        return path.into();
    }
    let settings = work.variable(SETTINGS).map(PathBuf::from).unwrap_or_else(|| {
        match cfg!(target_os = "macos") {
            true => "/Library/Application Support/QwenCode/settings.json".into(),
            false => "/etc/qwen-code/settings.json".into(),
        }
    });
    settings.with_file_name("system-defaults.json")
}
