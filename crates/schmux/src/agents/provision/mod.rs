//! Provisioning: agents learn to signal, and tell of their turns by themselves.
//!
//! Whatever an agent offers is given to it for one session only, by flags and
//! variables whose files lie in the home: nothing of the user's is touched.
//! Only agents that take instructions from files in the workspace get some
//! there (`workspace`), which `schmux unprovision` takes out again. What an
//! agent offers is data in `known.toml`; `docs/agents.md` is the table.
//!
//! It never fails: an agent that can't be provisioned runs as it would have,
//! and a note says why.

mod block;
mod codex;
mod codex_trust;
mod copilot;
mod defaults;
mod gemini;
mod instructions;
mod mcp;
mod once;
mod opencode;
mod settings;
mod version;
mod ways;
mod workspace;

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use futures_util::future::BoxFuture;
use schmux_core::courier::policy::Reach;
use serde_json::{Value, json};

use crate::config::Config;
use crate::home::Home;

use super::known;
use super::launch::Launch;
use version::Version;
use ways::{Hooks, Teaching};
use workspace::Root;

pub use gemini::answer;
pub(super) use ways::Ways;
pub use workspace::{Removed, unprovision};

/// A session that is about to start.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// With its prompt and extra arguments.
    pub launch: &'a Launch,
    pub session: &'a str,
    pub workspace: &'a Path,
    pub home: &'a Home,
    /// The program that hooks call: this schmux.
    pub exe: &'a Path,
    pub config: &'a Config,
    /// The agent runs on another host. Then nothing of this machine's user counts.
    pub elsewhere: Option<&'a Elsewhere<'a>>,
}

/// Another host, as far as provisioning needs it. What it may look at is copied
/// to a directory here; what it writes into the copy of the workspace is brought
/// over by whoever made the copy.
#[derive(Clone, Copy)]
pub struct Elsewhere<'a> {
    pub host: &'a str,
    /// What the agent there says of its version.
    pub version: &'a str,
    /// Stands for the `/` of the host.
    pub copy: &'a Path,
    /// The user's home there.
    pub home: &'a str,
    /// Files of the workspace that git has.
    pub tracked: &'a [String],
    pub shell: &'a (dyn Shell + 'a),
}

/// Runs scripts there.
pub trait Shell: Send + Sync {
    /// What a script prints; in it `$f` begins the names of files of its own.
    fn run(&self, script: String) -> BoxFuture<'_, Option<String>>;
}

impl Elsewhere<'_> {
    /// The copy of a file, by its path there.
    pub fn copy_of(&self, path: &str) -> PathBuf {
        self.copy.join(path.trim_start_matches('/'))
    }
}

impl<'a> Request<'a> {
    fn root(&self) -> Root<'a> {
        Root { path: self.workspace, tracked: self.elsewhere.map(|elsewhere| elsewhere.tracked) }
    }
}

/// What to start instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provisioned {
    pub argv: Vec<String>,
    /// All variables of the target, and ours.
    pub env: Vec<(String, String)>,
    /// What could not be done, for the log.
    pub notes: Vec<String>,
}

/// Tells a hook whose session it is in: agents run other agents, whose hooks
/// are not to be taken for theirs.
pub const AGENT: &str = "SCHMUX_AGENT";

/// Prepares an agent's files, flags and variables.
pub async fn provision(request: &Request<'_>) -> Provisioned {
    let mut work = Work::new(request);
    if let Some(agent) = &request.launch.base {
        work.set_variable(AGENT, agent.clone());
    }
    if let Some(ways) = ways(request) {
        let version = match (request.elsewhere, program(request)) {
            (Some(elsewhere), _) => version::in_text(elsewhere.version),
            (None, Some(program)) => version::of(program).await,
            (None, None) => None,
        };
        if ways.fit(version.as_ref()) {
            work.hooks(ways, version.as_ref()).await;
            work.instructions(ways, version.as_ref()).await;
            work.mcp(ways);
        } else {
            work.notes.push(format!("{} is too old to be provisioned", request.launch.argv[0]));
        }
    }
    Provisioned { argv: work.launch.argv, env: work.launch.env, notes: work.notes }
}

/// Files that provisioning an agent may look at or write, by their paths: those
/// of its workspace, and those of its user and its machine.
pub fn files_of(base: &str, workspace: &str, home: &str) -> Vec<String> {
    let Some(known) = known::all().find(base) else { return Vec::new() };
    let ways = &known.agent.provision;
    let inside = workspace::files_of(ways).into_iter().map(|file| format!("{workspace}/{file}"));
    let outside = match ways.hooks {
        Some(Hooks::Codex) => codex::files(workspace, home),
        Some(Hooks::Defaults) => vec![defaults::FILE.to_owned()],
        _ => Vec::new(),
    };
    inside.chain(outside).collect()
}

/// Removes the files of a session that is gone. What can't be removed harms nobody.
pub fn forget(home: &Home, session: &str) {
    let _ = fs::remove_dir_all(home.launches().join(session));
}

/// What can be done for a target, unless the user doesn't want it.
fn ways(request: &Request<'_>) -> Option<&'static Ways> {
    let base = request.launch.base.as_deref()?;
    let provision = &request.config.provision;
    let excepted =
        provision.except.iter().any(|name| name == base || *name == request.launch.target);
    let wanted = provision.enabled && !excepted && !request.launch.argv.is_empty();
    let ways = &known::all().find(base)?.agent.provision;
    (wanted && (ways.hooks.is_some() || ways.instructions.is_some())).then_some(ways)
}

/// The agent's program. A command of the user's own may be anything, and isn't
/// asked for its version.
fn program<'a>(request: &Request<'a>) -> Option<&'a Path> {
    if request.elsewhere.is_some() {
        return None;
    }
    let program = Path::new(request.launch.argv.first()?);
    let known = super::by_program(program.file_name()?.to_str()?)?;
    (request.launch.base.as_deref() == Some(known)).then_some(program)
}

