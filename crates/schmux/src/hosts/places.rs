//! Places that are made for one workspace and end with it: a container, a pod or
//! a job. In `config.toml` a host with `each_workspace` says how; each place is a
//! host of its own, stored like one that was added by hand, and is known by the
//! workspace that it was made for.

use std::sync::PoisonError;

use schmux_core::fleet::{Event, Workspace};
use schmux_core::ids::{HostId, WorkspaceId};

use crate::app::App;
use crate::config::{self, LONGEST_NAME};
use crate::http::error::Failure;
use crate::store::StoredHost;
use crate::wire::SpawnRequest;
use crate::workspaces;

/// Makes a place for the workspace that a request is about to have. What runs
/// there is known by `prepare` at the first connection.
pub(super) async fn make(
    app: &App,
    template: &HostId,
    spec: &config::Host,
    request: &SpawnRequest,
) -> Result<HostId, Failure> {
    let project = match (&request.clone, &request.workspace) {
        (Some(url), _) => workspaces::project_of_url(url),
        (None, Some(path)) => {
            path.rsplit('/').find(|part| !part.is_empty()).unwrap_or("work").into()
        }
        (None, None) => "work".to_owned(),
    };
    let known = app.workspaces();
    let (id, stored) = {
        // Two that are made at once are two.
        let _one = app.hosts.making.lock().unwrap_or_else(PoisonError::into_inner);
        let places = app.hosts.places();
        let is_taken = |id: &str| {
            known.iter().any(|workspace| workspace.id == id) || places.iter().any(|p| p == id)
        };
        let workspace = workspaces::new_id(&project, is_taken);
        let name = name(template.as_str(), &workspace);
        let host = spec.for_workspace(&workspace);
        host.check(&name).map_err(|message| Failure::bad_request("bad_host", message))?;
        let id = app.hosts.know(&name, host.clone(), super::Origin::Place(workspace.clone()));
        (id, StoredHost { name, host, workspace: Some(workspace) })
    };
    let Some(id) = id else {
        return Err(Failure::internal(format!("{:?} can't name a host", stored.name)));
    };
    match app.hosts.store.save_host(stored).await {
        Ok(()) => Ok(id),
        Err(error) => {
            app.hosts.unknow(&id);
            Err(crate::hub::HubError::from(error).into())
        }
    }
}

/// What a place is called. The workspace, which tells it from others, is all of it there.
fn name(template: &str, workspace: &str) -> String {
    let room = LONGEST_NAME.saturating_sub(workspace.len() + 1);
    let head: String = template.chars().take(room).collect();
    format!("{head}-{workspace}")
}

/// Ends a place that came to nothing. What is wrong with it was told already.
pub(crate) async fn give_up(app: &App, host: &HostId) {
    if let Err(failure) = end_if_empty(app, host).await {
        tracing::warn!(%host, reason = failure.error.message, "the place can't be ended");
    }
}

/// Ends a place in which no session is left. Its workspace is forgotten with it.
pub(crate) async fn end_if_empty(app: &App, host: &HostId) -> Result<(), Failure> {
    let is_place = app.hosts.place_of(host).is_some();
    let in_use = app.fleet.borrow().sessions().any(|session| session.host == *host);
    if !is_place || in_use {
        return Ok(());
    }
    let left: Vec<WorkspaceId> = {
        let fleet = app.fleet.borrow();
        let there = fleet.workspaces().filter(|workspace: &&Workspace| workspace.host == *host);
        there.map(|workspace| workspace.id.clone()).collect()
    };
    for workspace in left {
        app.hub.apply(Event::WorkspaceRemoved(workspace)).await?;
    }
    super::remove(app, host.as_str()).await
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_of_long_names_are_told_apart() {
        let long = "the-cluster-of-production";
        for (template, workspace, expected) in [
            ("docker", "site-001", "docker-site-001"),
            (long, "a-very-long-project-name-001", "the-cluster-a-very-long-project-name-001"),
            (long, "a-very-long-project-name-002", "the-cluster-a-very-long-project-name-002"),
        ] {
            assert_eq!(super::name(template, workspace), expected);
        }
    }
}
