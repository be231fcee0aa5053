//! Turns: two requests for the same branch mean one worktree, so the second looks when
//! the first is done. Who waits for one repository holds up nobody who wants another.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Gate, OwnedMutexGuard};

/// Ends when it is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

/// A host and a repository there.
type Key = (String, PathBuf);

#[derive(Default)]
pub struct Turns {
    /// A std mutex: held for a look, never across an await.
    /// Whoever has a turn or waits for one keeps its gate.
    gates: Mutex<HashMap<Key, Weak<Gate<()>>>>,
}

impl Turns {
    /// Waits for a turn at a repository.
    pub(crate) async fn take(&self, host: &str, repository: &Path) -> Turn {
        let key = (host.to_owned(), repository.to_owned());
        let gate = {
            let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
            gates.retain(|_, gate| gate.strong_count() > 0);
            let known = gates.get(&key).and_then(Weak::upgrade);
            let gate = known.unwrap_or_default();
            gates.insert(key, Arc::downgrade(&gate));
            gate
        };
        gate.lock_owned().await
    }
}
