//! Gemini CLI's way: hooks in the workspace's `.gemini/settings.json`.
//!
//! There is no way for one session only: a file that a variable names must belong
//! to root. So the file is made where there is none, is hidden from git, and does
//! nothing outside of schmux, because the hook does nothing there. A file of the
//! user's is left alone; the agent then gets its instructions in `GEMINI.md`, and
//! tells nothing by itself.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::workspace::{self, Part};
use super::{Work, instructions};
use crate::agents::known;

pub(super) const FILE: &str = ".gemini/settings.json";

/// The name of our hooks: Gemini shows it, and we know them by it.
const OURS: &str = "schmux";

/// Milliseconds; a hook takes a few dozen.
const LIMIT: u32 = 5000;

pub(super) async fn in_workspace(work: &mut Work<'_>, events: &[&str]) -> Result<(), String> {
    // In the user's home this is the file for everything.
    let home = work.variable("HOME").map(PathBuf::from);
    if home.is_some_and(|home| same(&home, work.request.workspace)) {
        return Err(format!("{FILE} of your home is not written to"));
    }
    let mut hooks = work.hook_table(events, LIMIT);
    for event in events {
        hooks[event][0]["hooks"][0]["name"] = json!(OURS);
    }
    let settings = json!({ "hooks": hooks });
    let content = format!("{settings:#}\n");
    let part = Part::GeminiSettings;
    workspace::put_own(work.request.root(), FILE, part, content.as_bytes()).await?;
    work.taught = true;
    Ok(())
}

/// What `schmux hook` prints for an agent that is taught by its hooks' answers.
pub fn answer(agent: &str, event: &str) -> Option<String> {
    if (agent, event) != ("gemini", "SessionStart") {
        return None;
    }
    let ways = &known::all().find(agent)?.agent.provision;
    let said = json!({ "hookSpecificOutput": {
        "hookEventName": event, "additionalContext": instructions::text(ways.signal),
    }});
    Some(format!("{said}\n"))
}

/// Whether settings hold nothing but our hooks.
pub(super) fn is_ours(content: &[u8]) -> bool {
    let Ok(Value::Object(fields)) = serde_json::from_slice(content) else { return false };
    let [hooks] = fields.values().collect::<Vec<_>>()[..] else { return false };
    let groups = hooks.as_object().into_iter().flat_map(|events| events.values());
    let mut hooks = groups
        .flat_map(|groups| groups.as_array().into_iter().flatten())
        .flat_map(|group| group.get("hooks").and_then(Value::as_array).into_iter().flatten())
        .peekable();
    fields.contains_key("hooks")
        && hooks.peek().is_some()
        && hooks.all(|hook| hook.get("name").and_then(Value::as_str) == Some(OURS))
}

fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
