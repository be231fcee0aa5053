//! Places that are made for one workspace and end with it: a container, a pod or
//! a job. In `config.toml` a host with `each_workspace` says how; each place is a
//! host of its own, stored like one that was added by hand, and is known by the
//! workspace that it was made for.

use schmux_core::fleet::{Event, Workspace};
use schmux_core::ids::{HostId, WorkspaceId};

use crate::app::App;
use crate::config;
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
    let places = app.hosts.places();
    let is_taken = |id: &str| {
        known.iter().any(|workspace| workspace.id == id) || places.iter().any(|place| place == id)
    };
    let workspace = workspaces::new_id(&project, is_taken);
    let name: String = format!("{template}-{workspace}").chars().take(40).collect();
    let spec = spec.for_workspace(&workspace);
    spec.check(&name).map_err(|message| Failure::bad_request("bad_host", message))?;
    let (stored, host) = (name.clone(), spec.clone());
    let stored = StoredHost { name: stored, host, workspace: Some(workspace.clone()) };
    app.hosts.store.save_host(stored).await.map_err(crate::hub::HubError::from)?;
    let id = app.hosts.know(&name, spec, super::Origin::Place(workspace));
    id.ok_or_else(|| Failure::internal(format!("{name:?} can't name a host")))
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
