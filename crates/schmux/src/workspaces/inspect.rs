//! What git knows of a workspace, for people: its state, its diff, and what
//! would be lost with its directory.
//!
//! A state is kept for a moment, so that a page with many sessions, and several
//! pages, cost little more than one; and only a few repositories are asked at once.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use schmux_core::git::{self, Change, File};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use super::files;
use super::safe_git::SafeGit;
use super::site::{Key, Site};
use crate::proc::ProcError;
use crate::wire::{ChangedFile, Commit, GitState, Risk, WorkspaceKind};

/// How old an answer may be. A page asks when something changed, and people
/// look at it for longer than this.
const FRESH: Duration = Duration::from_millis(1500);

/// As many as there are cores on a small machine: git is busy, not waiting.
const AT_ONCE: usize = 2;

/// Some 40,000 paths. Who has more changes than that has another problem.
pub(super) const MOST_STATUS: usize = 4 << 20;

const MOST_FILES: usize = 1000;
const MOST_COMMITS: usize = 50;

/// The tree of no files, which every repository knows: what a first commit is compared with.
pub(super) const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Asks git, and remembers the answers for a moment.
pub struct Inspector {
    slots: Semaphore,
    /// A std mutex: held to find an entry, never across an await.
    seen: Mutex<HashMap<Key, Arc<Seen>>>,
}

/// The state of one directory. The lock is tokio's because it is held while git
/// runs: whoever asks meanwhile waits for the same answer.
type Seen = tokio::sync::Mutex<Option<(Instant, GitState)>>;

impl Default for Inspector {
    fn default() -> Inspector {
        Inspector { slots: Semaphore::new(AT_ONCE), seen: Mutex::default() }
    }
}

impl Inspector {
    pub async fn state(
        &self,
        site: &Site,
        dir: &Path,
        kind: WorkspaceKind,
    ) -> Result<GitState, ProcError> {
        let seen = {
            let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            // Directories that nobody has asked about for a while are forgotten.
            all.retain(|_, seen| Arc::strong_count(seen) > 1 || is_fresh(seen));
            all.entry(site.key(dir)).or_default().clone()
        };
        let mut seen = seen.lock().await;
        if let Some((_, state)) = seen.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(state.clone());
        }
        let _slot = self.slot(site).await;
        let state = look(site, dir, kind).await?;
        *seen = Some((Instant::now(), state.clone()));
        Ok(state)
    }

    /// The same, asked anew: before something is removed.
    pub async fn state_now(
        &self,
        site: &Site,
        dir: &Path,
        kind: WorkspaceKind,
    ) -> Result<GitState, ProcError> {
        let _slot = self.slot(site).await;
        look(site, dir, kind).await
    }

    /// Another host is busy on its own.
    async fn slot(&self, site: &Site) -> Option<SemaphorePermit<'_>> {
        match site {
            Site::Here => self.slots.acquire().await.ok(),
            Site::There(..) => None,
        }
    }

    /// Keeps to the same few at once as everything else.
    pub async fn diff(
        &self,
        site: &Site,
        dir: &Path,
        query: &crate::wire::DiffQuery,
    ) -> Result<crate::wire::GitDiff, ProcError> {
        let _slot = self.slot(site).await;
        super::diff::diff(site, dir, query).await
    }
}

fn is_fresh(seen: &Seen) -> bool {
    seen.try_lock().is_ok_and(|seen| seen.as_ref().is_some_and(|(at, _)| at.elapsed() < FRESH))
}

async fn look(site: &Site, dir: &Path, kind: WorkspaceKind) -> Result<GitState, ProcError> {
    let Some(git) = SafeGit::at(site, dir).await? else { return Ok(GitState::default()) };
    let status = status(&git).await?;
    let base = status.head.clone().unwrap_or_else(|| EMPTY_TREE.to_owned());
    let numstat = ["diff", "--numstat", "-z", "-M", "--no-ext-diff", "--no-textconv"];
    let rest = ["--no-relative", "--ignore-submodules=dirty", &base, "--"];
    let counts = git.ask(&[&numstat[..], &rest[..]].concat(), MOST_STATUS).await;
    // Of a repository with an unusual kind of ids the numbers are all that is missing.
    let counts = counts.map(|printed| git::numstat(&printed.bytes)).unwrap_or_default();
    let counts: HashMap<&str, (u32, u32)> =
        counts.iter().filter_map(|c| Some((c.path.as_str(), c.lines?))).collect();
    let unpushed = unpushed(&git, &status).await?;
    let risk = risk(&git, &status, kind, unpushed.1).await?;
    let more_changed = status.files.len().saturating_sub(MOST_FILES);
    let top = files::top(&git).await;
    let shown = status.files.into_iter().take(MOST_FILES);
    let changed = shown.map(|file| changed(file, &counts)).collect();
    Ok(GitState {
        is_repo: true,
        branch: status.branch,
        head: status.head,
        upstream: status.upstream,
        ahead: status.ahead,
        behind: status.behind,
        changed: files::counted(site, top, changed).await,
        more_changed: count(more_changed),
        stashes: status.stashes,
        unpushed: unpushed.0,
        unpushed_count: unpushed.1,
        risk,
    })
}

