//! What is known of the pane: its facts, its screen, and since when it is still.

use super::adapter::Adapter;
use super::event::{Pane, Standing};
use super::field::Field;
use super::receipt::Hold;
use super::sight::{Echo, echo, mentions};
use super::{adapter::WhileWorking, field::Mode, timing};
use crate::screen::View;
use crate::time::Moment;

#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub pane: Pane,
    pub standing: Standing,
    pub view: Option<View>,
    pub field: Option<Field>,
    /// Since when the whole screen, and what is in the field, are as they are.
    screen_since: Moment,
    field_since: Moment,
    /// The same for the words on the screen, wherever the cursor is.
    words_since: Moment,
    human_at: Option<Moment>,
    /// When the agent last drew something.
    drawn_at: Moment,
    /// What stood left of the field when it was empty.
    guard: Option<String>,
}

/// Why something can't be done now, and when that may change by itself.
pub(super) type Obstacle = (Hold, Option<Moment>);

impl Scene {
    /// A new picture, which is as it is since `since`.
    pub fn see(&mut self, view: View, adapter: &Adapter, since: Moment) {
        self.drawn_at = since;
        let field = Field::find(&view, adapter);
        let same_field = match (&self.field, &field) {
            (Some(old), Some(new)) => old.reads_as(new),
            (None, None) => true,
            _ => false,
        };
        let same_words = self.view.as_ref().is_some_and(|old| same_words(old, &view));
        if !same_words {
            self.words_since = since;
        }
        // An agent that is told of the focus shows its cursor. Nobody has typed then:
        // the field comes into sight as it was.
        let appears = same_words && self.field.is_none() && field.is_some();
        let since = if appears { self.words_since } else { since };
        if self.view.is_none() || !same_field {
            self.field_since = since;
        }
        if self.view.as_ref().is_none_or(|old| !same_picture(old, &view)) {
            self.screen_since = since;
        }
        if let Some(field) = field.as_ref().filter(|f| f.is_empty() && f.mode == Mode::Text) {
            self.guard = Some(field.guard.clone());
        }
        self.view = Some(view);
        self.field = field;
    }

    /// Whether the human typed since some moment.
    pub fn typed_since(&self, moment: Moment) -> bool {
        self.human_at.is_some_and(|at| at >= moment)
    }

    /// Whether what the human typed may be on its way still: an agent that lags
    /// shows a field as it was before.
    pub fn owes_echo(&self) -> bool {
        self.typed_since(self.drawn_at)
    }

    /// Until when what the human typed may be unread, whatever the agent draws.
    pub fn unread_until(&self, now: Moment) -> Option<Moment> {
        let at = Moment(self.human_at?.0 + timing::STRAY);
        (at > now).then_some(at)
    }

    /// Whether the agent drew anything after some moment.
    pub fn drawn_since(&self, moment: Moment) -> bool {
        self.drawn_at > moment
    }

    pub fn human_typed(&mut self, now: Moment) {
        self.human_at = Some(now);
    }

    /// Why not even a key that is safe in dialogs may be pressed.
    pub fn barred(&self) -> Option<Hold> {
        let Pane { dead, in_mode, shell, .. } = self.pane;
        match self.standing {
            _ if dead => Some(Hold::Exited),
            _ if shell => Some(Hold::Shell),
            _ if in_mode => Some(Hold::CopyMode),
            Standing::Exited => Some(Hold::Exited),
            Standing::Unreachable => Some(Hold::Unreachable),
            Standing::Starting => Some(Hold::Starting),
            Standing::Dialog => Some(Hold::Dialog),
            Standing::Unknown | Standing::Working | Standing::Idle => None,
        }
    }

    /// Whether the agent is gone for good.
    pub fn is_over(&self) -> bool {
        self.pane.dead || self.pane.shell || self.standing == Standing::Exited
    }

    /// When the human will have been quiet for long enough, if not now.
    pub fn quiet_at(&self, now: Moment) -> Option<Moment> {
        let at = Moment(self.human_at?.0 + timing::QUIET);
        (at > now).then_some(at)
    }

    /// Why no delivery may begin now.
    pub fn obstacle(&self, urgent: bool, adapter: &Adapter, now: Moment) -> Option<Obstacle> {
        if let Some(hold) = self.barred() {
            return Some((hold, None));
        }
        let working = self.standing == Standing::Working;
        // A dialog may open at any moment of a turn, and Enter would answer it:
        // only what can't wait is written then, and only where it is queued.
        if working && !(urgent && adapter.while_working != WhileWorking::Holds) {
            return Some((Hold::Working, None));
        }
        if let Some(at) = self.quiet_at(now) {
            return Some((Hold::HumanTyping, Some(at)));
        }
        let Some(field) = &self.field else { return Some((Hold::NoField, None)) };
        let other_guard = self.guard.as_ref().is_some_and(|guard| *guard != field.guard);
        if field.mode == Mode::Shell || other_guard {
            return Some((Hold::ShellMode, None));
        }
        self.movement(field, working, now)
    }

    /// A field that changes has someone typing in it, whom we may not hear of.
    fn movement(&self, field: &Field, working: bool, now: Moment) -> Option<Obstacle> {
        let still = if field.is_empty() { timing::STILL } else { timing::QUIET };
        let field_at = Moment(self.field_since.0 + still);
        if field_at > now {
            let hold = if field.is_empty() { Hold::Moving } else { Hold::HumanTyping };
            return Some((hold, Some(field_at)));
        }
        let still = match self.standing {
            // A spinner never stands still.
            _ if working => return None,
            Standing::Idle => timing::STILL,
            _ => timing::STILL_UNKNOWN,
        };
        let screen_at = Moment(self.screen_since.0 + still);
        (screen_at > now).then_some((Hold::Moving, Some(screen_at)))
    }

    /// Whether the field shows this text and nothing else, behind its usual prompt.
    pub fn echo(&self, text: &str, adapter: &Adapter) -> Echo {
        let Some(view) = &self.view else { return Echo::No };
        echo(view, self.field.as_ref(), text, adapter)
    }

    pub fn mentions(&self, text: &str, adapter: &Adapter) -> u32 {
        let Some(view) = &self.view else { return 0 };
        mentions(view, self.field.as_ref(), text, adapter)
    }

    pub fn takes_frames(&self) -> bool {
        self.view.as_ref().is_some_and(|view| view.bracketed_paste)
    }

    /// Whether the prompt says that Enter would run a command.
    pub fn is_shell_mode(&self) -> bool {
        let Some(field) = &self.field else { return false };
        field.mode == Mode::Shell || self.guard.as_ref().is_some_and(|guard| *guard != field.guard)
    }

    pub fn is_field_empty(&self) -> bool {
        self.field.as_ref().is_some_and(Field::is_empty)
    }
}

/// Whether the same words stand in the same places.
fn same_words(a: &View, b: &View) -> bool {
    let rows = || a.rows.iter().zip(&b.rows);
    a.size == b.size && a.rows.len() == b.rows.len() && rows().all(|(a, b)| a.text() == b.text())
}

/// Whether a person would see the same; a title may spin meanwhile.
fn same_picture(a: &View, b: &View) -> bool {
    a.size == b.size && a.cursor == b.cursor && a.rows == b.rows
}
