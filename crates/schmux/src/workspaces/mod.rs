//! Workspaces: the directories where agents work.
//!
//! `prepare` finds or makes the directory that a request means: one that is
//! there, a git worktree or a clone. That may take minutes, so others may do the
//! same meanwhile: a directory that is made is there, empty, before git is asked.
//! `id_of` names the workspace; whoever calls it writes the result down before the
//! next one may, because the next free id follows from the workspaces known so
//! far. Directories that were there before are never removed or cleaned.

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
mod turns;

use std::io::ErrorKind;
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
pub(crate) use turns::Turn;
pub use turns::Turns;

/// The first free id for a workspace of that project.
pub fn new_id(project: &str, is_taken: impl Fn(&str) -> bool) -> String {
    ids::workspace_id(&ids::project(project), is_taken)
}

/// What the project behind a URL is called, as part of an id.
pub fn project_of_url(url: &str) -> String {
    ids::project(&git::name_of_url(url))
}

/// The directory that a request means.
#[derive(Debug)]
pub struct Prepared {
    /// Absolute, without symbolic links.
    pub path: PathBuf,
    pub kind: WorkspaceKind,
    pub branch: Option<String>,
    /// What the id of a workspace in it begins with.
    pub(crate) project: String,
    /// It was made for this request, and goes with it unless it is kept.
    pub(crate) made: Option<Made>,
    /// Nobody else looks for worktrees of its repository until this is known.
    pub(crate) turn: Option<Turn>,
}

impl Prepared {
    /// A workspace is in it now.
    pub fn keep(self) {
        let Prepared { made, turn, .. } = self;
        if let Some(mut made) = made {
            made.is_kept = true;
        }
        drop(turn);
    }
}

/// A directory that was made for a request. Nothing is left of it if that came to
/// nothing, in whatever way.
#[derive(Debug)]
pub(crate) struct Made {
    path: PathBuf,
    is_kept: bool,
}

impl Drop for Made {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        if let Err(error) = std::fs::remove_dir_all(&self.path)
            && error.kind() != ErrorKind::NotFound
        {
            tracing::warn!(path = %self.path.display(), %error, "can't be removed");
        }
    }
}

/// Finds or makes the workspace of a request.
pub async fn prepare(
    request: &SpawnRequest,
    known: &[Workspace],
    home: &Home,
    config: &Config,
    turns: &Turns,
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
            place.worktree(&base.path, branch, turns).await
        }
        (None, None) => place.directory(request.workspace.as_deref()),
    }
}

/// The id of the known workspace in that directory, or one that is free.
pub fn id_of(prepared: &Prepared, known: &[Workspace], home: &Home, config: &Config) -> String {
    Place { known, dir: config.workspaces_dir(home) }.id_of(prepared)
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
            let path = usable(Path::new(&workspace.path))?;
            return Ok(Prepared::found(path, WorkspaceKind::Directory));
        }
        let path = expand_tilde(Path::new(named), user.as_deref());
        if !path.is_absolute() {
            return Err(WorkspaceError::relative(named, self.known));
        }
        Ok(Prepared::found(usable(&path)?, WorkspaceKind::Directory))
    }

    /// The worktree of `branch`, off the repository at `base`.
    async fn worktree(
        &self,
        base: &Path,
        branch: &str,
        turns: &Turns,
    ) -> Result<Prepared, WorkspaceError> {
        let repo = git::Repo::at(base).await?;
        repo.check_branch_name(branch).await?;
        let turn = Some(turns.take(LOCAL, repo.common()).await);
        repo.prune().await?;
        let project = repo.name();
        if let Some(path) = repo.worktree_of(branch).await? {
            let ours = self.dir.canonicalize().is_ok_and(|dir| path.starts_with(dir));
            if !ours {
                return Err(WorkspaceError::CheckedOut { branch: branch.to_owned(), path });
            }
            let found = Prepared::found(usable(&path)?, WorkspaceKind::Worktree);
            return Ok(Prepared { branch: Some(branch.to_owned()), project, turn, ..found });
        }
        let made = self.new_directory(&project)?;
        repo.add_worktree(branch, &made.path).await?;
        let path = usable(&made.path)?;
        let (kind, branch) = (WorkspaceKind::Worktree, Some(branch.to_owned()));
        Ok(Prepared { path, kind, branch, project, made: Some(made), turn })
    }

    async fn clone_of(&self, url: &str) -> Result<Prepared, WorkspaceError> {
        let project = git::name_of_url(url);
        let made = self.new_directory(&project)?;
        git::clone(url, &made.path).await?;
        let found = Prepared::found(usable(&made.path)?, WorkspaceKind::Clone);
        Ok(Prepared { project, made: Some(made), ..found })
    }

    fn id_of(&self, prepared: &Prepared) -> String {
        let path = &prepared.path;
        let same = |workspace: &&Workspace| {
            workspace.host == LOCAL && canonical(Path::new(&workspace.path)) == *path
        };
        if let Some(workspace) = self.known.iter().find(same) {
            return workspace.id.clone();
        }
        let is_taken = |id: &str| self.is_taken(id, path);
        // One that was made has the name of its id.
        let made = prepared.made.as_ref().and_then(|made| made.path.file_name()?.to_str());
        match made.filter(|id| !is_taken(id)) {
            Some(id) => id.to_owned(),
            None => ids::workspace_id(&ids::project(&prepared.project), is_taken),
        }
    }

    /// Makes a directory whose name is free for an id.
    fn new_directory(&self, project: &str) -> Result<Made, WorkspaceError> {
        let not_writable = |source| WorkspaceError::NotWritable { path: self.dir.clone(), source };
        std::fs::create_dir_all(&self.dir).map_err(not_writable)?;
        loop {
            let is_taken = |id: &str| self.is_taken(id, Path::new(""));
            let path = self.dir.join(ids::workspace_id(&ids::project(project), is_taken));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Made { path, is_kept: false }),
                // Another request was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(not_writable(error)),
            }
        }
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

impl Prepared {
    fn found(path: PathBuf, kind: WorkspaceKind) -> Prepared {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let project = name.unwrap_or_else(|| "root".to_owned());
        Prepared { path, kind, branch: None, project, made: None, turn: None }
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
