//! Whether a delivery may begin, by which path, and its first byte.

use super::adapter::Trims;
use super::attempt::{Path, Step};
use super::delivery::{Delivery, Stage, Then};
use super::receipt::{Failure, Hold, Receipt};
use super::scene::Obstacle;
use super::{Courier, Effect, sentinel, timing};
use crate::time::Moment;

impl Courier {
    /// Begins with the first message, if all is well.
    pub(super) fn begin(&mut self) -> bool {
        // One after the other: an agent must not hear the second before the first.
        if self.is_handing() {
            return false;
        }
        let Some(entry) = self.outbox.first() else { return false };
        if entry.not_before > self.now {
            self.wake_at(entry.not_before);
            return false;
        }
        let path = match self.readiness() {
            Ok(path) => path,
            Err((hold, at)) => {
                if let Some(at) = at {
                    self.wake_at(at);
                }
                self.hold(hold);
                if hold == Hold::NoField {
                    self.seek_focus();
                }
                return false;
            }
        };
        let Some(entry) = self.outbox.first() else { return false };
        let (id, dressed) = (entry.message.id, self.adapter.dress(&entry.message.words()));
        let text = match dressed {
            Ok(text) => text,
            Err(failure) => {
                self.outbox.remove(id);
                self.stamp(id, Receipt::Failed(failure));
                return true;
            }
        };
        let mut delivery = Delivery::new(&entry.message, text, path, self.now);
        delivery.attempt.mentions = self.scene.mentions(&delivery.attempt.text, &self.adapter);
        delivery.seen = self.scene.field.clone();
        match path {
            Path::Plain => delivery.attempt.step = Step::Pasting,
            Path::Editor => delivery.attempt.step = Step::Calling,
            Path::Sentinel => {
                delivery.attempt.step = Step::Clearing;
                let draft =
                    self.scene.field.as_ref().and_then(|f| sentinel::read(f, &self.adapter));
                delivery.attempt.draft = draft.unwrap_or_default().join("\n");
                delivery.attempt.sentinel = sentinel::token(id, self.now);
            }
        }
        self.delivery = Some(delivery);
        self.store_then(vec![], vec![], Then::BeforeFirst);
        true
    }

    /// No field is seen: an agent that hides its cursor without the focus is told
    /// that it has it, after a look.
    fn seek_focus(&mut self) {
        let Some(view) = &self.scene.view else { return };
        if !self.adapter.wants_focus || view.cursor.visible {
            return;
        }
        let again = self.focused_at.map(|at| Moment(at.0 + timing::FOCUS_AGAIN));
        if let Some(again) = again.filter(|again| *again > self.now) {
            // Nothing else may happen until then.
            return self.wake_at(again);
        }
        self.focused_at = Some(self.now);
        self.last_seq += 1;
        self.focusing = Some(self.last_seq);
        self.effects.push(Effect::Look(self.last_seq));
    }

    pub(super) fn focus(&mut self) {
        if self.scene.barred().is_none() {
            self.effects.push(Effect::Focus);
        }
    }

    /// The path that is open to the first message, or what is in its way.
    fn readiness(&self) -> Result<Path, Obstacle> {
        let Some(entry) = self.outbox.first() else { return Err((Hold::NoField, None)) };
        if let Some(obstacle) = self.scene.obstacle(entry.message.urgent, &self.adapter, self.now) {
            return Err(obstacle);
        }
        let Some(field) = &self.scene.field else { return Err((Hold::NoField, None)) };
        if let Some(at) = self.presses.editing(self.now) {
            return Err((Hold::Moving, Some(at)));
        }
        if field.is_empty() && self.scene.takes_frames() {
            return Ok(Path::Plain);
        }
        if let Some(editor) = &self.adapter.editor {
            // Even a file that comes back as it was loses it.
            if editor.trims != Trims::Nothing && field.ends_in_line_break() {
                return Err((Hold::LineBreak, None));
            }
            if let Some(at) = self.presses.ready_at(self.now) {
                return Err((Hold::NoAnswer, Some(at)));
            }
            let tried = entry.seen.as_ref().filter(|(_, until)| *until > self.now);
            return match tried {
                Some((seen, until)) if seen.reads_as(field) => {
                    Err((entry.hold.unwrap_or(Hold::Draft), Some(*until)))
                }
                _ => Ok(Path::Editor),
            };
        }
        if !self.scene.takes_frames() {
            return Err((Hold::NoFrames, None));
        }
        let tried = entry
            .seen
            .as_ref()
            .is_some_and(|(seen, until)| *until > self.now && seen.reads_as(field));
        match sentinel::read(field, &self.adapter) {
            Some(_) if !tried => Ok(Path::Sentinel),
            _ => Err((Hold::Draft, entry.seen.as_ref().map(|(_, until)| *until))),
        }
    }

