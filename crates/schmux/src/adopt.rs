//! Agents that the user started by hand in tmux, here or on a host: finding the panes
//! in which they run, and taking one over. Their tmux server keeps its settings; we
//! only watch.

mod choice;
mod elsewhere;
mod processes;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use schmux_core::fleet::{Address, Session, Socket};
use schmux_core::ids::{HostId, SessionId};
use schmux_core::sh;
use schmux_core::signal::ledger::Ledger;

use self::choice::{NoChoice, choose};
use self::processes::Processes;
use crate::agents;
use crate::app::App;
use crate::host::outside::{self, Outsider};
use crate::hosts::There;
use crate::http::error::Failure;
use crate::spawn::{self, local, names, now};
use crate::wire::{self, AdoptRequest, Adoptable, AdoptableQuery, SpawnRequest};
use crate::workspaces;

pub use elsewhere::Elsewhere;

/// The target of a session in which no agent is known.
const NO_AGENT: &str = "command";

/// A script that looks at another machine, with the way to it.
const QUICK_THERE: Duration = Duration::from_secs(20);

/// A pane in a tmux server of the user's own, and the known agent that runs in it.
#[derive(Debug, Clone)]
struct Found {
    host: HostId,
    one: Outsider,
    agent: Option<&'static str>,
}

/// Panes outside schmux in which a known agent runs: those of one host, or those of
/// this machine and of all hosts that are connected. Of a server that is named, all
/// panes.
pub async fn adoptable(app: &Arc<App>, query: &AdoptableQuery) -> Result<Vec<Adoptable>, Failure> {
    let mut found = match query.host.as_deref() {
        host if query.socket.is_some() => {
            let socket = query.socket.as_deref();
            let there = There::at(app, host).await?;
            let found = look_at(app, there.as_ref(), socket).await?;
            if found.is_empty() {
                return Err(no_server(socket, host));
            }
            found
        }
        None => {
            let (here, there) = tokio::join!(offers_here(), elsewhere::offers(app));
            [here, there].concat()
        }
        Some(name) if name == local().as_str() => offers_here().await,
        Some(name) => offers_there(app, name).await?,
    };
    // Sessions of one group share their panes.
    let mut seen = HashSet::new();
    found.retain(|it| seen.insert((it.host.clone(), it.one.socket.clone(), it.one.pane.id)));
    found.retain(|it| ours(app, it).is_none() && !outside::is_of_schmux(&it.one.socket));
    Ok(found.into_iter().map(Found::offer).collect())
}

async fn offers_here() -> Vec<Found> {
    let sockets = outside::sockets();
    let panes = join_all(sockets.into_iter().map(outside::panes)).await.concat();
    offers(with_agents(&local(), panes, &Processes::here().await))
}

/// Looks on a host, and keeps what is found.
async fn offers_there(app: &App, name: &str) -> Result<Vec<Found>, Failure> {
    let Some(there) = There::at(app, Some(name)).await? else { return Ok(Vec::new()) };
    let found = offers(look_there(app, &there, None).await?);
    app.elsewhere.keep(there.host().clone(), found.clone());
    Ok(found)
}

/// Those in which a known agent runs.
fn offers(mut found: Vec<Found>) -> Vec<Found> {
    found.retain(|it| it.agent.is_some());
    found
}

