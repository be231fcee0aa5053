//! Sessions that the user started by hand: finding those where an agent runs,
//! and taking one over. Their tmux server keeps its settings; we only watch.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use schmux_core::fleet::{Address, Event, Session, Socket};
use schmux_core::ids::SessionId;
use schmux_core::signal::ledger::Ledger;

use crate::agents;
use crate::app::App;
use crate::host::outside::{self, Outsider};
use crate::http::error::Failure;
use crate::proc;
use crate::spawn::{self, local, now};
use crate::wire::{self, AdoptRequest, Adoptable, SpawnRequest};
use crate::workspaces;

/// Listing processes takes a moment on a machine with thousands of them.
const QUICK: Duration = Duration::from_secs(2);

/// tmux sessions outside schmux in which a known agent runs.
pub async fn adoptable(app: &App) -> Vec<Adoptable> {
    let taken = taken(app);
    let processes = processes().await;
    let sockets = outside::sockets(&app.home.tmux_socket());
    let found = join_all(sockets.into_iter().map(outside::sessions)).await;
    let mut offers = Vec::new();
    for candidate in found.into_iter().flatten() {
        let key = (candidate.socket.clone(), candidate.session.clone());
        let agent = agent_below(candidate.pid, &processes);
        if agent.is_some() && !taken.contains(&key) {
            offers.push(Adoptable {
                socket: candidate.socket.to_string_lossy().into_owned(),
                tmux_session: candidate.session,
                pane: candidate.pane,
                target: agent.map(Into::into),
                command: candidate.command,
                path: candidate.path,
            });
        }
    }
    offers
}

/// Takes a session over.
pub async fn adopt(app: &App, request: AdoptRequest) -> Result<wire::Session, Failure> {
    let socket = outside::socket_path(request.socket.as_deref());
    let found: Vec<Outsider> = outside::sessions(socket.clone()).await;
    let Some(candidate) = found.iter().find(|c| c.session == request.tmux_session) else {
        let names: Vec<&str> = found.iter().map(|c| c.session.as_str()).collect();
        let message =
            format!("there is no tmux session {:?} on {}", request.tmux_session, socket.display());
        let advice = match names.as_slice() {
            [] => "no tmux server answers there: name its socket with --socket".to_owned(),
            names => format!("the sessions there are: {}", names.join(", ")),
        };
        return Err(Failure::not_found("no_such_tmux_session", message).advice(advice));
    };
    if taken(app).contains(&(socket.clone(), candidate.session.clone())) {
        let message = format!("{:?} is one of schmux's sessions already", candidate.session);
        return Err(Failure::conflict("already_adopted", message));
    }
    let target = match request.target {
        Some(target) => target,
        None => agent_below(candidate.pid, &processes().await).unwrap_or("command").to_owned(),
    };
    let request_there =
        SpawnRequest { workspace: Some(candidate.path.clone()), ..SpawnRequest::default() };
    let workspace = spawn::workspace(app, &request_there, None).await?;
    let id = SessionId::new(workspaces::session_id(workspace.id.as_str()))
        .map_err(|bad| Failure::internal(bad.to_string()))?;
    let address = Address {
        socket: Socket::Path(socket.to_string_lossy().into_owned()),
        tmux_session: candidate.session.clone(),
        via: Vec::new(),
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let known = agents::resolve(&target, &app.config, &path, &app.exe);
    let session = Session {
        target,
        // Its program runs already, so a target that isn't found here is fine.
        agent: known.ok().and_then(|launch| launch.base),
        nickname: request.nickname,
        adopted: true,
        command: vec![candidate.command.clone()],
        ..Session::new(id, workspace.id, local(), address, now())
    };
    app.hub.apply(Event::SessionAdded(Box::new(session.clone()))).await?;
    app.host.expect(&session, Ledger::default()).await?;
    let made = app.sessions().into_iter().find(|s| s.id == session.id.as_str());
    made.ok_or_else(|| Failure::internal("the adopted session vanished at once"))
}

/// The tmux sessions that are ours already, by socket and name.
fn taken(app: &App) -> HashSet<(PathBuf, String)> {
    let fleet = app.fleet.borrow();
    let adopted = fleet.sessions().filter_map(|session| match &session.address.socket {
        Socket::Path(path) => Some((PathBuf::from(path), session.address.tmux_session.clone())),
        Socket::Name(_) => None,
    });
    adopted.collect()
}

/// Every process of this machine: its parent, and the words of its command line.
struct Processes {
    children: HashMap<u32, Vec<u32>>,
    words: HashMap<u32, Vec<String>>,
}

async fn processes() -> Processes {
    let argv = ["ps", "-A", "-o", "pid=,ppid=,args="];
    let output = proc::output(&argv, None, QUICK).await.unwrap_or_default();
    let mut all = Processes { children: HashMap::new(), words: HashMap::new() };
    for line in String::from_utf8_lossy(&output).lines() {
        let mut fields = line.split_whitespace();
        let mut number = || fields.next().and_then(|field| field.parse::<u32>().ok());
        if let (Some(pid), Some(parent)) = (number(), number()) {
            all.children.entry(parent).or_default().push(pid);
            all.words.insert(pid, fields.take(3).map(Into::into).collect());
        }
    }
    all
}

/// The known agent that runs as `pid` or below it. Many are scripts, so the
/// first words of a command line count, not only the program.
fn agent_below(pid: u32, processes: &Processes) -> Option<&'static str> {
    let mut waiting = vec![pid];
    let mut seen = HashSet::new();
    while let Some(pid) = waiting.pop() {
        if !seen.insert(pid) {
            continue;
        }
        let words = processes.words.get(&pid).into_iter().flatten();
        let agent = words
            .filter_map(|word| Path::new(word).file_name()?.to_str())
            .find_map(agents::by_program);
        if agent.is_some() {
            return agent;
        }
        waiting.extend(processes.children.get(&pid).into_iter().flatten());
    }
    None
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
            ]),
        };
        assert_eq!(agent_below(1, &processes), Some("codex"));
        assert_eq!(agent_below(5, &processes), None);
        assert_eq!(agent_below(9, &processes), None);
    }
}
