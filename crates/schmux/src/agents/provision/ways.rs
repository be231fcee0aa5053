//! The ways in which an agent can be provisioned: the data in `known.toml`.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use super::version::Version;

/// What `[agent.provision]` says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ways {
    pub(super) hooks: Option<Hooks>,
    pub(super) events: Vec<Event>,
    pub(super) instructions: Option<Teaching>,
    pub(super) signal: Signal,
    pub(super) mcp: Option<Mcp>,
    pub(super) since: Option<Version>,
}

/// How an agent is given hooks for one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Hooks {
    Settings,
    Defaults,
    Codex,
    Gemini,
    Opencode,
    Copilot,
}

/// How an agent is offered `schmux mcp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mcp {
    Flag,
    Codex,
    Opencode,
}

/// How an agent is given instructions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Teaching {
    Flag,
    Hooks,
    Block(Vec<String>),
    #[serde(untagged)]
    File {
        file: String,
        head: String,
    },
}

/// How an agent is asked to signal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Signal {
    Command,
    File,
    #[default]
    Marker,
}

/// An event of an agent's, and the version that brought it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub name: String,
    since: Option<Version>,
}

impl Ways {
    /// Whether a version can be provisioned; one that we couldn't find out is
    /// taken for a newer one.
    pub(super) fn fit(&self, version: Option<&Version>) -> bool {
        match (&self.since, version) {
            (Some(since), Some(version)) => version >= since,
            _ => true,
        }
    }

    /// The events that a version surely knows.
    pub(super) fn events(&self, version: Option<&Version>) -> impl Iterator<Item = &str> {
        let known = move |event: &&Event| match (&event.since, version) {
            (None, _) => true,
            (Some(since), Some(version)) => version >= since,
            (Some(_), None) => false,
        };
        self.events.iter().filter(known).map(|event| event.name.as_str())
    }
}

impl<'de> Deserialize<'de> for Event {
    /// `Stop`, or `StopFailure 2.1.87`.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Event, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (name, since) = match text.split_once(' ') {
            None => (text.as_str(), None),
            Some((name, since)) => {
                let since = Version::from_str(since).map_err(|()| {
                    de::Error::custom(format!("`{since}` in `{text}` is no version"))
                })?;
                (name, Some(since))
            }
        };
        Ok(Event { name: name.to_owned(), since })
    }
}
