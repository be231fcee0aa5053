//! What the API's handlers act on: the fleet to read, and the parts that change it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use schmux_core::fleet::{Event, Fleet, Life, Session};
use schmux_core::ids::SessionId;
use schmux_core::reading::AnswerError;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::config::Config;
use crate::courier::Couriers;
use crate::home::Home;
use crate::host::{End, Host, HostError, Watch};
use crate::hosts::{self, Hosts};
use crate::http::auth::Keys;
use crate::http::error::Failure;
use crate::hub::{HubError, HubSender, Snapshots};
use crate::nearest::nearest;
use crate::replay::Replays;
use crate::settings;
use crate::store::{HistoryQuery, Store, StoreError};
use crate::wire::{self, DaemonStatus, DisposeQuery, EventsQuery, HistoryEntry, Workspace};
use crate::workspaces::{Inspector, Turns, remove};

/// The most lines of the history in one answer.
const MOST_EVENTS: u32 = 1000;

/// The longest that a question for events is kept open: clients and proxies
/// give up after half a minute.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// How long a viewer waits for a session that is being started: two hundred at once
/// take a busy machine less, and a browser gives a connection up after eight.
const STARTING: Duration = Duration::from_secs(6);

/// One running daemon.
pub struct App {
    pub home: Home,
    pub config: Config,
    pub hub: HubSender,
    pub store: Store,
    pub fleet: Snapshots,
    pub host: Host,
    /// Other places than this machine.
    pub hosts: Hosts,
    /// Agents outside schmux that were found there.
    pub elsewhere: crate::adopt::Elsewhere,
    pub couriers: Arc<Couriers>,
    pub replays: Replays,
    pub settings: settings::Desk,
    /// Asks git about workspaces.
    pub inspector: Inspector,
    /// Tells agents apart by their tokens.
    pub keys: Keys,
    /// How the agents' files are followed.
    pub watched: crate::watch::Report,
    /// What NudgeNik has asked.
    pub nudgenik: tokio::sync::watch::Receiver<crate::nudgenik::Account>,
    /// This very program, for sessions that run it (`demo`).
    pub exe: PathBuf,
    pub started_at: Timestamp,
    pub tmux_version: String,
    /// The page's address without the token.
    pub url: String,
    pub port: u16,
    /// The address that logs a browser in.
    pub login_url: String,
    /// The same for other devices, if they can reach us.
    pub network_login_url: Option<String>,
    /// Ends the daemon.
    pub shutdown: tokio::sync::watch::Sender<bool>,
    /// Sessions are added by one request at a time: which ids, nicknames and panes are
    /// free follows from those known, so this is held from there until the new ones are
    /// stored. Never while git or a host is waited for.
    pub(crate) adding: Mutex<()>,
    /// Worktrees of one repository are made one after the other.
    pub(crate) turns: Turns,
}

impl App {
    /// All workspaces with their sessions.
    pub fn workspaces(&self) -> Vec<Workspace> {
        wire::workspaces(&self.fleet.borrow())
    }

    pub fn sessions(&self) -> Vec<wire::Session> {
        self.workspaces().into_iter().flat_map(|workspace| workspace.sessions).collect()
    }

    /// The sessions as they are now. What is shown may be half a second behind the
    /// history, and whoever reads both would take a state that has come for one to come.
    pub async fn sessions_now(&self) -> Vec<wire::Session> {
        match self.hub.fleet().await {
            Some(fleet) => wire::workspaces(&fleet).into_iter().flat_map(|w| w.sessions).collect(),
            // It is shutting down.
            None => self.sessions(),
        }
    }

    /// A session by its id, its nickname or the beginning of its id.
    pub fn session(&self, name: &str) -> Result<Session, Failure> {
        let fleet = self.fleet.borrow();
        if let Some(session) = fleet.find(name) {
            return Ok(session.clone());
        }
        let names = fleet.sessions().flat_map(|session| {
            std::iter::once(session.id.as_str()).chain(session.nickname.as_deref())
        });
        let advice = match nearest(name, names).as_slice() {
            [] => "`schmux list` shows the sessions there are".to_owned(),
            near => format!("did you mean {}?", near.join(" or ")),
        };
        let message = format!("there is no session `{}`", name.escape_debug());
        Err(Failure::not_found("no_such_session", message).advice(advice))
    }

    /// Begins to watch a session. It is told of before tmux runs it, so who comes
    /// with the news waits for that.
    pub async fn watch(&self, session: &Session, history: u32) -> Result<Watch, HostError> {
        let mut fleet = self.fleet.clone();
        let deadline = Instant::now() + STARTING;
        loop {
            let starts = |fleet: &Fleet| {
                fleet.session(&session.id).is_some_and(|now| now.life == Life::Starting)
            };
            // Looked at before the host is asked, so that nothing falls in between.
            let is_starting = starts(&fleet.borrow_and_update());
            match self.host.watch(session, history).await {
                Err(HostError::NoPane(_)) if is_starting && Instant::now() < deadline => {
                    // Either way it is tried once more.
                    let _ = timeout_at(deadline, fleet.wait_for(|fleet| !starts(fleet))).await;
                }
                answer => return answer,
            }
        }
    }

