//! GitHub Copilot CLI's way: a plugin by `--plugin-dir`, and a directory with
//! instructions by a variable.

use serde_json::json;

use super::ways::Ways;
use super::{Work, instructions};

const VARIABLE: &str = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS";

/// Seconds; a hook takes a few hundredths of one.
const LIMIT: u32 = 5;

pub(super) fn by_plugin(work: &mut Work<'_>, ways: &Ways, events: &[&str]) -> Result<(), String> {
    let hook = |event: &&str| {
        let hook = json!({ "type": "command", "bash": work.hook(event), "timeoutSec": LIMIT });
        ((*event).to_owned(), json!([hook]))
    };
    let hooks: serde_json::Map<_, _> = events.iter().map(hook).collect();
    let plugin = json!({
        "name": "schmux", "version": env!("CARGO_PKG_VERSION"),
        "description": "Tells schmux what Copilot does", "hooks": "hooks.json",
    });
    work.write("copilot/hooks.json", &format!("{:#}\n", json!({ "version": 1, "hooks": hooks })))?;
    let plugin = work.write("copilot/plugin.json", &format!("{plugin:#}\n"))?;
    // A rule for all files is always read.
    let text = format!("---\napplyTo: \"**\"\n---\n\n{}", instructions::text(ways.signal));
    work.write("copilot/.github/instructions/schmux.instructions.md", &text)?;
    let dir = plugin.parent().unwrap_or(&plugin).to_string_lossy().into_owned();
    let dirs = match work.variable(VARIABLE) {
        Some(theirs) => format!("{theirs},{dir}"),
        None => dir.clone(),
    };
    work.set_variable(VARIABLE, dirs);
    work.launch.put_in(["--plugin-dir".to_owned(), dir]);
    Ok(())
}
