//! Sessions that the user started by hand, here or on a host: finding those where
//! an agent runs, and taking one over. Their tmux server keeps its settings; we only watch.

mod elsewhere;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use schmux_core::fleet::{Address, Event, Session, Socket, is_shell};
use schmux_core::ids::{HostId, SessionId};
use schmux_core::sh;
use schmux_core::signal::ledger::Ledger;

use crate::agents;
use crate::app::App;
use crate::host::outside::{self, Outsider};
use crate::hosts::There;
use crate::http::error::Failure;
use crate::proc;
use crate::spawn::{self, local, names, now};
use crate::wire::{self, AdoptRequest, Adoptable, AdoptableQuery, SpawnRequest};
use crate::workspaces;

pub use elsewhere::Elsewhere;

/// The target of a session in which no agent is known.
const NO_AGENT: &str = "command";

/// Programs besides shells that run others, by how their names begin: `node`, `python3.12`.
const INTERPRETERS: [&str; 8] = ["node", "bun", "deno", "python", "uv", "npx", "npm", "env"];

/// Listing processes takes a moment on a machine with thousands of them.
const QUICK: Duration = Duration::from_secs(2);

/// The same over there, with the way to it.
const QUICK_THERE: Duration = Duration::from_secs(20);

/// What runs in tmux servers of the user's own, on one machine.
struct Survey {
    sessions: Vec<Outsider>,
    processes: Processes,
}

/// tmux sessions outside schmux in which a known agent runs: those of one host, or
/// those of this machine and of all hosts that are connected. Of a server that is
/// named, all sessions.
pub async fn adoptable(app: &Arc<App>, query: &AdoptableQuery) -> Result<Vec<Adoptable>, Failure> {
    let mut offers = match query.host.as_deref() {
        host if query.socket.is_some() => {
            let socket = query.socket.as_deref();
            let there = There::at(app, host).await?;
            let survey = look_at(app, there.as_ref(), socket).await?;
            if survey.sessions.is_empty() {
                return Err(no_server(socket, host));
            }
            survey.all(there.as_ref().map(There::host))
        }
        None => {
            let (here, there) = tokio::join!(offers_here(app), elsewhere::offers(app));
            [here, there].concat()
        }
        Some(name) if name == local().as_str() => offers_here(app).await,
        Some(name) => offers_there(app, name).await?,
    };
    offers.retain(|offer| {
        let host = offer.host.clone().unwrap_or_else(|| local().to_string());
        ours(app, &host, Path::new(&offer.socket), &offer.tmux_session).is_none()
    });
    Ok(offers)
}

async fn offers_here(app: &App) -> Vec<Adoptable> {
    let sockets = outside::sockets(&app.home.tmux_socket());
    let found = join_all(sockets.into_iter().map(outside::sessions)).await;
    let survey =
        Survey { sessions: found.into_iter().flatten().collect(), processes: processes().await };
    survey.offers(None)
}

/// Looks on a host, and keeps what is found.
async fn offers_there(app: &App, name: &str) -> Result<Vec<Adoptable>, Failure> {
    let Some(there) = There::at(app, Some(name)).await? else { return Ok(Vec::new()) };
    let offers = look_there(app, &there, None).await?.offers(Some(there.host()));
    app.elsewhere.keep(there.host().clone(), offers.clone());
    Ok(offers)
}