/// A launch while it is being changed.
struct Work<'a> {
    request: &'a Request<'a>,
    agent: &'a str,
    launch: Launch,
    notes: Vec<String>,
    /// Whether the hooks that were given bring the instructions along.
    taught: bool,
}

impl<'a> Work<'a> {
    fn new(request: &'a Request<'a>) -> Work<'a> {
        Work {
            request,
            agent: request.launch.base.as_deref().unwrap_or_default(),
            launch: request.launch.clone(),
            notes: Vec::new(),
            taught: false,
        }
    }

    async fn hooks(&mut self, ways: &Ways, version: Option<&Version>) {
        let events: Vec<&str> = ways.events(version).collect();
        let done = match ways.hooks {
            None => return,
            Some(Hooks::Settings) => settings::by_flag(self, ways, &events),
            Some(Hooks::Defaults) => defaults::by_variable(self, &events),
            Some(Hooks::Codex) => codex::by_config(self, ways, &events).await,
            Some(Hooks::Gemini) => gemini::in_workspace(self, &events).await,
            Some(Hooks::Opencode) => opencode::by_plugin(self, ways),
            Some(Hooks::Copilot) => copilot::by_plugin(self, ways, &events),
        };
        if let Err(note) = done {
            self.notes.push(note);
        }
    }

    async fn instructions(&mut self, ways: &'static Ways, version: Option<&Version>) {
        let text = instructions::text(ways.signal);
        let done = match &ways.instructions {
            None | Some(Teaching::Hooks) => return,
            Some(_) if self.taught => return,
            Some(Teaching::Flag) => settings::append_prompt(self, &text, version),
            Some(Teaching::Block(files)) => {
                workspace::put_block(self.request.root(), files, &text).await
            }
            Some(Teaching::File { file, head }) => {
                workspace::put_text(self.request.root(), file, head, &text).await
            }
        };
        if let Err(note) = done {
            self.notes.push(note);
        }
    }

    /// Whether agents may write to each other at all.
    fn may_write(&self) -> bool {
        let messages = &self.request.config.messages;
        messages.agents != Reach::None || !messages.allow.is_empty()
    }

    /// On another host there is no schmux to start.
    fn way_to_mcp(&self, ways: &Ways) -> Option<ways::Mcp> {
        let wanted = self.request.config.messages.mcp && self.request.elsewhere.is_none();
        ways.mcp.filter(|_| wanted)
    }

    fn mcp(&mut self, ways: &Ways) {
        if let Some(mcp) = self.way_to_mcp(ways)
            && let Err(note) = mcp::offer(self, mcp)
        {
            self.notes.push(note);
        }
    }

    /// The command that an agent's hook runs, for a shell.
    fn hook(&self, event: &str) -> String {
        let exe = self.request.exe.to_string_lossy();
        let quoted = shlex::try_quote(&exe).map(|quoted| quoted.into_owned());
        let exe = quoted.unwrap_or_else(|_| "schmux".to_owned());
        format!("{exe} hook {} {event}", self.agent)
    }

    /// Hooks as Claude Code, Gemini and their kin write them. The limit is for a
    /// machine that is out of breath; it is in seconds or in milliseconds.
    fn hook_table(&self, events: &[&str], limit: u32) -> Value {
        let entry = |event: &&str| {
            let hook = json!({
                "type": "command", "command": self.hook(event), "timeout": limit,
            });
            ((*event).to_owned(), json!([{ "hooks": [hook] }]))
        };
        Value::Object(events.iter().map(entry).collect())
    }

    /// A variable as the agent will see it.
    fn variable(&self, name: &str) -> Option<String> {
        let own =
            self.launch.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let outer = || match self.request.elsewhere {
            None => std::env::var(name).ok(),
            Some(elsewhere) if name == "HOME" => {
                Some(elsewhere.copy_of(elsewhere.home).to_string_lossy().into_owned())
            }
            Some(_) => None,
        };
        own.or_else(outer).filter(|value| !value.is_empty())
    }

    fn set_variable(&mut self, name: &str, value: String) {
        self.launch.env.retain(|(key, _)| key != name);
        self.launch.env.push((name.to_owned(), value));
    }

    /// Writes a file of this session's, and returns its path.
    fn write(&self, name: &str, content: &str) -> Result<PathBuf, String> {
        let path = self.request.home.launches().join(self.request.session).join(name);
        write_private(&path, content)
            .map(|()| path.clone())
            .map_err(|err| format!("can't write {}: {err}", path.display()))
    }
}

/// The user's settings may hold keys, so copies of them are for the user only.
pub(crate) fn write_private(path: &Path, content: &str) -> io::Result<()> {
    if let Some(dir) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    io::Write::write_all(&mut file, content.as_bytes())
}

/// Adds hooks to settings that the user has, behind their own.
fn add_hooks(settings: &mut Value, ours: Value) -> Result<(), String> {
    let refused = || "the settings' `hooks` are not of the form that is expected".to_owned();
    let fields = settings.as_object_mut().ok_or_else(refused)?;
    let hooks = fields.entry("hooks").or_insert_with(|| json!({}));
    let hooks = hooks.as_object_mut().ok_or_else(refused)?;
    for (event, ours) in ours.as_object().into_iter().flatten() {
        let theirs = hooks.entry(event.clone()).or_insert_with(|| json!([]));
        let theirs = theirs.as_array_mut().ok_or_else(refused)?;
        theirs.extend(ours.as_array().into_iter().flatten().cloned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
