//! What keys and pastes do, by the habits of the agent that is played.
//!
//! The part of the model that listens; pure like the rest of it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::json;

use super::args::{
    CtrlC, CtrlY, DialogPaste, EditorKey, EditorNewline, EditorNonzero, Habits, LeftOnEmpty, Slash,
    WhileWorking,
};
use super::composer::Enter;
use super::dialog::Dialog;
use super::model::{Effect, Model};
use super::transcript::Entry;
use super::turn::Task;

/// How long a second Ctrl-C counts as the second one.
const EXIT_ARMED: Duration = Duration::from_secs(2);

impl Model {
    pub(super) fn key(&mut self, key: KeyEvent, now: Duration) {
        if self.to_eat > 0 {
            self.to_eat -= 1;
            return;
        }
        if let Some(dialog) = &mut self.dialog {
            if let Some(answer) = dialog.key(key, self.manners.dialog_keys) {
                self.answer(answer, now);
            }
            return;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if !(control && key.code == KeyCode::Char('c')) {
            self.exit_armed_until = None;
        }
        if self.is_editor_key(key, control) {
            return self.open_editor();
        }
        if self.chord || self.popup_key(key, control) {
            return;
        }
        let empty = self.composer.draft().is_empty();
        match key.code {
            KeyCode::Char('c') if control => self.ctrl_c(now),
            KeyCode::Char('d') if control && empty => self.exit(0, "ctrl-d"),
            KeyCode::Char('d') if control => {
                self.composer.key(KeyCode::Delete.into(), &self.manners, now);
            }
            KeyCode::Char('l') if control => self.emit(Effect::Repaint),
            KeyCode::Char('s') if control && self.manners.habits == Habits::Claude => {
                self.composer.swap_stash();
            }
            KeyCode::Char('y') if control && self.manners.ctrl_y == CtrlY::AutoApprove => {
                self.auto_approve = !self.auto_approve;
                self.journal(json!({"event": "auto_approve", "on": self.auto_approve}));
            }
            KeyCode::Left if empty && self.manners.left_on_empty == LeftOnEmpty::View => {
                self.open_dialog(Dialog::view());
            }
            KeyCode::Esc if self.turn.is_some() => self.interrupt("esc", now),
            KeyCode::Enter if !key.modifiers.contains(KeyModifiers::ALT) => self.enter(now),
            _ => {
                self.composer.key(key, &self.manners, now);
                (self.popup_closed, self.popup_selected) = (false, 0);
            }
        }
    }

    pub(super) fn paste(&mut self, text: &str, now: Duration) {
        let Some(dialog) = &self.dialog else {
            self.exit_armed_until = None;
            (self.popup_closed, self.popup_selected) = (false, 0);
            return self.composer.paste(text, &self.manners, now);
        };
        let mut chars = text.chars();
        if let (Some(c), None, DialogPaste::Acts) =
            (chars.next(), chars.next(), self.manners.dialog_paste)
            && let Some(answer) = dialog.letter(c, self.manners.dialog_keys, "paste")
        {
            self.answer(answer, now);
        }
    }

    /// Whether the editor is to open. Keeps track of the two-key chord.
    fn is_editor_key(&mut self, key: KeyEvent, control: bool) -> bool {
        let letter = |c| control && key.code == KeyCode::Char(c);
        let second = std::mem::take(&mut self.chord);
        match self.manners.editor_key {
            EditorKey::CtrlG => letter('g'),
            EditorKey::CtrlXCtrlE => {
                self.chord = letter('x') && !second;
                second && letter('e')
            }
            EditorKey::None => false,
        }
    }

    fn open_editor(&mut self) {
        if self.manners.popup_blocks_editor && self.popup().is_some() {
            return;
        }
        self.editing = true;
        let draft = self.composer.draft();
        let (text, shell) = (draft.field.text(), draft.shell);
        self.journal(json!({"event": "editor_opened", "text": text, "shell": shell}));
        self.emit(Effect::OpenEditor { text });
    }

    pub(super) fn editor_done(&mut self, text: Option<String>, ok: bool, now: Duration) {
        self.editing = false;
        let taken = text.filter(|_| ok || self.manners.editor_nonzero == EditorNonzero::Take);
        let Some(mut text) = taken else {
            self.journal(json!({"event": "editor_closed", "ok": ok, "taken": false}));
            return self.print(Entry::Error("The editor failed; the draft is kept.".to_owned()));
        };
        match self.manners.editor_newline {
            EditorNewline::StripOne => {
                text.truncate(text.len() - usize::from(text.ends_with('\n')))
            }
            EditorNewline::StripAll => text.truncate(text.trim_end().len()),
            EditorNewline::Keep => {}
        }
        self.journal(json!({"event": "editor_closed", "ok": ok, "taken": true, "text": text}));
        // An unchanged text keeps its placeholders, as in real fields.
        if text != self.composer.draft().field.text() {
            self.composer.replace(&text, &self.manners, now);
        }
    }

    /// The keys of the completions; false if they are for the field.
    fn popup_key(&mut self, key: KeyEvent, control: bool) -> bool {
        let Some((popup, selected)) = self.popup() else { return false };
        let count = popup.choices.len();
        match key.code {
            KeyCode::Up => self.popup_selected = (selected + count - 1) % count,
            KeyCode::Down => self.popup_selected = (selected + 1) % count,
            KeyCode::Esc => self.popup_closed = true,
            KeyCode::Enter | KeyCode::Tab if !control && key.modifiers.is_empty() => {
                for _ in 0..popup.replaces {
                    self.composer.key(KeyCode::Backspace.into(), &self.manners, Duration::ZERO);
                }
                let (picked, _) = &popup.choices[selected];
                for c in picked.chars().chain([' ']) {
                    self.composer.key(KeyCode::Char(c).into(), &self.manners, Duration::ZERO);
                }
                self.popup_selected = 0;
            }
            _ => return false,
        }
        true
    }

    fn ctrl_c(&mut self, now: Duration) {
        if !self.composer.draft().is_empty() {
            self.composer.clear(&self.manners);
        } else if self.turn.is_some() {
            self.interrupt("ctrl-c", now);
        } else if self.manners.ctrl_c == CtrlC::Once || self.exit_armed() {
            self.exit(0, "ctrl-c");
        } else {
            self.exit_armed_until = Some(now + EXIT_ARMED);
        }
    }

    fn enter(&mut self, now: Duration) {
        if self.composer.enter(&self.manners, now) == Enter::Spent {
            return;
        }
        let draft = self.composer.draft();
        let text = draft.field.text();
        if text.trim().is_empty() {
            return;
        }
        let task = if draft.shell {
            Task::Shell(text)
        } else if self.manners.slash == Slash::Command && text.starts_with('/') {
            Task::Slash(text)
        } else {
            Task::Message { text, shown: draft.field.shown(), images: draft.field.images() }
        };
        self.submit(task, now);
    }

    fn submit(&mut self, task: Task, now: Duration) {
        let how = match (&task, self.manners.while_working) {
            _ if self.turn.is_none() => "now",
            (_, WhileWorking::Reject) => "rejected",
            (Task::Message { .. }, WhileWorking::Steer) => "steered",
            _ => "queued",
        };
        self.journal(json!({
            "event": "submitted", "text": task.text(), "kind": task.kind(), "how": how
        }));
        if how == "rejected" {
            return self.print(Entry::Warning("Still working: send it again later.".to_owned()));
        }
        self.composer.take();
        match (how, task) {
            ("steered", Task::Message { text, shown, images }) => {
                self.receive(&text, shown, images);
                self.steer(&text, now);
            }
            ("queued", task) => self.queue.push_back(task),
            (_, task) => self.begin(task, now),
        }
    }
}
