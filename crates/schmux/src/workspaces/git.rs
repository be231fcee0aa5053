//! git, as far as workspaces need it: worktrees and clones. Every call has a
//! limit, and none may ask for a password: there is nobody at the terminal.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::proc::{self, ProcError};

use super::error::WorkspaceError;

/// Local questions answer in milliseconds; a cold disk may take seconds.
const QUESTION: Duration = Duration::from_secs(20);
/// Checking out a very large repository takes minutes.
const CHECKOUT: Duration = Duration::from_secs(300);
/// And fetching one over a slow line takes longer still.
const CLONE: Duration = Duration::from_secs(600);

/// A repository, by one of its directories.
pub(super) struct Repo {
    dir: PathBuf,
    /// The `.git` directory that all its worktrees share.
    common: PathBuf,
}

impl Repo {
    pub async fn at(dir: &Path) -> Result<Repo, WorkspaceError> {
        let args = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        match git(dir, &args, QUESTION).await {
            Ok(out) => {
                let common = PathBuf::from(OsStr::from_bytes(out.trim_ascii_end()));
                Ok(Repo { dir: dir.to_owned(), common })
            }
            Err(ProcError::Failed { stderr, .. }) if stderr.contains("not a git repository") => {
                Err(WorkspaceError::NotARepository { path: dir.to_owned() })
            }
            Err(source) => Err(failed("rev-parse", source)),
        }
    }

    /// The directory that all its worktrees share.
    pub fn common(&self) -> &Path {
        &self.common
    }

    /// What people call it: the name of its main directory, or of a bare repository.
    pub fn name(&self) -> String {
        let named = match self.common.file_name() {
            Some(name) if name == ".git" => self.common.parent().and_then(Path::file_name),
            name => name,
        };
        let name = named.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_suffix(".git").unwrap_or(&name).to_owned()
    }

    pub async fn check_branch_name(&self, branch: &str) -> Result<(), WorkspaceError> {
        let bad = || WorkspaceError::BranchName { branch: branch.to_owned() };
        // `@{-1}` is valid for git and means the previous branch, which is nobody's intention here.
        if branch.starts_with('-') || branch.contains("@{") {
            return Err(bad());
        }
        match git(&self.dir, &["check-ref-format", "--branch", branch], QUESTION).await {
            Ok(_) => Ok(()),
            Err(ProcError::Failed { .. }) => Err(bad()),
            Err(source) => Err(failed("check-ref-format", source)),
        }
    }

    /// Forgets worktrees whose directory the user has deleted.
    pub async fn prune(&self) -> Result<(), WorkspaceError> {
        git(&self.dir, &["worktree", "prune"], QUESTION)
            .await
            .map(|_| ())
            .map_err(|source| failed("worktree prune", source))
    }

    /// Where a branch is checked out, if it is.
    pub async fn worktree_of(&self, branch: &str) -> Result<Option<PathBuf>, WorkspaceError> {
        let list = git(&self.dir, &["worktree", "list", "--porcelain"], QUESTION)
            .await
            .map_err(|source| failed("worktree list", source))?;
        let wanted = format!("branch refs/heads/{branch}");
        let mut path = None;
        for line in list.split(|byte| *byte == b'\n') {
            if let Some(rest) = line.strip_prefix(b"worktree ") {
                path = Some(PathBuf::from(OsStr::from_bytes(rest)));
            } else if line == wanted.as_bytes() {
                return Ok(path.map(|path| super::canonical(&path)));
            }
        }
        Ok(None)
    }

    /// Makes a worktree at `path`, an empty directory, for a local branch, a remote one, or a new one from HEAD.
    pub async fn add_worktree(&self, branch: &str, path: &Path) -> Result<(), WorkspaceError> {
        let mut args: Vec<OsString> = ["worktree", "add", "--quiet"].map(Into::into).into();
        if self.has(&format!("refs/heads/{branch}")).await {
            args.push(path.into());
            args.push(branch.into());
        } else {
            let remote = self.remote_branch(branch).await?;
            if remote.is_none() && !self.has("HEAD^{commit}").await {
                return Err(WorkspaceError::NoCommit { path: self.dir.clone() });
            }
            args.push(if remote.is_some() { "--track" } else { "--no-track" }.into());
            args.extend(["-b".into(), branch.into(), path.into()]);
            args.push(remote.unwrap_or_else(|| "HEAD".to_owned()).into());
        }
        git(&self.dir, &args, CHECKOUT)
            .await
            .map(|_| ())
            .map_err(|source| failed("worktree add", source))
    }