/// Takes a pane over.
pub async fn adopt(app: &App, request: AdoptRequest) -> Result<wire::Session, Failure> {
    let there = There::at(app, request.host.as_deref()).await?;
    let found = look_at(app, there.as_ref(), request.socket.as_deref()).await?;
    let wanted = (request.tmux_session.as_deref(), request.pane.as_deref());
    let is_ours = |it: &Found| ours(app, it).is_some();
    let it = choose(&found, wanted, is_ours).map_err(|none| none_chosen(none, &request))?;
    not_ours(app, it)?;
    if outside::is_of_schmux(&it.one.socket) {
        let message = format!("the tmux server of {:?} is one that schmux runs", it.one.place());
        let advice =
            "start agents there by `schmux spawn`; to adopt one, run it in a tmux of your own";
        return Err(Failure::conflict("server_of_schmux", message).advice(advice));
    }
    names::check(app, &request.nickname)?;
    let target = match request.target {
        Some(target) => {
            // Its program runs already, so it need not be found anywhere.
            agents::programs(&target, &app.config, &app.exe)?;
            target
        }
        None => it.agent.unwrap_or(NO_AGENT).to_owned(),
    };
    let one = it.one.clone();
    let request_there = SpawnRequest { workspace: Some(one.path), ..SpawnRequest::default() };
    let prepared = spawn::prepare(app, &request_there, there.as_ref()).await?;
    let socket = Socket::Path(one.socket.to_string_lossy().into_owned());
    let address = match &there {
        Some(there) => there.address(socket, one.session),
        None => Address::here(socket, one.session),
    };
    let address = Address { pane: Some(one.pane), ..address };
    let (_, added) = spawn::add(app, prepared, there.as_ref(), |workspace| {
        // Someone else may have adopted it in this very moment.
        not_ours(app, it)?;
        let id = SessionId::new(workspaces::session_id(workspace.id.as_str()))
            .map_err(|bad| Failure::internal(bad.to_string()))?;
        Ok(vec![Session {
            agent: agents::base_of(&target, &app.config, &app.exe),
            target,
            nickname: request.nickname,
            adopted: true,
            command: vec![one.command],
            ..Session::new(id, workspace.id.clone(), it.host.clone(), address, now())
        }])
    })
    .await?;
    let mut made = Vec::new();
    for session in added {
        app.host.expect(&session, Ledger::default()).await?;
        made.extend(app.sessions().into_iter().find(|s| s.id == session.id.as_str()));
    }
    made.pop().ok_or_else(|| Failure::internal("the adopted session vanished at once"))
}

/// Refuses a pane that is a session of ours already.
fn not_ours(app: &App, it: &Found) -> Result<(), Failure> {
    let Some(id) = ours(app, it) else { return Ok(()) };
    let message = format!("{:?} is one of schmux's sessions already", it.one.place());
    let advice = format!("it is {id}: `schmux attach {id}`");
    Err(Failure::conflict("already_adopted", message).advice(advice))
}

impl Found {
    fn offer(self) -> Adoptable {
        let Found { host, one, agent } = self;
        Adoptable {
            host: Some(host).filter(|host| *host != local()).map(String::from),
            socket: one.socket.to_string_lossy().into_owned(),
            pane: one.pane.id.to_string(),
            place: Some(one.place()),
            tmux_session: one.session,
            target: agent.map(Into::into),
            command: one.command,
            path: one.path,
        }
    }
}

/// Why nothing is taken over, and what could be.
fn none_chosen(none: NoChoice<'_>, request: &AdoptRequest) -> Failure {
    let (socket, host) = (request.socket.as_deref(), request.host.as_deref());
    let session = request.tmux_session.as_deref();
    let on_server = format!("on {}", server_name(socket, host));
    let place = session.map_or(on_server.clone(), |name| format!("in the tmux session {name:?}"));
    match none {
        NoChoice::NoServer => no_server(socket, host),
        NoChoice::Unnamed => {
            Failure::bad_request("no_pane_named", "neither a tmux session nor a pane is named")
                .advice("give `tmux_session`, or `pane` with the id of one: `%5`")
        }
        NoChoice::NoSession(names) => {
            let message =
                format!("there is no tmux session {:?} {on_server}", session.unwrap_or_default());
            let advice = format!("the sessions there are: {}", names.join(", "));
            Failure::not_found("no_such_tmux_session", message).advice(advice)
        }
        NoChoice::NoPane(panes) => {
            let wanted = request.pane.as_deref().unwrap_or_default();
            let message = format!("there is no pane {wanted:?} {place}");
            let advice = format!("the panes there are: {}", told(&panes));
            Failure::not_found("no_such_pane", message).advice(advice)
        }
        NoChoice::Several(panes) => {
            let message = format!("{} panes {place} run agents", panes.len());
            let advice = format!("name one of them instead: {}", told(&panes));
            Failure::conflict("several_agents", message).advice(advice)
        }
    }
}