    pub fn status(&self) -> DaemonStatus {
        DaemonStatus {
            version: env!("CARGO_PKG_VERSION").into(),
            pid: std::process::id(),
            home: self.home.dir().to_string_lossy().into_owned(),
            url: self.url.clone(),
            port: self.port,
            tmux_socket: self.home.tmux_socket(),
            tmux_version: self.tmux_version.clone(),
            started_at: self.started_at,
            sessions: u32::try_from(self.fleet.borrow().sessions().count()).unwrap_or(u32::MAX),
        }
    }

    /// Lines of the history; with `wait_ms` not before there are any.
    pub async fn events(&self, query: EventsQuery) -> Result<Vec<HistoryEntry>, Failure> {
        let session = match &query.session {
            Some(name) => Some(self.session_in_history(name)?),
            None => None,
        };
        let limit = query.limit.unwrap_or(100).min(MOST_EVENTS);
        let wanted = HistoryQuery { after: query.after, session, limit };
        let patience = Duration::from_millis(query.wait_ms.unwrap_or(0)).min(LONGEST_WAIT);
        let deadline = Instant::now() + patience;
        let mut fleet = self.fleet.clone();
        loop {
            // Marked as seen before the history is read, so that nothing falls in between.
            fleet.borrow_and_update();
            let found = self.store.history(wanted.clone()).await.map_err(HubError::from)?;
            let is_last = query.after.is_none() || Instant::now() >= deadline;
            if !found.is_empty() || is_last {
                return Ok(found.iter().map(wire::history_entry).collect());
            }
            // Either way the history is read once more.
            let _ = timeout_at(deadline, fleet.changed()).await;
        }
    }

    /// Of a session that was disposed the id is all that is left.
    fn session_in_history(&self, name: &str) -> Result<SessionId, Failure> {
        match self.session(name) {
            Ok(session) => Ok(session.id),
            Err(failure) if !name.contains('-') => Err(failure),
            Err(failure) => SessionId::new(name).map_err(|_| failure),
        }
    }

    /// Ends a session's program and forgets it. One that the user started by
    /// hand is only let go. If its workspace is to go too and can't, nothing happens.
    pub async fn dispose(&self, name: &str, query: DisposeQuery) -> Result<(), Failure> {
        let session = self.session(name)?;
        let workspace = match query.remove_workspace {
            true => Some(remove::find(self, session.workspace.as_str())?),
            false => None,
        };
        if let Some(workspace) = &workspace {
            remove::check(self, workspace, 1, query.force).await?;
        }
        let end = End { kill: !session.adopted, forget: query.forget };
        self.host.dispose(&session, end).await.map_err(|error| not_ended(&session, error))?;
        if session.host.as_str() == "local" {
            crate::agents::provision::forget(&self.home, session.id.as_str());
        } else {
            hosts::forget(&self.host, &session);
        }
        self.hub.apply(Event::SessionDisposed(session.id)).await?;
        hosts::end_if_empty(self, &session.host).await?;
        // A place that was made for one workspace has taken it along.
        let left = workspace.filter(|w| self.fleet.borrow().workspace(&w.id).is_some());
        match left {
            Some(workspace) => remove::remove(self, &workspace, query.force).await,
            None => Ok(()),
        }
    }
}

/// Why a session is not ended.
fn not_ended(session: &Session, error: HostError) -> Failure {
    let is_away = matches!(error, HostError::Unreachable(_) | HostError::Lost(_));
    let failure = Failure::from(error);
    match is_away && !session.adopted {
        true => failure.advice(format!(
            "its program can't be ended now; try again when it is back. To forget it, though it \
             may go on there: schmux dispose --forget {}",
            session.id
        )),
        false => failure,
    }
}

impl From<HostError> for Failure {
    fn from(error: HostError) -> Failure {
        let message = error.to_string();
        match error {
            HostError::NoPane(_) => Failure::conflict("no_pane", message),
            HostError::Ended(_) => {
                Failure::conflict("session_ended", message).advice("spawn a new session")
            }
            HostError::Unreachable(reason) | HostError::Lost(reason) => {
                let tries = "schmux keeps trying; `schmux doctor` tells more";
                let advice = crate::hosts::advice::on(&reason).unwrap_or(tries);
                Failure::unavailable("tmux_unreachable", message).advice(advice)
            }
            HostError::Withheld => Failure::conflict("withheld", message)
                .advice("look at the dialog, and type it again if it was meant for it"),
            HostError::Dialog(AnswerError::Gone) => Failure::conflict("dialog_gone", message)
                .advice("nothing was chosen; look at what the session shows now"),
            HostError::Dialog(AnswerError::NoKeys) => {
                Failure::unprocessable("no_safe_keys", message)
                    .advice("answer it in the session's terminal")
            }
            HostError::Dialog(AnswerError::Stuck) => Failure::conflict("dialog_stuck", message)
                .advice("nothing was chosen; answer it in the session's terminal"),
            HostError::Refused(_) => Failure::unprocessable("tmux_refused", message),
            HostError::ShuttingDown => Failure::unavailable("shutting_down", message),
        }
    }
}

impl From<HubError> for Failure {
    fn from(error: HubError) -> Failure {
        match error {
            HubError::Store(_) => Failure::internal(error.to_string()),
            HubError::ShuttingDown => Failure::unavailable("shutting_down", error.to_string()),
        }
    }
}

impl From<StoreError> for HubError {
    fn from(error: StoreError) -> HubError {
        HubError::Store(error.to_string())
    }
}
