//! What the watch can tell of itself, for `schmux doctor`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schmux_core::ids::SessionId;

/// How things stand, as of now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// Workspaces whose files are watched.
    pub watched: usize,
    /// Workspaces whose files are polled, and why.
    pub polled: BTreeMap<PathBuf, String>,
    /// Workspaces where agents can't signal by every file, and why.
    pub closed: BTreeMap<PathBuf, String>,
    /// Files that are refused or can't be read, and why.
    pub refused: BTreeMap<PathBuf, String>,
    /// How much each session has written that is no signal since the daemon
    /// started, and the last of it.
    pub invalid: BTreeMap<SessionId, (u64, String)>,
}

/// How a workspace's files are followed, the better ways first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Watched,
    /// Its directories are not there, and it isn't ours to make them.
    Missing,
    /// They are there, and inotify can't be had for them.
    Polled(String),
    /// They can't be made or used.
    Closed(String),
}

/// Shared by the threads that watch and the one who asks. A lock, because both
/// touch it a few times a minute and for a moment only; a channel would need a
/// task that owns the same thing.
#[derive(Clone, Default)]
pub struct Report(Arc<Mutex<Shared>>);

#[derive(Default)]
struct Shared {
    workspaces: BTreeMap<PathBuf, State>,
    refused: BTreeMap<PathBuf, String>,
    invalid: BTreeMap<SessionId, (u64, String)>,
}

impl Report {
    pub fn findings(&self) -> Findings {
        let shared = self.shared();
        let mut findings = Findings {
            refused: shared.refused.clone(),
            invalid: shared.invalid.clone(),
            ..Findings::default()
        };
        for (path, state) in &shared.workspaces {
            match state {
                State::Watched => findings.watched += 1,
                State::Polled(why) => drop(findings.polled.insert(path.clone(), why.clone())),
                State::Closed(why) => drop(findings.closed.insert(path.clone(), why.clone())),
                State::Missing => {}
            }
        }
        findings
    }

    /// `None` when the workspace isn't followed any more.
    pub(super) fn workspace(&self, path: &Path, state: Option<State>) {
        match state {
            Some(state) => drop(self.shared().workspaces.insert(path.to_owned(), state)),
            None => drop(self.shared().workspaces.remove(path)),
        }
    }

    /// `None` when the file is good, or isn't there any more.
    pub(super) fn file(&self, path: &Path, trouble: Option<String>) {
        match trouble {
            Some(trouble) => drop(self.shared().refused.insert(path.to_owned(), trouble)),
            None => drop(self.shared().refused.remove(path)),
        }
    }

    pub(super) fn invalid(&self, session: &SessionId, count: u64, last: &str) {
        let mut shared = self.shared();
        let entry = shared.invalid.entry(session.clone()).or_default();
        *entry = (entry.0 + count, last.to_owned());
    }

    /// The session is no more, and its files don't matter.
    pub(super) fn forget(&self, session: &SessionId, files: [PathBuf; 2]) {
        let mut shared = self.shared();
        shared.invalid.remove(session);
        for file in files {
            shared.refused.remove(&file);
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // What is in there is whole after every statement.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
