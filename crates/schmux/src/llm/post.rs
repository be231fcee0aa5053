//! Sends one request and takes the whole answer, within a time.

use std::time::Duration;

use schmux_core::nudgenik::mask;
use serde_json::Value;

use super::LlmError;
use super::dialect::Request;
use super::key::Key;

/// An answer is a few hundred bytes; a model that thinks aloud sends more.
const LARGEST: u64 = 1 << 20;

/// How much of an error is told.
const TOLD: usize = 300;

/// The body of an answer that says yes.
pub(super) async fn post(
    request: Request,
    key: Option<Key>,
    limit: Duration,
) -> Result<Vec<u8>, LlmError> {
    let host = request.host.clone();
    // The client waits for its answer, so it does that on a thread of its own.
    let sent = tokio::task::spawn_blocking(move || send(request, limit)).await;
    let result = match sent {
        Ok(result) => result,
        Err(error) => Err(LlmError::Unreachable { host, text: error.to_string() }),
    };
    result.map_err(|error| match (error, key) {
        // Services repeat keys that they don't like.
        (LlmError::Refused { host, status, text, after }, Some(key)) => {
            LlmError::Refused { host, status, text: key.hide_in(&text), after }
        }
        (error, _) => error,
    })
}

fn send(request: Request, limit: Duration) -> Result<Vec<u8>, LlmError> {
    let Request { url, host, headers, body } = request;
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(limit))
        .http_status_as_error(false)
        // A header with a key doesn't go where someone else says.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .build()
        .into();
    let mut request = agent.post(&url);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let failed = |error: ureq::Error| match error {
        ureq::Error::Timeout(_) => LlmError::Slow { host: host.clone(), limit },
        error => LlmError::Unreachable { host: host.clone(), text: error.to_string() },
    };
    let mut response = request.send(&body[..]).map_err(failed)?;
    let status = response.status().as_u16();
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let after = after.and_then(|text| wait_until(text, jiff::Timestamp::now()));
    let body = response.body_mut().with_config().limit(LARGEST).read_to_vec().map_err(failed)?;
    if (200..300).contains(&status) {
        return Ok(body);
    }
    Err(LlmError::Refused { host, status, text: reason(&body), after })
}

/// Seconds, or a date.
fn wait_until(text: &str, now: jiff::Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

/// What a service says of why it refused: where most say it, or its first words.
fn reason(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let said = ["/error/message", "/message", "/error", "/detail"];
    let said = said.iter().find_map(|path| value.pointer(path).and_then(Value::as_str));
    let text = mask(said.unwrap_or(&text)).trim().replace(['\n', '\r'], " ");
    match text.char_indices().nth(TOLD) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None if text.is_empty() => "nothing more".to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_seconds_or_dates() {
        let now = "2026-01-02T03:04:05Z".parse().unwrap();
        let seconds = |text| wait_until(text, now).map(|wait| wait.as_secs());
        assert_eq!(seconds("7"), Some(7));
        assert_eq!(seconds("Fri, 02 Jan 2026 03:04:15 GMT"), Some(10));
        assert_eq!(seconds("Fri, 02 Jan 2026 03:04:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
    }

    #[test]
    fn reasons_are_short_and_hold_no_keys() {
        assert_eq!(
            reason(br#"{"error":{"message":"bad\nkey sk-abcdefghijklmnopqrst"}}"#),
            "bad key [masked]"
        );
        assert_eq!(reason(b"<html>no"), "<html>no");
        assert_eq!(reason(b""), "nothing more");
        assert!(reason(&[b'x'; 1000]).chars().count() == TOLD + 1);
    }
}
