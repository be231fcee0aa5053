//! Spawning on a host: what is done here by files and processes is done there by
//! scripts, through the same connection.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use schmux_core::fleet::{Address, Session, Socket, Workspace, attach};
use schmux_core::ids::HostId;
use schmux_core::sh;

use super::{agents, places, provision, unreachable};
use crate::agents::{Launch, provision::Provisioned, resolve_at};
use crate::app::App;
use crate::config;
use crate::host::remote::{Facts, is_plain_path};
use crate::host::{Host, Spec};
use crate::http::error::Failure;
use crate::wire::{SpawnRequest, WorkspaceKind};
use crate::workspaces::{self, Prepared};

/// A directory is looked at in no time; this is for a link that stalls.
const LOOK: Duration = Duration::from_secs(30);

/// A clone may take ten minutes, as on this machine.
const CLONE: Duration = Duration::from_secs(600);

/// A host that sessions are about to start on.
pub(crate) struct There {
    pub(super) host: HostId,
    pub(super) facts: Arc<Facts>,
    spec: config::Host,
    /// The workspace that it was made for.
    place: Option<String>,
}

impl There {
    /// The host that a request means; `None` for this machine. A known workspace
    /// says by itself where it is.
    pub(crate) async fn of(app: &App, request: &SpawnRequest) -> Result<Option<There>, Failure> {
        let named = request.workspace.as_deref();
        let known = app.workspaces().into_iter().find(|known| Some(known.id.as_str()) == named);
        let host = match (&request.host, known) {
            (Some(host), Some(known)) if *host != known.host => {
                let message = format!("the workspace {} is on {}", known.id, known.host);
                return Err(Failure::unprocessable("other_host", message)
                    .advice("leave out the host, or name another workspace"));
            }
            (Some(host), _) => host.clone(),
            (None, Some(known)) => known.host,
            (None, None) => return Ok(None),
        };
        if host == "local" {
            return Ok(None);
        }
        let mut host = app.hosts.find(&host)?;
        let mut spec = app.hosts.spec(&host).unwrap_or_default();
        if spec.each_workspace {
            host = places::make(app, &host, &spec, request).await?;
            spec = app.hosts.spec(&host).unwrap_or_default();
        }
        let place = app.hosts.place_of(&host);
        let limit = if place.is_some() { super::ENGINE } else { LOOK };
        match app.host.ready(&host, limit).await {
            Ok(facts) => Ok(Some(There { host, facts, spec, place })),
            Err(error) => {
                let failure = unreachable(app, &host, &error);
                places::give_up(app, &host).await;
                Err(failure)
            }
        }
    }

    /// A host by its name, which must be a place that can be connected to;
    /// `None` for this machine.
    pub(crate) async fn at(app: &App, name: Option<&str>) -> Result<Option<There>, Failure> {
        let Some(name) = name.filter(|name| *name != "local") else { return Ok(None) };
        let host = app.hosts.find_place(name)?;
        let spec = app.hosts.spec(&host).unwrap_or_default();
        let place = app.hosts.place_of(&host);
        let facts = app.host.ready(&host, LOOK).await;
        let facts = facts.map_err(|error| unreachable(app, &host, &error))?;
        Ok(Some(There { host, facts, spec, place }))
    }

    /// What a script prints that has to come to a good end.
    pub(crate) async fn run(
        &self,
        app: &App,
        script: &str,
        limit: Duration,
    ) -> Result<String, Failure> {
        let output = app.host.run(&self.host, script, limit).await;
        let output = output.map_err(|error| unreachable(app, &self.host, &error))?;
        match output.status {
            0 => Ok(output.text()),
            _ => Err(self.refused(output.status, &output.text())),
        }
    }

    /// Where workspaces are made there.
    pub(crate) fn workspaces_dir(&self) -> String {
        let root = self.spec.workspaces_dir.clone();
        let root = root.unwrap_or_else(|| format!("{}/workspaces", self.facts.dir));
        match root.strip_prefix("~/") {
            Some(rest) => format!("{}/{rest}", self.facts.home),
            None => root,
        }
    }

