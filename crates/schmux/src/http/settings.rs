//! Routes about settings, presets, recent workspaces, and how a session was started.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json as Answer, Router};

use super::error::{Failure, Json, Path};
use crate::app::App;
use crate::hub::HubError;
use crate::notify;
use crate::settings as desk;
use crate::spawn::{self, preset};
use crate::wire::{
    self, ApiError, Preset, RecentWorkspace, SessionDetails, Settings, SettingsChange, SpawnRequest,
};

type Result<T> = std::result::Result<Answer<T>, Failure>;
type Daemon = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/settings", get(settings).put(change_settings))
        .route("/api/notifiers/{name}/test", post(test_notifier))
        .route("/api/presets", get(presets))
        .route("/api/recent", get(recent))
        .route("/api/sessions/{id}/details", get(details))
        .route("/api/sessions/{id}/again", get(again))
}

/// What can be set, what it means, and what `config.toml` says.
#[utoipa::path(get, path = "/api/settings",
    responses((status = 200, body = Settings), (status = 409, body = ApiError)))]
pub(super) async fn settings(State(app): Daemon) -> Result<Settings> {
    Ok(Answer(desk::read(&app)?))
}

/// Changes `config.toml`, all of the change or nothing.
#[utoipa::path(put, path = "/api/settings", request_body = SettingsChange,
    responses((status = 200, body = Settings), (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn change_settings(
    State(app): Daemon,
    Json(change): Json<SettingsChange>,
) -> Result<Settings> {
    Ok(Answer(desk::change(&app, change).await?))
}

/// Sends a test by a notifier of `config.toml`, as it stands there now.
#[utoipa::path(post, path = "/api/notifiers/{name}/test", params(("name" = String, Path)),
    responses((status = 200), (status = 404, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn test_notifier(
    State(app): Daemon,
    Path(name): Path<String>,
) -> Result<serde_json::Value> {
    notify::test(&app, &name).await?;
    Ok(Answer(serde_json::json!({})))
}

/// The presets of `config.toml`, by name.
#[utoipa::path(get, path = "/api/presets", responses((status = 200, body = Vec<Preset>)))]
pub(super) async fn presets(State(app): Daemon) -> Answer<Vec<Preset>> {
    Answer(preset::list(&app))
}

/// Directories where something was spawned, the last used first.
#[utoipa::path(get, path = "/api/recent", responses((status = 200, body = Vec<RecentWorkspace>)))]
pub(super) async fn recent(State(app): Daemon) -> Result<Vec<RecentWorkspace>> {
    let mut recent = app.store.recent().await.map_err(HubError::from)?;
    // What is gone can't be chosen. Of another host only that host could tell.
    let local = spawn::local();
    recent.retain(|recent| recent.host != local || FilePath::new(&recent.path).is_dir());
    Ok(Answer(wire::recent_workspaces(&recent, &app.fleet.borrow())))
}

/// The command line, directory and variables that a session was started with.
#[utoipa::path(get, path = "/api/sessions/{id}/details", params(("id" = String, Path)),
    responses((status = 200, body = SessionDetails), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn details(State(app): Daemon, Path(id): Path<String>) -> Result<SessionDetails> {
    let session = app.session(&id)?;
    Ok(Answer(app.host.details(&session).await?))
}

/// The request that starts another session like this one, whether it runs or has ended.
#[utoipa::path(get, path = "/api/sessions/{id}/again", params(("id" = String, Path)),
    responses((status = 200, body = SpawnRequest), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(super) async fn again(State(app): Daemon, Path(id): Path<String>) -> Result<SpawnRequest> {
    let session = app.session(&id)?;
    Ok(Answer(spawn::again::request_of(&app, &session)?))
}
