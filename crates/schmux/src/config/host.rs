//! `[hosts.NAME]`: another place where agents can live. Says what was written;
//! `hosts` reaches it.

use serde::{Deserialize, Serialize};

use super::target::command;

/// How a host is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Host {
    /// A command that runs the rest of its arguments there: `ssh box`,
    /// `docker exec -i c`. As a string, split like a shell does.
    #[serde(deserialize_with = "command")]
    pub connect: Vec<String>,
    /// The word that is added to it and starts a shell there; empty if the
    /// command is a shell already.
    pub shell: String,
    /// The same with a terminal, for `schmux attach`. Default: guessed from `connect`.
    #[serde(deserialize_with = "command", skip_serializing_if = "Vec::is_empty")]
    pub attach: Vec<String>,
    /// A command that is run here before every attempt to connect: it starts a
    /// container, a pod or a job, or does nothing if that runs.
    #[serde(deserialize_with = "command", skip_serializing_if = "Vec::is_empty")]
    pub prepare: Vec<String>,
    /// A command that is run here after the host was disconnected or removed.
    #[serde(deserialize_with = "command", skip_serializing_if = "Vec::is_empty")]
    pub release: Vec<String>,
    /// Where worktrees and clones are made there. Default: below `~/.schmux`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspaces_dir: Option<String>,
    /// Each workspace has a place of its own, which `prepare` starts and
    /// `release` ends; `{workspace}` in the commands stands for its id.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub each_workspace: bool,
}

/// It stands in tables.
pub(crate) const LONGEST_NAME: usize = 40;

/// What stands for a workspace's id in commands.
const WORKSPACE: &str = "{workspace}";

impl Default for Host {
    fn default() -> Self {
        Host {
            connect: Vec::new(),
            shell: "sh".into(),
            attach: Vec::new(),
            prepare: Vec::new(),
            release: Vec::new(),
            workspaces_dir: None,
            each_workspace: false,
        }
    }
}

impl Host {
    /// The place of one workspace.
    pub(crate) fn for_workspace(&self, id: &str) -> Host {
        let filled = |words: &[String]| words.iter().map(|w| w.replace(WORKSPACE, id)).collect();
        Host {
            connect: filled(&self.connect),
            attach: filled(&self.attach),
            prepare: filled(&self.prepare),
            release: filled(&self.release),
            each_workspace: false,
            ..self.clone()
        }
    }

    pub(crate) fn check(&self, name: &str) -> Result<(), String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let good = !name.is_empty() && !name.starts_with('-') && name.len() <= LONGEST_NAME;
        if !good || !name.chars().all(plain) {
            return Err(format!(
                "host name `{name}`: use up to {LONGEST_NAME} letters, digits, `-` and `_`, not starting with `-`"
            ));
        }
        if name == "local" {
            return Err("a host can't be called `local`: that is this machine".into());
        }
        if self.each_workspace && !self.connect.iter().any(|word| word.contains(WORKSPACE)) {
            return Err(format!(
                "host `{name}` has a place for each workspace, so `connect` must say which: write {WORKSPACE} where its id belongs"
            ));
        }
        if self.connect.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(format!("host `{name}` needs a command: `connect = \"ssh box\"`"));
        }
        Ok(())
    }
}
