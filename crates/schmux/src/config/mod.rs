//! `config.toml`: settings for people.
//!
//! The file lies in the home of an instance and may be absent. Every key has a
//! default and every mistake is told with its line, its column and what to do;
//! `docs/config.md` is the table for users. Nothing in here opens a socket,
//! reads a certificate or looks for a program. [`Config::parse`] looks at the text
//! only, [`Config::checked`] also whether a file that it names is there.
//!
//! ```toml
//! [server]
//! port = 7337                # 0 picks a free one; SCHMUX_PORT wins over it
//! bind = "127.0.0.1"
//! tls_cert = "cert.pem"      # both or none; relative to the home
//! tls_key = "key.pem"
//! allowed_hosts = ["box.lan"]
//!
//! [tmux]
//! history_limit = 5000
//! sessions_per_server = 50
//! config = "~/.tmux.conf"    # an extra tmux configuration to source
//!
//! [spawn]
//! cols = 120
//! rows = 40
//! workspaces_dir = "~/agents"
//!
//! [provision]
//! enabled = true             # agents are taught to signal
//! except = ["gemini"]        # but not these targets
//!
//! [messages]
//! agents = "workspace"       # or "all", or "none": whom agents may write to
//! allow = [{ from = "boss", to = "*" }]
//! hooks = true               # they come with the answers of an agent's hooks
//! mcp = true                 # agents are offered `schmux mcp`
//!
//! [targets.reviewer]
//! base = "claude"
//! args = ["--model", "opus"]
//! description = "Claude that reviews"
//!
//! [targets.mine]
//! command = "my-agent --yes" # or ["my-agent", "--yes"]
//! prompt = "flag:--prompt"   # or "argument", or "none"
//! env = { MY_KEY = "value" }
//!
//! [hosts.box]
//! connect = "ssh box"        # or ["docker", "exec", "-i", "c"]
//! attach = "ssh -t box"      # the same with a terminal; guessed for most
//! prepare = "my-cloud start" # before connecting, and after disconnecting:
//! release = "my-cloud stop"
//! workspaces_dir = "~/agents"
//!
//! [notify.phone]
//! webhook = "https://ntfy.sh/my-topic"
//! format = "ntfy"            # or "json", or "slack"
//!
//! [notify.desk]
//! desktop = true
//!
//! [nudgenik]
//! api = "anthropic"          # or "openai", "gemini", "ollama"; or agent = "claude"
//! model = "claude-haiku-4-5"
//! key_env = "ANTHROPIC_API_KEY"
//!
//! [presets.review]
//! targets = ["claude", "codex"]
//! prompt = "Review the last commit"
//!
//! [replay]
//! session_mb = 50            # what is kept of each session's output
//!
//! [log]
//! level = "info"
//! keep = 5
//! ```

mod error;
mod file;
mod host;
mod notify;
mod nudgenik;
mod preset;
mod replay;
mod target;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use schmux_core::courier::policy::Policy;
use serde::Deserialize;

use crate::home::Home;
use crate::http::auth::BadHost;

/// How wide and high a session may be: with less no agent can draw its field, and
/// nobody reads more.
pub const COLS: RangeInclusive<u16> = 20..=1000;
pub const ROWS: RangeInclusive<u16> = 5..=1000;

pub use error::ConfigError;
pub use host::Host;
pub(crate) use host::LONGEST_NAME;
pub use notify::{Format, Notifier};
pub use nudgenik::{Api, Dollars, Nudgenik, OneShot};
pub use preset::Preset;
pub use replay::Replay;
pub use target::{PromptStyle, Target};

/// All settings of an instance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    pub server: Server,
    pub tmux: Tmux,
    pub spawn: Spawn,
    pub provision: Provision,
    /// Who may write to whom, and how.
    pub messages: Policy,
    /// What the user added to the known agents, by name.
    pub targets: BTreeMap<String, Target>,
    /// Other places where agents can live, by name.
    pub hosts: BTreeMap<String, Host>,
    /// Other ways to tell the human of a call, by name.
    pub notify: BTreeMap<String, Notifier>,
    /// Who reads the last words of an agent that says nothing.
    pub nudgenik: Nudgenik,
    /// Spawns that one wants often, by name.
    pub presets: BTreeMap<String, Preset>,
    /// What is recorded of sessions.
    pub replay: Replay,
    pub log: Log,
}

