//! A workspace's difference from HEAD, untracked files included, in a size that
//! a browser can show.

use std::path::{Path, PathBuf};

use schmux_core::git::{self, Change, cut_lines};

use super::files::{self, Read};
use super::inspect::{EMPTY_TREE, status};
use super::safe_git::SafeGit;
use super::site::Site;
use crate::proc::ProcError;
use crate::wire::{ChangeKind, DiffQuery, FileDiff, GitDiff};

/// More of one file than this is not read by anyone: some 5,000 lines.
const MOST_OF_FILE: usize = 256 << 10;

/// When one file was asked for, there is more room for it.
const MOST_OF_ONE: usize = 2 << 20;

/// More than this at once makes a browser slow.
const MOST_OF_ALL: usize = 2 << 20;

/// How much git may print for that: renames and long lines are cut later.
const MOST_PRINTED: usize = 8 << 20;

const USUAL_CONTEXT: u32 = 3;
const MOST_CONTEXT: u32 = 1000;

pub(super) async fn diff(site: &Site, dir: &Path, query: &DiffQuery) -> Result<GitDiff, ProcError> {
    let Some(git) = SafeGit::at(site, dir).await? else { return Ok(GitDiff::default()) };
    let status = status(&git).await?;
    let mut diff = Room { left: MOST_OF_ALL, each: MOST_OF_FILE, diff: GitDiff::default() };
    if query.path.is_some() {
        diff.each = MOST_OF_ONE;
    }
    let wanted = |file: &&git::File| query.path.as_ref().is_none_or(|path| *path == file.path);
    let files: Vec<&git::File> = status.files.iter().filter(wanted).collect();
    let is_untracked = |file: &&&git::File| file.change == Change::Untracked;
    if files.iter().any(|file| !is_untracked(&file)) {
        let base = status.head.as_deref().unwrap_or(EMPTY_TREE);
        for patch in tracked(&git, base, query, &files).await? {
            diff.add(patch);
        }
    }
    let untracked: Vec<String> =
        files.iter().filter(is_untracked).map(|file| file.path.clone()).collect();
    if let Some(top) = files::top(&git).await.filter(|_| !untracked.is_empty()) {
        diff = new_files(site, diff, top, untracked).await;
    }
    diff.diff.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(diff.diff)
}

async fn tracked(
    git: &SafeGit<'_>,
    base: &str,
    query: &DiffQuery,
    files: &[&git::File],
) -> Result<Vec<git::Patch>, ProcError> {
    let context = query.context.unwrap_or(USUAL_CONTEXT).min(MOST_CONTEXT);
    let context = format!("-U{context}");
    let mut args = vec!["diff", "--raw", "-p", "-z", "-M", "--no-color", "--no-ext-diff"];
    args.extend(["--no-textconv", "--no-relative", "--submodule=short"]);
    args.extend(["--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/"]);
    args.extend([context.as_str(), base, "--"]);
    // git's paths start at the top, wherever in the repository the workspace is.
    let named: Vec<String> = match &query.path {
        Some(_) => {
            let names = files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]);
            names.flatten().cloned().collect()
        }
        None => Vec::new(),
    };
    let top = files::top(git).await.unwrap_or_default();
    let named: Vec<String> =
        named.iter().map(|path| top.join(path).to_string_lossy().into_owned()).collect();
    args.extend(named.iter().map(String::as_str));
    let printed = git.ask(&args, MOST_PRINTED).await?;
    Ok(git::patches(&printed.bytes, printed.cut))
}

/// The diff so far, and how much more fits.
struct Room {
    left: usize,
    each: usize,
    diff: GitDiff,
}

impl Room {
    fn add(&mut self, patch: git::Patch) {
        let git::Patch { path, old_path, change, binary, mut text, cut } = patch;
        if binary {
            text.clear();
        }
        let cut = cut_lines(&mut text, self.each) || cut;
        if text.len() > self.left {
            self.diff.left_out.push(path);
            return;
        }
        self.left -= text.len();
        let status = change.into();
        self.diff.files.push(FileDiff { path, old_path, status, binary, diff: text, cut });
    }
}

async fn new_files(site: &Site, room: Room, top: PathBuf, untracked: Vec<String>) -> Room {
    let most = room.each;
    files::each(site, top, untracked, most, room, |room, path, read| {
        let fits = room.left >= room.each.min(MOST_OF_FILE);
        match fits.then(read).flatten() {
            Some(read) => room.add(new_file(path, read)),
            None => room.diff.left_out.push(path),
        }
    })
    .await
}

fn new_file(path: String, read: Read) -> git::Patch {
    let (content, cut) = match read {
        Read::Plain(content, cut) => (content, cut),
        Read::Link(target) => (target, false),
        Read::Not => (Vec::new(), false),
    };
    let text = git::new_file(&path, &content);
    let change = Change::Untracked;
    let binary = text.is_none();
    git::Patch { path, old_path: None, change, binary, text: text.unwrap_or_default(), cut }
}

impl From<Change> for ChangeKind {
    fn from(change: Change) -> ChangeKind {
        match change {
            Change::Added => ChangeKind::Added,
            Change::Modified => ChangeKind::Modified,
            Change::Deleted => ChangeKind::Deleted,
            Change::Renamed => ChangeKind::Renamed,
            Change::Copied => ChangeKind::Copied,
            Change::TypeChanged => ChangeKind::TypeChanged,
            Change::Untracked => ChangeKind::Untracked,
            Change::Conflicted => ChangeKind::Conflicted,
        }
    }
}
