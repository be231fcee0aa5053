//! Writing a message: the field with its history, stash, pastes and shell mode.
//!
//! Turns editing keys and pastes into a field, by the habits of the agent that
//! it plays. What a submitted text then does is the model's business.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::args::{Backslash, Crlf, CtrlY, GuardDoes, Habits, Manners, Tabs};
use super::field::{Atom, Field};

/// A draft with all that must come back with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) field: Field,
    /// The field began with `!`: Enter runs it as a shell command.
    pub(crate) shell: bool,
}

impl Draft {
    pub(crate) fn is_empty(&self) -> bool {
        self.field.is_empty() && !self.shell
    }
}

#[derive(Debug, Default)]
pub(crate) struct Composer {
    draft: Draft,
    history: Vec<Draft>,
    /// The place in the history, and the draft that it took the place of.
    recalled: Option<(usize, Draft)>,
    stash: Option<Draft>,
    killed: Vec<Atom>,
    pastes: usize,
    images: usize,
    /// When text last came in, for the Enter that comes too soon.
    text_at: Option<Duration>,
    width: usize,
}

/// What Enter means right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enter {
    Submits,
    /// It was eaten, or became a newline.
    Spent,
}

impl Composer {
    pub(crate) fn draft(&self) -> &Draft {
        &self.draft
    }

    pub(crate) fn stashed(&self) -> bool {
        self.stash.is_some()
    }

    pub(crate) fn set_width(&mut self, width: usize) {
        self.width = width;
    }

    /// Takes the draft out of the field and remembers it; a stash comes back in its place.
    pub(crate) fn take(&mut self) -> Draft {
        let taken = std::mem::take(&mut self.draft);
        self.remember(taken.clone());
        self.draft = self.stash.take().unwrap_or_default();
        taken
    }

    /// Replaces the text and leaves the mode as it is, as agents do after their
    /// editor: a text that comes into a field in shell mode will be run.
    pub(crate) fn replace(&mut self, text: &str, manners: &Manners, now: Duration) {
        self.recalled = None;
        self.draft.field = Field::from_text(text);
        self.text_at = Some(now);
        self.notice_shell(manners);
    }

    /// Puts text before what is in the field, for messages that come back unsent.
    pub(crate) fn prepend(&mut self, text: &str) {
        let rest = self.draft.field.text();
        let glue = if rest.is_empty() { "" } else { "\n" };
        self.draft.field = Field::from_text(&format!("{text}{glue}{rest}"));
    }

    /// Clears the field as Ctrl-C does; Codex keeps what was in it for Up.
    pub(crate) fn clear(&mut self, manners: &Manners) {
        let cleared = std::mem::take(&mut self.draft);
        if manners.habits == Habits::Codex {
            self.remember(cleared);
        }
        self.recalled = None;
    }

    pub(crate) fn paste(&mut self, text: &str, manners: &Manners, now: Duration) {
        let mut text = match manners.paste_crlf {
            Crlf::One => text.replace("\r\n", "\n"),
            Crlf::Double => text.to_owned(),
        }
        .replace('\r', "\n");
        if manners.paste_tabs == Tabs::Blanks {
            text = text.replace('\t', "    ");
        }
        if text.ends_with('\n') {
            text.pop();
        }
        if text.is_empty() {
            return;
        }
        self.text_at = Some(now);
        if manners.image_paste && is_picture(&text) {
            self.images += 1;
            return self.draft.field.insert_image(format!("[Image #{}]", self.images));
        }
        let (lines, chars) = (text.split('\n').count(), text.chars().count());
        let long = |limit: usize, count: usize| limit > 0 && count >= limit;
        if long(manners.paste_lines, lines) || long(manners.paste_chars, chars) {
            self.pastes += 1;
            let label = if lines > 1 {
                format!("[Pasted text #{} +{lines} lines]", self.pastes)
            } else {
                format!("[Pasted text #{} +{chars} chars]", self.pastes)
            };
            self.draft.field.insert_paste(label, text);
        } else {
            self.draft.field.insert(&text);
            self.notice_shell(manners);
        }
    }

    /// What an Enter that comes now does, by backslash and guard.
    pub(crate) fn enter(&mut self, manners: &Manners, now: Duration) -> Enter {
        let soon = self.text_at.is_some_and(|at| now.saturating_sub(at) < manners.enter_guard);
        if soon {
            if manners.enter_guard_does == GuardDoes::Newline {
                self.draft.field.insert("\n");
            }
            return Enter::Spent;
        }
        if manners.backslash == Backslash::Newline
            && self.draft.field.before_cursor().ends_with('\\')
        {
            self.draft.field.backspace();
            self.draft.field.insert("\n");
            return Enter::Spent;
        }
        Enter::Submits
    }