/// Takes a session over.
pub async fn adopt(app: &App, request: AdoptRequest) -> Result<wire::Session, Failure> {
    let there = There::at(app, request.host.as_deref()).await?;
    let survey = look_at(app, there.as_ref(), request.socket.as_deref()).await?;
    let candidate = survey.find(&request)?;
    let host = host_of(there.as_ref());
    if let Some(id) = ours(app, host.as_str(), &candidate.socket, &candidate.session) {
        let message = format!("{:?} is one of schmux's sessions already", candidate.session);
        let advice = format!("it is {id}: `schmux attach {id}`");
        return Err(Failure::conflict("already_adopted", message).advice(advice));
    }
    names::check(app, &request.nickname)?;
    let target = match request.target {
        Some(target) => {
            // Its program runs already, so it need not be found anywhere.
            agents::programs(&target, &app.config, &app.exe)?;
            target
        }
        None => agent_below(candidate.pid, &survey.processes).unwrap_or(NO_AGENT).to_owned(),
    };
    let request_there =
        SpawnRequest { workspace: Some(candidate.path.clone()), ..SpawnRequest::default() };
    let workspace = spawn::workspace(app, &request_there, there.as_ref()).await?;
    let id = SessionId::new(workspaces::session_id(workspace.id.as_str()))
        .map_err(|bad| Failure::internal(bad.to_string()))?;
    let socket = Socket::Path(candidate.socket.to_string_lossy().into_owned());
    let address = match &there {
        Some(there) => there.address(socket, candidate.session.clone()),
        None => Address::here(socket, candidate.session.clone()),
    };
    let session = Session {
        agent: agents::base_of(&target, &app.config, &app.exe),
        target,
        nickname: request.nickname,
        adopted: true,
        command: vec![candidate.command.clone()],
        ..Session::new(id, workspace.id, host, address, now())
    };
    app.hub.apply(Event::SessionAdded(Box::new(session.clone()))).await?;
    app.host.expect(&session, Ledger::default()).await?;
    let made = app.sessions().into_iter().find(|s| s.id == session.id.as_str());
    made.ok_or_else(|| Failure::internal("the adopted session vanished at once"))
}

fn host_of(there: Option<&There>) -> HostId {
    there.map_or_else(local, |there| there.host().clone())
}

impl Survey {
    /// Those in which a known agent runs.
    fn offers(self, host: Option<&HostId>) -> Vec<Adoptable> {
        let mut offers = self.all(host);
        offers.retain(|offer| offer.target.is_some());
        offers
    }

    fn all(self, host: Option<&HostId>) -> Vec<Adoptable> {
        let processes = &self.processes;
        let offer = |one: Outsider| Adoptable {
            host: host.map(HostId::to_string),
            socket: one.socket.to_string_lossy().into_owned(),
            tmux_session: one.session,
            pane: one.pane,
            target: agent_below(one.pid, processes).map(Into::into),
            command: one.command,
            path: one.path,
        };
        self.sessions.into_iter().map(offer).collect()
    }

    fn find(&self, request: &AdoptRequest) -> Result<&Outsider, Failure> {
        let name = &request.tmux_session;
        if let Some(found) = self.sessions.iter().find(|one| one.session == *name) {
            return Ok(found);
        }
        let names: Vec<&str> = self.sessions.iter().map(|one| one.session.as_str()).collect();
        if names.is_empty() {
            return Err(no_server(request.socket.as_deref(), request.host.as_deref()));
        }
        let server = server_name(request.socket.as_deref(), request.host.as_deref());
        let message = format!("there is no tmux session {name:?} on {server}");
        let advice = format!("the sessions there are: {}", names.join(", "));
        Err(Failure::not_found("no_such_tmux_session", message).advice(advice))
    }
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
) -> Result<Survey, Failure> {
    match there {
        Some(there) => look_there(app, there, Some(socket)).await,
        None => {
            let sessions = outside::sessions(outside::socket_path(socket)).await;
            Ok(Survey { sessions, processes: processes().await })
        }
    }
}

/// Looks at one server of a host (by its path or name; `Some(None)` is tmux's
/// default one), or at all of the user's own.
async fn look_there(
    app: &App,
    there: &There,
    socket: Option<Option<&str>>,
) -> Result<Survey, Failure> {
    let named = socket.map(|named| named.unwrap_or("default")).unwrap_or_default();
    let set = format!("NAMED={}\nFORMAT={}\n", sh::quote(named), sh::quote(outside::FORMAT));
    let script = format!("{set}{}", include_str!("hosts/survey.sh"));
    let said = there.run(app, &script, QUICK_THERE).await?;
    let (sessions, processes) = said.split_once("\n--\n").unwrap_or((&said, ""));
    Ok(Survey { sessions: outside::parse(sessions), processes: Processes::parse(processes) })
}

