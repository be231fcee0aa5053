//! Codex's way: everything by `-c KEY=VALUE`, for this session only.
//!
//! Hooks by `-c` run only if they are trusted, which `codex_trust` sees to for
//! exactly ours; where that can't be, Codex would ask at its start, so they are
//! left out and `notify` tells at least when a turn has ended. A value by `-c`
//! replaces the user's, so what the user has is taken along: their instructions
//! stand before ours, and their `notify` is run after ours.

use std::fs;
use std::path::PathBuf;

use toml::{Table, Value};

use super::codex_trust::{self, Asked, Trust};
use super::ways::Ways;
use super::{Work, instructions};

/// Seconds. Codex warns of more than 3 for some events.
const LIMIT: u32 = 3;

pub(super) async fn by_config(
    work: &mut Work<'_>,
    ways: &Ways,
    events: &[&str],
) -> Result<(), String> {
    let user = user_config(work);
    teach(work, ways, &user);
    // The user's own hooks by `-c` would replace ours and not be trusted.
    let has_own = config_flags(work).any(|(_, _, setting)| setting.starts_with("hooks."));
    let hooks: Vec<String> = match has_own {
        true => Vec::new(),
        false => events.iter().map(|event| hook(work, event)).collect(),
    };
    let env = work.launch.env.clone();
    match Asked::of(work.request) {
        Some(codex) if !hooks.is_empty() => match codex_trust::ask(codex, &hooks, &env).await {
            Trust::Given(state) => {
                put_in(work, hooks.into_iter().chain([state]));
                return Ok(());
            }
            Trust::Refused(why) => work.notes.push(format!("Codex's hooks can't be used: {why}")),
        },
        _ => {}
    }
    notify(work, &user);
    Ok(())
}

fn hook(work: &Work<'_>, event: &str) -> String {
    let command = Value::from(work.hook(event));
    format!("hooks.{event}=[{{hooks=[{{type=\"command\",command={command},timeout={LIMIT}}}]}}]")
}

fn teach(work: &mut Work<'_>, ways: &Ways, user: &Table) {
    const KEY: &str = "developer_instructions";
    let given = take(work, KEY).map(|value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    });
    let theirs = given.or_else(|| Some(user.get(KEY)?.as_str()?.to_owned()));
    let ours = instructions::text(ways.signal);
    let text = match theirs.filter(|theirs| !theirs.trim().is_empty()) {
        Some(theirs) => format!("{}\n\n{ours}", theirs.trim_end()),
        None => ours,
    };
    put_in(work, [format!("{KEY}={}", Value::from(text))]);
}

/// Runs us at the end of each turn, and then what the user has there.
fn notify(work: &mut Work<'_>, user: &Table) {
    let theirs = take(work, "notify").or_else(|| user.get("notify").cloned());
    let theirs = theirs.as_ref().and_then(Value::as_array).into_iter().flatten();
    let theirs: Vec<Value> = theirs.filter(|word| word.is_str()).cloned().collect();
    let exe = work.request.exe.to_string_lossy().into_owned();
    let mut words: Vec<Value> = [exe.as_str(), "hook", "codex", "notify"].map(Value::from).into();
    if !theirs.is_empty() {
        words.push("--then".into());
        words.extend(theirs);
    }
    put_in(work, [format!("notify={}", Value::Array(words))]);
}

pub(super) fn put_in(work: &mut Work<'_>, settings: impl IntoIterator<Item = String>) {
    let words = settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting]);
    work.launch.put_in(words.collect::<Vec<_>>());
}

/// Settings among the flags: where each begins, how many words it has, and what it says.
fn config_flags<'a>(work: &'a Work<'_>) -> impl Iterator<Item = (usize, usize, &'a str)> {
    let words: Vec<(usize, &str)> = work.launch.flags().collect();
    (0..words.len()).filter_map(move |nth| {
        let (at, word) = words[nth];
        let next = || words.get(nth + 1).map(|(_, next)| (at, 2, *next));
        match word {
            "-c" | "--config" => next(),
            _ => word.strip_prefix("--config=").map(|setting| (at, 1, setting)),
        }
    })
}

/// Takes a setting out of the flags; the last one counts.
fn take(work: &mut Work<'_>, key: &str) -> Option<Value> {
    let mut taken = None;
    loop {
        let place = config_flags(work).find_map(|(at, count, setting)| {
            let value = setting.strip_prefix(key)?.strip_prefix('=')?;
            Some((at, count, value.to_owned()))
        });
        let Some((at, count, value)) = place else { return taken };
        work.launch.take_out(at, count);
        // As Codex reads it: TOML, or else the text itself.
        let parsed: Option<Table> = format!("it = {value}").parse().ok();
        taken = parsed.and_then(|mut table| table.remove("it")).or(Some(Value::from(value)));
    }
}

/// The files that [`user_config`] reads, by their usual names.
pub(super) fn files(workspace: &str, home: &str) -> Vec<String> {
    vec![format!("{home}/.codex/config.toml"), format!("{workspace}/.codex/config.toml")]
}

/// What the user's files say, those that win last. What can't be read Codex
/// itself complains about.
fn user_config(work: &Work<'_>) -> Table {
    let home = work.variable("CODEX_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(work.variable("HOME")?).join(".codex")));
    let profile =
        ["--profile", "-p"].iter().find_map(|flag| super::settings::last_value(work, flag));
    let files = [
        home.as_ref().map(|home| home.join("config.toml")),
        home.as_ref().zip(profile).map(|(home, name)| home.join(format!("{name}.config.toml"))),
        Some(work.request.workspace.join(".codex/config.toml")),
    ];
    let mut config = Table::new();
    for file in files.into_iter().flatten() {
        let text = fs::read_to_string(file).unwrap_or_default();
        config.extend(text.parse::<Table>().unwrap_or_default());
    }
    config
}
