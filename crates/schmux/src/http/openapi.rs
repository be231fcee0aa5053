//! The OpenAPI document: at `/api/openapi.json`, and in `web/openapi.json`, from
//! which the page's types are generated.

use std::sync::LazyLock;

use axum::Json;
use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{ContentBuilder, PathItem, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use super::{api, hosts, mail, replay, settings, state, workspaces};
use crate::wire;

#[derive(OpenApi)]
#[openapi(
    modifiers(&Refusals),
    info(
        title = "schmux",
        description = "Runs many AI coding agents in tmux. Terminals are at `/ws/terminal/{id}` \
            (binary frames are terminal bytes, text frames `TerminalMessage` and `TerminalRequest`), \
            everything else changes at `/ws/dashboard` (`DashboardMessage`)."
    ),
    paths(
        api::healthz,
        api::status,
        api::sessions,
        api::session,
        api::dispose,
        api::capture,
        api::keys,
        state::why,
        state::answer,
        api::acknowledge,
        api::ring,
        api::events,
        mail::messages,
        mail::post_messages,
        mail::cancel_message,
        mail::retry_message,
        mail::promote_message,
        mail::fetch_messages,
        mail::passed,
        api::signal,
        api::hook,
        api::spawn_sessions,
        api::targets,
        api::workspaces,
        api::adoptable,
        api::adopt_session,
        api::examine,
        hosts::list_hosts,
        hosts::list_ssh_names,
        hosts::add_host,
        hosts::test_host,
        hosts::connect_host,
        hosts::disconnect_host,
        hosts::remove_host,
        hosts::answer_host,
        replay::list,
        replay::overview,
        replay::frames,
        replay::cast,
        settings::settings,
        settings::change_settings,
        settings::test_notifier,
        settings::presets,
        settings::recent,
        settings::details,
        settings::again,
        workspaces::git,
        workspaces::diff,
        workspaces::remove_workspace,
    ),
    components(schemas(
        wire::DashboardMessage,
        wire::TerminalMessage,
        wire::TerminalRequest,
        wire::ApiError,
    ))
)]
struct Document;

/// What can be answered to a request whatever its handler does: the gate (in front of
/// TCP only) lets nobody in, a parameter or a body can't be read, the daemon stops.
/// With these a handler names in its own list only what it decides itself.
struct Refusals;

/// A status, what the document calls it, and when it is answered.
type Refusal = (&'static str, &'static str, &'static str);

const ALWAYS: [Refusal; 6] = [
    ("400", "Wrong", "The request itself is wrong: its Host header, a parameter, a value"),
    ("401", "NotLoggedIn", "There is no token, or a wrong one"),
    ("403", "Forbidden", "Not for pages of other sites, or not for this agent"),
    ("421", "OtherHost", "The Host header is no name that this schmux answers to"),
    ("500", "Fault", "A fault of schmux"),
    ("503", "Unavailable", "The daemon stops, or tmux or a host can't be reached"),
];

const WITH_BODY: [Refusal; 3] = [
    ("413", "TooLong", "The body is too long"),
    ("415", "NotJson", "The body is not declared as JSON"),
    ("422", "CantBeDone", "The body has another shape, or what it asks for can't be done"),
];

impl Modify for Refusals {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        for operation in document.paths.paths.values_mut().flat_map(operations_mut) {
            let with_body: &[_] = if operation.request_body.is_some() { &WITH_BODY } else { &[] };
            for (status, name, _) in ALWAYS.iter().chain(with_body) {
                let refusal = || Ref::from_response_name(*name).into();
                let responses = &mut operation.responses.responses;
                responses.entry((*status).to_owned()).or_insert_with(refusal);
            }
        }
        let components = document.components.get_or_insert_default();
        for (_, name, words) in ALWAYS.iter().chain(&WITH_BODY) {
            let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("ApiError")));
            let refusal = ResponseBuilder::new().description(*words);
            let refusal = refusal.content("application/json", body.build()).build();
            components.responses.insert((*name).to_owned(), refusal.into());
        }
    }
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put].into_iter().flatten()
}

/// In builds for tests: tells the log of an answer whose status the document doesn't
/// know, and every test with a daemon looks for that in its log.
pub(super) async fn notice_undocumented(
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    let method = request.method().as_str().to_lowercase();
    let answer = next.run(request).await;
    let (path, status) = (path.as_str(), answer.status().as_u16());
    if !is_documented(&method, path, status) {
        tracing::error!("{UNDOCUMENTED} {method} {path} answers {status}");
    }
    answer
}

/// What isn't in the document at all has nothing to keep to.
fn is_documented(method: &str, path: &str, status: u16) -> bool {
    static DOCUMENT: LazyLock<serde_json::Value> =
        LazyLock::new(|| serde_json::to_value(Document::openapi()).unwrap_or_default());
    let operation = &DOCUMENT["paths"][path][method];
    operation.is_null() || !operation["responses"][status.to_string()].is_null()
}

/// How such a line of the log begins.
pub const UNDOCUMENTED: &str = "not in the OpenAPI document:";

pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The committed document is the one that this code makes. To renew it:
    /// `UPDATE_OPENAPI=1 cargo test -p schmux openapi && npm --prefix web run types`.
    #[test]
    fn the_committed_document_is_fresh() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
        let made = Document::openapi().to_pretty_json().unwrap() + "\n";
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(path, &made).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(committed == made, "web/openapi.json is stale: see this test on how to renew it");
    }

    #[test]
    fn statuses_are_looked_up() {
        for (method, path, status, expected) in [
            ("get", "/api/healthz", 200, true),
            ("get", "/api/healthz", 404, false),
            ("get", "/api/sessions/{id}", 404, true),
            ("get", "/api/sessions/{id}", 409, false),
            ("get", "/api/sessions/{id}", 401, true),
            ("get", "/api/sessions/{id}", 415, false),
            ("post", "/api/spawn", 415, true),
            // 405: the document has no such operation.
            ("post", "/api/healthz", 405, true),
            ("get", "/ws/terminal/{id}", 101, true),
        ] {
            assert_eq!(is_documented(method, path, status), expected, "{method} {path} {status}");
        }
    }

    /// What isn't in a path's template is in its query, and may be left out.
    #[test]
    fn parameters_are_where_they_are_read() {
        let document = serde_json::to_value(Document::openapi()).unwrap();
        let mut queries = 0;
        for (path, methods) in document["paths"].as_object().unwrap() {
            let operations = methods.as_object().unwrap().values();
            for parameter in operations.filter_map(|each| each["parameters"].as_array()).flatten() {
                let in_path =
                    path.contains(&format!("{{{}}}", parameter["name"].as_str().unwrap()));
                let place = if in_path { "path" } else { "query" };
                assert_eq!(parameter["in"], place, "{path} {parameter}");
                assert_eq!(parameter["required"], in_path, "{path} {parameter}");
                queries += usize::from(!in_path);
            }
        }
        assert!(queries > 10, "{queries} parameters of queries");
    }
}
