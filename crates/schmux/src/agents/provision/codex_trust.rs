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

use schmux_core::sh;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::proc;

use super::once::Once;
use super::version::{self, Stamp};
use super::{Elsewhere, Request};

/// It answers in a fifth of a second; this is for a machine under load.
const LIMIT: Duration = Duration::from_secs(5);

/// Over there the way to it and back comes on top, and its script waits for ten.
const LIMIT_THERE: Duration = Duration::from_secs(20);

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

/// The Codex that is asked: a program here, or on another host.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    Here(&'a Path),
    There(&'a str, &'a Elsewhere<'a>),
}

/// What tells one Codex from another: a newer one has other fingerprints.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Which {
    Here(Stamp),
    /// By host, program and version.
    There(String, String, String),
}

impl<'a> Asked<'a> {
    pub fn of(request: &Request<'a>) -> Option<Asked<'a>> {
        match request.elsewhere {
            None => super::program(request).map(Asked::Here),
            Some(elsewhere) => Some(Asked::There(request.launch.argv.first()?, elsewhere)),
        }
    }

    fn which(self) -> Option<Which> {
        match self {
            Asked::Here(program) => version::stamp(program).map(Which::Here),
            Asked::There(program, Elsewhere { host, version, .. }) => {
                let [host, program, version] = [host, program, version].map(|t| t.to_string());
                Some(Which::There(host, program, version))
            }
        }
    }
}

/// Asks once for a program, its hooks and its variables.
pub(super) async fn ask(codex: Asked<'_>, hooks: &[String], env: &[(String, String)]) -> Trust {
    type Key = (Which, Vec<String>, Vec<(String, String)>);
    static KNOWN: LazyLock<Once<Key, Trust>> = LazyLock::new(Once::new);
    let Some(which) = codex.which() else {
        return Trust::Refused("its program is gone".to_owned());
    };
    let limit = if matches!(codex, Asked::Here(_)) { LIMIT } else { LIMIT_THERE };
    let answer = async {
        match tokio::time::timeout(limit, find_out(codex, hooks, env)).await {
            Ok(Ok(trust)) => Some(trust),
            Ok(Err(err)) => {
                tracing::debug!(%err, "Codex doesn't tell of its hooks");
                None
            }
            Err(_) => None,
        }
    };
    let known = KNOWN.get((which, hooks.to_vec(), env.to_vec()), answer).await;
    known.unwrap_or_else(|| Trust::Refused("it doesn't tell of them".to_owned()))
}

async fn find_out(
    codex: Asked<'_>,
    hooks: &[String],
    env: &[(String, String)],
) -> Result<Trust, String> {
    let listed = list(codex, hooks, env).await?;
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
    let again = list(codex, &with_state, env).await?;
    let trusted = |hook: &Value| hook["trustStatus"] == "trusted";
    Ok(match again.len() == listed.len() && again.iter().all(trusted) {
        true => Trust::Given(state),
        false => Trust::Refused("it would ask whether to trust them".to_owned()),
    })
}

/// The hooks by `-c` as Codex sees them.
async fn list(
    codex: Asked<'_>,
    settings: &[String],
    env: &[(String, String)],
) -> Result<Vec<Value>, String> {
    let program = match codex {
        Asked::Here(program) => program.to_string_lossy(),
        Asked::There(program, _) => program.into(),
    };
    let mut argv = vec![program.as_ref()];
    argv.extend(settings.iter().flat_map(|setting| ["-c", setting.as_str()]));
    argv.push("app-server");
    let client = json!({ "name": "schmux", "version": env!("CARGO_PKG_VERSION") });
    let messages = [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": client } }),
        json!({ "method": "initialized" }),
        json!({ "id": 2, "method": "hooks/list", "params": { "cwds": ["/"] } }),
    ];
    let text: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let answer = match codex {
        Asked::Here(_) => answer_here(&argv, env, &text).await?,
        Asked::There(_, elsewhere) => answer_there(elsewhere, &argv, env, &text).await?,
    };
    let hooks = answer.pointer("/result/data/0/hooks").and_then(Value::as_array);
    let ours = hooks.into_iter().flatten().filter(|hook| hook["source"] == SOURCE);
    Ok(ours.cloned().collect())
}

/// Whether a line is the answer to the question that matters.
fn answer_in(line: &str) -> Option<Value> {
    let message: Value = serde_json::from_str(line).unwrap_or_default();
    (message["id"] == 2).then_some(message)
}

async fn answer_here(argv: &[&str], env: &[(String, String)], text: &str) -> Result<Value, String> {
    let mut child = proc::asked(argv, env).map_err(|err| err.to_string())?;
    let broken = |err: std::io::Error| format!("the connection to it broke: {err}");
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no stdin".to_owned());
    };
    stdin.write_all(text.as_bytes()).await.map_err(broken)?;
    let mut lines = BufReader::new(stdout).lines();
    let answer = loop {
        let line = lines.next_line().await.map_err(broken)?;
        let line = line.ok_or("it ended without an answer")?;
        if let Some(answer) = answer_in(&line) {
            break answer;
        }
    };
    drop(stdin);
    let _: Option<ExitStatus> =
        tokio::time::timeout(FAREWELL, child.wait()).await.ok().and_then(Result::ok);
    Ok(answer)
}

/// Over there a script asks. Codex says nothing more once its stdin has ended,
/// so that is kept open until the answer is there.
async fn answer_there(
    elsewhere: &Elsewhere<'_>,
    argv: &[&str],
    env: &[(String, String)],
    text: &str,
) -> Result<Value, String> {
    let set = env.iter().map(|(name, value)| format!("{name}={value}"));
    let script = format!(
        "mkfifo \"$f.in\" || exit 1\n\
         env {} {} <\"$f.in\" >\"$f.said\" 2>/dev/null &\n\
         exec 3>\"$f.in\"\nprintf %s {} >&3\ntries=0\n\
         until grep -q '\"id\": *2[,}}]' \"$f.said\" || [ $tries -gt 100 ]; do\n\
         \ttries=$((tries + 1))\n\tsleep 0.1 || sleep 1\ndone\nexec 3>&-\ncat \"$f.said\"",
        sh::join(set),
        sh::join(argv),
        sh::quote(text),
    );
    let said = elsewhere.shell.run(script).await.ok_or("it can't be asked")?;
    said.lines().find_map(answer_in).ok_or_else(|| "it gave no answer".to_owned())
}
