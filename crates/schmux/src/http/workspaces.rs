//! Routes about workspaces: what git knows of them, and their end.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json as Answer, Router};

use super::error::{Failure, Path, Query};
use crate::app::App;
use crate::hosts;
use crate::wire::{ApiError, DiffQuery, DisposeQuery, GitDiff, GitState};
use crate::workspaces::remove;

type Result<T> = std::result::Result<Answer<T>, Failure>;
type Daemon = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/workspaces/{id}/git", get(git))
        .route("/api/workspaces/{id}/diff", get(diff))
        .route("/api/workspaces/{id}/remove", post(remove_workspace))
}

/// The branch, what changed, what is not pushed, and what would be lost with the directory.
#[utoipa::path(get, path = "/api/workspaces/{id}/git", params(("id" = String, Path)),
    responses((status = 200, body = GitState), (status = 404, body = ApiError),
        (status = 422, body = ApiError), (status = 504, body = ApiError)))]
pub(super) async fn git(State(app): Daemon, Path(id): Path<String>) -> Result<GitState> {
    let workspace = remove::find(&app, &id)?;
    let (site, path) = (hosts::site(&app, &workspace.host)?, FilePath::new(&workspace.path));
    Ok(Answer(app.inspector.state(&site, path, workspace.kind.into()).await?))
}

/// Everything that differs from HEAD, untracked files included.
#[utoipa::path(get, path = "/api/workspaces/{id}/diff", params(("id" = String, Path), DiffQuery),
    responses((status = 200, body = GitDiff), (status = 404, body = ApiError),
        (status = 422, body = ApiError), (status = 504, body = ApiError)))]
pub(super) async fn diff(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<DiffQuery>,
) -> Result<GitDiff> {
    let workspace = remove::find(&app, &id)?;
    let (site, path) = (hosts::site(&app, &workspace.host)?, FilePath::new(&workspace.path));
    Ok(Answer(app.inspector.diff(&site, path, &query).await?))
}

/// Removes the directory of a workspace that schmux made and in which no session is left.
#[utoipa::path(post, path = "/api/workspaces/{id}/remove",
    params(("id" = String, Path), ("force" = Option<bool>, Query, description = "Although work would be lost")),
    responses((status = 200), (status = 404, body = ApiError), (status = 409, body = ApiError),
        (status = 422, body = ApiError), (status = 504, body = ApiError)))]
pub(super) async fn remove_workspace(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<DisposeQuery>,
) -> Result<serde_json::Value> {
    let workspace = remove::find(&app, &id)?;
    remove::remove(&app, &workspace, query.force).await?;
    Ok(Answer(serde_json::json!({})))
}