/// Where the API and the page are served.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// 0 picks a free one.
    pub port: u16,
    pub bind: IpAddr,
    /// PEM files, absolute once loaded. Either both are set or neither is.
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    /// Names besides loopback's under which a browser may ask for the page.
    pub allowed_hosts: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tmux {
    /// Lines of scrollback that tmux keeps for each pane.
    pub history_limit: u32,
    /// A further tmux server is opened beyond this many sessions.
    pub sessions_per_server: u32,
    /// An extra tmux configuration, absolute once loaded.
    pub config: Option<PathBuf>,
}

/// What a new session gets unless its request says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spawn {
    pub cols: u16,
    pub rows: u16,
    /// Where worktrees and clones are made, absolute once loaded.
    pub workspaces_dir: Option<PathBuf>,
}

/// Whether agents are given hooks and instructions when they start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provision {
    pub enabled: bool,
    /// Targets, or agents with all their models, that are left as they are.
    pub except: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    pub level: Level,
    /// How many old log files are kept.
    pub keep: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Level {
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        }
    }
}

impl Default for Server {
    fn default() -> Self {
        Server {
            port: 7337,
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            tls_cert: None,
            tls_key: None,
            allowed_hosts: Vec::new(),
        }
    }
}

impl Default for Tmux {
    fn default() -> Self {
        // tmux's cost per event grows with the sessions of a server: at 50 it is about twice that of one.
        Tmux { history_limit: 5000, sessions_per_server: 50, config: None }
    }
}

impl Default for Spawn {
    fn default() -> Self {
        Spawn { cols: 120, rows: 40, workspaces_dir: None }
    }
}

impl Default for Provision {
    fn default() -> Self {
        Provision { enabled: true, except: Vec::new() }
    }
}

impl Default for Log {
    fn default() -> Self {
        Log { level: Level::Info, keep: 5 }
    }
}