    async fn has(&self, revision: &str) -> bool {
        git(&self.dir, &["rev-parse", "--verify", "--quiet", revision], QUESTION).await.is_ok()
    }

    /// `origin/BRANCH`, or the one other remote that has it.
    async fn remote_branch(&self, branch: &str) -> Result<Option<String>, WorkspaceError> {
        let pattern = format!("refs/remotes/*/{branch}");
        let args = ["for-each-ref", "--format=%(refname:short)", &pattern];
        let out =
            git(&self.dir, &args, QUESTION).await.map_err(|err| failed("for-each-ref", err))?;
        let out = String::from_utf8_lossy(&out);
        let mut names: Vec<&str> = out.lines().collect();
        let origin = format!("origin/{branch}");
        names.sort_by_key(|name| **name != origin);
        Ok(names.first().map(|name| (*name).to_owned()))
    }
}

/// Clones `url` to `path`, which is an empty directory.
pub(super) async fn clone(url: &str, path: &Path) -> Result<(), WorkspaceError> {
    if url.is_empty() || url.starts_with('-') || url.contains(char::is_control) {
        return Err(WorkspaceError::Url { url: url.to_owned() });
    }
    // A relative path would mean one of the daemon's.
    let remote = url.contains(':');
    if !remote && !Path::new(url).is_absolute() {
        return Err(WorkspaceError::Url { url: url.to_owned() });
    }
    let dir = path.parent().unwrap_or(Path::new("/"));
    let args =
        ["clone".as_ref(), "--quiet".as_ref(), "--".as_ref(), OsStr::new(url), path.as_os_str()];
    git(dir, &args, CLONE).await.map(|_| ()).map_err(|source| failed("clone", source))
}

/// `https://x/y/app.git` → `app`.
pub(super) fn name_of_url(url: &str) -> String {
    let path = url.trim_end_matches('/');
    let path = path.strip_suffix("/.git").unwrap_or(path);
    let last = path.rsplit(['/', ':']).next().unwrap_or_default();
    last.strip_suffix(".git").unwrap_or(last).to_owned()
}

/// Where git keeps a file of the repository that `dir` is in: `info/exclude` and the like.
pub(super) async fn git_path(dir: &Path, file: &str) -> Option<PathBuf> {
    let out = git(dir, &["rev-parse", "--path-format=absolute", "--git-path", file], QUESTION)
        .await
        .ok()?;
    Some(PathBuf::from(OsStr::from_bytes(out.trim_ascii_end())))
}

/// Whether git says yes.
pub(super) async fn answers(dir: &Path, args: &[&str]) -> bool {
    git(dir, args, QUESTION).await.is_ok()
}

/// The way from the top of the repository to `dir`: empty, or with a slash at its end.
pub(super) async fn prefix(dir: &Path) -> Option<String> {
    let out = git(dir, &["rev-parse", "--show-prefix"], QUESTION).await.ok()?;
    Some(String::from_utf8_lossy(&out).trim_end_matches('\n').to_owned())
}

async fn git<S: AsRef<OsStr>>(
    dir: &Path,
    args: &[S],
    limit: Duration,
) -> Result<Vec<u8>, ProcError> {
    let mut argv: Vec<&OsStr> = vec![OsStr::new("git")];
    argv.extend(args.iter().map(AsRef::as_ref));
    // No question may wait for a human, and errors are read by us, so they come in English.
    let env = [("GIT_TERMINAL_PROMPT", "0"), ("LC_ALL", "C"), ("SSH_ASKPASS_REQUIRE", "force")];
    proc::output_with(&argv, Some(dir), &env, limit).await
}

fn failed(action: &str, source: ProcError) -> WorkspaceError {
    WorkspaceError::Git { action: action.to_owned(), source }
}
