//! The known agents: `known.toml`, parsed once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::config::PromptStyle;

use super::launch::Habits;
use super::provision::Ways;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agents {
    agent: Vec<Agent>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Agent {
    pub name: String,
    pub description: String,
    pub programs: Vec<String>,
    #[serde(default)]
    pub args: Vec<String>,
    pub prompt: PromptStyle,
    #[serde(default)]
    prompt_args: Option<Vec<String>>,
    #[serde(default)]
    end_of_flags: bool,
    #[serde(default)]
    subcommands: bool,
    #[serde(default)]
    pub install: Option<String>,
    #[serde(default)]
    pub provision: Ways,
    #[serde(default)]
    model: Vec<Model>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub name: String,
    pub description: String,
    #[serde(default)]
    pub args: Vec<String>,
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// An agent, or a model of one.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub agent: &'static Agent,
    pub model: Option<&'static Model>,
}

pub(super) fn all() -> &'static Agents {
    static AGENTS: LazyLock<Agents> = LazyLock::new(|| {
        toml::from_str(include_str!("known.toml")).expect("known.toml is checked by a test")
    });
    &AGENTS
}

impl Agents {
    /// Agents first, then models, each in the file's order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let agents = self.agent.iter().map(|agent| agent.name.as_str());
        let models = self.agent.iter().flat_map(|agent| &agent.model);
        agents.chain(models.map(|model| model.name.as_str()))
    }

    pub fn find(&'static self, name: &str) -> Option<Known> {
        self.agent.iter().find_map(|agent| {
            if agent.name == name {
                return Some(Known { agent, model: None });
            }
            let model = agent.model.iter().find(|model| model.name == name)?;
            Some(Known { agent, model: Some(model) })
        })
    }

    pub fn all(&self) -> impl Iterator<Item = &Agent> {
        self.agent.iter()
    }

    pub fn by_program(&self, program: &str) -> Option<&str> {
        let runs = |agent: &&Agent| agent.programs.iter().any(|name| name == program);
        self.agent.iter().find(runs).map(|agent| agent.name.as_str())
    }
}

impl Agent {
    pub fn habits(&self) -> Habits {
        Habits {
            end_of_flags: self.end_of_flags,
            subcommands: self.subcommands,
            prompt_args: self.prompt_args.clone(),
        }
    }
}
