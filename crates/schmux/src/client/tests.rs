use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;

use super::*;
use crate::wire::Health;

/// A daemon's socket with a few routes behind it.
fn serve(home: &Home) {
    let refuse = (
        StatusCode::NOT_FOUND,
        Json(json!({
            "code": "no_such_session", "message": "there is no session x", "advice": "try y"
        })),
    );
    let app = Router::new()
        .route("/api/healthz", get(|| async { Json(json!({"status": "ok", "version": "1"})) }))
        .route("/api/echo", post(|Json(body): Json<serde_json::Value>| async { Json(body) }))
        .route("/api/none", post(|| async { StatusCode::NO_CONTENT }))
        .route("/api/refuse", get(|| async { refuse }))
        .route("/api/odd", get(|| async { (StatusCode::BAD_GATEWAY, "<html>") }))
        .route("/api/never", get(std::future::pending::<()>));
    let listener = tokio::net::UnixListener::bind(home.socket()).unwrap();
    tokio::spawn(async { axum::serve(listener, app).await });
}

#[tokio::test]
async fn it_asks_and_understands() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    serve(&home);
    let client = Client::new(&home);
    let health: Health = client.get("/api/healthz").await.unwrap();
    assert_eq!(health.status, "ok");
    let echo: serde_json::Value = client.post("/api/echo", &json!({"a": [1, "ü"]})).await.unwrap();
    assert_eq!(echo, json!({"a": [1, "ü"]}));
    client.tell("/api/none", &json!({})).await.unwrap();
}

#[tokio::test]
async fn errors_say_what_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    serve(&home);
    let client = Client::new(&home).patient(Duration::from_millis(300));
    let cases = [
        ("/api/refuse", "there is no session x", Some("try y")),
        ("/api/odd", "the daemon answered /api/odd with 502 Bad Gateway: <html>", None),
        ("/api/never", "the daemon did not answer /api/never within", Some("schmux doctor")),
    ];
    for (path, message, advice) in cases {
        let err = client.get::<Health>(path).await.unwrap_err();
        assert!(err.to_string().starts_with(message), "{err}");
        match advice {
            Some(advice) => assert!(err.advice().unwrap().contains(advice), "{err:?}"),
            None => assert_eq!(err.advice(), None),
        }
    }
    let err = client.post::<_, Health>("/api/echo", &json!(3)).await.unwrap_err();
    assert!(matches!(err, ClientError::Garbled { .. }), "{err:?}");
}

#[tokio::test]
async fn a_missing_or_dead_socket_means_that_no_daemon_runs() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    for _ in 0..2 {
        let err = Client::new(&home).get::<Health>("/api/healthz").await.unwrap_err();
        assert!(matches!(err, ClientError::NotRunning { .. }), "{err:?}");
        assert_eq!(err.advice().as_deref(), Some("start it: schmux start"));
        // The second time round a socket is there that nobody listens on.
        drop(std::os::unix::net::UnixListener::bind(home.socket()));
    }
}

#[tokio::test]
async fn no_daemon_runs_in_a_home_that_is_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let err = Client::new(&Home::at(file.path())).get::<Health>("/api/healthz").await.unwrap_err();
    assert!(matches!(err, ClientError::NotRunning { .. }), "{err:?}");
}

#[test]
fn segments_are_encoded() {
    assert_eq!(encode_segment("a-1_b"), "a-1_b");
    assert_eq!(encode_segment("a/b ?ü"), "a%2Fb%20%3F%C3%BC");
}
