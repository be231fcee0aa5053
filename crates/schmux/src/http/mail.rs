//! The API's handlers for messages to agents.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post};
use axum::{Json as Answer, Router};

use super::api::{Daemon, Result};
use super::auth::Speaker;
use super::error::{Json, Path, Query};
use crate::app::App;
use crate::courier::{self, Change};
use crate::wire::{ApiError, InboxMessage, Message, MessageRequest, MessagesQuery, PassedRequest};

/// A message of a megabyte takes up to six in JSON, where a control character is `\u001b`.
const LONGEST_BODY: usize = 8 << 20;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/messages", get(messages).post(post_messages))
        .route("/api/messages/{id}/cancel", post(cancel_message))
        .route("/api/messages/{id}/retry", post(retry_message))
        .route("/api/messages/{id}/first", post(promote_message))
        .route("/api/hook/passed", post(passed))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
}

/// Requests that end when nobody waits for their answer any more: what is fetched counts
/// as delivered.
pub(super) fn waiting() -> Router<Arc<App>> {
    Router::new().route("/api/inbox", post(fetch_messages))
}

/// Messages to agents with what became of them, oldest first; those that wait by
/// session and in the order in which they will be delivered.
#[utoipa::path(get, path = "/api/messages", params(MessagesQuery),
    responses((status = 200, body = Vec<Message>), (status = 404, body = ApiError)))]
pub(super) async fn messages(
    State(app): Daemon,
    speaker: Speaker,
    Query(query): Query<MessagesQuery>,
) -> Result<Vec<Message>> {
    Ok(Answer(courier::list(&app, &speaker, query).await?))
}

/// Puts a message into the outboxes of the agents that it is for.
#[utoipa::path(post, path = "/api/messages", request_body = MessageRequest,
    responses((status = 200, body = Vec<Message>),
        (status = 404, body = ApiError), (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn post_messages(
    State(app): Daemon,
    speaker: Speaker,
    Json(request): Json<MessageRequest>,
) -> Result<Vec<Message>> {
    Ok(Answer(courier::post(&app, speaker, request).await?))
}

/// Takes a message back, if it is not being written already.
#[utoipa::path(post, path = "/api/messages/{id}/cancel", params(("id" = i64, Path)),
    responses((status = 200, body = Message), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(super) async fn cancel_message(
    State(app): Daemon,
    speaker: Speaker,
    Path(id): Path<i64>,
) -> Result<Message> {
    Ok(Answer(courier::change(&app, &speaker, id, Change::Cancel).await?))
}

/// Has a message that waits tried again at once.
#[utoipa::path(post, path = "/api/messages/{id}/retry", params(("id" = i64, Path)),
    responses((status = 200, body = Message), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(super) async fn retry_message(
    State(app): Daemon,
    speaker: Speaker,
    Path(id): Path<i64>,
) -> Result<Message> {
    Ok(Answer(courier::change(&app, &speaker, id, Change::Retry).await?))
}

/// Puts a message before the others that wait for the same agent.
#[utoipa::path(post, path = "/api/messages/{id}/first", params(("id" = i64, Path)),
    responses((status = 200, body = Message), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(super) async fn promote_message(
    State(app): Daemon,
    speaker: Speaker,
    Path(id): Path<i64>,
) -> Result<Message> {
    Ok(Answer(courier::change(&app, &speaker, id, Change::First).await?))
}

/// Takes the messages that wait for the agent that asks; for agents, by their own token.
#[utoipa::path(post, path = "/api/inbox",
    responses((status = 200, body = Vec<InboxMessage>)))]
pub(super) async fn fetch_messages(
    State(app): Daemon,
    speaker: Speaker,
) -> Result<Vec<InboxMessage>> {
    let session = speaker.agent("an inbox")?;
    Ok(Answer(courier::fetch(&app, &session).await?))
}

/// Says what became of a message that came with a hook's answer.
#[utoipa::path(post, path = "/api/hook/passed", request_body = PassedRequest,
    responses((status = 200), (status = 404, body = ApiError)))]
pub(super) async fn passed(
    State(app): Daemon,
    Json(PassedRequest { session_id, id, passed }): Json<PassedRequest>,
) -> Result<serde_json::Value> {
    let session = app.session(&session_id)?.id;
    courier::settle(&app, &session, id, passed).await;
    Ok(Answer(serde_json::json!({})))
}