/// Panes, each as it can be chosen, with what runs in it.
fn told(panes: &[&Found]) -> String {
    let told = |it: &&Found| {
        let runs = it.agent.unwrap_or(&it.one.command);
        format!("`{}` or `{}` ({runs})", it.one.place(), it.one.pane.id)
    };
    panes.iter().map(told).collect::<Vec<_>>().join(", ")
}

fn server_name(socket: Option<&str>, host: Option<&str>) -> String {
    let place = host.map(|host| format!(" of {host}")).unwrap_or_default();
    format!("the server {:?}{place}", socket.unwrap_or("default"))
}

fn no_server(socket: Option<&str>, host: Option<&str>) -> Failure {
    let message = format!("no tmux session is on {}", server_name(socket, host));
    Failure::not_found("no_such_tmux_session", message).advice(
        "name the socket of its server with -L or -S; `schmux adopt` alone lists agents on all",
    )
}

/// Looks at one server, here or there: by its path or name, or tmux's default one.
async fn look_at(
    app: &App,
    there: Option<&There>,
    socket: Option<&str>,
) -> Result<Vec<Found>, Failure> {
    match there {
        Some(there) => look_there(app, there, Some(socket)).await,
        None => {
            let panes = outside::panes(outside::socket_path(socket)).await;
            Ok(with_agents(&local(), panes, &Processes::here().await))
        }
    }
}

/// Looks at one server of a host (by its path or name; `Some(None)` is tmux's
/// default one), or at all of the user's own.
async fn look_there(
    app: &App,
    there: &There,
    socket: Option<Option<&str>>,
) -> Result<Vec<Found>, Failure> {
    let named = socket.map(|named| named.unwrap_or("default")).unwrap_or_default();
    let set = format!("NAMED={}\nFORMAT={}\n", sh::quote(named), sh::quote(outside::FORMAT));
    let script = format!("{set}{}", include_str!("hosts/survey.sh"));
    let said = there.run(app, &script, QUICK_THERE).await?;
    let (panes, processes) = said.split_once("\n--\n").unwrap_or((&said, ""));
    Ok(with_agents(there.host(), outside::parse(panes), &Processes::parse(processes)))
}

fn with_agents(host: &HostId, panes: Vec<Outsider>, processes: &Processes) -> Vec<Found> {
    let found = |one: Outsider| {
        let agent = processes.agent_below(one.pid);
        Found { host: host.clone(), one, agent }
    };
    panes.into_iter().map(found).collect()
}

/// The session of ours that this pane is, if it is one already.
fn ours(app: &App, it: &Found) -> Option<SessionId> {
    let is_here = it.host == local();
    let socket = it.one.socket.as_path();
    let same_file = |other: &Path| {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        socket == other || (is_here && real(socket) == real(other))
    };
    let is_it = |session: &&Session| {
        session.host == it.host
            && is_pane_of(session, &it.one)
            && match &session.address.socket {
                Socket::Path(path) => same_file(Path::new(path)),
                Socket::Name(name) if is_here => same_file(&outside::socket_path(Some(name))),
                // Where tmux keeps its sockets over there is not known here.
                Socket::Name(name) => socket.file_name() == Some(OsStr::new(name)),
            }
    };
    app.fleet.borrow().sessions().find(is_it).map(|session| session.id.clone())
}

/// Whether a pane belongs to a session, if both are on the same server.
fn is_pane_of(session: &Session, one: &Outsider) -> bool {
    match &session.address.pane {
        Some(pane) => *pane == one.pane,
        // What we started has its tmux session for itself.
        None => session.address.tmux_session == one.session && (one.first || !session.adopted),
    }
}
