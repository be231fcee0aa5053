//! Targets: what can be run.
//!
//! A target is a known agent (data in `known.toml`), a model of one, a command
//! from `config.toml`, or `demo`. This module turns a name into a command line
//! and never starts anything; a name in `config.toml` wins over a known one.

mod known;
mod launch;
pub mod looks;
mod path;
pub mod provision;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::config::{Config, PromptStyle};
use crate::nearest::nearest;
use crate::wire::{ApiError, Target, TargetKind};

use known::Known;
pub use launch::Launch;

/// The target that is always there.
pub const DEMO: &str = "demo";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    #[error("there is no target `{name}`")]
    Unknown { name: String, near: Vec<String>, available: Vec<String> },
    #[error("target `{name}` needs `{program}`, which was not found on PATH")]
    NotInstalled { name: String, program: String, install: Option<String> },
    #[error("target `{name}` needs `{program}`, which was not found on PATH of the host {host}")]
    NotThere { name: String, program: String, host: String, install: Option<String> },
    #[error("target `{name}` needs {variable} in the environment")]
    NeedsVariable { name: String, variable: String },
    #[error("target `{name}` can't be given a prompt when it starts")]
    TakesNoPrompt { name: String },
}

impl TargetError {
    pub fn code(&self) -> &'static str {
        match self {
            TargetError::Unknown { .. } => "unknown_target",
            TargetError::NotInstalled { .. } | TargetError::NotThere { .. } => {
                "target_not_installed"
            }
            TargetError::NeedsVariable { .. } => "target_needs_variable",
            TargetError::TakesNoPrompt { .. } => "no_prompt_at_start",
        }
    }

    pub fn advice(&self) -> String {
        let meant = |near: &[String]| match near {
            [] => String::new(),
            near => format!("did you mean {}? ", near.join(" or ")),
        };
        match self {
            TargetError::Unknown { name, near, available } => format!(
                "{}Available here: {}. `schmux targets` lists all; to define it, add to \
                 config.toml:\n[targets.{name}]\ncommand = [\"program\", \"argument\"]",
                meant(near),
                available.join(", ")
            ),
            TargetError::NotInstalled { name, program, install } => match install {
                Some(install) => format!("install it: {install}"),
                None => format!(
                    "install `{program}`, or correct the command of [targets.{name}] in config.toml"
                ),
            },
            TargetError::NotThere { name, .. } if name == DEMO => {
                "the demo runs where schmux is; choose an agent that is there".to_owned()
            }
            TargetError::NotThere { host, install, .. } => match install {
                Some(install) => format!("install it on {host}: {install}"),
                None => format!("install it on {host}, or put it on the PATH of its login shell"),
            },
            TargetError::NeedsVariable { name, variable } => format!(
                "export {variable} and restart the daemon (agents keep running), or add to \
                 config.toml:\n[targets.{name}]\nbase = \"{name}\"\nenv = {{ {variable} = \"…\" }}"
            ),
            TargetError::TakesNoPrompt { name } => format!(
                "spawn {name} without a prompt and type it, or use `schmux send-keys SESSION \
                 --paste TEXT Enter`"
            ),
        }
    }
}

impl From<&TargetError> for ApiError {
    fn from(err: &TargetError) -> Self {
        ApiError {
            code: err.code().to_owned(),
            message: err.to_string(),
            advice: Some(err.advice()),
        }
    }
}

/// Every target, those of `config.toml` first, with whether its program was found.
pub fn list(config: &Config, path_env: &OsStr, self_exe: &Path) -> Vec<Target> {
    let finder = Finder { config, path_env, self_exe };
    let own = config.targets.keys().map(String::as_str);
    let known = known::all().names().filter(|name| !config.targets.contains_key(*name));
    own.chain(known).filter_map(|name| finder.describe(name)).collect()
}

