//! The OpenAPI document: at `/api/openapi.json`, and in `web/openapi.json`, from
//! which the page's types are generated.

use axum::Json;
use utoipa::OpenApi;

use super::{api, hosts, mail, replay, settings, state, workspaces};
use crate::wire;

#[derive(OpenApi)]
#[openapi(
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
