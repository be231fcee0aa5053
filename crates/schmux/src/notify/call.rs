//! A call as a notifier tells it. Its JSON is documented in `docs/config.md`.

use jiff::Timestamp;
use schmux_core::fleet::Session;
use schmux_core::nudge::Nudge;
use schmux_core::signal::State;
use schmux_core::time::Moment;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Call {
    pub session_id: String,
    pub workspace_id: String,
    pub target: String,
    pub nickname: Option<String>,
    pub host: String,
    /// `needs_input`, …
    pub state: &'static str,
    /// `Needs Authorization`, …
    pub nudge_state: &'static str,
    /// What the agent said. Cleaned of control characters.
    pub message: String,
    pub nudge_seq: u64,
    pub at: Timestamp,
    /// The session's page.
    pub url: String,
}

impl Call {
    pub fn new(session: &Session, nudge: &Nudge, page: &str) -> Call {
        Call {
            session_id: session.id.to_string(),
            workspace_id: session.workspace.to_string(),
            target: session.target.clone(),
            nickname: session.nickname.clone(),
            host: session.host.to_string(),
            state: nudge.state.as_str(),
            nudge_state: nudge.state.display_name().unwrap_or_default(),
            message: nudge.message.clone(),
            nudge_seq: nudge.seq,
            at: Timestamp::from_millisecond(nudge.at.0).unwrap_or_default(),
            url: format!("{page}/#/s/{}", session.id),
        }
    }

    /// Something that waits for the human without being a call of the agent's.
    pub fn waiting(session: &Session, text: &str, page: &str, now: Moment) -> Call {
        Call {
            session_id: session.id.to_string(),
            workspace_id: session.workspace.to_string(),
            target: session.target.clone(),
            nickname: session.nickname.clone(),
            host: session.host.to_string(),
            state: State::NeedsInput.as_str(),
            nudge_state: "A message waits",
            message: text.to_owned(),
            nudge_seq: session.attention.seq,
            at: Timestamp::from_millisecond(now.0).unwrap_or_default(),
            url: format!("{page}/#/s/{}", session.id),
        }
    }

    /// A call that nobody made, to try a way.
    pub fn test(page: &str, now: Moment) -> Call {
        Call {
            session_id: "test".into(),
            workspace_id: "test".into(),
            target: "demo".into(),
            nickname: Some("schmux".into()),
            host: "local".into(),
            state: State::NeedsInput.as_str(),
            nudge_state: "A test",
            message: "This is how you will be called.".into(),
            nudge_seq: 0,
            at: Timestamp::from_millisecond(now.0).unwrap_or_default(),
            url: format!("{page}/"),
        }
    }

    /// `fixer: Needs Authorization`.
    pub fn title(&self) -> String {
        let name = self.nickname.as_ref().unwrap_or(&self.session_id);
        format!("{name}: {}", self.nudge_state)
    }

    /// What the agent said, or at least what it is.
    pub fn text(&self) -> &str {
        if self.message.is_empty() { &self.target } else { &self.message }
    }

    pub fn json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a call holds nothing that JSON can't")
    }

    pub fn env(&self) -> Vec<(&'static str, String)> {
        vec![
            ("SCHMUX_SESSION_ID", self.session_id.clone()),
            ("SCHMUX_WORKSPACE_ID", self.workspace_id.clone()),
            ("SCHMUX_NICKNAME", self.nickname.clone().unwrap_or_default()),
            ("SCHMUX_TARGET", self.target.clone()),
            ("SCHMUX_NUDGE_STATE", self.state.to_owned()),
            ("SCHMUX_NUDGE_MESSAGE", self.message.clone()),
            ("SCHMUX_NUDGE_SEQ", self.nudge_seq.to_string()),
            ("SCHMUX_URL", self.url.clone()),
        ]
    }

    #[cfg(test)]
    pub fn example() -> Call {
        Call {
            session_id: "app-001-aaaa1111".into(),
            workspace_id: "app-001".into(),
            target: "claude".into(),
            nickname: Some("fixer".into()),
            host: "local".into(),
            state: "needs_input",
            nudge_state: "Needs Authorization",
            message: "May I <run> \"it\" & go?".into(),
            nudge_seq: 3,
            at: Timestamp::UNIX_EPOCH,
            url: "http://127.0.0.1:7337/#/s/app-001-aaaa1111".into(),
        }
    }
}
