//! What is wrong with `config.toml`, where, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("can't read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}:{line}:{column}: {message}", path.display())]
    Invalid { path: PathBuf, line: usize, column: usize, message: String },
    #[error("SCHMUX_PORT is `{value}`: use a number from 0 (any free port) to 65535")]
    Port { value: String },
}

impl ConfigError {
    pub fn advice(&self) -> Option<String> {
        match self {
            ConfigError::Unreadable { path, .. } => Some(format!(
                "make it readable, or move it away to use the defaults: mv {0} {0}.old",
                path.display()
            )),
            ConfigError::Invalid { path, .. } => {
                Some(format!("correct that line in {}, then start again", path.display()))
            }
            ConfigError::Port { .. } => None,
        }
    }
}

/// An error of the parser, in our words.
pub(super) fn explain(err: &toml::de::Error, text: &str, path: &Path) -> ConfigError {
    let (line, column) = position(text, err.span().map_or(0, |span| span.start));
    let message = unknown_name(err.message()).unwrap_or_else(|| in_words(err.message()));
    ConfigError::Invalid { path: path.to_owned(), line, column, message }
}

/// An error of our own about the value at `keys`.
pub(super) fn at(keys: &[&str], message: String, text: &str, path: &Path) -> ConfigError {
    let (line, column) = position(text, offset_of(keys, text).unwrap_or(0));
    ConfigError::Invalid { path: path.to_owned(), line, column, message }
}

/// serde says "unknown field `prot`, expected one of `port`, `bind`": turns it
/// into the nearest valid name.
fn unknown_name(message: &str) -> Option<String> {
    let what = if message.starts_with("unknown field") {
        "key"
    } else if message.starts_with("unknown variant") {
        "value"
    } else {
        return None;
    };
    let mut names = message.split('`').skip(1).step_by(2);
    let given = names.next()?;
    let valid: Vec<&str> = names.collect();
    let list = valid.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let near = crate::nearest::nearest(given, valid.iter().copied());
    Some(match near.first() {
        Some(near) => format!("unknown {what} `{given}`: did you mean `{near}`? Valid: {list}"),
        None => format!("unknown {what} `{given}`. Valid: {list}"),
    })
}

/// What serde says in the language's names for numbers.
fn in_words(message: &str) -> String {
    let mut message = message.replace('\n', ": ");
    for (theirs, ours) in [
        ("expected u16", "expected a number from 0 to 65535"),
        ("expected u32", "expected a whole number from 0 on"),
        ("expected u64", "expected a whole number from 0 on"),
        ("expected usize", "expected a whole number from 0 on"),
        ("expected f64", "expected a number"),
        ("invalid IP address syntax", "this is no IP address: write one such as 127.0.0.1"),
    ] {
        message = message.replace(theirs, ours);
    }
    message
}

/// Line and column, from 1, of a byte in `text`; columns count characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

fn offset_of(keys: &[&str], text: &str) -> Option<usize> {
    let root = DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    let (last, parents) = keys.split_last()?;
    for key in parents {
        table = match table.get(*key)?.get_ref() {
            DeValue::Table(inner) => inner,
            _ => return None,
        };
    }
    table.keys().find(|key| key.get_ref() == last).map(|key| key.span().start)
}
