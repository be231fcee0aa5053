//! Why a session is shown as it is, and answers to the dialog that it shows.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json as Answer, Router};

use super::error::{Failure, Json, Path};
use crate::app::App;
use crate::state;
use crate::wire::{AnswerReply, AnswerRequest, ApiError, Why};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/sessions/{id}/why", get(why))
        .route("/api/sessions/{id}/answer", post(answer))
}

/// What every source says of a session's state, and which rule won.
#[utoipa::path(get, path = "/api/sessions/{id}/why", params(("id" = String, Path)),
    responses((status = 200, body = Why), (status = 404, body = ApiError)))]
pub(super) async fn why(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Answer<Why>, Failure> {
    Ok(Answer(state::why(&app, &id).await?))
}

/// Answers the dialog on a session's screen: exactly that one, or nothing is
/// typed (409 `dialog_gone`).
#[utoipa::path(post, path = "/api/sessions/{id}/answer", params(("id" = String, Path)), request_body = AnswerRequest,
    responses((status = 200, body = AnswerReply), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 422, body = ApiError)))]
pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Json(request): Json<AnswerRequest>,
) -> Result<Answer<AnswerReply>, Failure> {
    Ok(Answer(state::answer(&app, &id, request).await?))
}
