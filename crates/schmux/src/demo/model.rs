//! The demo agent as a state machine: events and the time in, effects out.
//!
//! No clock, no files, no terminal. `keys` holds what keys do and `play` what
//! the steps of a script do; `view` draws what is here, and `runtime` carries
//! out the effects.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use crossterm::event::KeyEvent;
use schmux_core::signal::text;
use serde_json::{Value, json};

use super::args::Manners;
use super::composer::Composer;
use super::dialog::Dialog;
use super::popup::{self, Popup};
use super::script::Script;
use super::transcript::Entry;
use super::turn::{Task, Turn};

#[derive(Debug)]
pub(crate) enum Event {
    Start,
    Key(KeyEvent),
    Paste(String),
    Resize(u16, u16),
    /// Time has passed.
    Tick,
    /// The command that was run has ended.
    ChildDone {
        output: String,
        code: Option<i32>,
    },
    /// The editor has ended: its file, and whether it succeeded.
    EditorDone {
        text: Option<String>,
        ok: bool,
    },
    /// The file that a script waits for is there.
    FileFound,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// A new entry of the transcript.
    Print(Entry),
    /// Bytes for the terminal as they are.
    Raw(String),
    Bell,
    Signal {
        state: String,
        message: String,
    },
    Journal(Value),
    OpenEditor {
        text: String,
    },
    Run {
        command: String,
    },
    /// End the command that runs.
    Kill,
    /// Clear the screen.
    Clear,
    /// Draw everything again.
    Repaint,
    /// Do nothing at all for a while, as an agent that hangs.
    Freeze(Duration),
    Exit(i32),
}

/// What the agent is doing, as the journal tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Idle,
    Working,
    Dialog,
    Editor,
}

impl Phase {
    fn name(self) -> &'static str {
        match self {
            Phase::Idle => "idle",
            Phase::Working => "working",
            Phase::Dialog => "dialog",
            Phase::Editor => "editor",
        }
    }
}

pub(crate) struct Model {
    pub(super) manners: Manners,
    pub(super) script: Script,
    pub(super) composer: Composer,
    pub(super) dialog: Option<Dialog>,
    pub(super) turn: Option<Turn>,
    pub(super) queue: VecDeque<Task>,
    pub(super) auto_approve: bool,
    pub(super) title: Option<String>,
    pub(super) to_eat: usize,
    pub(super) directory: String,
    pub(super) effects: Vec<Effect>,
    size: (u16, u16),
    files: Vec<String>,
    pub(super) popup_selected: usize,
    pub(super) popup_closed: bool,
    /// The first key of a chord was pressed.
    pub(super) chord: bool,
    pub(super) exit_armed_until: Option<Duration>,
    pub(super) editing: bool,
    phase: Phase,
}

/// One frame of the spinner.
pub(super) const FRAME: Duration = Duration::from_millis(100);
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

impl Model {
    /// `files` are what `@` offers, `directory` is what the trust dialog names.
    pub(crate) fn new(
        manners: Manners,
        script: Script,
        files: Vec<String>,
        directory: String,
    ) -> Model {
        Model {
            to_eat: manners.eat_keys,
            manners,
            script,
            composer: Composer::default(),
            dialog: None,
            turn: None,
            queue: VecDeque::new(),
            auto_approve: false,
            title: None,
            directory,
            effects: Vec::new(),
            size: (80, 24),
            files,
            popup_selected: 0,
            popup_closed: false,
            chord: false,
            exit_armed_until: None,
            editing: false,
            phase: Phase::Idle,
        }
    }

    pub(crate) fn handle(&mut self, event: Event, now: Duration) -> Vec<Effect> {
        match event {
            Event::Start => self.start(now),
            Event::Key(key) => self.key(key, now),
            Event::Paste(text) => self.paste(&text, now),
            Event::Resize(width, height) => {
                self.size = (width, height);
                self.composer.set_width(self.field_width());
            }
            Event::Tick => self.tick(now),
            Event::ChildDone { output, code } => self.child_done(&output, code, now),
            Event::EditorDone { text, ok } => self.editor_done(text, ok, now),
            Event::FileFound => self.file_found(now),
        }
        self.note_phase();
        std::mem::take(&mut self.effects)
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The columns of the field: the glyph takes two, and the cursor needs one at the end.
    pub(crate) fn field_width(&self) -> usize {
        usize::from(self.size.0).saturating_sub(3).max(1)
    }

    pub(crate) fn popup(&self) -> Option<(Popup, usize)> {
        if self.popup_closed || self.dialog.is_some() {
            return None;
        }
        let popup = popup::for_draft(self.composer.draft(), &self.files)?;
        let selected = self.popup_selected.min(popup.choices.len() - 1);
        Some((popup, selected))
    }

    pub(crate) fn exit_armed(&self) -> bool {
        self.exit_armed_until.is_some()
    }

    pub(crate) fn working(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| !turn.asks())
    }

    pub(crate) fn spinner(&self, now: Duration) -> char {
        SPINNER[(now.as_millis() / FRAME.as_millis()) as usize % SPINNER.len()]
    }

    /// The file that a script waits for.
    pub(crate) fn awaited_file(&self) -> Option<&Path> {
        self.turn.as_ref().and_then(Turn::awaited_file)
    }

    /// When the model wants its next tick.
    pub(crate) fn next_tick(&self, now: Duration) -> Option<Duration> {
        let turn = self.turn.as_ref().and_then(|turn| turn.next_tick());
        let spinner = self.working().then(|| now + FRAME);
        [turn, spinner, self.exit_armed_until].into_iter().flatten().min()
    }

    pub(super) fn emit(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn print(&mut self, entry: Entry) {
        self.emit(Effect::Print(entry));
    }

    pub(super) fn journal(&mut self, event: Value) {
        self.emit(Effect::Journal(event));
    }

    pub(super) fn signal(&mut self, state: &str, message: &str) {
        // A signal is one line, and a summary is enough.
        let line = message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let message = text::clean_to(line.as_bytes(), 120);
        self.emit(Effect::Signal { state: state.to_owned(), message });
    }

    /// Journals a change of the phase. Called wherever it may have changed, so
    /// that the journal holds the short ones too.
    pub(super) fn note_phase(&mut self) {
        let phase = match (self.editing, &self.dialog, &self.turn) {
            (true, _, _) => Phase::Editor,
            (_, Some(_), _) => Phase::Dialog,
            (_, None, Some(_)) => Phase::Working,
            (_, None, None) => Phase::Idle,
        };
        if phase != self.phase {
            self.phase = phase;
            self.journal(json!({"event": "state", "state": phase.name()}));
        }
    }

    pub(super) fn exit(&mut self, code: i32, why: &str) {
        self.journal(json!({"event": "exit", "code": code, "why": why}));
        self.emit(Effect::Exit(code));
    }

    fn tick(&mut self, now: Duration) {
        if self.exit_armed_until.is_some_and(|until| now >= until) {
            self.exit_armed_until = None;
        }
        self.advance(now);
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
pub(in crate::demo) mod tests;
