//! The gate: keys of the human's wait while a delivery is on the pane, and never
//! for long.

use super::attempt::Step;
use super::delivery::Delivery;
use super::event::{Gate, Standing};
use super::{Courier, Effect, timing};
use crate::time::Moment;

impl Courier {
    pub(super) fn close_gate(&mut self) {
        if self.gate.is_none() {
            self.gate = Some(self.now);
            self.effects.push(Effect::Gate(Gate::Close));
        }
    }

    pub(super) fn open_gate(&mut self) {
        let typed = |delivery: &mut Delivery| std::mem::take(&mut delivery.attempt.keys);
        let draft_away = self.delivery.as_ref().is_some_and(|d| d.attempt.step != Step::Calling);
        // What the editor caught belongs behind the draft, and waits for it.
        let first = match &mut self.delivery {
            Some(delivery) if !draft_away => typed(delivery),
            _ => Vec::new(),
        };
        if !first.is_empty() {
            // Once they are typed, a restart must not find them.
            self.store(vec![], vec![]);
        }
        self.open_gate_with(first);
    }

    pub(super) fn open_gate_with(&mut self, first: Vec<u8>) {
        let closed = self.gate.take();
        if closed.is_some_and(|since| self.scene.typed_since(since)) || !first.is_empty() {
            // What waited is typed now.
            self.scene.human_typed(self.now);
        }
        if closed.is_some() || !first.is_empty() {
            let replay = self.scene.standing != Standing::Dialog;
            self.effects.push(Effect::Gate(Gate::Open { first, replay }));
        }
    }

    /// The human's keys don't wait for long, whatever is under way.
    pub(super) fn keep_gate_short(&mut self) {
        let Some(since) = self.gate else { return };
        let limit = Moment(since.0 + timing::GATE_LIMIT);
        if self.now >= limit {
            self.open_gate();
        } else {
            self.wake_at(limit);
        }
    }

    /// Whether the human has waited for as long as is fair.
    pub(super) fn budget_over(&self) -> bool {
        self.gate.is_none_or(|since| self.now.0 - since.0 >= timing::GATE_BUDGET)
    }
}