/// What runs for `name`, before a prompt and extra arguments are added.
pub fn resolve(
    name: &str,
    config: &Config,
    path_env: &OsStr,
    self_exe: &Path,
) -> Result<Launch, TargetError> {
    let finder = Finder { config, path_env, self_exe };
    let plan = finder.plan(name)?;
    let Some(program) = finder.locate(&plan) else {
        return Err(TargetError::NotInstalled {
            name: name.to_owned(),
            program: plan.programs.join("` or `"),
            install: plan.install,
        });
    };
    let mut launch = plan.launch;
    launch.argv.insert(0, program.to_string_lossy().into_owned());
    launch.expand_env(|variable| std::env::var(variable).ok())?;
    Ok(launch)
}

/// As [`resolve`], with the program as it was found on a host, of that name.
pub fn resolve_at(
    name: &str,
    config: &Config,
    self_exe: &Path,
    (host, found): (&str, &BTreeMap<String, String>),
) -> Result<Launch, TargetError> {
    let finder = Finder { config, path_env: OsStr::new(""), self_exe };
    let plan = finder.plan(name)?;
    let Some(program) = plan.programs.iter().find_map(|program| found.get(program)) else {
        return Err(TargetError::NotThere {
            name: name.to_owned(),
            program: plan.programs.join("` or `"),
            host: host.to_owned(),
            install: plan.install,
        });
    };
    let mut launch = plan.launch;
    launch.argv.insert(0, program.clone());
    launch.expand_env(|variable| std::env::var(variable).ok())?;
    Ok(launch)
}

/// The programs of which one will do for a target.
pub fn programs(name: &str, config: &Config, self_exe: &Path) -> Result<Vec<String>, TargetError> {
    let finder = Finder { config, path_env: OsStr::new(""), self_exe };
    Ok(finder.plan(name)?.programs)
}

/// The known agent that a target is or runs, whether it is installed or not.
pub fn base_of(name: &str, config: &Config, self_exe: &Path) -> Option<String> {
    let finder = Finder { config, path_env: OsStr::new(""), self_exe };
    finder.plan(name).ok()?.launch.base
}

/// The known agents and their models.
pub fn known_names<'a>() -> Vec<&'a str> {
    known::all().names().collect()
}

/// The known agents that are programs of their own, with the names of those.
pub fn known_programs() -> Vec<(String, Vec<String>)> {
    let agents = known::all().all().filter(|agent| agent.name != DEMO);
    agents.map(|agent| (agent.name.clone(), agent.programs.clone())).collect()
}

/// What a known agent's program may be called.
pub fn programs_of(agent: &str) -> Vec<String> {
    let mut known = known_programs().into_iter();
    known.find(|(name, _)| name == agent).map(|(_, programs)| programs).unwrap_or_default()
}

/// The known agent whose program is called `program`, for sessions that the user started by hand.
pub fn by_program(program: &str) -> Option<&'static str> {
    known::all().by_program(program)
}

/// A command line whose program has yet to be found.
struct Plan {
    kind: TargetKind,
    description: String,
    /// Any of these will do; the first that is found is used.
    programs: Vec<String>,
    install: Option<String>,
    /// Its argv lacks the program.
    launch: Launch,
}

struct Finder<'a> {
    config: &'a Config,
    path_env: &'a OsStr,
    self_exe: &'a Path,
}

