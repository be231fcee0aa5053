//! What the API's handlers act on: the fleet to read, and the parts that change it.

use std::path::PathBuf;

use jiff::Timestamp;
use schmux_core::fleet::{Event, Session};
use tokio::sync::Mutex;

use crate::config::Config;
use crate::home::Home;
use crate::host::{Host, HostError};
use crate::http::error::Failure;
use crate::hub::{HubError, HubSender, Snapshots};
use crate::nearest::nearest;
use crate::wire::{self, DaemonStatus, Workspace};

/// One running daemon.
pub struct App {
    pub home: Home,
    pub config: Config,
    pub hub: HubSender,
    pub fleet: Snapshots,
    pub host: Host,
    /// This very program, for sessions that run it (`demo`).
    pub exe: PathBuf,
    pub started_at: Timestamp,
    pub tmux_version: String,
    /// The page's address without the token.
    pub url: String,
    pub port: u16,
    /// The address that logs a browser in.
    pub login_url: String,
    /// Ends the daemon.
    pub shutdown: tokio::sync::watch::Sender<bool>,
    /// Workspaces are found or made one at a time: the next free id follows from
    /// those known, so this is held until the new one is stored.
    pub(crate) one_workspace: Mutex<()>,
}

impl App {
    /// All workspaces with their sessions.
    pub fn workspaces(&self) -> Vec<Workspace> {
        wire::workspaces(&self.fleet.borrow())
    }

    pub fn sessions(&self) -> Vec<wire::Session> {
        self.workspaces().into_iter().flat_map(|workspace| workspace.sessions).collect()
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
        let message = format!("there is no session {name:?}");
        Err(Failure::not_found("no_such_session", message).advice(advice))
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

    /// Ends a session's program and forgets it. One that the user started by
    /// hand is only let go.
    pub async fn dispose(&self, name: &str) -> Result<(), Failure> {
        let session = self.session(name)?;
        self.host.dispose(&session, !session.adopted).await?;
        crate::agents::provision::forget(&self.home, session.id.as_str());
        self.hub.apply(Event::SessionDisposed(session.id)).await?;
        Ok(())
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
            HostError::Unreachable(_) => Failure::unavailable("tmux_unreachable", message)
                .advice("schmux keeps trying; `schmux doctor` tells more"),
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
