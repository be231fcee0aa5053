//! `[notify.NAME]`: another way to tell the human of a call, besides the page.
//! Says what was written; `notify` does it.

use std::collections::BTreeMap;

use schmux_core::signal::State;
use serde::Deserialize;

use super::target::command;

/// One notifier. Exactly one of `command`, `webhook` and `desktop` is set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notifier {
    /// A program that gets the call as JSON on stdin and in its environment.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
    /// An address that the call is sent to.
    pub webhook: Option<String>,
    /// A notification on the desktop of the machine where the daemon runs.
    pub desktop: bool,
    /// How the webhook wants it.
    pub format: Format,
    pub headers: BTreeMap<String, String>,
    pub states: Vec<State>,
    /// Seconds to wait first; whoever was told meanwhile is not told again.
    /// Default: 3 for the desktop, so that an open page comes first, else none.
    pub delay: Option<u64>,
}

/// The shape of a webhook's request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The call as an object.
    #[default]
    Json,
    /// Plain text with ntfy's headers.
    Ntfy,
    /// `{"text": …}`, as Slack, Mattermost and Discord (`/slack`) take it.
    Slack,
}

impl Default for Notifier {
    fn default() -> Self {
        Notifier {
            command: Vec::new(),
            webhook: None,
            desktop: false,
            format: Format::default(),
            headers: BTreeMap::new(),
            // Those that the page rings for.
            states: State::ALL.into_iter().filter(|state| state.rings()).collect(),
            delay: None,
        }
    }
}

impl Notifier {
    pub(super) fn check(&self, name: &str) -> Result<(), String> {
        let ways = [!self.command.is_empty(), self.webhook.is_some(), self.desktop];
        if ways.into_iter().filter(|way| *way).count() != 1 {
            return Err(format!(
                "notifier `{name}` needs exactly one of `command = [\"program\"]`, \
                 `webhook = \"https://…\"` and `desktop = true`"
            ));
        }
        let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        if let Some(url) = self.webhook.as_ref().filter(|url| !is_web(url)) {
            return Err(format!("`{url}` is no address for a webhook: begin it with https://"));
        }
        if self.states.contains(&State::Working) || self.states.is_empty() {
            return Err(format!(
                "`states` of notifier `{name}`: name some of needs_input, needs_testing, \
                 completed and error"
            ));
        }
        Ok(())
    }
}