impl Finder<'_> {
    fn plan(&self, name: &str) -> Result<Plan, TargetError> {
        if let Some(target) = self.config.targets.get(name) {
            return Ok(self.plan_own(name, target));
        }
        self.plan_known(name).ok_or_else(|| {
            let all: Vec<Target> = list(self.config, self.path_env, self.self_exe);
            TargetError::Unknown {
                name: name.to_owned(),
                near: owned(nearest(name, all.iter().map(|target| target.name.as_str()))),
                // Models would make the list too long to read.
                available: all
                    .iter()
                    .filter(|target| target.available && target.kind != TargetKind::Model)
                    .map(|target| target.name.clone())
                    .collect(),
            }
        })
    }

    fn plan_known(&self, name: &str) -> Option<Plan> {
        let Known { agent, model } = known::all().find(name)?;
        let mut launch = Launch {
            target: name.to_owned(),
            base: Some(agent.name.clone()),
            argv: agent.args.clone(),
            env: Vec::new(),
            prompt: agent.prompt.clone(),
            habits: agent.habits(),
            seams: launch::Seams::default(),
        };
        if let Some(model) = model {
            launch.habits.prompt_args.iter_mut().for_each(|args| args.extend(model.args.clone()));
            launch.argv.extend(model.args.clone());
            launch.env.extend(model.env.clone());
        }
        Some(Plan {
            kind: match model {
                _ if agent.name == DEMO => TargetKind::Demo,
                Some(_) => TargetKind::Model,
                None => TargetKind::Agent,
            },
            description: model.map_or(&agent.description, |model| &model.description).clone(),
            programs: agent.programs.clone(),
            install: agent.install.clone(),
            launch,
        })
    }

    fn plan_own(&self, name: &str, own: &crate::config::Target) -> Plan {
        // That the base is known has been checked with the rest of the file.
        let base = own.base.as_deref().and_then(|base| self.plan_known(base));
        let mut plan = base.unwrap_or_else(|| Plan {
            kind: TargetKind::Command,
            description: String::new(),
            programs: Vec::new(),
            install: None,
            launch: Launch::bare(name),
        });
        plan.kind = TargetKind::Command;
        plan.launch.target = name.to_owned();
        if let Some((program, args)) = own.command.split_first() {
            plan.programs = vec![program.clone()];
            plan.install = None;
            plan.launch.argv = args.to_vec();
            plan.launch.habits.prompt_args = None;
            plan.description = own.command.join(" ");
        }
        plan.launch.argv.extend(own.args.clone());
        plan.launch.habits.prompt_args.iter_mut().for_each(|args| args.extend(own.args.clone()));
        let mut env: BTreeMap<_, _> = plan.launch.env.into_iter().collect();
        env.extend(own.env.clone());
        plan.launch.env = env.into_iter().collect();
        if let Some(prompt) = &own.prompt {
            plan.launch.prompt = prompt.clone();
            plan.launch.habits.prompt_args = None;
        }
        if let Some(description) = &own.description {
            plan.description = description.clone();
        }
        plan
    }

    fn locate(&self, plan: &Plan) -> Option<PathBuf> {
        if plan.launch.base.as_deref() == Some(DEMO) && plan.programs == [DEMO] {
            return Some(self.self_exe.to_owned());
        }
        plan.programs.iter().find_map(|program| path::find(program, self.path_env))
    }

    fn describe(&self, name: &str) -> Option<Target> {
        let plan = self.plan(name).ok()?;
        let path = self.locate(&plan);
        let program = path.as_ref().map_or_else(
            || plan.programs.first().cloned().unwrap_or_default(),
            |path| path.to_string_lossy().into_owned(),
        );
        Some(Target {
            name: name.to_owned(),
            kind: plan.kind,
            description: plan.description,
            base: plan.launch.base.clone().filter(|base| base != name),
            command: std::iter::once(program).chain(plan.launch.argv).collect(),
            available: path.is_some(),
            install: plan.install.filter(|_| path.is_none()),
            path: path.map(|path| path.to_string_lossy().into_owned()),
        })
    }
}

fn owned(names: Vec<&str>) -> Vec<String> {
    names.into_iter().map(str::to_owned).collect()
}

impl Launch {
    /// A command of the user's that we know nothing of.
    fn bare(target: &str) -> Launch {
        Launch {
            target: target.to_owned(),
            base: None,
            argv: Vec::new(),
            env: Vec::new(),
            prompt: PromptStyle::Argument,
            habits: launch::Habits::default(),
            seams: launch::Seams::default(),
        }
    }
}

#[cfg(test)]
mod tests;
