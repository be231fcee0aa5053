//! A turn: the steps that answer a message, and what it waits for right now.
//!
//! Values only; `play` moves them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::script::Step;

/// What a turn is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Task {
    /// The scene at the start.
    Start,
    /// `shown` has placeholders for pasted blocks, as the conversation shows them.
    Message {
        text: String,
        shown: String,
        images: usize,
    },
    Shell(String),
    Slash(String),
}

impl Task {
    pub(crate) fn text(&self) -> &str {
        match self {
            Task::Start => "",
            Task::Message { text, .. } | Task::Shell(text) | Task::Slash(text) => text,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Task::Start => "start",
            Task::Message { .. } => "message",
            Task::Shell(_) => "shell",
            Task::Slash(_) => "slash",
        }
    }
}

/// What a turn waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doing {
    Nothing,
    /// A reply comes word by word; `line` is the part that isn't printed yet.
    Speaking {
        rest: VecDeque<String>,
        line: String,
        first: bool,
        next: Duration,
    },
    Working {
        until: Duration,
    },
    Waiting(PathBuf),
    Running {
        command: String,
    },
    Asking,
}

#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) task: Task,
    pub(crate) since: Duration,
    pub(crate) verb: String,
    pub(crate) doing: Doing,
    pub(super) steps: VecDeque<Step>,
    /// The last thing said, which sums the turn up.
    pub(super) said: String,
    /// It has opened a dialog.
    pub(super) asked: bool,
}

impl Turn {
    pub(super) fn new(task: Task, steps: Vec<Step>, now: Duration) -> Turn {
        let (verb, doing) = ("Thinking".to_owned(), Doing::Nothing);
        Turn {
            task,
            since: now,
            verb,
            doing,
            steps: steps.into(),
            said: String::new(),
            asked: false,
        }
    }

    pub(crate) fn asks(&self) -> bool {
        self.doing == Doing::Asking
    }

    pub(crate) fn awaited_file(&self) -> Option<&Path> {
        match &self.doing {
            Doing::Waiting(path) => Some(path),
            _ => None,
        }
    }

    pub(crate) fn next_tick(&self) -> Option<Duration> {
        match self.doing {
            Doing::Working { until } => Some(until),
            Doing::Speaking { next, .. } => Some(next),
            _ => None,
        }
    }

    /// The part of a reply that isn't printed yet.
    pub(crate) fn speaking(&self) -> Option<(&str, bool)> {
        match &self.doing {
            Doing::Speaking { line, first, .. } => Some((line, *first)),
            _ => None,
        }
    }
}
