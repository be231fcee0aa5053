//! Everything that schmux knows of its workspaces and sessions, and how it changes.
//!
//! [`Fleet::apply`] is the only way in: an event changes the state and returns
//! what must be done about it, first on disk and then to those who watch.
//! Nothing in here touches tmux, a file or a clock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{HostId, SessionId, WorkspaceId};
use crate::screen::Size;
use crate::time::Moment;

/// How a workspace's directory came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceKind {
    Directory,
    Worktree,
    Clone,
}

/// A directory where agents work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub path: String,
    pub kind: WorkspaceKind,
    pub branch: Option<String>,
    pub host: HostId,
    pub created_at: Moment,
}

/// Where in tmux a session lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub socket: Socket,
    /// The tmux session's name. For ours it is the session's id.
    pub tmux_session: String,
}

/// A tmux server, by the name or the path of its socket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Socket {
    /// As for `tmux -L`.
    Name(String),
    /// As for `tmux -S`.
    Path(String),
}

/// What has become of a session's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    Starting,
    Running,
    Exited { code: Option<i32>, reason: Option<String> },
    Unreachable { reason: String },
}

/// One agent in one tmux session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: SessionId,
    pub workspace: WorkspaceId,
    pub target: String,
    pub nickname: Option<String>,
    pub host: HostId,
    pub address: Address,
    /// Started by the user and only watched by us.
    pub adopted: bool,
    pub command: Vec<String>,
    pub created_at: Moment,
    pub life: Life,
    #[serde(skip)]
    pub title: Option<String>,
    #[serde(skip)]
    pub last_output_at: Option<Moment>,
    #[serde(skip)]
    pub size: Option<Size>,
}

/// What a host sees of a session's pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    Running,
    Exited {
        code: Option<i32>,
    },
    /// The pane is not in tmux any more.
    Gone {
        reason: String,
    },
    /// tmux can't be asked at the moment.
    Lost {
        reason: String,
    },
    Title(String),
    Output {
        at: Moment,
    },
    Size(Size),
}

#[derive(Debug, Clone)]
pub enum Event {
    WorkspaceAdded(Workspace),
    SessionAdded(Session),
    /// The session is no more, and should not be remembered.
    SessionDisposed(SessionId),
    /// Its spawning failed before there was anything to see.
    SpawnFailed(SessionId, String),
    Seen(SessionId, Fact),
}

/// How soon those who watch are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Urgency {
    #[default]
    Nothing,
    /// Together with whatever else changes within half a second.
    Soon,
    Now,
}

/// What follows from an event. Disk first, people second.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    pub save: Vec<Save>,
    pub tell: Urgency,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Save {
    Workspace(Workspace),
    Session(Session),
    ForgetSession(SessionId),
    ForgetWorkspace(WorkspaceId),
}

#[derive(Debug, Clone, Default)]
pub struct Fleet {
    workspaces: BTreeMap<WorkspaceId, Workspace>,
    sessions: BTreeMap<SessionId, Session>,
}

impl Fleet {
    /// The fleet as it was stored. What ran then is not known to run now.
    pub fn restore(workspaces: Vec<Workspace>, sessions: Vec<Session>) -> Fleet {
        let mut fleet = Fleet::default();
        fleet.workspaces.extend(workspaces.into_iter().map(|w| (w.id.clone(), w)));
        for mut session in sessions {
            if matches!(session.life, Life::Running | Life::Starting) {
                session.life = Life::Unreachable { reason: "not looked at yet".into() };
            }
            fleet.sessions.insert(session.id.clone(), session);
        }
        fleet
    }

