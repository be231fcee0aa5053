//! Asks git about a directory without changing it and without running anything
//! that came with it.
//!
//! A repository's own settings can name programs: hooks, a file monitor,
//! filters, external diffs, a signature checker, a transport. Whoever can write
//! to `.git/config` must not be able to run something as us that way, so all of
//! these are turned off. Filters of the user's own settings (`git lfs`) stay,
//! since files would look changed without them. Submodules are not entered:
//! they have settings of their own.

use std::path::Path;
use std::time::Duration;

use schmux_core::git::{Settings, settings};

use super::site::Site;
use crate::proc::{Printed, ProcError};

/// A status of a large repository takes a second or two on a cold disk.
const LIMIT: Duration = Duration::from_secs(20);

/// Settings of nobody need more than this.
const MOST_SETTINGS: usize = 1 << 20;

const ENV: [(&str, &str); 6] = [
    // `status` would write the index it has refreshed, and call a hook for that.
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // A partial clone fetches what it misses, by any program that it names.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_PAGER", "cat"),
    // Errors are read by us, so they come in English.
    ("LC_ALL", "C"),
];

const OFF: [&str; 8] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "log.showSignature=false",
    "status.submoduleSummary=false",
    "diff.external=",
    "protocol.allow=never",
    "core.sshCommand=false",
];

/// A directory in a repository, with what its settings could make us run.
pub(super) struct SafeGit<'a> {
    pub site: &'a Site,
    dir: &'a Path,
    pub settings: Settings,
}

impl<'a> SafeGit<'a> {
    /// None if the directory isn't in a repository.
    pub async fn at(site: &'a Site, dir: &'a Path) -> Result<Option<SafeGit<'a>>, ProcError> {
        let inside = ["rev-parse", "--is-inside-work-tree"];
        match run(site, dir, &[], &inside, 100).await {
            Ok(said) if said.bytes.trim_ascii() == b"true" => {}
            Ok(_) => return Ok(None),
            Err(ProcError::Failed { stderr, .. }) if stderr.contains("not a git repository") => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        let list = ["config", "--list", "--show-scope", "--name-only", "-z"];
        let listed = run(site, dir, &[], &list, MOST_SETTINGS).await?;
        Ok(Some(SafeGit { site, dir, settings: settings(&listed.bytes) }))
    }

    /// What git answers, at most `most` bytes of it.
    pub async fn ask(&self, args: &[&str], most: usize) -> Result<Printed, ProcError> {
        run(self.site, self.dir, &self.settings.programs, args, most).await
    }

    /// A number that git answers with.
    pub async fn count(&self, args: &[&str]) -> Result<u32, ProcError> {
        let said = self.ask(args, 100).await?;
        Ok(String::from_utf8_lossy(&said.bytes).trim().parse().unwrap_or(0))
    }
}

pub(super) async fn run(
    site: &Site,
    dir: &Path,
    programs: &[String],
    args: &[&str],
    most: usize,
) -> Result<Printed, ProcError> {
    let mut argv: Vec<&str> = vec!["git", "--no-pager", "--literal-pathspecs"];
    let silenced: Vec<String> = programs.iter().map(|name| format!("{name}=")).collect();
    for setting in OFF.into_iter().chain(silenced.iter().map(String::as_str)) {
        argv.extend(["-c", setting]);
    }
    argv.extend(args);
    site.output(&argv, dir, &ENV, (most, LIMIT)).await
}
