//! What git knows of a workspace: its branch, what changed, what would be lost.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The git state of a workspace, for `GET /api/workspaces/{id}/git`. Paths,
/// branches and subjects are untrusted text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GitState {
    /// Without a repository everything else is empty.
    pub is_repo: bool,
    /// Absent when HEAD is detached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The commit that is checked out; absent before the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Like `origin/main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,
    /// Commits that the upstream does not have, and those that only it has.
    pub ahead: u32,
    pub behind: u32,
    /// At most 1000 files, in the order of their paths.
    pub changed: Vec<ChangedFile>,
    /// How many more there are.
    pub more_changed: u32,
    pub stashes: u32,
    /// The newest commits of HEAD that no remote has, at most 50, newest first.
    pub unpushed: Vec<Commit>,
    /// How many such commits there are.
    pub unpushed_count: u32,
    pub risk: Risk,
}

/// A file that differs from HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangedFile {
    /// From the top of the repository.
    pub path: String,
    /// Where it was renamed or copied from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    pub status: ChangeKind,
    /// Lines; absent for binary files, and for untracked ones that are too large to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub additions: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletions: Option<u32>,
    pub staged: bool,
    /// It has changes that are not staged.
    pub unstaged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Added,
    Modified,
    Deleted,
    Renamed,
    Copied,
    /// A file became a link or the like.
    TypeChanged,
    Untracked,
    /// A merge left it for a person to decide.
    Conflicted,
}

/// A commit in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Commit {
    pub id: String,
    pub subject: String,
    pub author: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// What would be gone if the workspace's directory were. A directory that was
/// there before schmux, and one with other sessions in it, is never removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Risk {
    /// Files that are tracked and differ from HEAD.
    pub uncommitted: u32,
    pub untracked: u32,
    /// Commits that no remote has.
    pub unpushed: u32,
    pub stashes: u32,
    /// Whether `dispose?remove_workspace=true` could remove the directory.
    pub removable: bool,
    /// What would be lost with the directory, in words; empty when nothing would.
    pub lost: Vec<String>,
}

/// The query of `GET /api/workspaces/{id}/diff`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DiffQuery {
    /// Only this file, as named in `changed`. Default: all of them.
    pub path: Option<String>,
    /// Lines around a change. Default 3, at most 1000.
    pub context: Option<u32>,
}

/// Everything that differs from HEAD, untracked files included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GitDiff {
    pub files: Vec<FileDiff>,
    /// Files that are left out because there is too much; ask for them by `path`.
    pub left_out: Vec<String>,
}

/// One file's difference from HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FileDiff {
    pub path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    pub status: ChangeKind,
    pub binary: bool,
    /// A unified diff with its `diff --git` header. Untrusted text; bytes that
    /// aren't UTF-8 are replaced. Empty for binary files.
    pub diff: String,
    /// The diff is longer than what is shown of it.
    pub cut: bool,
}

/// The query of `POST /api/sessions/{id}/dispose`.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DisposeQuery {
    /// Also removes the workspace's directory, if schmux made it and no other session is in it.
    #[serde(default)]
    pub remove_workspace: bool,
    /// Removes it although work would be lost. Without it that is refused (409 `work_would_be_lost`).
    #[serde(default)]
    pub force: bool,
    /// Forgets the session also if its tmux server can't be reached. Its program may go on there.
    #[serde(default)]
    pub forget: bool,
}
