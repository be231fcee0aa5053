//! Why a workspace can't be had, and what to do about it.

use std::io;
use std::path::PathBuf;

use crate::nearest::nearest;
use crate::proc::ProcError;
use crate::wire::{ApiError, Workspace};

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    #[error("`{first}` and `{second}` can't be used together")]
    Both { first: &'static str, second: &'static str },
    #[error("`{name}` is neither an absolute path nor the id of a workspace")]
    Relative { name: String, near: Vec<String> },
    #[error("can't find the directory {}: {source}", path.display())]
    NoDirectory { path: PathBuf, source: io::Error },
    #[error("{} is not a directory", path.display())]
    NotADirectory { path: PathBuf },
    #[error("the directory {} can't be entered: {source}", path.display())]
    NoEntry { path: PathBuf, source: io::Error },
    #[error("the directory {} is not writable: {source}", path.display())]
    NotWritable { path: PathBuf, source: io::Error },
    #[error("{} is not in a git repository", path.display())]
    NotARepository { path: PathBuf },
    #[error("the repository at {} has no commit yet", path.display())]
    NoCommit { path: PathBuf },
    #[error("`{branch}` can't be a branch's name")]
    BranchName { branch: String },
    #[error("branch `{branch}` is checked out at {}", path.display())]
    CheckedOut { branch: String, path: PathBuf },
    #[error("`{url}` can't be cloned: it doesn't look like a git URL or path")]
    Url { url: String },
    #[error("git {action} failed: {source}")]
    Git { action: String, source: ProcError },
}

impl WorkspaceError {
    pub(super) fn relative(name: &str, known: &[Workspace]) -> WorkspaceError {
        let near = nearest(name, known.iter().map(|workspace| workspace.id.as_str()));
        let near = near.into_iter().map(str::to_owned).collect();
        WorkspaceError::Relative { name: name.to_owned(), near }
    }

    pub fn code(&self) -> &'static str {
        match self {
            WorkspaceError::Both { .. } => "bad_request",
            WorkspaceError::Relative { .. } | WorkspaceError::NoDirectory { .. } => {
                "no_such_workspace"
            }
            WorkspaceError::NotADirectory { .. } => "not_a_directory",
            WorkspaceError::NoEntry { .. } => "no_entry",
            WorkspaceError::NotWritable { .. } => "not_writable",
            WorkspaceError::NotARepository { .. } => "not_a_repository",
            WorkspaceError::NoCommit { .. } => "no_commit",
            WorkspaceError::BranchName { .. } => "bad_branch",
            WorkspaceError::CheckedOut { .. } => "branch_checked_out",
            WorkspaceError::Url { .. } => "bad_url",
            WorkspaceError::Git { .. } => "git_failed",
        }
    }

    pub fn advice(&self) -> String {
        match self {
            WorkspaceError::Both { .. } => "choose one of them".to_owned(),
            WorkspaceError::Relative { near, .. } if !near.is_empty() => {
                format!("did you mean {}? Or give an absolute path", near.join(" or "))
            }
            WorkspaceError::Relative { .. } => {
                "give a path from /, or an id as `schmux list` shows it".to_owned()
            }
            WorkspaceError::NoDirectory { path, .. } => {
                format!("make it first: mkdir -p {}", quoted(path))
            }
            WorkspaceError::NotADirectory { .. } => "name the directory it is in".to_owned(),
            WorkspaceError::NoEntry { path, .. } => {
                format!("allow it (chmod u+rx {}), or choose another", quoted(path))
            }
            WorkspaceError::NotWritable { path, .. } => {
                format!("make it writable (chmod u+w {}), or choose another", quoted(path))
            }
            WorkspaceError::NotARepository { path } => format!(
                "choose a directory inside a repository, make one (git init {}), or leave out \
                 the worktree",
                quoted(path)
            ),
            WorkspaceError::NoCommit { path } => format!(
                "a worktree needs one: git -C {} commit --allow-empty -m 'First commit'",
                quoted(path)
            ),
            WorkspaceError::BranchName { .. } => {
                "use letters, digits, `-`, `_` and `/`, as in feature/login".to_owned()
            }
            WorkspaceError::CheckedOut { path, .. } => {
                format!("work there (schmux spawn -w {}), or choose another branch", quoted(path))
            }
            WorkspaceError::Url { .. } => {
                "use https://…, ssh://…, user@host:path or an absolute path".to_owned()
            }
            WorkspaceError::Git { source: ProcError::NotFound { .. }, .. } => {
                "install git".to_owned()
            }
            WorkspaceError::Git { source: ProcError::TooSlow { .. }, .. } => {
                "check the network, or do it by hand and spawn with `-w PATH`".to_owned()
            }
            WorkspaceError::Git { action, .. } if action == "clone" => {
                "check the URL and that git can reach it without asking for a password".to_owned()
            }
            WorkspaceError::Git { .. } => "see git's message above".to_owned(),
        }
    }
}

impl From<&WorkspaceError> for ApiError {
    fn from(err: &WorkspaceError) -> Self {
        ApiError {
            code: err.code().to_owned(),
            message: err.to_string(),
            advice: Some(err.advice()),
        }
    }
}

/// A path as a word for a shell.
fn quoted(path: &std::path::Path) -> String {
    let text = path.to_string_lossy().into_owned();
    shlex::try_quote(&text).map(|word| word.into_owned()).unwrap_or(text)
}
