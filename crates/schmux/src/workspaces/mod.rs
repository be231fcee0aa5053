//! Workspaces: the directories where agents work.
//!
//! `prepare` finds or makes the directory that a request means: one that is
//! there, a git worktree or a clone. It changes nothing in the store: whoever
//! calls it writes the result down, one call at a time, because the next free
//! id follows from the workspaces known so far. Existing directories are never
//! removed or cleaned.

mod diff;
mod dirs;
mod error;
pub mod exclude;
mod files;
mod git;
mod ids;
mod inspect;
pub mod remove;
mod safe_git;
mod site;

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::config::{Config, expand_tilde};
use crate::home::Home;
use crate::wire::{SpawnRequest, Workspace, WorkspaceKind};

pub use dirs::{INBOX_DIRS, ensure_schmux_dirs, events_file, inbox_file, status_file};
pub use error::WorkspaceError;
pub(crate) use files::Read;
pub use ids::session_id;
pub use inspect::Inspector;
pub use site::Site;

/// The first free id for a workspace of that project.
pub fn new_id(project: &str, is_taken: impl Fn(&str) -> bool) -> String {
    ids::workspace_id(&ids::project(project), is_taken)
}

/// What the project behind a URL is called, as part of an id.
pub fn project_of_url(url: &str) -> String {
    ids::project(&git::name_of_url(url))
}

/// The workspace that a request means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    pub id: String,
    /// Whether it is one of the known ones.
    pub existing: bool,
    /// Absolute, without symbolic links.
    pub path: PathBuf,
    pub kind: WorkspaceKind,
    pub branch: Option<String>,
}

/// Finds or makes the workspace of a request.
pub async fn prepare(
    request: &SpawnRequest,
    known: &[Workspace],
    home: &Home,
    config: &Config,
) -> Result<Prepared, WorkspaceError> {
    let place = Place { known, dir: config.workspaces_dir(home) };
    match (&request.clone, &request.worktree) {
        (Some(_), Some(_)) => Err(WorkspaceError::Both { first: "clone", second: "worktree" }),
        (Some(_), None) if request.workspace.is_some() => {
            Err(WorkspaceError::Both { first: "clone", second: "workspace" })
        }
        (Some(url), None) => place.clone_of(url).await,
        (None, Some(branch)) => {
            let base = place.directory(request.workspace.as_deref())?;
            place.worktree(&base.path, branch).await
        }
        (None, None) => place.directory(request.workspace.as_deref()),
    }
}

/// What is known, and where new directories go.
struct Place<'a> {
    known: &'a [Workspace],
    dir: PathBuf,
}

impl Place<'_> {
    /// A directory that is there, by its path or by its workspace's id.
    fn directory(&self, named: Option<&str>) -> Result<Prepared, WorkspaceError> {
        let user = std::env::var_os("HOME").map(PathBuf::from);
        let named = named.unwrap_or("~");
        if let Some(workspace) = self.known.iter().find(|workspace| workspace.id == named) {
            usable(Path::new(&workspace.path))?;
            return Ok(existing(workspace));
        }
        let path = expand_tilde(Path::new(named), user.as_deref());
        if !path.is_absolute() {
            return Err(WorkspaceError::relative(named, self.known));
        }
        let path = usable(&path)?;
        Ok(self.at(path, WorkspaceKind::Directory, None, None))
    }

    /// The worktree of `branch`, off the repository at `base`.
    async fn worktree(&self, base: &Path, branch: &str) -> Result<Prepared, WorkspaceError> {
        let repo = git::Repo::at(base).await?;
        repo.check_branch_name(branch).await?;
        repo.prune().await?;
        let project = repo.name();
        if let Some(path) = repo.worktree_of(branch).await? {
            let ours = self.dir.canonicalize().is_ok_and(|dir| path.starts_with(dir));
            if !ours {
                return Err(WorkspaceError::CheckedOut { branch: branch.to_owned(), path });
            }
            let path = usable(&path)?;
            return Ok(self.at(path, WorkspaceKind::Worktree, Some(branch), Some(&project)));
        }
        let (id, path) = self.new_directory(&project)?;
        repo.add_worktree(branch, &path).await?;
        let path = usable(&path)?;
        let branch = Some(branch.to_owned());
        Ok(Prepared { id, existing: false, path, kind: WorkspaceKind::Worktree, branch })
    }

    async fn clone_of(&self, url: &str) -> Result<Prepared, WorkspaceError> {
        let (id, path) = self.new_directory(&git::name_of_url(url))?;
        git::clone(url, &path).await?;
        let path = usable(&path)?;
        Ok(Prepared { id, existing: false, path, kind: WorkspaceKind::Clone, branch: None })
    }

    /// The known workspace at `path`, or a new one.
    fn at(
        &self,
        path: PathBuf,
        kind: WorkspaceKind,
        branch: Option<&str>,
        project: Option<&str>,
    ) -> Prepared {
        let same = |workspace: &&Workspace| {
            workspace.host == LOCAL && canonical(Path::new(&workspace.path)) == path
        };
        if let Some(workspace) = self.known.iter().find(same) {
            return existing(workspace);
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let project = ids::project(project.or(name.as_deref()).unwrap_or("root"));
        let id = ids::workspace_id(&project, |id| self.is_taken(id, &path));
        Prepared { id, existing: false, path, kind, branch: branch.map(str::to_owned) }
    }

    /// An id, and the directory of that name, which is not there yet.
    fn new_directory(&self, project: &str) -> Result<(String, PathBuf), WorkspaceError> {
        std::fs::create_dir_all(&self.dir)
            .map_err(|source| WorkspaceError::NotWritable { path: self.dir.clone(), source })?;
        let id = ids::workspace_id(&ids::project(project), |id| self.is_taken(id, Path::new("")));
        let path = self.dir.join(&id);
        Ok((id, path))
    }

    /// Whether an id is known, or its directory is there already and isn't `path`.
    fn is_taken(&self, id: &str, path: &Path) -> bool {
        let dir = self.dir.join(id);
        self.known.iter().any(|workspace| workspace.id == id)
            || (dir.symlink_metadata().is_ok() && canonical(&dir) != path)
    }
}

/// The host of this machine.
const LOCAL: &str = "local";

fn existing(workspace: &Workspace) -> Prepared {
    Prepared {
        id: workspace.id.clone(),
        existing: true,
        path: PathBuf::from(&workspace.path),
        kind: workspace.kind,
        branch: workspace.branch.clone(),
    }
}

/// The canonical path of a directory that an agent can be in. It may be one where
/// nothing can be written: an agent that only reads can still signal by its hooks
/// and its output.
fn usable(path: &Path) -> Result<PathBuf, WorkspaceError> {
    let real = path
        .canonicalize()
        .map_err(|source| WorkspaceError::NoDirectory { path: path.to_owned(), source })?;
    if !real.is_dir() {
        return Err(WorkspaceError::NotADirectory { path: path.to_owned() });
    }
    access(&real, Access::READ_OK | Access::EXEC_OK).map_err(|source| WorkspaceError::NoEntry {
        path: path.to_owned(),
        source: source.into(),
    })?;
    Ok(real)
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests;
