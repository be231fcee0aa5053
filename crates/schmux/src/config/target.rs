//! `[targets.NAME]`: a command of the user's own, or a known agent with other
//! arguments. Says what was written; `agents` decides what is run.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use crate::agents;
use crate::nearest::nearest;

/// One user-defined target.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Target {
    /// The program and its arguments; as a string, split like a shell does.
    #[serde(deserialize_with = "command")]
    pub command: Vec<String>,
    /// A known agent or model: what runs if there is no command, and whose
    /// habits apply in any case.
    pub base: Option<String>,
    /// More arguments, after the command's or the base's.
    pub args: Vec<String>,
    pub description: Option<String>,
    /// How a first prompt is given. Default: as the base takes it, or `argument`.
    pub prompt: Option<PromptStyle>,
    pub env: BTreeMap<String, String>,
}

/// How a program takes the prompt that it starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptStyle {
    /// As its last argument.
    Argument,
    /// As the value of this flag.
    Flag(String),
    /// Not at all.
    None,
}

impl Target {
    pub(super) fn check(&self, name: &str) -> Result<(), String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
            return Err(format!(
                "target name `{name}`: use letters, digits, `-`, `_` and `.`, not starting with `-`"
            ));
        }
        if self.command.is_empty() && self.base.is_none() {
            return Err(format!(
                "target `{name}` says nothing to run: add `command = [\"program\", \"argument\"]`, \
                 or `base = \"claude\"`"
            ));
        }
        if let Some(key) = self.env.keys().find(|key| !is_variable_name(key)) {
            return Err(format!("`{key}` in `env` of target `{name}` can't name a variable"));
        }
        Ok(())
    }
}

/// A base is one that schmux knows; another target of the user's own is none.
pub(super) fn check_base(base: &str) -> Result<(), String> {
    among(base, &agents::known_names(), "which is no known agent or model")
}

/// Whether there is a target of this name.
pub(super) fn check_name(name: &str, own: &BTreeMap<String, Target>) -> Result<(), String> {
    let mut names = agents::known_names();
    names.extend(own.keys().map(String::as_str));
    among(name, &names, "which is no target")
}

fn among(name: &str, names: &[&str], what: &str) -> Result<(), String> {
    if names.contains(&name) {
        return Ok(());
    }
    let meant = match nearest(name, names.iter().copied()).as_slice() {
        [] => String::new(),
        near => format!(": did you mean `{}`?", near.join("` or `")),
    };
    Err(format!("`{name}`, {what}{meant}"))
}

pub(super) fn is_variable_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl std::str::FromStr for PromptStyle {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("flag:") {
            Some(flag) if flag.len() > 1 && flag.starts_with('-') => {
                Ok(PromptStyle::Flag(flag.to_owned()))
            }
            None if text == "argument" => Ok(PromptStyle::Argument),
            None if text == "none" => Ok(PromptStyle::None),
            _ => Err(format!(
                "`{text}` is no way to give a prompt: use \"argument\", \"flag:--prompt\" (with the \
                 flag's name) or \"none\""
            )),
        }
    }
}

impl<'de> Deserialize<'de> for PromptStyle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

pub(super) fn command<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Words;
    impl<'de> Visitor<'de> for Words {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a command as a list of words, or as one string")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            let words = shlex::split(text)
                .ok_or_else(|| E::custom(format!("a quote in `{text}` is not closed")))?;
            not_empty(words)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut words: A) -> Result<Self::Value, A::Error> {
            let mut command = Vec::new();
            while let Some(word) = words.next_element::<String>()? {
                command.push(word);
            }
            not_empty(command)
        }
    }

    fn not_empty<E: de::Error>(words: Vec<String>) -> Result<Vec<String>, E> {
        match words.first() {
            Some(program) if !program.is_empty() => Ok(words),
            _ => Err(E::custom("the command is empty: name a program")),
        }
    }

    deserializer.deserialize_any(Words)
}
