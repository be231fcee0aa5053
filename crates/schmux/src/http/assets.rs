//! The dashboard's files, embedded from `web/dist`.
//!
//! A debug build reads them from disk, so the page can be rebuilt alone. A
//! build without them works too: its page says how to get one. There are no
//! routes in the page's paths (it uses the fragment), so a path is a file or
//! it is nothing.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use tower_http::compression::CompressionLayer;

use super::auth::hex;
use super::error::{Failure, page};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The page, as the fallback of everything else: `router.fallback_service(assets::router())`.
/// Text goes out compressed to who accepts that.
pub fn router() -> Router {
    Router::new().fallback(serve).layer(CompressionLayer::new())
}

async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    answer(&method, uri.path(), &headers, Dist::get)
}

fn answer(
    method: &Method,
    path: &str,
    headers: &HeaderMap,
    find: impl Fn(&str) -> Option<EmbeddedFile>,
) -> Response {
    let name = path.strip_prefix('/').filter(|name| !name.is_empty()).unwrap_or("index.html");
    let is_program = ["api", "ws"].contains(&name.split('/').next().unwrap_or_default());
    if is_program {
        return Failure::not_found("no_such_route", format!("there is no `{method} {path}`"))
            .advice("/api/openapi.json lists what there is")
            .into_response();
    }
    if *method != Method::GET && *method != Method::HEAD {
        let allow = [(header::ALLOW, "GET, HEAD")];
        let failure = Failure::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            format!("`{path}` can only be read"),
        );
        return (allow, failure).into_response();
    }
    match find(name) {
        Some(file) => file_response(name, file, headers),
        None if name == "index.html" => unbuilt(),
        None => Failure::not_found("no_such_page", format!("there is no page `{path}`"))
            .advice("the dashboard is at `/`")
            .into_page(),
    }
}

fn file_response(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    // Weak, because the same file also goes out compressed.
    let etag = format!("W/\"{}\"", hex(&file.metadata.sha256_hash()[..16]));
    // Vite puts a hash of the content into the names of the files in there.
    let cache = match name.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let known = headers.get_all(header::IF_NONE_MATCH).iter().any(|value| {
        let mut tags = value.to_str().unwrap_or_default().split(',').map(str::trim);
        tags.any(|tag| tag == etag || tag == "*")
    });
    let mut response = match known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let kind = content_type(file.metadata.mimetype());
            ([(header::CONTENT_TYPE, kind)], Body::from(file.data)).into_response()
        }
    };
    let fields = response.headers_mut();
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    if let Ok(etag) = HeaderValue::from_str(&etag) {
        fields.insert(header::ETAG, etag);
    }
    response
}

fn content_type(mime: &str) -> String {
    let is_text = mime.starts_with("text/") || mime == "application/json";
    if is_text { format!("{mime}; charset=utf-8") } else { mime.to_owned() }
}

fn unbuilt() -> Response {
    page(
        StatusCode::SERVICE_UNAVAILABLE,
        "The page is not built",
        &[
            "The daemon runs, but it was built without its page.",
            "In the sources, run `make start`. Or step by step: `npm --prefix web ci`, \
             `npm --prefix web run build`, `cargo build --release`; then start schmux again.",
            "The command line works without the page: `schmux list`, `schmux attach`.",
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of our own, because the real one may not be built.
    #[derive(RustEmbed)]
    #[folder = "src/http"]
    struct Sources;

    fn find(name: &str) -> Option<EmbeddedFile> {
        match name {
            "index.html" => Sources::get("assets.rs"),
            _ => name.strip_prefix("assets/").and_then(Sources::get),
        }
    }

    fn get(path: &str, headers: &[(header::HeaderName, &str)]) -> Response {
        let headers = headers.iter().map(|(k, v)| (k.clone(), v.parse().unwrap())).collect();
        answer(&Method::GET, path, &headers, find)
    }

    fn field(response: &Response, name: header::HeaderName) -> &str {
        response.headers().get(name).unwrap().to_str().unwrap()
    }

    #[test]
    fn files_have_a_type_and_a_life() {
        let index = get("/", &[]);
        assert_eq!(index.status(), 200);
        assert_eq!(field(&index, header::CACHE_CONTROL), "no-cache");
        let hashed = get("/assets/error.rs", &[]);
        assert!(field(&hashed, header::CACHE_CONTROL).contains("immutable"));
        assert!(field(&hashed, header::CONTENT_TYPE).starts_with("text/"));
        assert_eq!(content_type("text/html"), "text/html; charset=utf-8");
        assert_eq!(content_type("font/woff2"), "font/woff2");
    }

    #[test]
    fn what_a_browser_has_is_not_sent_again() {
        let etag = field(&get("/", &[]), header::ETAG).to_owned();
        let list = format!("\"x\", {etag}");
        for known in [etag.as_str(), list.as_str(), "*"] {
            assert_eq!(get("/", &[(header::IF_NONE_MATCH, known)]).status(), 304);
        }
        assert_eq!(get("/", &[(header::IF_NONE_MATCH, "W/\"x\"")]).status(), 200);
    }

    #[test]
    fn what_is_not_there_is_said_in_the_askers_words() {
        for path in ["/nothing", "/assets/nothing", "/assets/../../Cargo.toml", "/%2e%2e/x", "//"] {
            let response = get(path, &[]);
            assert_eq!(response.status(), 404, "{path}");
            assert!(field(&response, header::CONTENT_TYPE).starts_with("text/html"));
        }
        for path in ["/api", "/api/nothing", "/ws/nothing"] {
            let response = get(path, &[]);
            assert_eq!(response.status(), 404, "{path}");
            assert_eq!(field(&response, header::CONTENT_TYPE), "application/json");
        }
        let post = answer(&Method::POST, "/", &HeaderMap::new(), find);
        assert_eq!(post.status(), 405);
    }

    #[test]
    fn without_a_page_it_says_how_to_build_one() {
        let response = answer(&Method::GET, "/", &HeaderMap::new(), |_| None);
        assert_eq!(response.status(), 503);
    }
}
