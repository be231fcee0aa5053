//! Recordings of what sessions print: `recorder` takes it from the host without
//! ever making it wait, `writer` is the thread that compresses and stores it,
//! `shelf` knows the files and their limits, `reader` gives parts of them back,
//! `tell` answers the API.
//!
//! Recordings are a convenience and not a promise: what the disk can't take is
//! left out, and said.

mod reader;
mod recorder;
mod shelf;
pub mod tell;
mod writer;

pub use recorder::{Recorder, Tap};

use std::path::PathBuf;

use crate::config;

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub session_bytes: u64,
    pub total_bytes: u64,
    pub age_ms: i64,
}

impl Limits {
    pub fn of(settings: &config::Replay) -> Limits {
        Limits {
            session_bytes: u64::from(settings.session_mb) << 20,
            total_bytes: u64::from(settings.total_mb) << 20,
            age_ms: i64::from(settings.days) * 24 * 3600 * 1000,
        }
    }
}

/// The recordings of an instance: where they are, and who makes them.
#[derive(Clone)]
pub struct Replays {
    dir: PathBuf,
    pub recorder: Recorder,
}

impl Replays {
    /// Starts to record, unless the settings say not to; what is there stays readable.
    pub fn start(dir: PathBuf, settings: &config::Replay) -> Replays {
        let recorder = match settings.enabled {
            true => writer::start(dir.clone(), Limits::of(settings)),
            false => Recorder::off(),
        };
        Replays { dir, recorder }
    }
}

#[cfg(test)]
mod tests;