    pub(crate) fn host(&self) -> &HostId {
        &self.host
    }

    /// Where a session's tmux is, for people who attach to it.
    pub(crate) fn address(&self, socket: Socket, tmux_session: String) -> Address {
        let via = match self.spec.attach.is_empty() {
            true => attach::way(&self.spec.connect, self.spec.shell.is_empty()),
            false => self.spec.attach.clone(),
        };
        Address { via, tmux: self.facts.tmux.clone(), ..Address::here(socket, tmux_session) }
    }

    /// What runs for a target, with its program as it is found there.
    pub(crate) async fn resolve(&self, app: &App, target: &str) -> Result<Launch, Failure> {
        let programs = crate::agents::programs(target, &app.config, &app.exe)?;
        let found = agents::locate(app, &self.host, &programs).await;
        let found = found.map_err(|error| unreachable(app, &self.host, &error))?;
        Ok(resolve_at(target, &app.config, &app.exe, (self.host.as_str(), &found))?)
    }

    /// Finds or makes the directory of a request there.
    pub(crate) async fn prepare(
        &self,
        app: &App,
        request: &SpawnRequest,
    ) -> Result<Prepared, Failure> {
        let known = app.workspaces();
        let by_id = known.iter().find(|known| Some(&known.id) == request.workspace.as_ref());
        let named = by_id.map(|known| known.path.clone()).or_else(|| request.workspace.clone());
        let (kind, word) = match (&request.clone, &request.worktree) {
            (Some(_), Some(_)) => {
                let message = "`clone` and `worktree` can't be used together";
                return Err(Failure::bad_request("bad_request", message));
            }
            (Some(_), None) => (WorkspaceKind::Clone, "clone"),
            (None, Some(_)) => (WorkspaceKind::Worktree, "worktree"),
            (None, None) => (WorkspaceKind::Directory, "directory"),
        };
        let url = request.clone.clone().unwrap_or_default();
        let tail = format!("{:08x}", rand::random::<u32>());
        let root = self.workspaces_dir();
        let values = [
            ("KIND", word),
            ("NAMED", named.as_deref().unwrap_or("~")),
            ("BRANCH", request.worktree.as_deref().unwrap_or_default()),
            ("URL", &url),
            ("PROJECT", &workspaces::project_of_url(&url)),
            ("ROOT", &root),
            ("TAIL", &tail),
        ];
        let set = values.map(|(name, value)| format!("{name}={}\n", sh::quote(value))).concat();
        let script = format!("{set}{}", include_str!("workspace.sh"));
        let limit = if kind == WorkspaceKind::Directory { LOOK } else { CLONE };
        // Which repository it is, is known over there only.
        let turn = match kind {
            WorkspaceKind::Worktree => {
                Some(app.turns.take(self.host.as_str(), Path::new("")).await)
            }
            _ => None,
        };
        let text = self.run(app, &script, limit).await?;
        let mut lines = text.lines();
        let (Some(path), Some(project)) = (lines.next(), lines.next()) else {
            return Err(Failure::internal(format!("{} said {text:?}", self.host)));
        };
        if !is_plain_path(path) {
            let message = format!("on {}: {path:?} can't be the name of a workspace", self.host);
            return Err(Failure::unprocessable("not_a_directory", message)
                .advice("choose a directory whose name has no control characters"));
        }
        Ok(Prepared {
            path: PathBuf::from(path),
            kind,
            branch: request.worktree.clone(),
            project: project.to_owned(),
            made: None,
            turn,
        })
    }

    /// The id of the known workspace in a directory there, or one that is free.
    pub(crate) fn id_of(&self, prepared: &Prepared, known: &[crate::wire::Workspace]) -> String {
        let same = |workspace: &&crate::wire::Workspace| {
            workspace.host == self.host.as_str() && Path::new(&workspace.path) == prepared.path
        };
        if let Some(workspace) = known.iter().find(same) {
            return workspace.id.clone();
        }
        let is_taken = |id: &str| known.iter().any(|workspace| workspace.id == id);
        // A place that was made for a workspace has that one first.
        let meant = self.place.clone().filter(|id| !is_taken(id));
        meant.unwrap_or_else(|| workspaces::new_id(&prepared.project, is_taken))
    }

