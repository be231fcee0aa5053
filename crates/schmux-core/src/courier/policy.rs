//! Who may write to whom: `[messages]` of the settings.
//!
//! It is for agents only. Humans may write to everyone.

use serde::Deserialize;

use crate::fleet::Session;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How far an agent's word reaches.
    pub agents: Reach,
    /// Who may write to whom besides.
    pub allow: Vec<Rule>,
    /// Whether messages come with the answers of hooks to an agent that works.
    pub hooks: bool,
    /// Whether agents are offered `schmux mcp`.
    pub mcp: bool,
    /// After so many seconds the human is told that a message waits; 0 is never.
    pub remind_after: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    None,
    /// To the agents in its own workspace.
    #[default]
    Workspace,
    All,
}

/// Sessions by their ids, nicknames, targets, agents or workspaces; `*` is all.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub from: String,
    pub to: String,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            agents: Reach::default(),
            allow: Vec::new(),
            hooks: true,
            mcp: true,
            remind_after: 120,
        }
    }
}

impl Policy {
    /// Whether one agent may write to another.
    pub fn allows(&self, from: &Session, to: &Session) -> bool {
        let reached = match self.agents {
            Reach::None => false,
            Reach::Workspace => from.workspace == to.workspace,
            Reach::All => true,
        };
        reached || self.allow.iter().any(|rule| means(&rule.from, from) && means(&rule.to, to))
    }
}

fn means(name: &str, session: &Session) -> bool {
    name == "*"
        || name == session.id.as_str()
        || name == session.workspace.as_str()
        || name == session.target
        || session.nickname.as_deref() == Some(name)
        || session.agent.as_deref() == Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::{Address, Socket};
    use crate::ids::{HostId, SessionId, WorkspaceId};
    use crate::time::Moment;

    fn session(workspace: &str, nickname: &str, target: &str) -> Session {
        let id = SessionId::new(format!("{workspace}-{nickname}")).unwrap();
        let tmux_session = id.as_str().to_owned();
        let address = Address::here(Socket::Name("s".into()), tmux_session);
        let workspace = WorkspaceId::new(workspace).unwrap();
        let host = HostId::new("local").unwrap();
        Session {
            nickname: Some(nickname.into()),
            target: target.into(),
            ..Session::new(id, workspace, host, address, Moment(0))
        }
    }

    #[test]
    fn reach_and_rules() {
        let boss = session("a-001", "boss", "claude");
        let near = session("a-001", "near", "codex");
        let far = session("b-001", "far", "codex");
        let check = |policy: &str, from: &Session, to: &Session, expected: bool| {
            let policy: Policy = serde_json::from_str(policy).unwrap();
            assert_eq!(policy.allows(from, to), expected, "{policy:?}: {} to {}", from.id, to.id);
        };
        check("{}", &boss, &near, true);
        check("{}", &boss, &far, false);
        check(r#"{"agents": "all"}"#, &boss, &far, true);
        check(r#"{"agents": "none"}"#, &boss, &near, false);
        let boss_may = |to: &str| {
            format!(r#"{{"agents": "none", "allow": [{{"from": "boss", "to": "{to}"}}]}}"#)
        };
        for to in ["*", "codex", "far", "b-001", "b-001-far"] {
            check(&boss_may(to), &boss, &far, true);
            check(&boss_may(to), &far, &boss, false);
        }
        check(&boss_may("near"), &boss, &far, false);
    }
}
