//! The gate in front of everything that is served over TCP.
//!
//! A terminal in a browser is a shell, so each request is asked who it is for,
//! who sends it and what secret it brings ([`admit`] decides, this file only
//! carries it out). Requests over the Unix socket don't pass here: that
//! socket's file mode is their gate, so serve the bare router there.
//!
//! Behind a reverse proxy: let it pass `Host` on unchanged, and list the name
//! that browsers see in `allowed_hosts`. `X-Forwarded-*` is never believed.
//!
//! **Invariant:** a route is closed unless `RequestFacts::is_public` opens it.

mod admit;
mod host;
mod keys;
mod speaker;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

pub use admit::{Admission, Policy, Refusal, RequestFacts, admit};
pub use host::BadHost;
pub use keys::{Keys, KeysError, cookie_name};
pub(crate) use keys::{hex, replace_secret};
pub(crate) use speaker::{Speaker, forbidden};

use super::error::Failure;

/// Puts the gate and the security headers in front of a router, its fallback included.
pub fn protect(router: Router, policy: Policy) -> Router {
    let gate = Gate { policy, throttle: Mutex::new(Throttle::default()) };
    router.layer(from_fn_with_state(Arc::new(gate), pass))
}

/// The gate of one listener. The lock is a std one: it is held for a few
/// comparisons, never across an await.
#[derive(Debug)]
struct Gate {
    policy: Policy,
    throttle: Mutex<Throttle>,
}

async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let facts = RequestFacts::of(&parts);
    let is_api = facts.path.starts_with("/api/");
    let mut response = match admit(&gate.policy, &facts) {
        Admission::Enter => next.run(Request::from_parts(parts, body)).await,
        Admission::LogIn { location } => log_in(&gate.policy, &location),
        Admission::Refuse(refusal) => gate.refuse(refusal, &facts, Instant::now()),
    };
    add_headers(&mut response, is_api);
    response
}

impl Gate {
    fn refuse(&self, refusal: Refusal, facts: &RequestFacts<'_>, now: Instant) -> Response {
        tracing::debug!(?refusal, method = %facts.method, path = facts.path, "refused");
        if refusal == Refusal::WrongToken && !self.count_wrong_token(now) {
            let failure = Failure::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_attempts",
                "too many wrong tokens within a minute",
            );
            let failure = failure.advice("wait a minute, then open the link of `schmux url`");
            let mut response = answer(failure, facts);
            let minute = HeaderValue::from(Throttle::WINDOW.as_secs());
            response.headers_mut().insert(header::RETRY_AFTER, minute);
            return response;
        }
        let mut response = answer(refusal.into(), facts);
        if response.status() == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }

    fn count_wrong_token(&self, now: Instant) -> bool {
        self.throttle.lock().unwrap_or_else(PoisonError::into_inner).count(now)
    }
}

fn answer(failure: Failure, facts: &RequestFacts<'_>) -> Response {
    if facts.wants_page() { failure.into_page() } else { failure.into_response() }
}

fn log_in(policy: &Policy, location: &str) -> Response {
    let headers = [
        (header::LOCATION, location.to_owned()),
        (header::SET_COOKIE, set_cookie(policy)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn set_cookie(policy: &Policy) -> String {
    // Half a year: long enough that nobody logs in daily, and far below the
    // 400 days at which browsers cut it.
    const MAX_AGE: u32 = 180 * 24 * 3600;
    let secure = if policy.tls { "; Secure" } else { "" };
    let (name, value) = (&policy.cookie_name, policy.keys.cookie_value());
    format!("{name}={value}; Max-Age={MAX_AGE}; Path=/; HttpOnly; SameSite=Strict{secure}")
}

/// xterm.js sets inline styles; scripts come from our own files only.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; connect-src 'self'; \
    img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self' data:; \
    object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";

fn add_headers(response: &mut Response, is_api: bool) {
    let always = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    let no_store = is_api.then_some((header::CACHE_CONTROL, "no-store"));
    for (name, value) in always.into_iter().chain(no_store) {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
}

/// Counts wrong tokens. A right one always comes in: with 256 bits nobody
/// guesses it at any rate, and a lock-out would let anyone on this machine shut
/// its owner out. What this bounds is the noise.
#[derive(Debug, Default)]
struct Throttle {
    /// When the latest wrong tokens came; never more than `LIMIT`.
    wrong: VecDeque<Instant>,
}

impl Throttle {
    /// A person who pastes an old link needs a few tries, not ten in a minute.
    const LIMIT: usize = 10;
    const WINDOW: Duration = Duration::from_secs(60);

    /// Notes one more, and says whether it still deserves an answer of its own.
    fn count(&mut self, now: Instant) -> bool {
        while self.wrong.front().is_some_and(|at| now.duration_since(*at) >= Throttle::WINDOW) {
            self.wrong.pop_front();
        }
        let room = self.wrong.len() < Throttle::LIMIT;
        if room {
            self.wrong.push_back(now);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_wrong_tokens_a_minute_and_no_more() {
        let mut throttle = Throttle::default();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        for i in 0..10 {
            assert!(throttle.count(at(i)));
        }
        assert!(!throttle.count(at(10)));
        assert!(!throttle.count(at(59)));
        assert!(throttle.count(at(60)), "the first one is a minute old");
        assert!(!throttle.count(at(60)));
        assert!(throttle.count(at(500)));
    }

    #[test]
    fn the_cookie_is_for_this_instance_and_no_script() {
        let policy = |tls| {
            let keys = Keys::from_token("0123456789abcdef0123456789abcdef");
            Policy::new(keys, "127.0.0.1:7337".parse().unwrap(), tls, &[]).unwrap()
        };
        let cookie = set_cookie(&policy(false));
        assert!(cookie.starts_with("schmux_7337="), "{cookie}");
        assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
        assert!(set_cookie(&policy(true)).ends_with("; Secure"));
    }
}