    /// What the script's exit status means.
    fn refused(&self, status: i32, said: &str) -> Failure {
        let (code, advice) = match status {
            10 => ("no_such_workspace", "give a path from /, or one that begins with ~/"),
            11 => ("no_such_workspace", "make it there first"),
            12 => ("not_a_directory", "name another directory"),
            13 => ("not_writable", "make it writable there, or choose another"),
            14 => ("not_a_repository", "choose a directory inside a repository"),
            15 => ("bad_branch", "use letters, digits, `-`, `_` and `/`, as in feature/login"),
            16 => ("branch_checked_out", "work there, or choose another branch"),
            17 => ("no_commit", "a worktree needs one: commit something first"),
            18 => ("not_a_directory", "schmux writes through no link: remove it"),
            19 => ("not_ours", "remove it by hand, over there"),
            20 => ("git_failed", "install git there, or use a directory that exists"),
            _ => ("git_failed", "check that git there can reach it without asking for a password"),
        };
        let message = format!("on {}: {said}", self.host);
        Failure::unprocessable(code, message).advice(advice)
    }

    /// The agent with its hooks and instructions, and the variables of its session.
    pub(crate) async fn provisioned(
        &self,
        app: &App,
        session: &Session,
        workspace: &Workspace,
        launch: &Launch,
    ) -> Provisioned {
        let mut provisioned = provision::there(app, self, session, (&workspace.path, launch)).await;
        for note in &provisioned.notes {
            tracing::warn!(session = %session.id, "{note}");
        }
        let id = session.id.as_str();
        let path = Path::new(&workspace.path);
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        provisioned.env.extend([
            ("SCHMUX_ENABLED".into(), "1".into()),
            ("SCHMUX_SESSION_ID".into(), id.into()),
            ("SCHMUX_WORKSPACE_ID".into(), workspace.id.to_string()),
            ("SCHMUX_STATUS_FILE".into(), text(workspaces::status_file(path, id))),
            ("SCHMUX_EVENTS_FILE".into(), text(workspaces::events_file(path, id))),
        ]);
        if !provisioned.env.iter().any(|(name, _)| name == "PATH") {
            let path = format!("{}/bin:{}", self.facts.dir, self.facts.path);
            provisioned.env.push(("PATH".into(), path));
        }
        provisioned
    }

    /// Puts a command that is too long for tmux into a file there.
    pub(crate) async fn put_script(&self, app: &App, spec: &Spec) -> Result<Vec<String>, Failure> {
        let path = format!("{}/launches/{}.sh", self.facts.dir, spec.session);
        let line = format!("rm -f -- \"$0\"\nexec {}\n", sh::join(&spec.argv));
        let script = provision::put([(path.as_str(), line.as_str(), "600")]);
        let output = app.host.run(&self.host, &script, LOOK).await;
        let output = output.map_err(|error| unreachable(app, &self.host, &error))?;
        match output.status {
            0 => Ok(vec!["/bin/sh".into(), path]),
            _ => Err(Failure::unprocessable(
                "host_refused",
                format!(
                    "the session's command can't be written on {}: {}",
                    self.host,
                    output.text()
                ),
            )),
        }
    }
}

/// Removes what a session that is gone had there. What can't be removed harms nobody.
pub(crate) fn forget(tmux: &Host, session: &Session) {
    let Some(facts) = tmux.reach(&session.host).and_then(|reach| reach.facts()) else { return };
    let path = format!("{}/launches/{}", facts.dir, session.id);
    let (tmux, host) = (tmux.clone(), session.host.clone());
    tokio::spawn(async move {
        let _ = tmux.run(&host, &format!("rm -rf {}", sh::quote(&path)), LOOK).await;
    });
}
