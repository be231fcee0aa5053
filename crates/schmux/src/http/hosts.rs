//! The API's handlers for hosts.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json as Answer, Router};

use super::error::{Failure, Json, Path};
use crate::app::App;
use crate::hosts;
use crate::wire::{ApiError, AskRequest, HostRequest, HostStatus, PromptAnswer};

type Result<T> = std::result::Result<Answer<T>, Failure>;
type Daemon = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/hosts", get(list_hosts))
        .route("/api/ssh-names", get(list_ssh_names))
        .route("/api/hosts/{name}/disconnect", post(disconnect_host))
        .route("/api/hosts/{name}/remove", post(remove_host))
        .route("/api/hosts/{name}/answer", post(answer_host))
}

/// Requests that end when nobody waits for their answer any more: a host that is added
/// and can't be reached is given up with them.
pub(super) fn waiting() -> Router<Arc<App>> {
    Router::new()
        .route("/api/hosts", post(add_host))
        .route("/api/hosts/{name}/test", post(test_host))
        .route("/api/hosts/{name}/connect", post(connect_host))
}

/// Only for connect commands that this daemon started, by the Unix socket.
pub(super) fn own_routes() -> Router<Arc<App>> {
    Router::new().route("/api/hosts/{name}/ask", post(ask))
}

/// Other places where agents can live, with how it stands with them.
#[utoipa::path(get, path = "/api/hosts", responses((status = 200, body = Vec<HostStatus>)))]
pub(super) async fn list_hosts(State(app): Daemon) -> Answer<Vec<HostStatus>> {
    Answer(hosts::list(&app))
}

/// The names that the user's ssh knows (`~/.ssh/config`, patterns left out).
#[utoipa::path(get, path = "/api/ssh-names", responses((status = 200, body = Vec<String>)))]
pub(super) async fn list_ssh_names() -> Answer<Vec<String>> {
    // A home on a file system that hangs is read on a thread of its own.
    Answer(tokio::task::spawn_blocking(hosts::ssh_names).await.unwrap_or_default())
}

/// Makes a host known, if the way there is good.
#[utoipa::path(post, path = "/api/hosts", request_body = HostRequest,
    responses((status = 200, body = HostStatus), (status = 409, body = ApiError)))]
pub(super) async fn add_host(
    State(app): Daemon,
    Json(request): Json<HostRequest>,
) -> Result<HostStatus> {
    Ok(Answer(hosts::add(&app, request).await?))
}

/// Tries the way to a host, and looks which agents are there.
#[utoipa::path(post, path = "/api/hosts/{name}/test", params(("name" = String, Path)),
    responses((status = 200, body = HostStatus), (status = 404, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn test_host(State(app): Daemon, Path(name): Path<String>) -> Result<HostStatus> {
    Ok(Answer(hosts::test(&app, &name).await?))
}

/// Connects to a host, at once.
#[utoipa::path(post, path = "/api/hosts/{name}/connect", params(("name" = String, Path)),
    responses((status = 200, body = HostStatus), (status = 404, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn connect_host(
    State(app): Daemon,
    Path(name): Path<String>,
) -> Result<HostStatus> {
    Ok(Answer(hosts::test(&app, &name).await?))
}

/// Lets a host go. Its agents keep running, unless its `release` ends them.
#[utoipa::path(post, path = "/api/hosts/{name}/disconnect", params(("name" = String, Path)),
    responses((status = 200, body = HostStatus), (status = 404, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn disconnect_host(
    State(app): Daemon,
    Path(name): Path<String>,
) -> Result<HostStatus> {
    Ok(Answer(hosts::disconnect(&app, &name).await?))
}

/// Forgets a host that no session is on.
#[utoipa::path(post, path = "/api/hosts/{name}/remove", params(("name" = String, Path)),
    responses((status = 200), (status = 404, body = ApiError), (status = 409, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn remove_host(
    State(app): Daemon,
    Path(name): Path<String>,
) -> Result<serde_json::Value> {
    hosts::remove(&app, &name).await?;
    Ok(Answer(serde_json::json!({})))
}

/// Answers what a host's connect command asks.
#[utoipa::path(post, path = "/api/hosts/{name}/answer", params(("name" = String, Path)),
    request_body = PromptAnswer,
    responses((status = 200), (status = 404, body = ApiError), (status = 409, body = ApiError)))]
pub(super) async fn answer_host(
    State(app): Daemon,
    Path(name): Path<String>,
    Json(answer): Json<PromptAnswer>,
) -> Result<serde_json::Value> {
    let host = app.hosts.find(&name)?;
    app.hosts.prompts.answer(&host, answer)?;
    Ok(Answer(serde_json::json!({})))
}

async fn ask(
    State(app): Daemon,
    Path(name): Path<String>,
    Json(request): Json<AskRequest>,
) -> Result<Option<String>> {
    let host = app.hosts.find(&name)?;
    Ok(Answer(app.hosts.prompts.ask(host, request).await))
}
