//! Which version of an agent is installed. Flags and names of events that a
//! version doesn't know can keep it from starting, so it is worth a question;
//! the answer is remembered until the program's file changes.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Deserializer, de};

use crate::proc;

use super::once::Once;

/// Agents on node take a second to say their version, on a busy machine some more.
const LIMIT: Duration = Duration::from_secs(5);

/// Numbers, the most important first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(Vec<u64>);

impl FromStr for Version {
    type Err = ();

    fn from_str(text: &str) -> Result<Version, ()> {
        let numbers: Result<Vec<u64>, _> = text.split('.').map(str::parse).collect();
        match numbers {
            Ok(numbers) if numbers.len() > 1 => Ok(Version(numbers)),
            _ => Err(()),
        }
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| de::Error::custom(format!("`{text}` is no version")))
    }
}

/// What a program's file looked like: another one may be another version.
pub(super) type Stamp = (PathBuf, Option<SystemTime>, u64);

pub(super) fn stamp(program: &Path) -> Option<Stamp> {
    let file = program.canonicalize().ok()?;
    let metadata = file.metadata().ok()?;
    Some((file, metadata.modified().ok(), metadata.len()))
}

/// The version that a program says it has.
pub(super) async fn of(program: &Path) -> Option<Version> {
    static KNOWN: LazyLock<Once<Stamp, Version>> = LazyLock::new(Once::new);
    KNOWN.get(stamp(program)?, ask(program)).await
}

async fn ask(program: &Path) -> Option<Version> {
    match proc::output(&[program.as_os_str(), "--version".as_ref()], None, LIMIT).await {
        Ok(said) => in_text(&String::from_utf8_lossy(&said)),
        Err(err) => {
            tracing::debug!(program = %program.display(), %err, "can't tell its version");
            None
        }
    }
}

/// The first word of a text that is a version: `codex-cli 0.166.0`, `2.1.197 (Claude Code)`.
pub(super) fn in_text(text: &str) -> Option<Version> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .find_map(|word| word.trim_matches('.').parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_and_compared() {
        let version = |text: &str| in_text(text).unwrap();
        for (text, expected) in [
            ("2.1.197 (Claude Code)\n", "2.1.197"),
            ("codex-cli 0.166.0", "0.166.0"),
            ("GitHub Copilot CLI 1.0.102.\nRun 'copilot update'", "1.0.102"),
            ("v1.2.3-beta.4", "1.2.3"),
        ] {
            assert_eq!(version(text), expected.parse().unwrap(), "{text}");
        }
        assert_eq!(in_text("no numbers, 3 of them"), None);
        assert!(version("2.1.9") < version("2.1.87") && version("2.0") < version("2.0.1"));
    }
}
