//! Routes about recordings.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json as Answer, Router};
use tower_http::compression::CompressionLayer;

use super::error::{Failure, Path, Query};
use crate::app::App;
use crate::replay::tell;
use crate::wire::{ApiError, CastQuery, FramesQuery, Recording, Replay, ReplayFrames};

type Result<T> = std::result::Result<Answer<T>, Failure>;
type Daemon = State<Arc<App>>;

/// Terminal output goes out compressed to who accepts that: to a tenth of its size.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/replays", get(list))
        .route("/api/sessions/{id}/replay", get(overview))
        .route("/api/sessions/{id}/replay/frames", get(frames))
        .route("/api/sessions/{id}/replay/cast", get(cast))
        .layer(CompressionLayer::new())
}

/// What was recorded of sessions, those disposed included, the last one to change first.
#[utoipa::path(get, path = "/api/replays", responses((status = 200, body = Vec<Recording>)))]
pub(super) async fn list(State(app): Daemon) -> Result<Vec<Recording>> {
    Ok(Answer(tell::list(&app).await?))
}

/// A recording's time line: how busy it was, what is missing, what happened.
#[utoipa::path(get, path = "/api/sessions/{id}/replay", params(("id" = String, Path)),
    responses((status = 200, body = Replay), (status = 404, body = ApiError)))]
pub(super) async fn overview(State(app): Daemon, Path(id): Path<String>) -> Result<Replay> {
    Ok(Answer(tell::overview(&app, &id).await?))
}

/// A part of a recording, from the keyframe at or before `from`.
#[utoipa::path(get, path = "/api/sessions/{id}/replay/frames", params(("id" = String, Path), FramesQuery),
    responses((status = 200, body = ReplayFrames), (status = 404, body = ApiError)))]
pub(super) async fn frames(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<FramesQuery>,
) -> Result<ReplayFrames> {
    Ok(Answer(tell::frames(&app, &id, query).await?))
}

/// A recording, or a part of it, as an asciicast file; signals are its markers.
#[utoipa::path(get, path = "/api/sessions/{id}/replay/cast", params(("id" = String, Path), CastQuery),
    responses((status = 200, content_type = "application/x-asciicast", body = String),
        (status = 404, body = ApiError)))]
pub(super) async fn cast(
    State(app): Daemon,
    Path(id): Path<String>,
    Query(query): Query<CastQuery>,
) -> std::result::Result<Response, Failure> {
    let (id, pieces) = tell::cast(&app, &id, query).await?;
    // A few pieces ahead; the thread waits for who downloads, and ends with them.
    let (sender, receiver) = tokio::sync::mpsc::channel::<std::io::Result<String>>(4);
    tokio::task::spawn_blocking(move || {
        for piece in pieces {
            if sender.blocking_send(Ok(piece)).is_err() {
                return;
            }
        }
    });
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|piece| (piece, receiver))
    });
    // Compression asks once more after the end, which an unfolded stream doesn't survive.
    let stream = futures_util::StreamExt::fuse(stream);
    let name = format!("attachment; filename=\"{id}.cast\"");
    let headers = [
        (header::CONTENT_TYPE, "application/x-asciicast".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}
