//! Hosts: other places where agents live. Which there are, how each of them is
//! reached, and what it takes to have one of ours there.
//!
//! `host` speaks to their tmux servers as to those of this machine; this module
//! does by scripts, through the same connection, what is done here by files and
//! processes. **Invariant:** nothing of ours goes to a host but what its own
//! sessions need: no token, no other host's name, no home of the daemon's.

pub(crate) mod advice;
mod agents;
mod attempt;
mod copies;
mod editors;
mod follow;
mod places;
mod prompts;
mod provision;
mod ssh_names;
mod there;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use schmux_core::ids::HostId;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::config;
use crate::host::remote::{Reach, State};
use crate::host::{Host, HostError};
use crate::http::error::Failure;
use crate::nearest::nearest;
use crate::proc;
use crate::store::{Store, StoredHost};
use crate::wire::{HostRequest, HostState, HostStatus};
use crate::workspaces::Site;

pub(crate) use editors::{command as editor, expect as expect_editor, took_keys};
pub(crate) use follow::follow;
pub(crate) use places::{end_if_empty, give_up};
pub(crate) use prompts::Prompts;
pub(crate) use ssh_names::ssh_names;
pub(crate) use there::{There, forget};

/// How long `host add`, `test` and `connect` wait: for a slow way, and for a
/// human who looks for a passphrase. The way itself gives up sooner, and says why.
const PATIENCE: Duration = Duration::from_secs(160);

/// How long `prepare` and `release` may take: a cluster may have to find room.
const ENGINE: Duration = Duration::from_secs(600);

/// The variable that tells the commands of a place which workspace it is for.
const WORKSPACE_ID: &str = "SCHMUX_WORKSPACE_ID";

/// All hosts that are known.
pub struct Hosts {
    known: Mutex<BTreeMap<HostId, Known>>,
    /// Held while a place gets its name. A std mutex: never across an await.
    making: Mutex<()>,
    host: Host,
    store: Store,
    /// With a host's name it names our directory and our tmux server there.
    instance: String,
    /// What tmux starts with there.
    conf: String,
    /// This program, which asks the human what a connect command wants to know.
    exe: String,
    home: String,
    pub(crate) prompts: Prompts,
}

#[derive(Clone)]
struct Known {
    spec: config::Host,
    origin: Origin,
    /// Agents that were found there.
    agents: Vec<String>,
}

/// Where a host is known from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Config,
    Added,
    /// It was made for the workspace of this id.
    Place(String),
}

/// What all hosts have in common.
pub(crate) struct Ours {
    pub instance: String,
    pub conf: String,
    pub exe: String,
    pub home: String,
}

impl Hosts {
    /// Those of `config.toml`, and those that were added by hand before.
    pub(crate) fn new(
        config: &BTreeMap<String, config::Host>,
        added: Vec<StoredHost>,
        (host, store): (Host, Store),
        ours: Ours,
    ) -> Hosts {
        let Ours { instance, conf, exe, home } = ours;
        let (known, making) = (Mutex::default(), Mutex::default());
        let prompts = Prompts::default();
        let hosts = Hosts { known, making, host, store, instance, conf, exe, home, prompts };
        for StoredHost { name, host, workspace } in added {
            hosts.know(&name, host, workspace.map_or(Origin::Added, Origin::Place));
        }
        for (name, spec) in config {
            hosts.know(name, spec.clone(), Origin::Config);
        }
        hosts
    }