/// The session of ours that this tmux session is, if it is one already.
fn ours(app: &App, host: &str, socket: &Path, tmux_session: &str) -> Option<SessionId> {
    let is_here = host == local().as_str();
    let same_file = |other: &Path| {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        socket == other || (is_here && real(socket) == real(other))
    };
    let is_it = |session: &&Session| {
        session.host.as_str() == host
            && session.address.tmux_session == tmux_session
            && match &session.address.socket {
                Socket::Path(path) => same_file(Path::new(path)),
                Socket::Name(name) if is_here => same_file(&outside::socket_path(Some(name))),
                // Where tmux keeps its sockets over there is not known here.
                Socket::Name(name) => socket.file_name() == Some(OsStr::new(name)),
            }
    };
    app.fleet.borrow().sessions().find(is_it).map(|session| session.id.clone())
}

/// Every process of a machine: its parent, and the words of its command line.
struct Processes {
    children: HashMap<u32, Vec<u32>>,
    words: HashMap<u32, Vec<String>>,
}

async fn processes() -> Processes {
    let argv = ["ps", "-A", "-o", "pid=,ppid=,args="];
    let output = proc::output(&argv, None, QUICK).await.unwrap_or_default();
    Processes::parse(&String::from_utf8_lossy(&output))
}

impl Processes {
    /// Lines of pid, parent and command line. What isn't one is passed over.
    fn parse(text: &str) -> Processes {
        let mut all = Processes { children: HashMap::new(), words: HashMap::new() };
        for line in text.lines() {
            let mut fields = line.split_whitespace();
            let mut number = || fields.next().and_then(|field| field.parse::<u32>().ok());
            if let (Some(pid), Some(parent)) = (number(), number()) {
                all.children.entry(parent).or_default().push(pid);
                all.words.insert(pid, fields.take(3).map(Into::into).collect());
            }
        }
        all
    }
}

/// The known agent that runs as `pid` or below it.
fn agent_below(pid: u32, processes: &Processes) -> Option<&'static str> {
    let mut waiting = vec![pid];
    let mut seen = HashSet::new();
    while let Some(pid) = waiting.pop() {
        if !seen.insert(pid) {
            continue;
        }
        let agent = processes.words.get(&pid).and_then(|words| agent_of(words));
        if agent.is_some() {
            return agent;
        }
        waiting.extend(processes.children.get(&pid).into_iter().flatten());
    }
    None
}

/// The known agent that a command line runs. Many are scripts, so what an
/// interpreter runs counts as well as a program.
fn agent_of(words: &[String]) -> Option<&'static str> {
    let mut names = words.iter().filter_map(|word| Path::new(word).file_name()?.to_str());
    let program = names.next()?;
    if program == "schmux" {
        return names.next().filter(|verb| *verb == "demo-agent").map(|_| agents::DEMO);
    }
    let interprets =
        is_shell(program) || INTERPRETERS.iter().any(|known| program.starts_with(known));
    let scripts = names.filter(|_| interprets).find(|word| !word.starts_with('-'));
    std::iter::once(program).chain(scripts).find_map(agents::by_program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_found_below_shells_and_interpreters() {
        let words = |line: &str| line.split(' ').map(Into::into).collect::<Vec<String>>();
        let processes = Processes {
            children: HashMap::from([(1, vec![2, 5]), (2, vec![3]), (3, vec![2])]),
            words: HashMap::from([
                (1, words("-bash")),
                (2, words("node /usr/bin/codex --yolo")),
                (5, words("vim claude.md")),
                (6, words("less /usr/bin/claude")),
                (7, words("python3 -u /opt/aider")),
                (8, words("/usr/bin/schmux demo-agent --greet")),
                (9, words("schmux attach claude")),
            ]),
        };
        assert_eq!(agent_below(1, &processes), Some("codex"));
        assert_eq!(agent_below(5, &processes), None);
        assert_eq!(agent_below(6, &processes), None);
        assert_eq!(agent_below(7, &processes), Some("aider"));
        assert_eq!(agent_below(8, &processes), Some("demo"));
        assert_eq!(agent_below(9, &processes), None);
        assert_eq!(agent_below(10, &processes), None);
    }
}
