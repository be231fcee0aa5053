//! Going on after an interruption, and the draft's way back.

use super::attempt::{Recovery, recover};
use super::delivery::{Comeback, Stage, Then};
use super::event::Kept;
use super::receipt::{Doubt, Hold, Proof, Receipt};
use super::sight::essence;
use super::{Courier, Effect, timing};
use crate::time::Moment;

impl Courier {
    /// An attempt that waits goes on as soon as it can.
    pub(super) fn resume(&mut self) -> bool {
        let Some(delivery) = &self.delivery else { return false };
        match recover(&delivery.attempt, &self.adapter) {
            Recovery::Forget => {
                self.close(vec![], vec![]);
                true
            }
            Recovery::Ask => self.resume_by_asking(),
            Recovery::Resume => self.resume_paste(),
            Recovery::Watch => {
                self.set_stage(Stage::Proving { since: self.now, gone: None, proven: None });
                true
            }
            Recovery::PutBack => self.put_back(),
            Recovery::Repaste => self.repaste(),
        }
    }

    fn resume_by_asking(&mut self) -> bool {
        if self.was_submitted_by_hook() {
            return true;
        }
        let obstacle = match self.scene.barred() {
            Some(hold) => Some((hold, None)),
            None if self.scene.view.is_none() => Some((Hold::NoField, None)),
            // Behind a closed gate nobody types.
            None if self.gate.is_some() => None,
            None => self.scene.quiet_at(self.now).map(|at| (Hold::HumanTyping, Some(at))),
        };
        let Some((hold, at)) = obstacle else { return self.ask() };
        if let Some(at) = at {
            self.wake_at(at);
        }
        self.open_gate();
        self.hold(if self.owes_draft() { Hold::OwesDraft } else { hold });
        false
    }

    /// No editor: the screen must show whether the text stands in the field.
    fn resume_paste(&mut self) -> bool {
        if self.was_submitted_by_hook() {
            return true;
        }
        let urgent = self.outbox.first().is_some_and(|entry| entry.message.urgent);
        if let Some((hold, at)) = self.scene.obstacle(urgent, &self.adapter, self.now) {
            if let Some(at) = at {
                self.wake_at(at);
            }
            self.hold(hold);
            return false;
        }
        let Some(delivery) = &mut self.delivery else { return false };
        let attempt = &delivery.attempt;
        if self.scene.owes_echo() {
            self.hold(Hold::InField);
            return false;
        }
        if self.scene.echo(&attempt.text, &self.adapter).is_there() {
            // Someone typed behind it, and that doesn't show: something else took it,
            // or it is on its way and would be sent along.
            if let Some(at) = self.scene.unread_until(self.now) {
                self.wake_at(at);
                self.hold(Hold::InField);
                return false;
            }
            self.close_gate();
            self.begin_settling();
            return true;
        }
        if !self.scene.is_field_empty() {
            self.hold(Hold::InField);
            return false;
        }
        let more = self.scene.mentions(&attempt.text, &self.adapter) > attempt.mentions;
        if more || attempt.shown {
            // Someone else pressed Enter on it, or deleted it.
            self.conclude(match more {
                true => Receipt::Confirmed(Proof::Screen),
                false => Receipt::Indeterminate(Doubt::Changed),
            });
            return true;
        }
        let at = Moment(attempt.at.0 + timing::STRAY);
        if self.now < at {
            self.wake_at(at);
            return false;
        }
        self.close_gate();
        self.look(Then::PasteAgain);
        true
    }

    pub(super) fn paste_again(&mut self) {
        if self.scene.barred().is_none() && self.scene.is_field_empty() && self.gate.is_some() {
            self.paste();
        } else {
            self.open_gate();
        }
    }

    /// No editor: the draft is pasted as soon as there is an empty field. If the
    /// human has begun something new there, it is kept for them.
    fn repaste(&mut self) -> bool {
        if let Some((_, at)) = self.scene.obstacle(false, &self.adapter, self.now) {
            if let Some(at) = at {
                self.wake_at(at);
            }
            self.open_gate();
            self.hold(Hold::OwesDraft);
            return false;
        }
        if self.scene.is_field_empty() {
            if let Some(done) = self.await_given() {
                return done;
            }
            self.close_gate();
            self.note_given(Then::BeforeDraft);
            return true;
        }
        let Some(delivery) = &self.delivery else { return false };
        let draft = &delivery.attempt.draft;
        let back = self
            .scene
            .field
            .as_ref()
            .is_some_and(|field| essence(&field.rows.join("\n")).starts_with(&essence(draft)));
        let kept = Kept { draft: draft.clone(), at: self.now };
        self.close(vec![], if back { vec![] } else { vec![kept] });
        true
    }

    /// A draft that was pasted may still be on its way, and a second paste would
    /// double it: it is waited for, and then given to the human. `None` if none was.
    pub(super) fn await_given(&mut self) -> Option<bool> {
        let delivery = self.delivery.as_ref()?;
        let late = Moment(delivery.attempt.given?.0 + timing::GIVEN);
        if self.now >= late {
            let kept = Kept { draft: delivery.attempt.draft.clone(), at: self.now };
            self.close(vec![], vec![kept]);
            return Some(true);
        }
        self.wake_at(late);
        self.open_gate();
        self.hold(Hold::OwesDraft);
        Some(false)
    }

    /// Before anything is pasted back, it is on disk that it may have been.
    pub(super) fn note_given(&mut self, then: Then) {
        let now = self.now;
        if let Some(delivery) = &mut self.delivery {
            delivery.attempt.given = Some(now);
        }
        self.store_then(vec![], vec![], then);
    }

