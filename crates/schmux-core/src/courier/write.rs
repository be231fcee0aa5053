//! The text in the field: seen, still, submitted, and proven to be.

use super::attempt::{Path, Step};
use super::delivery::{Stage, Then};
use super::receipt::{Doubt, Hold, Proof, Receipt};
use super::{Courier, Effect, timing};
use crate::time::Moment;

impl Courier {
    /// Pastes the message into the empty field.
    pub(super) fn paste(&mut self) {
        let Some(delivery) = &mut self.delivery else { return };
        delivery.attempt.at = self.now;
        self.effects.push(Effect::Paste(delivery.attempt.text.clone()));
        delivery.stage = Stage::Showing { since: self.now };
    }

    /// The text should appear, behind the prompt of a text field.
    pub(super) fn await_echo(&mut self, since: Moment) -> bool {
        if self.is_interrupted() {
            return true;
        }
        let Some(delivery) = &mut self.delivery else { return false };
        let shown = self.scene.echo(&delivery.attempt.text, &self.adapter).is_there();
        if shown && self.scene.is_shell_mode() {
            return self.take_back(Hold::ShellMode);
        }
        if shown {
            self.begin_settling();
            return true;
        }
        let late = Moment(since.0 + timing::ECHO + self.allowance());
        if self.now >= late || self.budget_over() {
            return self.take_back(Hold::NotShown);
        }
        self.wake_at(late);
        self.wake_at_budget();
        false
    }

    /// The field shows the text and nothing else. A key that goes past the gate
    /// from now on keeps Enter from being pressed, seen or not.
    pub(super) fn begin_settling(&mut self) {
        let Some(delivery) = &mut self.delivery else { return };
        delivery.attempt.shown = true;
        delivery.disturbed = false;
        delivery.stage = Stage::Settling { since: self.now };
        self.effects.push(Effect::Watch);
    }

    /// It must stand for a moment: an Enter too soon is lost or becomes a newline.
    pub(super) fn await_settled(&mut self, since: Moment) -> bool {
        if self.is_interrupted() {
            return true;
        }
        let Some(delivery) = &mut self.delivery else { return false };
        let attempt = &mut delivery.attempt;
        let shown = self.scene.echo(&attempt.text, &self.adapter).is_there();
        if !shown || delivery.disturbed || self.scene.is_shell_mode() {
            delivery.stage = Stage::Showing { since: self.now };
            return true;
        }
        let settled = Moment(since.0 + self.adapter.settle(attempt.path == Path::Editor));
        let settled =
            self.presses.opens_until(self.now).map_or(settled, |until| until.max(settled));
        if self.now >= settled {
            attempt.step = Step::Submitting;
            attempt.enters += 1;
            let receipts = if attempt.enters == 1 { vec![Receipt::Written] } else { vec![] };
            self.store_then(receipts, vec![], Then::BeforeEnter);
            return true;
        }
        if self.budget_over() {
            return self.take_back(Hold::NotShown);
        }
        self.wake_at(settled);
        self.wake_at_budget();
        false
    }

    /// On disk, and tmux has told its newest: Enter, if all is as it was.
    pub(super) fn enter(&mut self) {
        let Some(delivery) = &mut self.delivery else { return };
        let text = &delivery.attempt.text;
        // Without an editor it can't be taken out again.
        let cancelled = delivery.attempt.cancelled && self.adapter.editor.is_some();
        let fit = self.scene.barred().is_none()
            && !cancelled
            && !self.scene.is_shell_mode()
            && self.scene.echo(text, &self.adapter).is_there()
            && !delivery.disturbed
            && !delivery.hooked
            && self.presses.opens_until(self.now).is_none()
            && self.gate.is_some();
        if fit {
            self.effects.push(Effect::Submit);
            delivery.stage = Stage::Proving { since: self.now, gone: None, proven: None };
            return;
        }
        self.not_submitted();
    }

    /// What was to be pressed was not: somebody's key came before it, or the way
    /// to the pane is gone.
    pub(super) fn refused(&mut self) {
        match self.delivery.as_ref().map(|delivery| &delivery.stage) {
            Some(Stage::Proving { .. }) => self.not_submitted(),
            Some(Stage::Calling { .. }) => self.not_called(),
            _ => {}
        }
    }

