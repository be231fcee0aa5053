//! Every "no" of the API: a status and an [`ApiError`] that says what to do.
//!
//! [`Json`], [`Query`] and [`Path`] are axum's extractors whose refusals come
//! out in the same form; use these and not axum's own, so that no error of the
//! API is ever plain text.

use std::fmt;
use std::marker::PhantomData;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::proc::ProcError;
use crate::wire::ApiError;

/// What a handler returns instead of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub status: StatusCode,
    pub error: ApiError,
}

impl Failure {
    /// `code` is the stable word for programs, `message` says what failed and on what.
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Failure {
        let error = ApiError { code: code.to_owned(), message: message.into(), advice: None };
        Failure { status, error }
    }

    /// Adds what the reader can do about it.
    pub fn advice(mut self, advice: impl Into<String>) -> Failure {
        self.error.advice = Some(advice.into());
        self
    }

    pub fn bad_request(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub fn not_found(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, code, message)
    }

    /// It can't be done in the state that things are in.
    pub fn conflict(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::CONFLICT, code, message)
    }

    /// The request was understood and can't be carried out.
    pub fn unprocessable(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// Something that we need is away for now: tmux, a host.
    pub fn unavailable(code: &str, message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// A fault of ours.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
            .advice("the daemon's log in SCHMUX_HOME/logs has the details")
    }

    /// The same for a person's browser window.
    pub fn into_page(self) -> Response {
        let ApiError { message, advice, .. } = &self.error;
        let title = self.status.canonical_reason().unwrap_or("schmux");
        page(self.status, title, &[message, advice.as_deref().unwrap_or_default()])
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if self.status.is_server_error() {
            tracing::error!(code = self.error.code, "{}", self.error.message);
        }
        (self.status, axum::Json(self.error)).into_response()
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::internal(format!("{error:#}"))
    }
}

impl From<ProcError> for Failure {
    fn from(error: ProcError) -> Failure {
        let message = error.to_string();
        match error {
            ProcError::NotFound { program } => Failure::unprocessable("program_missing", message)
                .advice(format!("install {program}, or put it on the PATH of the daemon")),
            ProcError::Start { .. } | ProcError::Failed { .. } => {
                Failure::unprocessable("program_failed", message)
            }
            ProcError::TooSlow { .. } => {
                Failure::new(StatusCode::GATEWAY_TIMEOUT, "program_too_slow", message)
            }
        }
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Failure {
        let (code, advice) = match &rejection {
            JsonRejection::MissingJsonContentType(_) => {
                ("not_json", "send JSON with the header `Content-Type: application/json`")
            }
            JsonRejection::JsonSyntaxError(_) => ("bad_json", "check the JSON's syntax"),
            JsonRejection::JsonDataError(_) => {
                ("bad_body", "compare the body with the schema in /api/openapi.json")
            }
            _ => ("unreadable_body", "send the request again; a body may have up to 2 MB"),
        };
        Failure::new(rejection.status(), code, rejection.body_text()).advice(advice)
    }
}

impl From<QueryRejection> for Failure {
    fn from(rejection: QueryRejection) -> Failure {
        Failure::new(rejection.status(), "bad_query", rejection.body_text())
            .advice("compare the query with the parameters in /api/openapi.json")
    }
}

impl From<PathRejection> for Failure {
    fn from(rejection: PathRejection) -> Failure {
        Failure::new(rejection.status(), "bad_path", rejection.body_text())
            .advice("compare the path with those in /api/openapi.json")
    }
}

/// For `Router::method_not_allowed_fallback`, whose default answer is empty.
pub async fn method_not_allowed(method: Method, uri: Uri) -> Failure {
    let message = format!("`{}` can't be asked by {method}", uri.path());
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message)
        .advice("/api/openapi.json lists what there is")
}

/// A JSON body, in or out. One that comes in is an object: serde would read a list of
/// values into a struct, too.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let axum::Json(Object(value)) = axum::Json::from_request(request, state).await?;
        Ok(Json(value))
    }
}

struct Object<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// The query of the URL.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let extract::Query(value) = extract::Query::from_request_parts(parts, state).await?;
        Ok(Query(value))
    }
}

/// The parameters in the URL's path.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let extract::Path(value) = extract::Path::from_request_parts(parts, state).await?;
        Ok(Path(value))
    }
}

/// A small page of plain paragraphs. All text is escaped; words between
/// backticks are shown as code.
pub(crate) fn page(status: StatusCode, title: &str, paragraphs: &[&str]) -> Response {
    let title = escape(title);
    let mut body = String::new();
    for paragraph in paragraphs.iter().filter(|text| !text.is_empty()) {
        let pieces = escape(paragraph);
        let marked = pieces.split('`').enumerate().map(|(i, piece)| match i % 2 {
            0 => piece.to_owned(),
            _ => format!("<code>{piece}</code>"),
        });
        body += &format!("<p>{}</p>\n", marked.collect::<String>());
    }
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>schmux: {title}</title>\
         <style>{STYLE}</style></head>\n<body><main><h1>{title}</h1>\n{body}</main></body></html>\n"
    );
    (status, [(header::CACHE_CONTROL, "no-store")], Html(html)).into_response()
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;\
    min-height:100vh;place-items:center;color-scheme:light dark}main{max-width:38rem;\
    padding:2rem}code{font-family:ui-monospace,monospace;padding:.1em .3em;\
    border-radius:4px;background:#8883;overflow-wrap:anywhere}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::KeysRequest;

    async fn text(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_failure_is_the_api_error_with_its_status() {
        let failure = Failure::not_found("no_such_session", "there is no session `x`");
        let response = failure.advice("did you mean `y`?").into_response();
        assert_eq!(response.status(), 404);
        let error: ApiError = serde_json::from_str(&text(response).await).unwrap();
        assert_eq!(error.code, "no_such_session");
        assert_eq!(error.advice.as_deref(), Some("did you mean `y`?"));
    }

    #[tokio::test]
    async fn a_body_is_an_object() {
        async fn read(body: &'static str) -> Result<KeysRequest, Failure> {
            let request = Request::post("/").header(header::CONTENT_TYPE, "application/json");
            let request = request.body(body.into()).unwrap();
            Json::from_request(request, &()).await.map(|Json(keys)| keys)
        }
        let keys = read(r#"{"text": "x", "keys": ["Up"]}"#).await.unwrap();
        assert_eq!((keys.text.as_deref(), keys.keys.len()), (Some("x"), 1));
        for body in ["[]", "[null, null]", r#"["x", null, []]"#, "null", "1"] {
            let failure = read(body).await.unwrap_err();
            assert_eq!((failure.status.as_u16(), failure.error.code.as_str()), (422, "bad_body"));
            let message = failure.error.message;
            assert!(message.contains("expected an object"), "{body}: {message}");
        }
        assert_eq!(read("{").await.unwrap_err().error.code, "bad_json");
    }

    #[tokio::test]
    async fn text_on_a_page_is_escaped() {
        let failure = Failure::bad_request("x", "<script>alert(\"&\")</script> `<b>`");
        let html = text(failure.into_page()).await;
        assert!(html.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"), "{html}");
        assert!(html.contains("<code>&lt;b&gt;</code>"), "{html}");
    }

    #[test]
    fn a_missing_program_says_what_to_install() {
        let failure = Failure::from(ProcError::NotFound { program: "git".to_owned() });
        assert_eq!(failure.status, 422);
        assert!(failure.error.advice.unwrap().contains("install git"));
    }
}
