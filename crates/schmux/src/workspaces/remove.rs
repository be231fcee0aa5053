//! Removes a workspace's directory, when someone asked for it: only one that
//! schmux made, in which nothing runs any more, and not with work that is
//! nowhere else unless that was said as well.

use std::path::{Path, PathBuf};

use schmux_core::fleet::{Event, Workspace};
use schmux_core::ids::WorkspaceId;

use super::site::Site;
use super::{git, safe_git};
use crate::app::App;
use crate::http::error::Failure;
use crate::wire::{GitState, WorkspaceKind};

/// Says why a workspace can't be removed, if it can't. `sessions` are those that
/// will have ended by then.
pub async fn check(
    app: &App,
    workspace: &Workspace,
    sessions: usize,
    force: bool,
) -> Result<(), Failure> {
    let (id, path) = (&workspace.id, Path::new(&workspace.path));
    let made_here = path.starts_with(super::canonical(&app.config.workspaces_dir(&app.home)));
    let kind = WorkspaceKind::from(workspace.kind);
    if kind == WorkspaceKind::Directory || !made_here {
        let message = format!("schmux didn't make {}, so it doesn't remove it", path.display());
        return Err(Failure::conflict("not_ours", message).advice("remove it by hand"));
    }
    let inside = app.fleet.borrow().sessions().filter(|session| session.workspace == *id).count();
    if inside > sessions {
        let message = format!("{} more sessions are in {id}", inside - sessions);
        return Err(Failure::conflict("workspace_in_use", message).advice("dispose them first"));
    }
    if !path.exists() || force {
        return Ok(());
    }
    let state = app.inspector.state_now(&Site::Here, path, kind).await?;
    match lost(&state) {
        None => Ok(()),
        Some(lost) => {
            let message = format!("{lost} in {} would be lost", path.display());
            Err(Failure::conflict("work_would_be_lost", message)
                .advice("commit and push it, or say `force` (schmux dispose --force)"))
        }
    }
}

fn lost(state: &GitState) -> Option<String> {
    let words = if state.is_repo { state.risk.lost.join(", ") } else { "everything".to_owned() };
    Some(words).filter(|words| !words.is_empty())
}

/// Removes a workspace that [`check`] agreed to, and forgets it.
pub async fn remove(app: &App, workspace: &Workspace, force: bool) -> Result<(), Failure> {
    check(app, workspace, 0, force).await?;
    let path = PathBuf::from(&workspace.path);
    if path.exists() {
        match WorkspaceKind::from(workspace.kind) {
            WorkspaceKind::Worktree => worktree(&path, force).await?,
            _ => directory(path.clone()).await?,
        }
    }
    tracing::info!(workspace = %workspace.id, path = %path.display(), force, "removed");
    app.hub.apply(Event::WorkspaceRemoved(workspace.id.clone())).await?;
    Ok(())
}

/// git refuses too if it finds changes, so nothing that came since is lost.
async fn worktree(path: &Path, force: bool) -> Result<(), Failure> {
    let Some(common) = git::common_dir(path).await else {
        // Its repository is gone, or it is no worktree any more.
        return directory(path.to_owned()).await;
    };
    let place = path.to_string_lossy();
    let mut args = vec!["worktree", "remove"];
    if force {
        args.push("--force");
    }
    args.extend(["--", &place]);
    safe_git::run(&Site::Here, &common, &[], &args, 8 << 10).await?;
    Ok(())
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

/// A workspace of this machine by its id: what lies elsewhere is not looked into.
pub fn find_here(app: &App, id: &str) -> Result<Workspace, Failure> {
    let workspace = find(app, id)?;
    if workspace.host.as_str() == super::LOCAL {
        return Ok(workspace);
    }
    // A path on another host must never be taken for one of ours.
    let message = format!("{id} is on the host {}", workspace.host);
    Err(Failure::unprocessable("on_another_host", message)
        .advice("schmux removes directories of this machine only: remove it over there"))
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