    fn not_submitted(&mut self) {
        let Some(delivery) = &mut self.delivery else { return };
        delivery.attempt.enters = 0;
        delivery.attempt.step = delivery.attempt.unsent_step();
        self.store_then(vec![], vec![], Then::Resume);
    }

    /// Enter was pressed, here or before a restart. What became of it?
    pub(super) fn await_proof(&mut self) -> bool {
        let Some(delivery) = &mut self.delivery else { return false };
        if delivery.hooked {
            self.conclude(Receipt::Confirmed(Proof::Hook));
            return true;
        }
        let Stage::Proving { since, gone, proven } = &mut delivery.stage else { return false };
        let attempt = &delivery.attempt;
        let there = self.scene.echo(&attempt.text, &self.adapter).is_there();
        let more = self.scene.mentions(&attempt.text, &self.adapter) > attempt.mentions;
        let has_editor = self.adapter.editor.is_some();
        // A line prompt is gone while its program works; an agent's field stays.
        let field_or_none = self.scene.field.is_some() || !has_editor;
        keep_since(gone, !there && field_or_none, self.now);
        keep_since(proven, !there && field_or_none && more, self.now);
        let (since, gone, proven) = (*since, *gone, *proven);
        let owes = !attempt.draft.is_empty();
        delivery.left |=
            !attempt.emptied && gone.is_some_and(|at| self.now.0 - at.0 >= timing::GONE);
        match (owes && has_editor, self.scene.barred()) {
            (_, Some(_)) => {
                self.open_gate();
                false
            }
            _ if delivery.settled && !has_editor => self.await_change(gone, proven),
            _ if attempt.emptied && !there => self.await_word(since, proven),
            (true, None) => self.await_taken(since, gone),
            (false, None) => self.await_conversation(since, gone, proven),
        }
    }

    /// The message was still in the file, and was taken out. Whether Enter was
    /// taken before that, the conversation or the agent will say.
    fn await_word(&mut self, since: Moment, proven: Option<Moment>) -> bool {
        if self.budget_over() {
            self.open_gate();
        }
        let late = Moment(since.0 + timing::WORD);
        let stands = proven.map(|proven| Moment(proven.0 + timing::PROOF));
        if stands.is_some_and(|at| self.now >= at) {
            self.conclude(Receipt::Confirmed(Proof::Screen));
            return true;
        }
        if self.now < late {
            self.wake_at(stands.map_or(late, |at| at.min(late)));
            self.wake_at_budget();
            return false;
        }
        let Some(delivery) = &mut self.delivery else { return false };
        if delivery.left {
            // The field was empty before we emptied it.
            self.conclude(Receipt::Submitted);
        } else {
            delivery.then_hold.get_or_insert(Hold::NotTaken);
            self.not_submitted();
        }
        true
    }

    /// The draft is away: the editor tells whether Enter was taken, and takes it back.
    fn await_taken(&mut self, since: Moment, gone: Option<Moment>) -> bool {
        let late = Moment(since.0 + timing::ENTER);
        let at = gone.map_or(late, |gone| late.min(Moment(gone.0 + timing::GONE)));
        if self.now < at {
            self.wake_at(at);
            return false;
        }
        self.ask()
    }

    /// Nothing is away: the conversation tells, and the editor where it doesn't.
    fn await_conversation(
        &mut self,
        since: Moment,
        gone: Option<Moment>,
        proven: Option<Moment>,
    ) -> bool {
        if gone.is_some() && self.gate.is_some() {
            self.open_gate();
        }
        if let Some(proven) = proven {
            let empty = self.scene.is_field_empty();
            let stands = if empty { timing::PROOF } else { timing::PROOF_WITHOUT_FIELD };
            let at = Moment(proven.0 + stands);
            if self.now >= at {
                self.conclude(Receipt::Confirmed(Proof::Screen));
                return true;
            }
            self.wake_at(at);
            return false;
        }
        let has_editor = self.adapter.editor.is_some();
        if gone.is_some() {
            let at = Moment(since.0 + timing::CONVERSATION);
            if self.now >= at {
                let taken = self.scene.is_field_empty();
                self.conclude(match taken {
                    true => Receipt::Submitted,
                    false => Receipt::Indeterminate(Doubt::Changed),
                });
                return true;
            }
            self.wake_at(at);
            return false;
        }
        let at = Moment(since.0 + if has_editor { timing::ENTER } else { timing::UNPROVEN });
        if self.now < at {
            self.wake_at(at);
            return false;
        }
        if has_editor {
            return self.ask();
        }
        self.give_up_proof();
        true
    }