impl Config {
    /// The settings of `home`, with `SCHMUX_PORT` applied. No file means defaults.
    pub fn load(home: &Home) -> Result<Config, ConfigError> {
        let path = home.config();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(err) if err.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(ConfigError::Unreadable { path, source }),
        };
        let user = std::env::var_os("HOME").map(PathBuf::from);
        let mut config = Config::checked(&text, &path, user.as_deref())?;
        if let Some(port) = std::env::var_os("SCHMUX_PORT").filter(|port| !port.is_empty()) {
            config.server.port = port_from(&port)?;
        }
        Ok(config)
    }

    /// The settings in `text`, which was read from `path`: relative paths in it
    /// start there, and `~` is `user`'s home.
    pub fn parse(text: &str, path: &Path, user: Option<&Path>) -> Result<Config, ConfigError> {
        let mut config: Config =
            toml::from_str(text).map_err(|err| error::explain(&err, text, path))?;
        config.check(text, path)?;
        let dir = path.parent().unwrap_or(Path::new("/"));
        let files = [
            &mut config.server.tls_cert,
            &mut config.server.tls_key,
            &mut config.tmux.config,
            &mut config.spawn.workspaces_dir,
            &mut config.nudgenik.key_file,
        ];
        for file in files.into_iter().flatten() {
            *file = dir.join(expand_tilde(file, user));
        }
        Ok(config)
    }

    /// Where worktrees and clones are made.
    pub fn workspaces_dir(&self, home: &Home) -> PathBuf {
        self.spawn.workspaces_dir.clone().unwrap_or_else(|| home.workspaces())
    }

    /// The same, and the files that it names are looked for: without them the daemon
    /// starts, and what needs them fails much later, where nobody looks.
    pub fn checked(text: &str, path: &Path, user: Option<&Path>) -> Result<Config, ConfigError> {
        let config = Config::parse(text, path, user)?;
        if let Some(file) = &config.tmux.config
            && let Err(why) = file::can_be_read(file)
        {
            let message = format!(
                "`config` is {}, which {why}: correct the path, or remove the line",
                file.display()
            );
            return Err(error::at(&["tmux", "config"], message, text, path));
        }
        Ok(config)
    }

    /// What the types can't express.
    fn check(&self, text: &str, path: &Path) -> Result<(), ConfigError> {
        let wrong = |keys: &[&str], message: String| Err(error::at(keys, message, text, path));
        match (&self.server.tls_cert, &self.server.tls_key) {
            (Some(_), None) => {
                return wrong(
                    &["server", "tls_cert"],
                    "`tls_cert` needs `tls_key` beside it: set both, or neither".to_owned(),
                );
            }
            (None, Some(_)) => {
                return wrong(
                    &["server", "tls_key"],
                    "`tls_key` needs `tls_cert` beside it: set both, or neither".to_owned(),
                );
            }
            _ => {}
        }
        for entry in &self.server.allowed_hosts {
            if let Err(bad) = BadHost::check(entry) {
                return wrong(&["server", "allowed_hosts"], bad.to_string());
            }
        }
        let wide = |range: RangeInclusive<u16>| u64::from(*range.start())..=u64::from(*range.end());
        let ranges: [(&str, &str, u64, RangeInclusive<u64>); 7] = [
            ("replay", "session_mb", self.replay.session_mb.into(), 2..=100_000),
            ("replay", "total_mb", self.replay.total_mb.into(), 2..=1_000_000),
            ("replay", "days", self.replay.days.into(), 1..=3650),
            ("spawn", "cols", self.spawn.cols.into(), wide(COLS)),
            ("spawn", "rows", self.spawn.rows.into(), wide(ROWS)),
            ("tmux", "sessions_per_server", self.tmux.sessions_per_server.into(), 1..=1000),
            ("tmux", "history_limit", self.tmux.history_limit.into(), 0..=1_000_000),
        ];
        for (section, key, value, range) in ranges {
            if !range.contains(&value) {
                let (low, high) = (range.start(), range.end());
                return wrong(
                    &[section, key],
                    format!("`{key}` is {value}: use a number from {low} to {high}"),
                );
            }
        }
        for (name, target) in &self.targets {
            if let Err(message) = target.check(name) {
                return wrong(&["targets", name], message);
            }
            if let Some(base) = &target.base
                && let Err(why) = target::check_base(base)
            {
                let message = format!("`base` of target `{name}` is {why}");
                return wrong(&["targets", name, "base"], message);
            }
        }
        for name in &self.provision.except {
            if let Err(why) = target::check_name(name, &self.targets) {
                return wrong(&["provision", "except"], format!("`except` names {why}"));
            }
        }
        for (name, preset) in &self.presets {
            if let Err(message) = preset.check(name) {
                return wrong(&["presets", name], message);
            }
            for target in &preset.targets {
                if let Err(why) = target::check_name(target, &self.targets) {
                    let message = format!("preset `{name}` runs {why}");
                    return wrong(&["presets", name, "targets"], message);
                }
            }
        }
        for (name, host) in &self.hosts {
            if let Err(message) = host.check(name) {
                return wrong(&["hosts", name], message);
            }
        }
        for (name, notifier) in &self.notify {
            if let Err(message) = notifier.check(name) {
                return wrong(&["notify", name], message);
            }
        }
        if let Err((key, message)) = self.nudgenik.check() {
            return wrong(&["nudgenik", key], message);
        }
        Ok(())
    }
}

/// `~` and `~/…` as the user's home; anything else as it is.
pub(crate) fn expand_tilde(path: &Path, user: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), user) {
        (Ok(rest), Some(user)) if rest.as_os_str().is_empty() => user.to_owned(),
        (Ok(rest), Some(user)) => user.join(rest),
        _ => path.to_owned(),
    }
}

fn port_from(value: &OsStr) -> Result<u16, ConfigError> {
    value
        .to_str()
        .and_then(|text| text.trim().parse().ok())
        .ok_or_else(|| ConfigError::Port { value: value.to_string_lossy().into_owned() })
}

#[cfg(test)]
mod tests;
