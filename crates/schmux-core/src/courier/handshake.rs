//! The editor handshake: the key, the call, the answer.

use super::attempt::{Path, Step};
use super::delivery::{After, Comeback, Delivery, Stage, Then};
use super::event::{CallId, Caller, EditorAnswer, Kept};
use super::judge::{Fate, Judgement, Known, Mend, judge, split};
use super::receipt::{Hold, Proof, Receipt};
use super::{Courier, Effect, timing};
use crate::time::Moment;

impl Courier {
    /// Presses the editor key to learn what is in the field, after a look.
    pub(super) fn ask(&mut self) -> bool {
        if let Some(at) = self.presses.ready_at(self.now) {
            self.wake_at(at);
            return false;
        }
        self.close_gate();
        self.look(Then::Press);
        true
    }

    /// No call means that the field is not in front, and that nothing has changed.
    pub(super) fn await_call(&mut self, since: Moment) -> bool {
        let Some(delivery) = &self.delivery else { return false };
        let patience = self.adapter.editor.as_ref().map_or(0, |editor| editor.patience_ms);
        let fresh = delivery.attempt.step == Step::Calling;
        // The human doesn't wait for a slow agent; a late call is left alone.
        let most = if fresh { timing::GATE_BUDGET } else { i64::MAX };
        let late = Moment(since.0 + i64::from(patience).min(most));
        if self.now < late {
            self.wake_at(late);
            return false;
        }
        let length = if fresh { 0 } else { delivery.attempt.text.len() };
        self.presses.missed(!fresh, length, self.now);
        self.leave_call(fresh);
        true
    }

    /// The key was not pressed: its way is gone, or was too slow for the human's
    /// keys to wait.
    pub(super) fn not_called(&mut self) {
        let Some(delivery) = &self.delivery else { return };
        let fresh = delivery.attempt.step == Step::Calling;
        self.presses.refused(!fresh, self.now);
        self.leave_call(fresh);
    }

    /// Nothing was written yet, or the draft is still owed: then it is called for again.
    fn leave_call(&mut self, fresh: bool) {
        if fresh {
            self.then_hold(Hold::NoAnswer);
            self.close(vec![], vec![]);
        } else {
            self.set_stage(Stage::Waiting);
            self.open_gate();
        }
    }

    /// `schmux edit` asks.
    pub(super) fn called(&mut self, call: CallId, caller: Caller, content: &str) {
        if caller == Caller::Tool || self.adapter.editor.is_none() {
            return self.answer_only(call, EditorAnswer::Human);
        }
        let asked = self.presses.is_unanswered(self.now);
        self.presses.answered(self.now);
        let Some(delivery) = &self.delivery else {
            // A late call, after we gave up: it must find nothing changed.
            let answer = if asked { EditorAnswer::Leave } else { EditorAnswer::Human };
            self.answer_only(call, answer);
            return self.effects.push(Effect::Ticket(None));
        };
        let step = delivery.attempt.step;
        match &delivery.stage {
            Stage::Leaving => {
                let answer = if asked { EditorAnswer::Leave } else { EditorAnswer::Human };
                self.answer_only(call, answer);
            }
            Stage::Calling { .. } if step == Step::Calling && self.gate.is_some() => {
                self.heard(call, content);
            }
            _ if step == Step::Calling => {
                let answer = if asked { EditorAnswer::Leave } else { EditorAnswer::Human };
                self.answer_only(call, answer);
            }
            Stage::Storing { .. } | Stage::Showing { .. } | Stage::Settling { .. } => {
                self.answer_only(call, EditorAnswer::Leave);
            }
            Stage::Returning { .. } if !asked => {
                // The draft is there, and the human wants to edit it.
                self.answer_only(call, EditorAnswer::Human);
                self.close(vec![], vec![]);
            }
            _ => self.heard(call, content),
        }
    }

    /// The answer to our key came while nobody heard it, and nothing has changed:
    /// the key may be pressed again.
    pub(super) fn editor_unheard(&mut self, ticket: Moment) {
        if !self.presses.answered_unheard(ticket, self.now) {
            return;
        }
        self.presses.edits_until(Moment(self.now.0 + timing::BACK));
        let Some(delivery) = &self.delivery else {
            return self.effects.push(Effect::Ticket(None));
        };
        if !matches!(delivery.stage, Stage::Calling { .. }) {
            return;
        }
        if delivery.attempt.step == Step::Calling {
            self.then_hold(Hold::NoAnswer);
            self.close(vec![], vec![]);
        } else {
            self.set_stage(Stage::Waiting);
            self.open_gate();
        }
    }

    /// A call with the field's content, at a step where it tells something.
    fn heard(&mut self, call: CallId, content: &str) {
        let Some(delivery) = &mut self.delivery else { return };
        let attempt = &delivery.attempt;
        let known = Known {
            hooked: delivery.hooked,
            mentioned: self.scene.mentions(&attempt.text, &self.adapter) > attempt.mentions,
            recent: self.now.0 - attempt.at.0 <= timing::RECENT,
            gated: self.gate.is_some(),
        };
        match judge(attempt, &self.adapter, known, content) {
            Judgement::Swap => {
                delivery.attempt.step = Step::Swapping;
                delivery.attempt.draft = content.to_owned();
                let answer = EditorAnswer::Write(delivery.attempt.text.clone());
                let then = Then::Answer { call, answer, after: After::Show };
                self.store_then(vec![], vec![], then);
            }
            Judgement::Hold(hold) => {
                self.answer_only(call, EditorAnswer::Leave);
                self.remember_draft();
                self.then_hold(hold);
                self.set_stage(Stage::Leaving);
            }
            Judgement::Empty => {
                delivery.attempt.emptied = true;
                let answer = EditorAnswer::Write(String::new());
                let then = Then::Answer { call, answer, after: After::Prove };
                self.store_then(vec![], vec![], then);
            }
            Judgement::PressAgain => {
                delivery.attempt.step = delivery.attempt.unsent_step();
                let answer = EditorAnswer::Write(delivery.attempt.text.clone());
                let then = Then::Answer { call, answer, after: After::Show };
                self.store_then(vec![], vec![], then);
            }
            Judgement::Settled(fate, mend) => self.settle(call, fate, mend),
        }
    }

