//! What changes something is done to its end, also if whoever asked for it leaves:
//! a closed tab or a Ctrl-C must not leave half of a spawn behind. hyper drops a
//! connection's future with its connection, so such a request gets a task of its own.
//!
//! Not here are the requests that are worth nothing without someone to answer to:
//! those that only look, and those that a part's `waiting` routes have.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::Failure;

pub(super) async fn run(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    match tokio::spawn(next.run(request)).await.map_err(|error| error.try_into_panic()) {
        Ok(response) => response,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        Err(Err(_)) => {
            Failure::unavailable("shutting_down", "the daemon is shutting down").into_response()
        }
    }
}
