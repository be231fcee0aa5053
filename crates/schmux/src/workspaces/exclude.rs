//! `info/exclude`: keeps single files of ours out of git, and lets them go again.
//!
//! All worktrees of a repository share that file. An entry of ours is two lines,
//! a comment and a pattern, so that only what we added is ever taken out.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::git;

const NOTE: &str = "# schmux";

/// Whether git has a file, so that a change of it would be committed.
pub async fn is_tracked(workspace: &Path, file: &str) -> bool {
    git::answers(workspace, &["ls-files", "--error-unmatch", "--", file]).await
}

/// Hides a file from git. Outside of a repository there is nothing to hide from.
pub async fn hide(workspace: &Path, file: &str) -> Result<(), String> {
    let Some(exclude) = git::git_path(workspace, "info/exclude").await else { return Ok(()) };
    if git::answers(workspace, &["check-ignore", "--quiet", "--", file]).await {
        return Ok(());
    }
    let entry = entry(workspace, file).await;
    append(&exclude, &entry).map_err(|err| {
        format!("can't add {file} to {}: {err}. It will show in `git status`", exclude.display())
    })
}

/// Takes a file's entry out.
pub async fn show(workspace: &Path, file: &str) -> Result<(), String> {
    let Some(exclude) = git::git_path(workspace, "info/exclude").await else { return Ok(()) };
    let entry = entry(workspace, file).await;
    remove(&exclude, &entry)
        .map_err(|err| format!("can't take {file} out of {}: {err}", exclude.display()))
}

/// Patterns there begin at the top of the repository.
async fn entry(workspace: &Path, file: &str) -> String {
    let prefix = git::prefix(workspace).await.unwrap_or_default();
    let mut pattern = String::from("/");
    for c in format!("{prefix}{file}").chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\' | ' ') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    format!("{NOTE}\n{pattern}\n")
}

/// In one write, so that nothing which others add meanwhile is lost.
fn append(exclude: &Path, entry: &str) -> io::Result<()> {
    if let Some(dir) = exclude.parent() {
        fs::create_dir_all(dir)?;
    }
    let open_line = match fs::read(exclude) {
        Ok(text) => text.last().is_some_and(|byte| *byte != b'\n'),
        Err(err) if err.kind() == io::ErrorKind::NotFound => false,
        Err(err) => return Err(err),
    };
    let begin = if open_line { "\n" } else { "" };
    let mut file = fs::OpenOptions::new().create(true).append(true).open(exclude)?;
    file.write_all(format!("{begin}{entry}").as_bytes())
}

fn remove(exclude: &Path, entry: &str) -> io::Result<()> {
    let text = match fs::read(exclude) {
        Ok(text) => text,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(err) => return Err(err),
    };
    let Some(at) = memchr::memmem::find(&text, entry.as_bytes()) else { return Ok(()) };
    let rest = [&text[..at], &text[at + entry.len()..]].concat();
    let fresh = exclude.with_extension(format!("schmux-{}", std::process::id()));
    fs::write(&fresh, rest)?;
    fs::set_permissions(&fresh, fs::metadata(exclude)?.permissions())?;
    fs::rename(&fresh, exclude)
}
