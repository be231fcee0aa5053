//! Claude Code's way, and Droid's: `--settings FILE` with hooks, and
//! `--append-system-prompt`. What the user gives by the same flags is kept:
//! only one of each counts, so ours contains theirs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::version::Version;
use super::ways::{Signal, Ways};
use super::{Work, add_hooks};

/// Seconds; a hook takes a few hundredths of one.
const LIMIT: u32 = 5;

pub(super) fn by_flag(work: &mut Work<'_>, ways: &Ways, events: &[&str]) -> Result<(), String> {
    let given = last_value(work, "--settings");
    let mut settings = match &given {
        None => json!({}),
        Some(given) => read(given, work.request.workspace)?,
    };
    add_hooks(&mut settings, work.hook_table(events, LIMIT))?;
    if ways.signal == Signal::Command {
        allow(&mut settings, "Bash(schmux signal:*)");
        if work.may_write() {
            allow(&mut settings, "Bash(schmux tell:*)");
        }
    }
    if work.way_to_mcp(ways).is_some() {
        allow(&mut settings, &format!("mcp__{}", super::mcp::NAME));
    }
    let path = work.write("settings.json", &format!("{settings:#}\n"))?;
    remove(work, "--settings");
    work.launch.put_in(["--settings".to_owned(), path.to_string_lossy().into_owned()]);
    Ok(())
}

/// Appends to the system prompt, behind what the user appends.
pub(super) fn append_prompt(
    work: &mut Work<'_>,
    text: &str,
    version: Option<&Version>,
) -> Result<(), String> {
    const FLAG: &str = "--append-system-prompt";
    const FILE_FLAG: &str = "--append-system-prompt-file";
    let words = last_value(work, FLAG);
    let file = last_value(work, FILE_FLAG);
    // With both, the agent says what is wrong better than we could.
    let (theirs, by_file) = match (words, file) {
        (Some(_), Some(_)) => return Ok(()),
        (Some(words), None) => (Some(words), false),
        (None, Some(file)) => {
            let path = work.request.workspace.join(&file);
            let text = fs::read_to_string(&path)
                .map_err(|err| format!("can't read {}: {err}", path.display()))?;
            (Some(text), true)
        }
        (None, None) => (None, knows_file_flag(work.agent, version)),
    };
    let text = match theirs {
        Some(theirs) => format!("{}\n\n{text}", theirs.trim_end()),
        None => text.to_owned(),
    };
    remove(work, FLAG);
    remove(work, FILE_FLAG);
    let (flag, value) = match by_file {
        true => (FILE_FLAG, work.write("instructions.md", &text)?.to_string_lossy().into_owned()),
        false => (FLAG, text),
    };
    work.launch.put_in([flag.to_owned(), value]);
    Ok(())
}

/// A file keeps the process list readable; where the flag isn't there, it must not be used.
fn knows_file_flag(agent: &str, version: Option<&Version>) -> bool {
    let since = match agent {
        "claude" => "2.0.37",
        "droid" => "0.215.0",
        _ => return false,
    };
    version.is_some_and(|version| since.parse().is_ok_and(|since| *version >= since))
}

/// So that the human isn't asked whether the agent may tell them something.
/// Rules of the user's that forbid it win.
fn allow(settings: &mut Value, rule: &str) {
    let Some(fields) = settings.as_object_mut() else { return };
    let permissions = fields.entry("permissions").or_insert_with(|| json!({}));
    let Some(permissions) = permissions.as_object_mut() else { return };
    let allow = permissions.entry("allow").or_insert_with(|| json!([]));
    if let Some(allow) = allow.as_array_mut() {
        allow.push(json!(rule));
    }
}

/// JSON, or a file with it. What we can't read the agent shall complain about.
fn read(given: &str, workspace: &Path) -> Result<Value, String> {
    let text = if given.trim_start().starts_with('{') {
        given.to_owned()
    } else {
        let path = workspace.join(given);
        fs::read_to_string(&path).map_err(|err| format!("can't read {}: {err}", path.display()))?
    };
    serde_json::from_str(&text).map_err(|err| format!("your --settings are no JSON: {err}"))
}

/// The value that counts if a flag is given several times: the last.
pub(super) fn last_value(work: &Work<'_>, flag: &str) -> Option<String> {
    let words: Vec<(usize, &str)> = work.launch.flags().collect();
    words.iter().enumerate().rev().find_map(|(nth, (_, word))| match word.strip_prefix(flag) {
        Some("") => words.get(nth + 1).map(|(_, value)| (*value).to_owned()),
        Some(rest) => rest.strip_prefix('=').map(str::to_owned),
        None => None,
    })
}

/// Takes a flag and its value out, as often as it is there.
pub(super) fn remove(work: &mut Work<'_>, flag: &str) {
    let place = |work: &Work<'_>| {
        work.launch.flags().find_map(|(at, word)| match word.strip_prefix(flag)? {
            "" => Some((at, 2)),
            rest => rest.starts_with('=').then_some((at, 1)),
        })
    };
    while let Some((at, count)) = place(work) {
        work.launch.take_out(at, count);
    }
}
