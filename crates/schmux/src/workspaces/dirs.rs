//! `.schmux/` in a workspace: where agents write their state. It is kept out of
//! git by `info/exclude`, so no file of the user's is touched.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::git;

/// What keeps our directory out of `git status`.
const PATTERN: &str = ".schmux/";

/// Where a session's agent writes its state.
pub fn status_file(workspace: &Path, session_id: &str) -> PathBuf {
    workspace.join(".schmux/signal").join(session_id)
}

/// Where a session's agent appends its events.
pub fn events_file(workspace: &Path, session_id: &str) -> PathBuf {
    workspace.join(".schmux/events").join(format!("{session_id}.jsonl"))
}

/// The directories below the workspace in which a session's inbox is.
pub const INBOX_DIRS: [&str; 2] = [".schmux", "inbox"];

/// What was brought to a session's agent without a key.
pub fn inbox_file(workspace: &Path, session_id: &str) -> PathBuf {
    let dir = INBOX_DIRS.iter().fold(workspace.to_owned(), |dir, name| dir.join(name));
    dir.join(session_id)
}

/// Makes `.schmux/{signal,events}` and hides them from git; what is to be said if the
/// second can't be done. Agents run where the first can't be done, too: the watch
/// says that, once, and the doctor as long as it is so.
pub async fn ensure_schmux_dirs(workspace: &Path) -> Option<String> {
    crate::watch::make_dirs(workspace).ok()?;
    // Not a repository: there is nothing to hide from.
    let exclude = git::git_path(workspace, "info/exclude").await?;
    hide(&exclude).err().map(|err| {
        format!("can't add {PATTERN} to {}: {err}. It will show in `git status`", exclude.display())
    })
}

/// Adds our line unless it is there already. It is appended in one write, so
/// that nothing which the user or another program adds meanwhile is lost.
fn hide(exclude: &Path) -> io::Result<()> {
    let text = match fs::read(exclude) {
        Ok(text) => text,
        Err(err) if err.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(err) => return Err(err),
    };
    let ours = |line: &[u8]| matches!(line.trim_ascii(), b".schmux/" | b".schmux" | b"/.schmux/");
    if text.split(|byte| *byte == b'\n').any(ours) {
        return Ok(());
    }
    if let Some(dir) = exclude.parent() {
        fs::create_dir_all(dir)?;
    }
    let open_line = text.last().is_some_and(|byte| *byte != b'\n');
    let line = format!("{}{PATTERN}\n", if open_line { "\n" } else { "" });
    fs::OpenOptions::new().create(true).append(true).open(exclude)?.write_all(line.as_bytes())
}