pub(super) async fn status(git: &SafeGit<'_>) -> Result<git::Status, ProcError> {
    let args = ["status", "--porcelain=v2", "-z", "--branch", "--show-stash"];
    let rest = ["--untracked-files=all", "--ignore-submodules=dirty", "--find-renames"];
    let printed = git.ask(&[&args[..], &rest[..]].concat(), MOST_STATUS).await?;
    Ok(git::status(&printed.bytes))
}

fn changed(file: File, counts: &HashMap<&str, (u32, u32)>) -> ChangedFile {
    let lines = counts.get(file.path.as_str()).copied();
    ChangedFile {
        path: file.path,
        old_path: file.old_path,
        status: file.change.into(),
        additions: lines.map(|(added, _)| added),
        deletions: lines.map(|(_, deleted)| deleted),
        staged: file.staged,
        unstaged: file.unstaged,
    }
}

/// Commits of HEAD that no remote has. A repository without remotes has nowhere
/// to push to, so there they are not worth a word.
async fn unpushed(
    git: &SafeGit<'_>,
    status: &git::Status,
) -> Result<(Vec<Commit>, u32), ProcError> {
    if !git.settings.has_remote || status.head.is_none() {
        return Ok((Vec::new(), 0));
    }
    let all = git.count(&["rev-list", "--count", "HEAD", "--not", "--remotes"]).await?;
    if all == 0 {
        return Ok((Vec::new(), 0));
    }
    let most = format!("-n{MOST_COMMITS}");
    let format = "--format=%H%x00%an%x00%ct%x00%s";
    let args = ["log", "-z", &most, format, "HEAD", "--not", "--remotes"];
    let printed = git.ask(&args, MOST_STATUS).await?;
    let words: Vec<String> =
        printed.bytes.split(|&b| b == 0).map(|w| String::from_utf8_lossy(w).into_owned()).collect();
    let commits = words.chunks_exact(4).map(|fields| Commit {
        id: fields[0].clone(),
        author: fields[1].clone(),
        at: Timestamp::from_second(fields[2].parse().unwrap_or(0)).unwrap_or_default(),
        subject: fields[3].clone(),
    });
    Ok((commits.collect(), all))
}

/// What is only in this directory. A worktree's branches and stashes are in the
/// repository that it belongs to, and stay there.
async fn risk(
    git: &SafeGit<'_>,
    status: &git::Status,
    kind: WorkspaceKind,
    unpushed: u32,
) -> Result<Risk, ProcError> {
    let untracked = status.files.iter().filter(|f| f.change == Change::Untracked).count();
    let uncommitted = status.files.len() - untracked;
    let (commits, stashes) = match kind {
        WorkspaceKind::Directory => (0, 0),
        _ if status.head.is_none() => (0, status.stashes),
        WorkspaceKind::Worktree => {
            let kept =
                ["rev-list", "--count", "HEAD", "--not", "--branches", "--remotes", "--tags"];
            (git.count(&kept).await?, 0)
        }
        WorkspaceKind::Clone => {
            let all = ["rev-list", "--count", "HEAD", "--branches", "--tags", "--not", "--remotes"];
            (git.count(&all).await?, status.stashes)
        }
    };
    let removable = kind != WorkspaceKind::Directory;
    let parts = [
        (count(uncommitted), "file with uncommitted changes", "files with uncommitted changes"),
        (count(untracked), "file that git doesn't know", "files that git doesn't know"),
        (commits, "commit that is nowhere else", "commits that are nowhere else"),
        (stashes, "stash", "stashes"),
    ];
    let lost = parts.into_iter().filter(|(many, ..)| removable && *many > 0);
    let lost =
        lost.map(|(many, one, more)| format!("{many} {}", if many == 1 { one } else { more }));
    Ok(Risk {
        uncommitted: count(uncommitted),
        untracked: count(untracked),
        unpushed,
        stashes: status.stashes,
        removable,
        lost: lost.collect(),
    })
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
