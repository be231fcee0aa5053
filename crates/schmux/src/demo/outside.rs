//! What the demo agent tells the world: its journal and its signals.
//!
//! The journal is the ground truth for tests. A line is written by one call on
//! a file opened for appending, so the signal thread may write to it as well.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::args::Signals;

#[derive(Debug, Clone, Default)]
pub(crate) struct Journal {
    file: Option<Arc<File>>,
}

impl Journal {
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Journal> {
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        Ok(Journal { file: path.map(open).transpose()?.map(Arc::new) })
    }

    /// Appends an event with its time and our pid (agents may share a journal). A journal that can't be written is no
    /// reason for an agent to stop.
    pub(crate) fn write(&self, mut event: Value) {
        let Some(file) = &self.file else { return };
        if let Value::Object(fields) = &mut event {
            fields.insert("ts".to_owned(), jiff::Timestamp::now().to_string().into());
            fields.insert("pid".to_owned(), std::process::id().into());
        }
        let line = format!("{event}\n");
        let _ = file.as_ref().write_all(line.as_bytes());
    }
}

/// How this session signals its state to schmux, if it runs in one.
#[derive(Debug, Clone)]
pub(crate) enum Signaller {
    Nothing,
    Marker,
    File(PathBuf),
}

impl Signaller {
    pub(crate) fn from_env(signals: Signals) -> Signaller {
        let enabled = std::env::var("SCHMUX_ENABLED").is_ok_and(|value| value == "1");
        match signals {
            _ if !enabled => Signaller::Nothing,
            Signals::None => Signaller::Nothing,
            Signals::Marker => Signaller::Marker,
            Signals::File => match std::env::var_os("SCHMUX_STATUS_FILE") {
                Some(path) if !path.is_empty() => Signaller::File(path.into()),
                _ => Signaller::Nothing,
            },
        }
    }

    /// Tells the state. Returns the line to print where that is the way.
    pub(crate) fn tell(&self, state: &str, message: &str) -> Option<String> {
        match self {
            Signaller::Nothing => None,
            Signaller::Marker => Some(format!("--<[schmux:{state}:{message}]>--")),
            Signaller::File(path) => {
                // As `echo "STATE message" > $SCHMUX_STATUS_FILE` does. The directory
                // may be gone; an agent works on without being heard.
                let _ =
                    std::fs::write(path, format!("{state} {message}").trim_end().to_owned() + "\n");
                None
            }
        }
    }
}