    /// The host of that name; this machine's is not among them.
    pub fn find(&self, name: &str) -> Result<HostId, Failure> {
        let known = self.lock();
        if let Some(id) = known.keys().find(|id| id.as_str() == name) {
            return Ok(id.clone());
        }
        let advice = match nearest(name, known.keys().map(HostId::as_str)).as_slice() {
            [] => "`schmux host list` shows them; add one: schmux host add NAME -- ssh BOX".into(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        let message = format!("there is no host {name:?}");
        Err(Failure::not_found("no_such_host", message).advice(advice))
    }

    /// One that can be connected to: not what only makes places for workspaces.
    fn find_place(&self, name: &str) -> Result<HostId, Failure> {
        let id = self.find(name)?;
        if !self.spec(&id).is_some_and(|spec| spec.each_workspace) {
            return Ok(id);
        }
        let message = format!("{name} has a place for each workspace, and is none itself");
        Err(Failure::unprocessable("no_place", message)
            .advice(format!("spawn something there: schmux spawn --host {name} …")))
    }

    pub fn names(&self) -> Vec<HostId> {
        self.lock().keys().cloned().collect()
    }

    fn know(&self, name: &str, spec: config::Host, origin: Origin) -> Option<HostId> {
        let id = HostId::new(name).ok()?;
        let shell = Some(spec.shell.clone()).filter(|word| !word.is_empty());
        let ask = [
            ("SSH_ASKPASS", self.exe.as_str()),
            ("SSH_ASKPASS_REQUIRE", "force"),
            ("SCHMUX_ASK_FOR", name),
            ("SCHMUX_HOME", self.home.as_str()),
        ];
        // Older versions of ssh ask only where they believe to find a screen.
        let screen = std::env::var_os("DISPLAY").is_none().then_some(("DISPLAY", ":schmux"));
        let place = match &origin {
            Origin::Place(workspace) => Some((WORKSPACE_ID, workspace.as_str())),
            _ => None,
        };
        let ask = ask.into_iter().chain(screen).chain(place);
        let env = ask.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let common = (instance_at(&self.instance, name), self.conf.clone());
        let mut reach = Reach::new(id.clone(), spec.connect.clone(), shell, common, env);
        reach.prepare = spec.prepare.clone();
        self.host.know(Arc::new(reach));
        self.lock().insert(id.clone(), Known { spec, origin, agents: Vec::new() });
        Some(id)
    }

    fn unknow(&self, id: &HostId) {
        self.host.forget(id);
        self.lock().remove(id);
    }

    /// The workspace that a host was made for.
    fn place_of(&self, id: &HostId) -> Option<String> {
        match &self.lock().get(id)?.origin {
            Origin::Place(workspace) => Some(workspace.clone()),
            _ => None,
        }
    }

    /// The workspaces that hosts were made for.
    fn places(&self) -> Vec<String> {
        self.names().iter().filter_map(|id| self.place_of(id)).collect()
    }

    fn spec(&self, id: &HostId) -> Option<config::Host> {
        self.lock().get(id).map(|known| known.spec.clone())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<HostId, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What we are called on a host. One machine may be known by two names, and two may
/// share a home. A socket's name must be short, and a host's may be long.
fn instance_at(instance: &str, host: &str) -> String {
    let hash = Sha256::digest(format!("{instance} {host}"));
    hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All hosts, with how they stand.
pub(crate) fn list(app: &App) -> Vec<HostStatus> {
    let known = app.hosts.lock().clone();
    known.iter().map(|(id, known)| status(app, id, known)).collect()
}

fn status(app: &App, id: &HostId, known: &Known) -> HostStatus {
    let state = app.host.reach(id).map_or(State::Idle, |reach| reach.state());
    let sessions = app.fleet.borrow().sessions().filter(|session| session.host == *id).count();
    let facts = match &state {
        State::Connected { facts, .. } => Some(facts.clone()),
        _ => None,
    };
    let (word, since, reason) = match state {
        State::Idle => (HostState::Idle, None, None),
        State::Connecting { since } => (HostState::Connecting, Some(since), None),
        State::Connected { since, .. } => (HostState::Connected, Some(since), None),
        State::Unreachable { since, reason } => (HostState::Unreachable, Some(since), Some(reason)),
    };
    HostStatus {
        name: id.to_string(),
        connect: known.spec.connect.clone(),
        state: word,
        since: since.map(crate::wire::timestamp),
        reason,
        prompt: app.hosts.prompts.of(id),
        tmux_version: facts.as_ref().map(|facts| facts.tmux_version.clone()),
        system: facts.as_ref().map(|facts| facts.system.clone()),
        clock_skew_ms: facts.as_ref().map(|facts| facts.skew_ms),
        notified: facts.as_ref().map(|facts| facts.inotify),
        agents: known.agents.clone(),
        sessions: u32::try_from(sessions).unwrap_or(u32::MAX),
        from_config: known.origin == Origin::Config,
        releases: !known.spec.release.is_empty(),
    }
}

fn status_of(app: &App, id: &HostId) -> Result<HostStatus, Failure> {
    let known = app.hosts.lock().get(id).cloned();
    let gone = || Failure::not_found("no_such_host", format!("the host {id} was just removed"));
    known.map(|known| status(app, id, &known)).ok_or_else(gone)
}

/// Makes a host known, if the way there is good.
pub(crate) async fn add(app: &App, request: HostRequest) -> Result<HostStatus, Failure> {
    let HostRequest { name, connect, attach } = request;
    let spec = config::Host { connect, attach, ..config::Host::default() };
    spec.check(&name).map_err(|message| Failure::bad_request("bad_host", message))?;
    if let [word] = spec.connect.as_slice()
        && word.contains(' ')
        && !std::path::Path::new(word).exists()
    {
        let message = format!("`{word}` is one word, and no program is called that");
        return Err(Failure::bad_request("bad_host", message)
            .advice(format!("leave out the quotes: schmux host add {name} -- {word}")));
    }
    if app.hosts.names().iter().any(|known| known.as_str() == name) {
        let message = format!("there is a host {name:?} already");
        return Err(Failure::conflict("host_known", message).advice(format!(
            "choose another name, or remove that one: schmux host remove {name}"
        )));
    }
    let Some(id) = app.hosts.know(&name, spec.clone(), Origin::Added) else {
        return Err(Failure::bad_request("bad_host", format!("{name:?} can't name a host")));
    };
    // Whoever asked may leave before the way is tried.
    let mut trial = Trial { hosts: &app.hosts, id: Some(id) };
    let status = test(app, &name).await?;
    let stored = StoredHost { name, host: spec, workspace: None };
    app.hosts.store.save_host(stored).await.map_err(crate::hub::HubError::from)?;
    trial.id = None;
    Ok(status)
}

/// A host that is not known for good yet, and is forgotten with this.
struct Trial<'a> {
    hosts: &'a Hosts,
    id: Option<HostId>,
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.hosts.unknow(id);
        }
    }
}

/// Connects to a host at once, and looks what is there.
pub(crate) async fn test(app: &App, name: &str) -> Result<HostStatus, Failure> {
    let id = app.hosts.find_place(name)?;
    reached(app, &id).await?;
    let found = agents::found(app, &id).await.map_err(|error| unreachable(app, &id, &error))?;
    if let Some(known) = app.hosts.lock().get_mut(&id) {
        known.agents = found;
    }
    status_of(app, &id)
}

async fn reached(app: &App, id: &HostId) -> Result<(), Failure> {
    let prepares = app.hosts.spec(id).is_some_and(|spec| !spec.prepare.is_empty());
    let limit = if prepares { ENGINE + PATIENCE } else { PATIENCE };
    let reached = app.host.ready(id, limit).await;
    reached.map(drop).map_err(|error| unreachable(app, id, &error))
}

/// Lets a host go; its agents keep running, unless `release` ends their place.
pub(crate) async fn disconnect(app: &App, name: &str) -> Result<HostStatus, Failure> {
    let id = app.hosts.find_place(name)?;
    if let Some(reach) = app.host.reach(&id) {
        reach.want(false);
    }
    release(app, &id).await?;
    status_of(app, &id)
}

/// Forgets a host that no session is on.
pub(crate) async fn remove(app: &App, name: &str) -> Result<(), Failure> {
    let id = app.hosts.find(name)?;
    let sessions: Vec<String> = {
        let fleet = app.fleet.borrow();
        let there = fleet.sessions().filter(|session| session.host == id);
        there.map(|session| session.id.to_string()).collect()
    };
    if !sessions.is_empty() {
        let message = format!("the host {id} has sessions: {}", sessions.join(", "));
        return Err(Failure::conflict("host_in_use", message)
            .advice(format!("dispose them first: schmux dispose {}", sessions.join(" "))));
    }
    if app.hosts.lock().get(&id).is_some_and(|known| known.origin == Origin::Config) {
        let message = format!("the host {id} stands in config.toml");
        return Err(Failure::conflict("host_in_config", message)
            .advice(format!("take [hosts.{id}] out of it, and restart the daemon")));
    }
    app.hosts.store.forget_host(name.to_owned()).await.map_err(crate::hub::HubError::from)?;
    app.host.forget(&id);
    let released = release(app, &id).await;
    app.hosts.lock().remove(&id);
    released
}

async fn release(app: &App, id: &HostId) -> Result<(), Failure> {
    match app.hosts.spec(id) {
        Some(spec) if !spec.release.is_empty() => {
            let workspace = app.hosts.place_of(id);
            let env: Vec<(&str, &str)> =
                workspace.iter().map(|id| (WORKSPACE_ID, id.as_str())).collect();
            let released = proc::finish(&spec.release, &env, ENGINE).await;
            released.map_err(|error| {
                let message = format!("the `release` of {id} failed: {error}");
                Failure::unprocessable("release_failed", message)
                    .advice("what it was to end may still be there: run it by hand")
            })
        }
        _ => Ok(()),
    }
}

/// Where a workspace's git is asked; an error while its host is away.
pub(crate) fn site(app: &App, host: &HostId) -> Result<Site, Failure> {
    if host.as_str() == "local" {
        return Ok(Site::Here);
    }
    let id = app.hosts.find(host.as_str())?;
    match app.host.reach(&id).map(|reach| reach.state()) {
        Some(State::Connected { .. }) => Ok(Site::There(app.host.clone(), id)),
        Some(State::Unreachable { reason, .. }) => {
            Err(unreachable(app, &id, &HostError::Unreachable(reason)))
        }
        _ => Err(unreachable(app, &id, &HostError::Unreachable("it is not connected".into()))),
    }
}

fn unreachable(app: &App, id: &HostId, error: &HostError) -> Failure {
    let reason = match error {
        HostError::Unreachable(reason) | HostError::Lost(reason) => reason.clone(),
        other => other.to_string(),
    };
    let state = app.host.reach(id).map(|reach| reach.state());
    let prepares = app.hosts.spec(id).is_some_and(|spec| !spec.prepare.is_empty());
    let known = advice::on(&reason);
    let advice = match state {
        _ if app.hosts.prompts.of(id).is_some() => {
            format!("it asks you something: schmux host connect {id}")
        }
        Some(State::Connecting { .. }) => format!("wait for it: schmux host connect {id}"),
        _ => match known {
            Some(advice) => advice.to_owned(),
            None if prepares => "try its commands `prepare` and `connect` by hand".to_owned(),
            None => {
                "try its connect command by hand; nothing is needed there but tmux and sh".into()
            }
        },
    };
    Failure::unavailable("host_unreachable", format!("the host {id} can't be reached: {reason}"))
        .advice(advice)
}
