//! The command line and environment of one session-to-be, and how a prompt is
//! put into it so that no word of it is taken for a flag or a subcommand.

use crate::config::PromptStyle;

use super::TargetError;

/// What to run. `with` adds the prompt and the extra arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The name that was asked for.
    pub target: String,
    /// The known agent behind it, whose habits apply.
    pub base: Option<String>,
    pub argv: Vec<String>,
    /// Variables to set, besides those of the session.
    pub env: Vec<(String, String)>,
    pub(super) prompt: PromptStyle,
    pub(super) habits: Habits,
    pub(super) seams: Seams,
}

/// Where the parts of a command line meet, as numbers of words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seams {
    /// The target's own words end here; flags may be put in.
    pub own: usize,
    /// The flags end here; what follows is a prompt, or what the user put behind `--`.
    pub flags: usize,
}

/// What a program's command line allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Habits {
    /// `--` ends its flags.
    pub end_of_flags: bool,
    /// Its first argument may be a subcommand (`claude update`).
    pub subcommands: bool,
    /// These replace its usual arguments if there is a prompt.
    pub prompt_args: Option<Vec<String>>,
}

impl Launch {
    /// The same with extra arguments, and with a prompt to begin with.
    pub fn with(&self, prompt: Option<&str>, extra: &[String]) -> Result<Launch, TargetError> {
        let mut launch = self.clone();
        let Some(prompt) = prompt.filter(|prompt| !prompt.trim().is_empty()) else {
            launch.push_extra(extra);
            return Ok(launch);
        };
        if let Some(args) = &self.habits.prompt_args {
            launch.argv.truncate(1);
            launch.argv.extend_from_slice(args);
        }
        launch.push_extra(extra);
        match &self.prompt {
            PromptStyle::None => {
                return Err(TargetError::TakesNoPrompt { name: self.target.clone() });
            }
            // Joined only where it must be: not every program knows `--flag=value`.
            PromptStyle::Flag(flag) if prompt.starts_with('-') && flag.starts_with("--") => {
                launch.argv.push(format!("{flag}={prompt}"));
            }
            PromptStyle::Flag(flag) => {
                launch.argv.push(flag.clone());
                launch.argv.push(not_a_flag(prompt));
            }
            PromptStyle::Argument => launch.push_argument(prompt, extra),
        }
        Ok(launch)
    }

    fn push_extra(&mut self, extra: &[String]) {
        let own = self.argv.len();
        let flags = extra.iter().position(|word| word == "--").unwrap_or(extra.len());
        self.seams = Seams { own, flags: own + flags };
        self.argv.extend_from_slice(extra);
    }

    /// Puts words in behind the target's own.
    pub(super) fn put_in(&mut self, words: impl IntoIterator<Item = String>) {
        let before = self.argv.len();
        self.argv.splice(self.seams.own..self.seams.own, words);
        let more = self.argv.len() - before;
        self.seams = Seams { own: self.seams.own + more, flags: self.seams.flags + more };
    }

    /// Takes words out of the flags.
    pub(super) fn take_out(&mut self, at: usize, count: usize) -> Vec<String> {
        let end = (at + count).min(self.seams.flags);
        let taken: Vec<String> = self.argv.drain(at..end).collect();
        if at < self.seams.own {
            self.seams.own -= taken.len().min(self.seams.own - at);
        }
        self.seams.flags -= taken.len();
        taken
    }

    /// The words that may be flags, without the program.
    pub(super) fn flags(&self) -> impl Iterator<Item = (usize, &str)> {
        let words = self.argv[..self.seams.flags].iter().map(String::as_str);
        words.enumerate().skip(1)
    }

    fn push_argument(&mut self, prompt: &str, extra: &[String]) {
        // An extra flag that takes several values would swallow the prompt.
        let ends = prompt.starts_with('-') || !extra.is_empty();
        if self.habits.end_of_flags && ends {
            if !extra.iter().any(|word| word == "--") {
                self.argv.push("--".to_owned());
            }
            self.argv.push(self.not_a_subcommand(prompt));
        } else {
            self.argv.push(not_a_flag(&self.not_a_subcommand(prompt)));
        }
    }

    /// A prompt of one plain word could name a subcommand; a blank in front
    /// prevents that, and `--` does not everywhere.
    fn not_a_subcommand(&self, prompt: &str) -> String {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.habits.subcommands && !prompt.starts_with('-') && prompt.chars().all(word) {
            format!(" {prompt}")
        } else {
            prompt.to_owned()
        }
    }

    /// Fills in `${NAME}` in the values of `env`: from `env` itself, else by `lookup`.
    pub(super) fn expand_env(
        &mut self,
        lookup: impl Fn(&str) -> Option<String>,
    ) -> Result<(), TargetError> {
        let given = self.env.clone();
        for (_, value) in &mut self.env {
            let Some(variable) = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'))
            else {
                continue;
            };
            let own = given.iter().find(|(name, _)| name == variable).map(|(_, v)| v.clone());
            let found = own.or_else(|| lookup(variable)).filter(|found| !found.is_empty());
            *value = found.ok_or_else(|| TargetError::NeedsVariable {
                name: self.target.clone(),
                variable: variable.to_owned(),
            })?;
        }
        Ok(())
    }
}

/// A blank in front keeps any parser from taking a prompt for a flag.
fn not_a_flag(prompt: &str) -> String {
    if prompt.starts_with('-') { format!(" {prompt}") } else { prompt.to_owned() }
}
