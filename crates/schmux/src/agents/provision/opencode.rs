//! opencode's way: a plugin and a file with instructions, by a variable whose
//! JSON is laid on all other settings; lists in it add up with the user's.

use serde_json::{Value, json};

use super::ways::Ways;
use super::{Work, instructions};

pub(super) const VARIABLE: &str = "OPENCODE_CONFIG_CONTENT";

pub(super) fn by_plugin(work: &mut Work<'_>, ways: &Ways) -> Result<(), String> {
    let mut config: Value = match work.variable(VARIABLE) {
        None => json!({}),
        Some(text) => serde_json::from_str(&text)
            .map_err(|err| format!("your {VARIABLE} is no JSON: {err}"))?,
    };
    let exe = json!(work.request.exe.to_string_lossy());
    let plugin = include_str!("opencode_plugin.js").replace("\"SCHMUX_EXE\"", &exe.to_string());
    let plugin = work.write("opencode/schmux.js", &plugin)?;
    let text = work.write("opencode/instructions.md", &instructions::text(ways.signal))?;
    add(&mut config, "plugin", format!("file://{}", plugin.display()))?;
    add(&mut config, "instructions", text.to_string_lossy().into_owned())?;
    work.set_variable(VARIABLE, config.to_string());
    Ok(())
}

fn add(config: &mut Value, key: &str, value: String) -> Result<(), String> {
    let refused = || format!("`{key}` in your {VARIABLE} is no list");
    let fields = config.as_object_mut().ok_or_else(refused)?;
    let list = fields.entry(key).or_insert_with(|| json!([]));
    list.as_array_mut().ok_or_else(refused)?.push(value.into());
    Ok(())
}