    /// The attempt is on disk, and tmux was asked how the pane is: now or not at all.
    pub(super) fn first_byte(&mut self) {
        let path = self.delivery.as_ref().map(|delivery| delivery.attempt.path);
        let ready = self.readiness();
        let cancelled = self.delivery.as_ref().is_some_and(|d| d.attempt.cancelled);
        if cancelled || self.gate.is_none() || ready.as_ref().ok() != path.as_ref() {
            return self.call_off();
        }
        match path {
            Some(Path::Plain) => self.paste(),
            Some(Path::Editor) => self.press(),
            Some(Path::Sentinel) => self.begin_clearing(),
            None => {}
        }
    }

    /// Nothing was typed yet, and nothing will be.
    fn call_off(&mut self) {
        let Some(delivery) = self.delivery.take() else { return };
        let message = delivery.attempt.message;
        match delivery.attempt.cancelled && self.outbox.remove(message) {
            true => self.stamp(message, Receipt::Failed(Failure::Cancelled)),
            false => _ = self.store(vec![], vec![]),
        }
        self.open_gate_with(delivery.attempt.keys);
    }

    /// Presses the editor key. The ticket is there before the key is.
    pub(super) fn press(&mut self) {
        let Some(editor) = &self.adapter.editor else { return };
        let keys = editor.keys.iter().map(|key| key.as_str().to_owned()).collect();
        if self.scene.barred().is_some() || self.presses.ready_at(self.now).is_some() {
            // What follows from here depends on the step: the same look comes again.
            return self.open_gate();
        }
        if let Some(delivery) = &mut self.delivery {
            delivery.asked |= delivery.attempt.step == Step::Submitting;
        }
        let ticket = Moment(self.now.0 + timing::TICKET);
        self.presses.pressed(ticket);
        self.effects.push(Effect::Ticket(Some(ticket)));
        self.effects.push(Effect::Press(keys));
        self.set_stage(Stage::Calling { since: self.now });
    }
}

#[cfg(test)]
mod tests {
    use super::super::adapter::Adapter;
    use super::super::drawing::draw;
    use super::super::event::{Pane, Standing};
    use super::super::message::{Message, MessageId, Sender};
    use super::super::{Courier, Effect, Event, timing};
    use crate::time::Moment;

    #[test]
    fn an_agent_without_the_focus_is_told_of_it_again_in_time() {
        let mut courier = Courier::new(Adapter::of(Some("gemini")).clone());
        let mut view = draw(&["────────────────────", "", " > a draft", "", " workspace", "▮"]);
        view.cursor.visible = false;
        let screen = || Event::Screen { view: Box::new(view.clone()), since: Moment(0) };
        courier.handle(Event::Standing(Standing::Idle), Moment(0));
        courier.handle(screen(), Moment(0));
        let words = Message::new(MessageId(1), Sender::Human, "words", Moment(0));
        let effects = courier.handle(Event::Message(words), Moment(0));
        let look = effects.iter().find_map(|effect| match effect {
            Effect::Look(seq) => Some(*seq),
            _ => None,
        });
        let told = courier.handle(Event::Looked(look.unwrap(), Pane::default()), Moment(1));
        assert!(told.iter().any(|effect| matches!(effect, Effect::Focus)), "{told:?}");
        // It is gone again, or was never heard: not at once, and without another event.
        let again = Moment(timing::FOCUS_AGAIN);
        let waits = courier.handle(screen(), Moment(4_000));
        assert!(!waits.iter().any(|effect| matches!(effect, Effect::Look(_))), "{waits:?}");
        assert!(waits.iter().any(|e| matches!(e, Effect::Wake(at) if *at == again)), "{waits:?}");
        let looks = courier.handle(Event::Tick, again);
        assert!(looks.iter().any(|effect| matches!(effect, Effect::Look(_))), "{looks:?}");
    }
}
