//! The API's handlers. Each one reads the request, calls the part that does the
//! work, and answers with a type of `wire`.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json as Answer, Router};
use schmux_core::fleet::Event;

use super::auth::Speaker;
use super::error::{Failure, Json, Path, Query};
use super::openapi;
use crate::app::App;
use crate::wire::{
    AckRequest, AdoptRequest, Adoptable, AdoptableQuery, ApiError, Capture, CaptureQuery, Check,
    DaemonStatus, DisposeQuery, EventsQuery, Health, HistoryEntry, HookReply, HookRequest,
    KeysRequest, Login, RING, RingReply, RingRequest, Session, SignalRequest, SpawnRequest, Target,
    Workspace,
};
use crate::{adopt, agents, doctor, hooks, keys, spawn};

pub(super) type Result<T> = std::result::Result<Answer<T>, Failure>;
pub(super) type Daemon = State<Arc<App>>;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/healthz", get(healthz))
        .route("/api/status", get(status))
        .route("/api/sessions", get(sessions))
        .route("/api/sessions/{id}", get(session))
        .route("/api/sessions/{id}/dispose", post(dispose))
        .route("/api/sessions/{id}/capture", get(capture))
        .route("/api/sessions/{id}/keys", post(keys))
        .route("/api/sessions/{id}/ack", post(acknowledge))
        .route("/api/sessions/{id}/ring", post(ring))
        .route("/api/sessions/{id}/signal", post(signal))
        .route("/api/events", get(events))
        .route("/api/spawn", post(spawn_sessions))
        .route("/api/targets", get(targets))
        .route("/api/workspaces", get(workspaces))
        .route("/api/adoptable", get(adoptable))
        .route("/api/adopt", post(adopt_session))
        .route("/api/doctor", get(examine))
        .route("/api/openapi.json", get(openapi::document))
}

/// Requests that end when nobody waits for their answer any more: a message that a hook
/// would bring is not for one that has given up.
pub(super) fn waiting() -> Router<Arc<App>> {
    Router::new().route("/api/hook", post(hook))
}

/// Only for those who may open the Unix socket: the user, and no browser.
pub(super) fn own_routes() -> Router<Arc<App>> {
    Router::new().route("/api/shutdown", post(shutdown)).route("/api/login", get(login))
}

/// Whether the daemon answers.
#[utoipa::path(get, path = "/api/healthz", responses((status = 200, body = Health)))]
pub(super) async fn healthz() -> Answer<Health> {
    Answer(Health { status: "ok".into(), version: env!("CARGO_PKG_VERSION").into() })
}

/// The daemon's address, home and tmux server.
#[utoipa::path(get, path = "/api/status", responses((status = 200, body = DaemonStatus)))]
pub(super) async fn status(State(app): Daemon) -> Answer<DaemonStatus> {
    Answer(app.status())
}

/// All sessions, the newest workspace's first.
#[utoipa::path(get, path = "/api/sessions", responses((status = 200, body = Vec<Session>)))]
pub(super) async fn sessions(State(app): Daemon) -> Answer<Vec<Session>> {
    Answer(app.sessions_now().await)
}

/// One session, by its id, its nickname or the beginning of its id.
#[utoipa::path(get, path = "/api/sessions/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Session), (status = 404, body = ApiError)))]
pub(super) async fn session(State(app): Daemon, Path(id): Path<String>) -> Result<Session> {
    let id = app.session(&id)?.id;
    let found = app.sessions_now().await.into_iter().find(|session| session.id == id.as_str());
    found.map(Answer).ok_or_else(|| Failure::not_found("no_such_session", "it was just disposed"))
}

/// Ends a session's program and forgets the session. An adopted one is only let
/// go. With `remove_workspace` its directory goes too, if nothing would be lost.
#[utoipa::path(post, path = "/api/sessions/{id}/dispose", params(("id" = String, Path), DisposeQuery),
    responses((status = 200), (status = 404, body = ApiError), (status = 409, body = ApiError),
        (status = 422, body = ApiError), (status = 504, body = ApiError)))]
pub(super) async fn dispose(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<DisposeQuery>,
) -> Result<serde_json::Value> {
    app.dispose(&id, query).await?;
    Ok(Answer(serde_json::json!({})))
}

/// The screen as text.
#[utoipa::path(get, path = "/api/sessions/{id}/capture", params(("id" = String, Path), CaptureQuery),
    responses((status = 200, body = Capture), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn capture(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<CaptureQuery>,
) -> Result<Capture> {
    let session = app.session(&id)?;
    Ok(Answer(app.host.capture(&session, query.history, query.ansi).await?))
}

/// Types into a session.
#[utoipa::path(post, path = "/api/sessions/{id}/keys", params(("id" = String, Path)), request_body = KeysRequest,
    responses((status = 200), (status = 404, body = ApiError), (status = 409, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn keys(
    State(app): Daemon,
    Path(id): Path<String>,
    Json(request): Json<KeysRequest>,
) -> Result<serde_json::Value> {
    let session = app.session(&id)?;
    // Before anything is typed: half of it would be worse than nothing.
    keys::check(&request.keys)?;
    if let Some(text) = request.text {
        app.host.keys(&session, text.into_bytes()).await?;
    }
    if let Some(paste) = request.paste {
        app.host.paste(&session, &paste).await?;
    }
    if !request.keys.is_empty() {
        app.host.named_keys(&session, request.keys).await?;
    }
    Ok(Answer(serde_json::json!({})))
}

/// The human has seen the session's calls up to this one; nobody rings for them any more.
#[utoipa::path(post, path = "/api/sessions/{id}/ack", params(("id" = String, Path)), request_body = AckRequest,
    responses((status = 200), (status = 404, body = ApiError)))]
pub(super) async fn acknowledge(
    State(app): Daemon,
    Path(id): Path<String>,
    Json(AckRequest { seq }): Json<AckRequest>,
) -> Result<serde_json::Value> {
    let session = app.session(&id)?.id;
    app.hub.apply(Event::Acknowledged { session, seq }).await?;
    Ok(Answer(serde_json::json!({})))
}

/// Asks whether this device may ring for a call. One device may, once.
#[utoipa::path(post, path = "/api/sessions/{id}/ring", params(("id" = String, Path)), request_body = RingRequest,
    responses((status = 200, body = RingReply), (status = 404, body = ApiError)))]