    /// Ctrl-S: puts the draft away, or takes it back into an empty field.
    pub(crate) fn swap_stash(&mut self) {
        if self.draft.is_empty() {
            self.draft = self.stash.take().unwrap_or_default();
        } else {
            self.stash = Some(std::mem::take(&mut self.draft));
        }
    }

    /// An editing key; false if it isn't one.
    pub(crate) fn key(&mut self, key: KeyEvent, manners: &Manners, now: Duration) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let (habits, width, wrap) = (manners.habits, self.width, manners.wrap);
        let field = &mut self.draft.field;
        match key.code {
            KeyCode::Char('j') if control => field.insert("\n"),
            KeyCode::Enter if alt => field.insert("\n"),
            KeyCode::Home => field.home(habits, width, wrap),
            KeyCode::End => field.end(habits, width, wrap),
            KeyCode::Char('a') if control => field.line_start(habits),
            KeyCode::Char('e') if control => field.line_end(habits),
            KeyCode::Char('b') if control => field.left(),
            KeyCode::Char('f') if control => field.right(),
            KeyCode::Char('k') if control => {
                let killed = field.kill_to_end(habits, width, wrap);
                self.keep_killed(killed);
            }
            KeyCode::Char('u') if control => {
                let killed = field.kill_to_start(habits, width, wrap);
                self.keep_killed(killed);
            }
            KeyCode::Char('w') if control => {
                let killed = field.kill_word();
                self.keep_killed(killed);
            }
            KeyCode::Char('y') if control && manners.ctrl_y == CtrlY::Yank => {
                field.insert_atoms(&self.killed);
            }
            KeyCode::Char('h') if control => self.backspace(),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Delete => field.delete(),
            KeyCode::Left => field.left(),
            KeyCode::Right => field.right(),
            KeyCode::Up => {
                if !field.up(width, wrap) {
                    self.recall_older();
                }
            }
            KeyCode::Down => {
                if !field.down(width, wrap) {
                    self.recall_newer();
                }
            }
            KeyCode::Char(c) if !control && !alt => {
                self.text_at = Some(now);
                if c == '!' && self.draft.is_empty() {
                    self.draft.shell = true;
                } else {
                    self.draft.field.insert(c.encode_utf8(&mut [0; 4]));
                }
            }
            _ => return false,
        }
        true
    }

    fn backspace(&mut self) {
        if self.draft.field.at_start() {
            self.draft.shell = false;
        }
        self.draft.field.backspace();
    }

    /// Codex runs whatever begins with `!`, pasted or typed; Claude Code only
    /// what was typed so.
    fn notice_shell(&mut self, manners: &Manners) {
        if manners.habits == Habits::Codex && !self.draft.shell {
            let text = self.draft.field.text();
            if let Some(command) = text.strip_prefix('!').filter(|_| !self.draft.field.has_pastes())
            {
                self.draft = Draft { field: Field::from_text(command), shell: true };
            }
        }
    }

    fn keep_killed(&mut self, killed: Vec<Atom>) {
        if !killed.is_empty() {
            self.killed = killed;
        }
    }

    fn remember(&mut self, draft: Draft) {
        self.recalled = None;
        if !draft.is_empty() && self.history.last() != Some(&draft) {
            self.history.push(draft);
        }
    }

    fn recall_older(&mut self) {
        let current = self.recalled.as_ref().map_or(self.history.len(), |(at, _)| *at);
        let Some(at) = current.checked_sub(1) else { return };
        let kept = match self.recalled.take() {
            Some((_, kept)) => kept,
            None => std::mem::take(&mut self.draft),
        };
        self.recalled = Some((at, kept));
        self.show_recalled(at);
    }

    fn recall_newer(&mut self) {
        let Some((at, kept)) = self.recalled.take() else { return };
        if at + 1 < self.history.len() {
            self.recalled = Some((at + 1, kept));
            self.show_recalled(at + 1);
        } else {
            self.draft = kept;
        }
    }

    fn show_recalled(&mut self, at: usize) {
        self.draft = self.history[at].clone();
        self.draft.field.move_to_end();
    }
}

/// A single path whose name says that it is a picture.
fn is_picture(text: &str) -> bool {
    let name = text.to_lowercase();
    let kinds = [".png", ".jpg", ".jpeg", ".gif", ".webp"];
    !name.contains([' ', '\n']) && kinds.iter().any(|kind| name.ends_with(kind))
}

#[cfg(test)]
#[path = "composer_tests.rs"]
mod tests;
