//! `[presets.NAME]`: a spawn that one wants often. Says what was written;
//! `spawn::preset` makes a request of it.

use serde::Deserialize;

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preset {
    pub description: Option<String>,
    /// What to run, each `count` times.
    pub targets: Vec<String>,
    /// `local`, or the name of a host.
    pub host: Option<String>,
    pub workspace: Option<String>,
    pub worktree: Option<String>,
    pub clone: Option<String>,
    pub nickname: Option<String>,
    pub prompt: Option<String>,
    pub count: Option<u32>,
    pub args: Vec<String>,
}

impl Preset {
    pub(super) fn check(&self, name: &str) -> Result<(), String> {
        if self.targets.is_empty() || self.targets.iter().any(String::is_empty) {
            return Err(format!(
                "preset `{name}` says nothing to run: add `targets = [\"claude\"]`"
            ));
        }
        if self.count.is_some_and(|count| count == 0 || count > 200) {
            return Err(format!("`count` of preset `{name}`: use a number from 1 to 200"));
        }
        if self.clone.is_some() && (self.workspace.is_some() || self.worktree.is_some()) {
            return Err(format!(
                "preset `{name}`: `clone` can't be used together with `workspace` or `worktree`"
            ));
        }
        Ok(())
    }
}
