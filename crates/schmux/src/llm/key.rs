//! Keys of services: where they are, and a type that doesn't show them.

use std::fmt;
use std::path::PathBuf;

use super::LlmError;
use crate::config::{Api, Nudgenik};

/// A key. It can be put into a header, and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key(String);

/// Where a key is read from, each time that it is needed: it may be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeySource {
    Variable(String),
    File(PathBuf),
    None,
    #[cfg(test)]
    Given(Key),
}

impl KeySource {
    pub fn of(api: Api, settings: &Nudgenik) -> KeySource {
        if let Some(path) = &settings.key_file {
            return KeySource::File(path.clone());
        }
        let usual = match api {
            Api::Openai => "OPENAI_API_KEY",
            Api::Anthropic => "ANTHROPIC_API_KEY",
            Api::Gemini => "GEMINI_API_KEY",
            Api::Ollama => "",
        };
        match &settings.key_env {
            Some(name) => KeySource::Variable(name.clone()),
            None if usual.is_empty() => KeySource::None,
            // The usual key is for the usual place. Another one must be named, so
            // that no key goes where it wasn't meant for.
            None if settings.url.is_some() => KeySource::None,
            None => KeySource::Variable(usual.to_owned()),
        }
    }

    pub fn read(&self) -> Result<Option<Key>, LlmError> {
        let (text, what) = match self {
            KeySource::None => return Ok(None),
            #[cfg(test)]
            KeySource::Given(key) => return Ok(Some(key.clone())),
            KeySource::Variable(name) => match std::env::var(name) {
                Ok(text) if !text.trim().is_empty() => (text, format!("the value of {name}")),
                _ => return Err(LlmError::NoKey(name.clone())),
            },
            KeySource::File(path) => {
                let text = std::fs::read_to_string(path);
                let text =
                    text.map_err(|source| LlmError::KeyFile { path: path.clone(), source })?;
                (text, format!("what stands in {}", path.display()))
            }
        };
        let key = text.trim();
        if key.is_empty() || !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(LlmError::BadKey { what });
        }
        Ok(Some(Key(key.to_owned())))
    }
}

impl Key {
    /// For a header, and for nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A text that may repeat the key, without it.
    pub fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }

    #[cfg(test)]
    pub fn new(key: &str) -> Key {
        Key(key.to_owned())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}
