//! Trust for our own hooks, and for no others.
//!
//! Codex runs a hook only if its fingerprint is among the trusted ones; the
//! settings by `-c` may say which. Codex itself tells the fingerprints of the
//! hooks that it is given (`hooks/list` of its app server), so we ask it, and
//! ask again whether it would trust them with these. If it wouldn't, or doesn't
//! know the question, they are not used: it would open a dialog at its start.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::proc;

use super::once::Once;
use super::version::{self, Stamp};

/// It answers in a fifth of a second; this is for a machine under load.
const LIMIT: Duration = Duration::from_secs(5);

/// It ends when its stdin does.
const FAREWELL: Duration = Duration::from_secs(1);

/// Where settings by `-c` count as coming from.
const SOURCE: &str = "sessionFlags";

#[derive(Debug, Clone)]
pub(super) enum Trust {
    /// The setting that makes Codex trust them.
    Given(String),
    Refused(String),
}

/// Asks once for a program, its hooks and its variables.
pub(super) async fn ask(program: &Path, hooks: &[String], env: &[(String, String)]) -> Trust {
    type Key = (Stamp, Vec<String>, Vec<(String, String)>);
    static KNOWN: LazyLock<Once<Key, Trust>> = LazyLock::new(Once::new);
    let Some(stamp) = version::stamp(program) else {
        return Trust::Refused("its program is gone".to_owned());
    };
    let answer = async {
        match tokio::time::timeout(LIMIT, find_out(program, hooks, env)).await {
            Ok(Ok(trust)) => Some(trust),
            Ok(Err(err)) => {
                tracing::debug!(%err, "Codex doesn't tell of its hooks");
                None
            }
            Err(_) => None,
        }
    };
    let known = KNOWN.get((stamp, hooks.to_vec(), env.to_vec()), answer).await;
    known.unwrap_or_else(|| Trust::Refused("it doesn't tell of them".to_owned()))
}

async fn find_out(
    program: &Path,
    hooks: &[String],
    env: &[(String, String)],
) -> Result<Trust, String> {
    let listed = list(program, hooks, env).await?;
    let entry = |hook: &Value| {
        let key = toml::Value::from(hook["key"].as_str()?);
        let hash = toml::Value::from(hook["currentHash"].as_str()?);
        Some(format!("{key}={{trusted_hash={hash}}}"))
    };
    let entries: Option<Vec<String>> = listed.iter().map(entry).collect();
    let entries = match entries {
        Some(entries) if !entries.is_empty() => entries,
        _ => return Ok(Trust::Refused("it doesn't take hooks".to_owned())),
    };
    let state = format!("hooks.state={{{}}}", entries.join(","));
    let with_state: Vec<String> = hooks.iter().chain([&state]).cloned().collect();
    let again = list(program, &with_state, env).await?;
    let trusted = |hook: &Value| hook["trustStatus"] == "trusted";
    Ok(match again.len() == listed.len() && again.iter().all(trusted) {
        true => Trust::Given(state),
        false => Trust::Refused("it would ask whether to trust them".to_owned()),
    })
}

/// The hooks by `-c` as Codex sees them.
async fn list(
    program: &Path,
    settings: &[String],
    env: &[(String, String)],
) -> Result<Vec<Value>, String> {
    let program = program.to_string_lossy();
    let mut argv = vec![program.as_ref()];
    argv.extend(settings.iter().flat_map(|setting| ["-c", setting.as_str()]));
    argv.push("app-server");
    let mut child = proc::asked(&argv, env).map_err(|err| err.to_string())?;
    let broken = |err: std::io::Error| format!("the connection to it broke: {err}");
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no stdin".to_owned());
    };
    let client = json!({ "name": "schmux", "version": env!("CARGO_PKG_VERSION") });
    let messages = [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": client } }),
        json!({ "method": "initialized" }),
        json!({ "id": 2, "method": "hooks/list", "params": { "cwds": ["/"] } }),
    ];
    let text: String = messages.iter().map(|message| format!("{message}\n")).collect();
    stdin.write_all(text.as_bytes()).await.map_err(broken)?;
    let mut lines = BufReader::new(stdout).lines();
    let answer = loop {
        let line = lines.next_line().await.map_err(broken)?;
        let line = line.ok_or("it ended without an answer")?;
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        if message["id"] == 2 {
            break message;
        }
    };
    drop(stdin);
    let _: Option<ExitStatus> =
        tokio::time::timeout(FAREWELL, child.wait()).await.ok().and_then(Result::ok);
    let hooks = answer.pointer("/result/data/0/hooks").and_then(Value::as_array);
    let ours = hooks.into_iter().flatten().filter(|hook| hook["source"] == SOURCE);
    Ok(ours.cloned().collect())
}
