//! Who asks: the human, or an agent by its own token.
//!
//! Whoever gets this far was let in already. An agent's requests carry the token
//! of its session (`SCHMUX_TOKEN`), so what it says is said in its own name. All
//! others speak for the human.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use schmux_core::ids::SessionId;

use super::admit::bearer;
use crate::app::App;
use crate::http::error::Failure;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speaker {
    Human,
    Agent(SessionId),
}

impl Speaker {
    /// An agent speaks for itself only.
    pub fn speak_for(&self, session: &SessionId) -> Result<(), Failure> {
        match self {
            Speaker::Agent(own) if own != session => {
                let message = format!("{own} can't speak for {session}");
                Err(forbidden("not_yours", message)
                    .advice("leave out --session to speak for itself"))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn forbidden(code: &str, message: impl Into<String>) -> Failure {
    Failure::new(StatusCode::FORBIDDEN, code, message)
}

impl FromRequestParts<Arc<App>> for Speaker {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Speaker, Failure> {
        let given = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(bearer);
        // The instance's own token, which lets people in over TCP, names nobody.
        let Some(token) = token.filter(|token| !app.keys.is_token(token.as_bytes())) else {
            return Ok(Speaker::Human);
        };
        let session = app.keys.agent_of(token).and_then(|id| SessionId::new(id).ok());
        let known = session.filter(|id| app.fleet.borrow().session(id).is_some());
        known.map(Speaker::Agent).ok_or_else(|| {
            let message = "SCHMUX_TOKEN is not that of a session of this schmux";
            Failure::new(StatusCode::UNAUTHORIZED, "wrong_token", message)
                .advice("unset it to speak for yourself; agents get theirs when they are started")
        })
    }
}