    /// Enter was pressed, and the text stands in the field still. It is not pressed
    /// again, and no other key follows: the agent may have stalled after it took the
    /// first, and have a dialog open that it has not drawn.
    fn give_up_proof(&mut self) {
        let receipt = Receipt::Indeterminate(Doubt::StillInField);
        self.note_fate(&receipt);
        let Some(delivery) = &mut self.delivery else { return };
        delivery.settled = true;
        let message = delivery.attempt.message;
        self.outbox.remove(message);
        self.stamp(message, receipt);
    }

    /// People know that the message's fate is unknown. Once the field changes, the
    /// agent has read what was pressed, and others may follow.
    fn await_change(&mut self, gone: Option<Moment>, proven: Option<Moment>) -> bool {
        self.open_gate();
        let Some(at) = gone.map(|gone| Moment(gone.0 + timing::PROOF_WITHOUT_FIELD)) else {
            self.hold(Hold::InField);
            return false;
        };
        if self.now < at {
            self.wake_at(at);
            return false;
        }
        if proven.is_some() {
            self.conclude(Receipt::Confirmed(Proof::Screen));
        } else {
            self.go_on_to_draft(vec![]);
        }
        true
    }

    /// The message's fate is known; what is left is the draft.
    pub(super) fn conclude(&mut self, receipt: Receipt) {
        self.note_fate(&receipt);
        self.go_on_to_draft(vec![receipt]);
    }

    fn go_on_to_draft(&mut self, receipts: Vec<Receipt>) {
        let Some(delivery) = &mut self.delivery else { return };
        delivery.settled = true;
        let message = delivery.attempt.message;
        let may_remain = delivery.asked && self.adapter.editor.is_some();
        if delivery.attempt.draft.is_empty() && !may_remain {
            return self.close(receipts, vec![]);
        }
        delivery.attempt.emptied |= may_remain;
        delivery.attempt.step = Step::Restoring;
        self.outbox.remove(message);
        self.store_then(receipts, vec![], Then::Resume);
    }

    /// The message can't be sent now: the field gets back what it had. Without
    /// an editor it has to wait where it is.
    pub(super) fn take_back(&mut self, hold: Hold) -> bool {
        let Some(delivery) = &mut self.delivery else { return false };
        delivery.then_hold.get_or_insert(hold);
        delivery.stage = Stage::Waiting;
        if self.adapter.editor.is_none() {
            self.open_gate();
            self.hold(Hold::InField);
        }
        true
    }

    /// Whether something happened that ends the wait for the echo.
    fn is_interrupted(&mut self) -> bool {
        let Some(delivery) = &mut self.delivery else { return false };
        if delivery.hooked {
            // Someone else pressed Enter.
            self.conclude(Receipt::Confirmed(Proof::Hook));
            return true;
        }
        if delivery.attempt.cancelled && self.adapter.editor.is_some() {
            delivery.stage = Stage::Waiting;
            return true;
        }
        let Some(hold) = self.scene.barred() else { return false };
        delivery.then_hold.get_or_insert(hold);
        delivery.stage = Stage::Waiting;
        self.open_gate();
        true
    }

    /// Keys went past the gate while it was closed.
    pub(super) fn disturbed(&mut self) {
        if let Some(delivery) = &mut self.delivery {
            delivery.disturbed = true;
        }
    }

    pub(super) fn wake_at_budget(&mut self) {
        if let Some(since) = self.gate {
            self.wake_at(Moment(since.0 + timing::GATE_BUDGET + self.allowance()));
        }
    }
}

/// Remembers since when something holds without a break.
fn keep_since(since: &mut Option<Moment>, holds: bool, now: Moment) {
    *since = if holds { since.or(Some(now)) } else { None };
}
