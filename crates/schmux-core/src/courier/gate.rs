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

    /// Until when a key that came right before the gate may not show yet, and would be
    /// lost with an editor.
    pub(super) fn gate_settles_at(&self) -> Option<Moment> {
        let at = Moment(self.gate?.0 + timing::CLOSED);
        (self.now < at && self.adapter.editor.is_some()).then_some(at)
    }

    /// The human's keys don't wait for long, whatever is under way.
    pub(super) fn keep_gate_short(&mut self) {
        let Some(since) = self.gate else { return };
        let long = timing::GATE_BUDGET + self.allowance() + timing::GIVING_BACK;
        let limit = Moment(since.0 + timing::GATE_LIMIT.max(long));
        if self.now >= limit {
            self.open_gate();
        } else {
            self.wake_at(limit);
        }
    }

    /// Whether the human has waited for as long as is fair.
    pub(super) fn budget_over(&self) -> bool {
        let budget = timing::GATE_BUDGET + self.allowance();
        self.gate.is_none_or(|since| self.now.0 - since.0 >= budget)
    }

    /// How much longer a long message may take, as long as no key waits for it.
    pub(super) fn allowance(&self) -> i64 {
        let waits = self.gate.is_some_and(|since| self.scene.typed_since(since));
        let length = self.delivery.as_ref().map_or(0, |delivery| delivery.attempt.text.len());
        let length = if waits { 0 } else { length };
        i64::try_from(length / timing::BYTES_A_MS).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::adapter::Adapter;
    use super::super::attempt::Path;
    use super::super::message::{Message, MessageId, Sender};
    use super::*;

    #[test]
    fn a_long_message_takes_longer_while_no_key_waits() {
        let words = Message::new(MessageId(1), Sender::Human, "x".repeat(1 << 20), Moment(0));
        let text = words.text.clone();
        let mut courier = Courier::new(Adapter::of(Some("claude")).clone());
        courier.delivery = Some(Delivery::new(&words, text, Path::Plain, Moment(0)));
        courier.close_gate();
        courier.now = Moment(timing::GATE_BUDGET + 1_000);
        assert!(!courier.budget_over());
        courier.now = Moment(timing::GATE_BUDGET + 2_500);
        assert!(courier.budget_over());
        courier.now = Moment(timing::GATE_BUDGET + 1_000);
        courier.scene.human_typed(courier.now);
        assert!(courier.budget_over(), "someone waits");
    }
}