pub(super) async fn ring(
    State(app): Daemon,
    Path(id): Path<String>,
    Json(RingRequest { seq, claim }): Json<RingRequest>,
) -> Result<RingReply> {
    let session = app.session(&id)?.id;
    let granted = app.hub.claim(session, RING.to_owned(), seq, claim).await?;
    Ok(Answer(RingReply { granted }))
}

/// Says how a session stands, for scripts.
#[utoipa::path(post, path = "/api/sessions/{id}/signal", params(("id" = String, Path)), request_body = SignalRequest,
    responses((status = 200), (status = 404, body = ApiError)))]
pub(super) async fn signal(
    State(app): Daemon,
    speaker: Speaker,
    Path(id): Path<String>,
    Json(request): Json<SignalRequest>,
) -> Result<serde_json::Value> {
    let session = app.session(&id)?.id;
    speaker.speak_for(&session)?;
    hooks::say(&app, session, request).await?;
    Ok(Answer(serde_json::json!({})))
}

/// Tells what an agent's hook was called with.
#[utoipa::path(post, path = "/api/hook", request_body = HookRequest,
    responses((status = 200, body = HookReply), (status = 404, body = ApiError)))]
pub(super) async fn hook(
    State(app): Daemon,
    Json(request): Json<HookRequest>,
) -> Result<HookReply> {
    Ok(Answer(hooks::hear(&app, request).await?))
}

/// What was said and what happened, oldest first.
#[utoipa::path(get, path = "/api/events", params(EventsQuery),
    responses((status = 200, body = Vec<HistoryEntry>), (status = 404, body = ApiError)))]
pub(super) async fn events(
    State(app): Daemon,
    Query(query): Query<EventsQuery>,
) -> Result<Vec<HistoryEntry>> {
    Ok(Answer(app.events(query).await?))
}

/// Starts sessions, and tells which ones.
#[utoipa::path(post, path = "/api/spawn", request_body = SpawnRequest,
    responses((status = 200, body = Vec<Session>), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn spawn_sessions(
    State(app): Daemon,
    Json(request): Json<SpawnRequest>,
) -> Result<Vec<Session>> {
    Ok(Answer(spawn::spawn(&app, request).await?))
}

/// What can be spawned.
#[utoipa::path(get, path = "/api/targets", responses((status = 200, body = Vec<Target>)))]
pub(super) async fn targets(State(app): Daemon) -> Answer<Vec<Target>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Answer(agents::list(&app.config, &path, &app.exe))
}

/// All workspaces with their sessions.
#[utoipa::path(get, path = "/api/workspaces", responses((status = 200, body = Vec<Workspace>)))]
pub(super) async fn workspaces(State(app): Daemon) -> Answer<Vec<Workspace>> {
    Answer(app.workspaces())
}

/// Panes of tmux outside schmux in which an agent runs. What hosts have is looked up
/// every half minute at most, unless one is named. A server that is named tells of
/// all its panes.
#[utoipa::path(get, path = "/api/adoptable", params(AdoptableQuery),
    responses((status = 200, body = Vec<Adoptable>), (status = 404, body = ApiError),
        (status = 422, body = ApiError)))]
pub(super) async fn adoptable(
    State(app): Daemon,
    Query(query): Query<AdoptableQuery>,
) -> Result<Vec<Adoptable>> {
    Ok(Answer(adopt::adoptable(&app, &query).await?))
}

/// Takes over a pane of tmux in which the user started an agent by hand.
#[utoipa::path(post, path = "/api/adopt", request_body = AdoptRequest,
    responses((status = 200, body = Session), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn adopt_session(
    State(app): Daemon,
    Json(request): Json<AdoptRequest>,
) -> Result<Session> {
    Ok(Answer(adopt::adopt(&app, request).await?))
}

/// How the daemon is, as far as it can tell itself.
#[utoipa::path(get, path = "/api/doctor", responses((status = 200, body = Vec<Check>)))]
pub(super) async fn examine(State(app): Daemon) -> Answer<Vec<Check>> {
    Answer(doctor::examine(&app).await)
}

async fn shutdown(State(app): Daemon) -> Answer<serde_json::Value> {
    app.shutdown.send_replace(true);
    Answer(serde_json::json!({}))
}

async fn login(State(app): Daemon) -> Answer<Login> {
    Answer(Login { url: app.login_url.clone(), network_url: app.network_login_url.clone() })
}