    pub fn workspaces(&self) -> impl Iterator<Item = &Workspace> {
        self.workspaces.values()
    }

    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.sessions.values()
    }

    pub fn session(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id)
    }

    pub fn workspace(&self, id: &WorkspaceId) -> Option<&Workspace> {
        self.workspaces.get(id)
    }

    /// Finds a session by id, by nickname, or by the beginning of its id if only one begins so.
    pub fn find(&self, name: &str) -> Option<&Session> {
        let exact = self.sessions.values().find(|s| s.id.as_str() == name);
        let mut nicknamed = self.sessions.values().filter(|s| s.nickname.as_deref() == Some(name));
        let mut prefixed = self.sessions.values().filter(|s| s.id.as_str().starts_with(name));
        exact
            .or_else(|| nicknamed.next().filter(|_| nicknamed.next().is_none()))
            .or_else(|| prefixed.next().filter(|_| prefixed.next().is_none() && !name.is_empty()))
    }

    pub fn apply(&mut self, event: Event) -> Effects {
        match event {
            Event::WorkspaceAdded(workspace) => {
                self.workspaces.insert(workspace.id.clone(), workspace.clone());
                Effects { save: vec![Save::Workspace(workspace)], tell: Urgency::Now }
            }
            Event::SessionAdded(session) => {
                self.sessions.insert(session.id.clone(), session.clone());
                Effects { save: vec![Save::Session(session)], tell: Urgency::Now }
            }
            Event::SessionDisposed(id) => self.forget(&id),
            Event::SpawnFailed(id, reason) => {
                self.change_life(&id, Life::Exited { code: None, reason: Some(reason) })
            }
            Event::Seen(id, fact) => self.see(&id, fact),
        }
    }

    fn see(&mut self, id: &SessionId, fact: Fact) -> Effects {
        let Some(session) = self.sessions.get_mut(id) else { return Effects::default() };
        let soon = |changed: bool| Effects {
            save: Vec::new(),
            tell: if changed { Urgency::Soon } else { Urgency::Nothing },
        };
        match fact {
            Fact::Title(title) => {
                let title = Some(title).filter(|t| !t.is_empty());
                soon(std::mem::replace(&mut session.title, title.clone()) != title)
            }
            Fact::Output { at } => soon(session.last_output_at.replace(at) != Some(at)),
            Fact::Size(size) => soon(session.size.replace(size) != Some(size)),
            Fact::Running => self.change_life(id, Life::Running),
            Fact::Exited { code } => self.change_life(id, Life::Exited { code, reason: None }),
            Fact::Gone { reason } => match session.life {
                // How it ended is known already; that its pane went away later adds nothing.
                Life::Exited { .. } => Effects::default(),
                _ => self.change_life(id, Life::Exited { code: None, reason: Some(reason) }),
            },
            Fact::Lost { reason } => match session.life {
                Life::Exited { .. } => Effects::default(),
                _ => self.change_life(id, Life::Unreachable { reason }),
            },
        }
    }

    fn change_life(&mut self, id: &SessionId, life: Life) -> Effects {
        match self.sessions.get_mut(id) {
            Some(session) if session.life != life => {
                session.life = life;
                Effects { save: vec![Save::Session(session.clone())], tell: Urgency::Now }
            }
            _ => Effects::default(),
        }
    }

    /// Removes a session, and its workspace with the last session in it: the
    /// directory stays where it is and gets the same id when it is used again.
    fn forget(&mut self, id: &SessionId) -> Effects {
        let Some(session) = self.sessions.remove(id) else { return Effects::default() };
        let mut save = vec![Save::ForgetSession(id.clone())];
        let kept = self.workspaces.get(&session.workspace).map(|w| w.kind);
        let used = self.sessions.values().any(|s| s.workspace == session.workspace);
        if !used && kept == Some(WorkspaceKind::Directory) {
            self.workspaces.remove(&session.workspace);
            save.push(Save::ForgetWorkspace(session.workspace));
        }
        Effects { save, tell: Urgency::Now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(kind: WorkspaceKind) -> Workspace {
        Workspace {
            id: WorkspaceId::new("proj-001").unwrap(),
            path: "/proj".into(),
            kind,
            branch: None,
            host: HostId::new("local").unwrap(),
            created_at: Moment(1),
        }
    }

    fn session(id: &str, nickname: Option<&str>) -> Session {
        Session {
            id: SessionId::new(id).unwrap(),
            workspace: WorkspaceId::new("proj-001").unwrap(),
            target: "demo".into(),
            nickname: nickname.map(Into::into),
            host: HostId::new("local").unwrap(),
            address: Address { socket: Socket::Name("s".into()), tmux_session: id.into() },
            adopted: false,
            command: vec!["cat".into()],
            created_at: Moment(2),
            life: Life::Starting,
            title: None,
            last_output_at: None,
            size: None,
        }
    }

    fn fleet(ids: &[(&str, Option<&str>)]) -> Fleet {
        let mut fleet = Fleet::default();
        fleet.apply(Event::WorkspaceAdded(workspace(WorkspaceKind::Directory)));
        for (id, nickname) in ids {
            fleet.apply(Event::SessionAdded(session(id, *nickname)));
        }
        fleet
    }

    fn see(fleet: &mut Fleet, fact: Fact) -> Effects {
        fleet.apply(Event::Seen(SessionId::new("proj-001-aaaa").unwrap(), fact))
    }

    #[test]
    fn lives_are_saved_and_told_once() {
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        let first = see(&mut fleet, Fact::Running);
        assert_eq!((first.save.len(), first.tell), (1, Urgency::Now));
        assert_eq!(see(&mut fleet, Fact::Running), Effects::default());
        assert_eq!(see(&mut fleet, Fact::Exited { code: Some(3) }).tell, Urgency::Now);
    }

    #[test]
    fn an_exit_is_not_forgotten_for_a_lost_server() {
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        see(&mut fleet, Fact::Exited { code: Some(3) });
        assert_eq!(see(&mut fleet, Fact::Lost { reason: "x".into() }), Effects::default());
        assert_eq!(see(&mut fleet, Fact::Gone { reason: "x".into() }), Effects::default());
    }

    #[test]
    fn chatter_is_told_soon_and_not_saved() {
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        let effects = see(&mut fleet, Fact::Title("⠋ work".into()));
        assert_eq!(effects, Effects { save: vec![], tell: Urgency::Soon });
        assert_eq!(see(&mut fleet, Fact::Title("⠋ work".into())), Effects::default());
    }

    #[test]
    fn a_directory_is_forgotten_with_its_last_session_and_a_worktree_is_not() {
        let id = SessionId::new("proj-001-aaaa").unwrap();
        let mut directory = fleet(&[("proj-001-aaaa", None)]);
        assert_eq!(directory.apply(Event::SessionDisposed(id.clone())).save.len(), 2);
        let mut worktree = fleet(&[("proj-001-aaaa", None)]);
        worktree.apply(Event::WorkspaceAdded(workspace(WorkspaceKind::Worktree)));
        assert_eq!(worktree.apply(Event::SessionDisposed(id)).save.len(), 1);
        assert_eq!(worktree.workspaces().count(), 1);
    }

    #[test]
    fn sessions_are_found_by_what_people_type() {
        let fleet = fleet(&[
            ("proj-001-aaaa", Some("fix")),
            ("proj-001-abbb", Some("dup")),
            ("proj-001-bccc", Some("dup")),
        ]);
        let found = |name| fleet.find(name).map(|s| s.id.as_str());
        assert_eq!(found("proj-001-aaaa"), Some("proj-001-aaaa"));
        assert_eq!(found("fix"), Some("proj-001-aaaa"));
        assert_eq!(found("proj-001-b"), Some("proj-001-bccc"));
        assert_eq!(found("proj-001-a"), None);
        assert_eq!(found("dup"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn what_ran_before_a_restart_has_to_be_looked_at() {
        let mut running = session("proj-001-aaaa", None);
        running.life = Life::Running;
        let fleet = Fleet::restore(vec![workspace(WorkspaceKind::Directory)], vec![running]);
        assert!(matches!(fleet.sessions().next().unwrap().life, Life::Unreachable { .. }));
    }
}