    pub(super) fn paste_draft(&mut self) {
        let fit = self.scene.barred().is_none() && self.scene.is_field_empty();
        let Some(delivery) = &mut self.delivery else { return };
        if !fit || self.gate.is_none() {
            delivery.attempt.given = None;
            return self.open_gate();
        }
        let draft = delivery.attempt.draft.clone();
        self.effects.push(Effect::Paste(draft.clone()));
        delivery.comeback = Comeback { head: draft, ..Comeback::default() };
        delivery.stage = Stage::Returning { since: self.now };
    }

    /// The draft was handed over; what the agent trims off it is pasted behind.
    pub(super) fn await_draft(&mut self, since: Moment) -> bool {
        if let Some(at) = self.presses.editing(self.now) {
            self.wake_at(at);
            return false;
        }
        let late = Moment(since.0 + timing::DRAFT);
        let shown = self.shows_head();
        let tail =
            self.delivery.as_ref().is_some_and(|delivery| !delivery.comeback.tail.is_empty());
        if shown && !tail {
            self.close(vec![], vec![]);
            return true;
        }
        if shown && self.scene.barred().is_none() && self.scene.takes_frames() {
            self.look(Then::PasteTail);
            return true;
        }
        if self.now < late {
            self.wake_at(late);
            return false;
        }
        self.draft_not_seen()
    }

    /// What must stand in the field before the rest of the draft is pasted.
    fn shows_head(&self) -> bool {
        let Some(delivery) = &self.delivery else { return false };
        match delivery.comeback.head.as_str() {
            "" => self.scene.is_field_empty(),
            head => self.scene.echo(head, &self.adapter).is_there(),
        }
    }

    pub(super) fn paste_tail(&mut self) {
        let fit = self.scene.barred().is_none() && self.shows_head();
        let Some(delivery) = &mut self.delivery else { return };
        delivery.stage = Stage::Returning { since: self.now };
        if fit {
            let tail = std::mem::take(&mut delivery.comeback.tail);
            delivery.comeback.head.push_str(&tail);
            self.effects.push(Effect::Paste(tail));
        }
    }

    /// The screen doesn't show the draft. By the file it is there all the same;
    /// of a paste nothing is known, and the field must be asked again.
    fn draft_not_seen(&mut self) -> bool {
        /// A draft that can't be seen three times is shown to the human instead.
        const TRIES: u8 = 3;
        let Some(delivery) = &mut self.delivery else { return false };
        if delivery.comeback.by_file {
            self.close(vec![], vec![]);
            return true;
        }
        delivery.returns += 1;
        delivery.stage = Stage::Waiting;
        if delivery.returns >= TRIES {
            let kept = Kept { draft: delivery.attempt.draft.clone(), at: self.now };
            self.close(vec![], vec![kept]);
            return true;
        }
        self.presses.wait(Moment(self.now.0 + timing::STRAY));
        self.open_gate();
        false
    }

    /// The agent's own word ends all doubt.
    fn was_submitted_by_hook(&mut self) -> bool {
        let hooked = self.delivery.as_ref().is_some_and(|d| d.hooked && !d.settled);
        if hooked {
            self.conclude(Receipt::Confirmed(Proof::Hook));
        }
        hooked
    }

    fn owes_draft(&self) -> bool {
        self.delivery.as_ref().is_some_and(|delivery| !delivery.attempt.draft.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::adapter::Adapter;
    use super::super::attempt::{Path, Step};
    use super::super::delivery::Delivery;
    use super::super::drawing::draw;
    use super::super::event::{Pane, Standing};
    use super::super::message::{Message, MessageId, Sender};
    use super::super::{Courier, Effect, Event, Stored, timing};
    use crate::time::Moment;

    /// Feeds it, with a disk and a tmux that answer at once; whether it pressed Enter.
    fn enters(courier: &mut Courier, event: Event, now: i64) -> bool {
        let (mut events, mut entered) = (vec![event], false);
        while let Some(event) = events.pop() {
            for effect in courier.handle(event, Moment(now)) {
                match effect {
                    Effect::Store(seq, _) => events.push(Event::Stored(seq)),
                    Effect::Look(seq) => events.push(Event::Looked(seq, Pane::default())),
                    Effect::Submit => entered = true,
                    _ => {}
                }
            }
        }
        entered
    }

    #[test]
    fn a_key_behind_the_message_that_may_be_unread_keeps_enter_back() {
        let words = Message::new(MessageId(1), Sender::Human, "words", Moment(0));
        let mut attempt = Delivery::new(&words, "words".into(), Path::Plain, Moment(0)).attempt;
        (attempt.step, attempt.shown) = (Step::Pasting, true);
        let stored = Stored { waiting: vec![words], attempt: Some(attempt), ..Stored::default() };
        let adapter = Adapter::of(Some("aider")).clone();
        let mut courier = Courier::restore(adapter, stored, Moment(0));
        let screen = |since| Event::Screen { view: Box::new(draw(&["> words▮", ""])), since };
        let mut enters = |event, now| enters(&mut courier, event, now);
        // They type; the agent draws, but has not read that yet.
        assert!(!enters(Event::HumanKeys { passed: true }, 10));
        assert!(!enters(screen(Moment(20)), 20));
        assert!(!enters(Event::Standing(Standing::Idle), 30));
        for at in [timing::QUIET, timing::QUIET * 2, timing::STRAY] {
            assert!(!enters(Event::Tick, at), "at {at}");
        }
        assert!(!enters(Event::Tick, timing::STRAY + 10), "now it must stand for a moment");
        assert!(enters(Event::Tick, timing::STRAY + 1_000));
    }
}
