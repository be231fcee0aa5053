//! All that is known of agents' screens: the files in this binary, and the user's.
//!
//! A file is compiled when its agent is first asked for. A user's file takes the
//! place of ours with the same name, as a whole: two halves of different age
//! would fit neither. Files are read elsewhere; here they are text.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use super::knowledge::Reader;

/// The files of this binary, by the agent's name.
const EMBEDDED: [(&str, &str); 11] = [
    ("aider", include_str!("agents/aider.toml")),
    ("amp", include_str!("agents/amp.toml")),
    ("claude", include_str!("agents/claude.toml")),
    ("codex", include_str!("agents/codex.toml")),
    ("copilot", include_str!("agents/copilot.toml")),
    ("cursor-agent", include_str!("agents/cursor-agent.toml")),
    ("demo", include_str!("agents/demo.toml")),
    ("gemini", include_str!("agents/gemini.toml")),
    ("generic", include_str!("agents/generic.toml")),
    ("opencode", include_str!("agents/opencode.toml")),
    ("qwen", include_str!("agents/qwen.toml")),
];

/// What is used for an agent of which nothing is known.
const GENERIC: &str = "generic";

/// Readers by the agent's name.
#[derive(Debug, Clone)]
pub struct Library {
    readers: BTreeMap<String, Arc<Entry>>,
}

#[derive(Debug)]
struct Entry {
    text: &'static str,
    compiled: OnceLock<Arc<Reader>>,
}

/// A user's file that can't be used; the others can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryError {
    pub file: String,
    pub problem: String,
}

impl Library {
    /// What comes with this binary.
    pub fn embedded() -> Library {
        static ENTRIES: LazyLock<BTreeMap<String, Arc<Entry>>> = LazyLock::new(|| {
            let entry = |(name, text): (&str, &'static str)| {
                (name.to_owned(), Arc::new(Entry { text, compiled: OnceLock::new() }))
            };
            EMBEDDED.into_iter().map(entry).collect()
        });
        Library { readers: ENTRIES.clone() }
    }

    /// With the user's files, given by their names and their text. A file that
    /// can't be used is told of, and what was known before stays.
    pub fn with(mut self, files: &[(String, String)]) -> (Library, Vec<LibraryError>) {
        let mut errors = Vec::new();
        for (file, text) in files {
            match Reader::parse(text) {
                Ok(reader) => {
                    let name = reader.name.clone();
                    let compiled = OnceLock::from(Arc::new(reader));
                    self.readers.insert(name, Arc::new(Entry { text: "", compiled }));
                }
                Err(problem) => errors.push(LibraryError { file: file.clone(), problem }),
            }
        }
        (self, errors)
    }

    /// The reader for an agent; the generic one if nothing is known of it.
    pub fn reader(&self, agent: &str) -> Arc<Reader> {
        let entry = self.readers.get(agent).or_else(|| self.readers.get(GENERIC));
        let entry = entry.expect("the generic file is part of the binary and can't be taken out");
        let compiled = entry.compiled.get_or_init(|| {
            let reader = Reader::parse(entry.text).expect("a test parses every file of the binary");
            Arc::new(reader)
        });
        Arc::clone(compiled)
    }

    /// The agents that are known.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.readers.keys().map(String::as_str)
    }
}

impl Default for Library {
    fn default() -> Library {
        Library::embedded()
    }
}

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is left out: {}", self.file, self.problem.trim_end())
    }
}

impl std::error::Error for LibraryError {}
