//! The two questions of `schmux edit`, on the Unix socket only.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::routing::post;
use axum::{Json as Answer, Router};

use super::error::{Failure, Json};
use crate::app::App;
use crate::courier;
use crate::wire::{EditEnded, EditReply, EditRequest};

/// A field may hold pasted blocks of any length; each character may be escaped.
const LONGEST: usize = 16 << 20;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/edit", post(called))
        .route("/api/edit/ended", post(ended))
        .layer(DefaultBodyLimit::max(LONGEST))
}

async fn called(
    State(app): State<Arc<App>>,
    Json(request): Json<EditRequest>,
) -> Result<Answer<EditReply>, Failure> {
    Ok(Answer(courier::editor_called(&app, request).await?))
}

async fn ended(
    State(app): State<Arc<App>>,
    Json(ended): Json<EditEnded>,
) -> Result<Answer<serde_json::Value>, Failure> {
    courier::editor_ended(&app, ended).await?;
    Ok(Answer(serde_json::json!({})))
}
