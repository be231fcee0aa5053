//! Removes a workspace's directory, here or on a host, when someone asked for it:
//! only one that schmux made, in which nothing runs any more, and not with work that is
//! nowhere else unless that was said as well.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schmux_core::fleet::{Event, Workspace};
use schmux_core::ids::WorkspaceId;
use schmux_core::sh;

use super::safe_git;
use super::site::Site;
use crate::app::App;
use crate::hosts::{self, There};
use crate::http::error::Failure;
use crate::wire::{GitState, WorkspaceKind};

/// Looking there and removing: a large directory takes its time.
const LIMIT_THERE: Duration = Duration::from_secs(110);

/// Says why a workspace can't be removed, if it can't. `sessions` are those that
/// will have ended by then.
pub async fn check(
    app: &App,
    workspace: &Workspace,
    sessions: usize,
    force: bool,
) -> Result<(), Failure> {
    let (id, path) = (&workspace.id, Path::new(&workspace.path));
    let kind = WorkspaceKind::from(workspace.kind);
    if kind == WorkspaceKind::Directory {
        return Err(not_ours(path));
    }
    let inside = app.fleet.borrow().sessions().filter(|session| session.workspace == *id).count();
    if inside > sessions {
        let (message, advice) = match inside - sessions {
            1 => (format!("one more session is in {id}"), "dispose it first"),
            more => (format!("{more} more sessions are in {id}"), "dispose them first"),
        };
        return Err(Failure::conflict("workspace_in_use", message).advice(advice));
    }
    let there = There::at(app, Some(workspace.host.as_str())).await?;
    let exists = match &there {
        Some(there) => made_there(app, there, &workspace.path).await?,
        None => {
            let ours = super::canonical(&app.config.workspaces_dir(&app.home));
            if !path.starts_with(ours) {
                return Err(not_ours(path));
            }
            path.exists()
        }
    };
    if !exists || force {
        return Ok(());
    }
    let site = hosts::site(app, &workspace.host)?;
    let state = app.inspector.state_now(&site, path, kind).await?;
    match lost(&state) {
        None => Ok(()),
        Some(lost) => {
            let message = format!("{lost} in {} would be lost", path.display());
            Err(Failure::conflict("work_would_be_lost", message)
                .advice("commit and push it, or lose it: `schmux dispose SESSION --remove-workspace --force`"))
        }
    }
}

fn not_ours(path: &Path) -> Failure {
    let message = format!("schmux didn't make {}, so it doesn't remove it", path.display());
    Failure::conflict("not_ours", message).advice("remove it by hand")
}

/// Whether a directory of ours is still there, on a host. One that isn't below
/// the place where workspaces are made is refused.
async fn made_there(app: &App, there: &There, path: &str) -> Result<bool, Failure> {
    let script = format!(
        "p={}\nroot=$(cd {} 2>/dev/null && pwd -P)\n\
         case $p in */../* | */..) root= ;; esac\n\
         case ${{root:+$p}} in \"$root\"/?*) ;; *)\n\
         \techo \"schmux didn't make $p, so it doesn't remove it\" >&2\n\texit 19 ;;\nesac\n\
         if [ -e \"$p\" ]; then echo there; else echo gone; fi",
        sh::quote(path),
        sh::quote(&there.workspaces_dir()),
    );
    Ok(there.run(app, &script, LIMIT_THERE).await? == "there")
}

fn lost(state: &GitState) -> Option<String> {
    let words = if state.is_repo { state.risk.lost.join(", ") } else { "everything".to_owned() };
    Some(words).filter(|words| !words.is_empty())
}

/// Removes a workspace that [`check`] agreed to, and forgets it.
pub async fn remove(app: &App, workspace: &Workspace, force: bool) -> Result<(), Failure> {
    check(app, workspace, 0, force).await?;
    let path = PathBuf::from(&workspace.path);
    let there = There::at(app, Some(workspace.host.as_str())).await?;
    if there.is_some() || path.exists() {
        let site = hosts::site(app, &workspace.host)?;
        let by_git = match WorkspaceKind::from(workspace.kind) {
            WorkspaceKind::Worktree => worktree(&site, &path, force).await?,
            _ => false,
        };
        match there {
            _ if by_git => {}
            Some(there) => {
                let script = format!("rm -rf -- {}", sh::quote(&workspace.path));
                there.run(app, &script, LIMIT_THERE).await?;
            }
            None => directory(path.clone()).await?,
        }
    }
    tracing::info!(workspace = %workspace.id, path = %path.display(), force, "removed");
    app.hub.apply(Event::WorkspaceRemoved(workspace.id.clone())).await?;
    Ok(())
}

/// git refuses too if it finds changes, so nothing that came since is lost.
/// False if its repository is gone, or it is no worktree any more.
async fn worktree(site: &Site, path: &Path, force: bool) -> Result<bool, Failure> {
    let ask = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
    let Ok(said) = safe_git::run(site, path, &[], &ask, 8 << 10).await else { return Ok(false) };
    let common = PathBuf::from(OsStr::from_bytes(said.bytes.trim_ascii_end()));
    let place = path.to_string_lossy();
    let mut args = vec!["worktree", "remove"];
    if force {
        args.push("--force");
    }
    args.extend(["--", &place]);
    safe_git::run(site, &common, &[], &args, 8 << 10).await?;
    Ok(true)
}

async fn directory(path: PathBuf) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let removed = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(path)).await;
    match removed {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => {
            Err(Failure::conflict("not_removed", format!("can't remove {shown}: {error}"))
                .advice("see what is left there and remove it by hand"))
        }
        Err(panicked) => Err(Failure::internal(panicked.to_string())),
    }
}

/// A workspace by its id, wherever it is.
pub fn find(app: &App, id: &str) -> Result<Workspace, Failure> {
    let fleet = app.fleet.borrow();
    let found = WorkspaceId::new(id).ok().and_then(|id| fleet.workspace(&id).cloned());
    found.ok_or_else(|| {
        let near = crate::nearest::nearest(id, fleet.workspaces().map(|w| w.id.as_str()));
        let advice = match near.as_slice() {
            [] => "/api/workspaces lists those there are".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        Failure::not_found("no_such_workspace", format!("there is no workspace {id:?}"))
            .advice(advice)
    })
}