    /// Stores what the call has told, then mends the field.
    fn settle(&mut self, call: CallId, fate: Fate, mend: Mend) {
        let hooked = self.delivery.as_ref().is_some_and(|delivery| delivery.hooked);
        let receipt = match fate {
            Fate::Sent if hooked => Some(Receipt::Confirmed(Proof::Hook)),
            Fate::Sent => Some(Receipt::Submitted),
            Fate::Unknown(doubt) => Some(Receipt::Indeterminate(doubt)),
            Fate::Unsent(_) => None,
        };
        let receipt = receipt.filter(|_| self.delivery.as_ref().is_some_and(|d| !d.settled));
        if let Some(receipt) = &receipt {
            self.note_fate(receipt);
        }
        let Some(delivery) = &mut self.delivery else { return };
        if let Fate::Unsent(hold) = fate {
            delivery.then_hold.get_or_insert(hold);
            delivery.attempt.step = delivery.attempt.unsent_step();
            delivery.attempt.shown = false;
            delivery.attempt.enters = 0;
        } else {
            delivery.attempt.step = Step::Restoring;
            delivery.settled = true;
            self.outbox.remove(delivery.attempt.message);
        }
        let mut kept = Vec::new();
        let (answer, after) = match mend {
            Mend::Leave => (EditorAnswer::Leave, After::Close),
            Mend::Write(whole) => {
                delivery.attempt.draft.clone_from(&whole);
                let trims = self.adapter.editor.as_ref().map(|editor| editor.trims);
                let head = trims.and_then(|trims| split(&whole, trims)).map_or(&*whole, |s| s.0);
                delivery.attempt.given = (head != whole).then_some(self.now);
                (EditorAnswer::Write(head.to_owned()), After::Return(whole))
            }
            Mend::Keep => {
                let draft = std::mem::take(&mut delivery.attempt.draft);
                kept.push(Kept { draft, at: self.now });
                (EditorAnswer::Leave, After::Close)
            }
        };
        kept.retain(|kept| !kept.draft.is_empty());
        let receipts = receipt.into_iter().collect();
        self.store_then(receipts, kept, Then::Answer { call, answer, after });
    }

    /// On disk: the editor gets its answer.
    pub(super) fn answer(&mut self, call: CallId, answer: EditorAnswer, after: After) {
        let wrote = matches!(answer, EditorAnswer::Write(_));
        self.answer_only(call, answer);
        let Some(delivery) = &mut self.delivery else { return };
        delivery.call = wrote.then_some(call);
        match after {
            After::Show => delivery.stage = Stage::Showing { since: self.now },
            After::Close => delivery.stage = Stage::Leaving,
            // The draft follows by the next call.
            After::Prove => delivery.stage = Stage::Waiting,
            After::Return(whole) => {
                let trims = self.adapter.editor.as_ref().map(|editor| editor.trims);
                let parts = trims.and_then(|trims| split(&whole, trims));
                let (head, tail) = parts.unwrap_or((whole.as_str(), ""));
                delivery.comeback = Comeback {
                    head: head.to_owned(),
                    tail: tail.to_owned(),
                    by_file: tail.is_empty(),
                };
                delivery.stage = Stage::Returning { since: self.now };
            }
        }
    }

    pub(super) fn answer_only(&mut self, call: CallId, answer: EditorAnswer) {
        let unchanged = answer == EditorAnswer::Leave;
        self.presses.edits_until(Moment(self.now.0 + timing::EXIT));
        self.effects.push(Effect::Answer(call, answer));
        let blank = self.adapter.editor.as_ref().is_some_and(|editor| editor.blank_if_unchanged);
        if unchanged && blank {
            self.effects.push(Effect::Repaint);
        }
    }

    fn then_hold(&mut self, hold: Hold) {
        if let Some(delivery) = &mut self.delivery {
            delivery.then_hold = Some(hold);
        }
    }

    /// The draft that is in the field now can't be put away: no use trying again
    /// before it has changed.
    pub(super) fn remember_draft(&mut self) {
        let seen = self.delivery.as_mut().and_then(|delivery: &mut Delivery| delivery.seen.take());
        if let (Some(field), Some(entry)) = (seen, self.outbox.first_mut()) {
            entry.seen = Some((field, Moment(self.now.0 + timing::SAME_DRAFT)));
        }
    }
}

impl super::attempt::Attempt {
    /// The step that says: the message is in the field, and was not submitted.
    pub(super) fn unsent_step(&self) -> Step {
        match self.path {
            Path::Editor => Step::Swapping,
            Path::Plain | Path::Sentinel => Step::Pasting,
        }
    }
}
