//! The courier: brings messages into an agent's field, exactly once, without
//! spoiling what a person is typing there.
//!
//! [`Courier`] is one session's: `handle(event, now) -> effects`. It does no IO
//! and reads no clock.
//!
//! ```text
//! message  receipt  outbox  damping  policy  adapter   what is sent, to whom, in which order
//! field    sight                                what a screen shows
//! attempt  judge                                what is on disk; what an editor call means
//! scene    checks  delivery  gate  presses      what is known; whether to begin; the steps
//! write    handshake  restore  sentinel         the steps of each path
//! caught                                       what was typed into an editor
//! hand                                         the path without a key
//! trace                                        all of it, for the log
//! ```
//!
//! **Invariants:** an [`Effect::Store`] is followed by no key until it is
//! [`Event::Stored`]. Enter is pressed only on a field that shows the message and
//! nothing else, after the attempt says so on disk, and once in a delivery. No key of a human's
//! kind (a character, Escape, an arrow) is ever sent, except the line keys that
//! an adapter vouches for.

pub mod adapter;
pub mod attempt;
mod caught;
mod checks;
pub mod damping;
mod delivery;
#[cfg(test)]
mod drawing;
mod event;
pub mod field;
mod gate;
pub mod hand;
mod handshake;
pub mod judge;
pub mod message;
pub mod outbox;
mod pending;
pub mod policy;
mod presses;
pub mod receipt;
mod restore;
mod scene;
mod sentinel;
pub mod sight;
#[cfg(test)]
mod tests;
pub mod timing;
mod trace;
mod write;

use std::collections::VecDeque;

use adapter::Adapter;
use attempt::Attempt;
use caught::Caught;
use delivery::Delivery;
pub use event::{CallId, Caller, EditorAnswer, Effect, Event, Gate, Kept, Pane, Save, Standing};
use hand::Handed;
use message::{Message, MessageId};
use outbox::Outbox;
use pending::Pending;
use presses::Presses;
use receipt::{Failure, Hold, Receipt, Stamp};
use scene::Scene;

use crate::time::Moment;

/// The deliveries of one session.
///
/// - ask: [`Courier::outbox`], [`Courier::wants_screens`]
/// - feed: [`Courier::handle`]
pub struct Courier {
    adapter: Adapter,
    outbox: Outbox,
    scene: Scene,
    delivery: Option<Delivery>,
    pending: Pending,
    handed: Vec<Handed>,
    /// Calls that went without a message before one was ready for them.
    gone_calls: VecDeque<String>,
    presses: Presses,
    caught: Caught,
    /// Since when the gate is closed.
    gate: Option<Moment>,
    /// The look before the agent is told that it has the focus.
    focusing: Option<u64>,
    focused_at: Option<Moment>,
    now: Moment,
    last_seq: u64,
    wake: Option<Moment>,
    /// How long a message may wait before the human is told, in ms.
    remind_after: Option<i64>,
    effects: Vec<Effect>,
}

/// What the store remembers of a session's messages.
#[derive(Debug, Clone, Default)]
pub struct Stored {
    /// Those that wait, in their order.
    pub waiting: Vec<Message>,
    /// Those that were submitted and not confirmed yet, with the time of that.
    pub submitted: Vec<(Message, Moment)>,
    /// Those that were handed to a call, with its name, and those that it passed on.
    pub handed: Vec<(Message, String)>,
    pub passed: Vec<Message>,
    pub attempt: Option<Attempt>,
    /// Those of which the human was told that they wait.
    pub overdue: Vec<MessageId>,
    /// A press of the editor key may still be answered: its ticket is there.
    pub pressed: bool,
}

impl Courier {
    pub fn new(adapter: Adapter) -> Courier {
        Courier {
            adapter,
            outbox: Outbox::default(),
            scene: Scene::default(),
            delivery: None,
            pending: Pending::default(),
            handed: Vec::new(),
            gone_calls: VecDeque::new(),
            presses: Presses::default(),
            caught: Caught::default(),
            gate: None,
            focusing: None,
            focused_at: None,
            now: Moment::default(),
            last_seq: 0,
            wake: None,
            remind_after: None,
            effects: Vec::new(),
        }
    }

    /// Has the human told of messages that wait for so many milliseconds.
    pub fn remind_after(mut self, wait: Option<i64>) -> Courier {
        self.remind_after = wait;
        self
    }

    /// Takes up what was under way when the daemon ended.
    pub fn restore(adapter: Adapter, stored: Stored, now: Moment) -> Courier {
        let mut courier = Courier::new(adapter);
        courier.now = now;
        let under_way = stored.attempt.as_ref().map(|attempt| attempt.message);
        let is_open = stored.waiting.iter().any(|message| Some(message.id) == under_way);
        for message in stored.waiting {
            if !courier.outbox.defer(&message, now) {
                courier.outbox.push(message, under_way);
            }
        }
        stored.overdue.iter().for_each(|id| courier.outbox.note_reminded(*id));
        for (message, at) in stored.submitted {
            let text = courier.adapter.dress(&message.words()).unwrap_or(message.text);
            courier.pending.unproven(message.id, text, 0, at);
        }
        for (message, call) in stored.handed {
            courier.handed.push(Handed::restored(message, call, now));
        }
        for message in stored.passed {
            courier.handed.push(Handed::passed(message, now));
        }
        if stored.pressed || stored.attempt.is_some() {
            courier.presses.after_restart(now);
        }
        if let Some(attempt) = stored.attempt {
            let mut delivery = Delivery::interrupted(attempt);
            // Of one that waits no more people know the fate.
            delivery.settled |= !is_open;
            // Whether the last key was read isn't known.
            delivery.moved = Some(now);
            courier.delivery = Some(delivery);
        }
        courier
    }

    /// Takes in what happened, and returns what is to be done about it, in order.
    pub fn handle(&mut self, event: Event, now: Moment) -> Vec<Effect> {
        self.now = now;
        self.wake = None;
        self.absorb(event);
        self.drive();
        if let Some(at) = self.wake {
            self.effects.push(Effect::Wake(at));
        }
        std::mem::take(&mut self.effects)
    }

    /// The messages that wait, the one under way first.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// The message that is being delivered.
    pub fn under_way(&self) -> Option<MessageId> {
        self.delivery.as_ref().map(|delivery| delivery.attempt.message)
    }

    /// Whether screens are of any use at the moment.
    pub fn wants_screens(&self) -> bool {
        self.delivery.is_some() || self.outbox.first().is_some() || self.pending.is_watching()
    }

    fn absorb(&mut self, event: Event) {
        match event {
            Event::Message(message) => self.take_in(message),
            Event::Promote(id) => self.outbox.promote(id, self.under_way(), self.now),
            Event::Cancel(id) => self.cancel(id),
            Event::Retry(id) => self.outbox.hasten(id, self.now),
            Event::Screen { view, since } => {
                self.scene.see(*view, &self.adapter, Moment(since.0.min(self.now.0)));
            }
            Event::Pane(pane) => self.scene.pane = pane,
            Event::Standing(standing) => self.stand(standing),
            Event::HumanKeys { passed } => self.human_typed(passed),
            Event::PromptSubmitted(text) => self.hear(&text),
            Event::EditorCalled { call, caller, content } => self.called(call, caller, &content),
            Event::EditorEnded { call, wrote, keys, kept } => {
                self.editor_ended(call, wrote, &keys, kept);
            }
            Event::EditorUnheard(ticket) => self.editor_unheard(ticket),
            Event::Looked(seq, pane) => self.looked(seq, pane),
            Event::Refused => self.refused(),
            Event::Chance(call, chance) => self.chance(call, chance),
            Event::WentOn(call) => self.went_on(&call),
            Event::Passed(call) => self.passed(&call),
            Event::Missed(call) => self.missed(&call),
            Event::Stored(seq) if self.handing_stored(seq) => {}
            Event::Stored(seq) => {
                self.caught_stored(seq);
                self.stored(seq);
            }
            Event::StoreFailed(seq) if self.handing_failed(seq) => {}
            Event::StoreFailed(seq) => self.store_failed(seq),
            Event::Tick => {}
        }
    }

    fn stand(&mut self, standing: Standing) {
        // A dialog that closed was in front of the field: what was pressed into
        // it has been read, so the next press need not wait for it.
        if self.scene.standing == Standing::Dialog && standing != Standing::Dialog {
            self.presses.forget_wait(self.now);
        }
        // What could not be asked while it was away can be asked now.
        if self.scene.standing == Standing::Unreachable && standing != Standing::Unreachable {
            self.presses.is_back();
            self.outbox.begin_anew(self.now);
        }
        self.scene.standing = standing;
    }

    fn human_typed(&mut self, passed: bool) {
        self.scene.human_typed(self.now);
        if passed && self.gate.is_some() {
            self.disturbed();
        }
    }

    fn take_in(&mut self, message: Message) {
        if self.outbox.defer(&message, self.now) {
            self.stamp(message.id, Receipt::Held(Hold::Damped));
        } else {
            self.outbox.push(message, self.under_way());
        }
    }

    fn cancel(&mut self, id: MessageId) {
        match &mut self.delivery {
            Some(delivery) if delivery.attempt.message == id => {
                delivery.attempt.cancelled = true;
                self.store(vec![], vec![]);
            }
            _ if self.outbox.remove(id) => self.stamp(id, Receipt::Failed(Failure::Cancelled)),
            _ => {}
        }
    }

    fn drive(&mut self) {
        self.expire();
        self.keep_gate_short();
        // A handful of steps may follow from one event; more would be a mistake,
        // and the next event goes on from there.
        for _ in 0..16 {
            if !self.advance() {
                break;
            }
        }
        self.watch_pending();
        self.watch_handed();
        self.remind();
    }

    fn expire(&mut self) {
        let under_way = self.under_way();
        self.outbox.ripen(self.now, under_way);
        if let Some(at) = self.outbox.next_ripe() {
            self.wake_at(at);
        }
        for id in self.outbox.expire(self.now, under_way) {
            self.stamp(id, Receipt::Failed(Failure::Expired));
        }
        if let Some(at) = self.outbox.next_expiry() {
            self.wake_at(at);
        }
    }

    /// Stores the attempt as it is now, with receipts. Returns the number that
    /// [`Event::Stored`] will carry.
    fn store(&mut self, receipts: Vec<Stamp>, kept: Vec<Kept>) -> u64 {
        self.last_seq += 1;
        if let Some(delivery) = &mut self.delivery {
            delivery.attempt.at = self.now;
            delivery.on_disk = true;
        }
        let attempt = self.delivery.as_ref().map(|delivery| delivery.attempt.clone());
        self.effects.push(Effect::Store(self.last_seq, Save { attempt, receipts, kept }));
        self.last_seq
    }

    /// Stores a receipt on its own.
    fn stamp(&mut self, message: MessageId, receipt: Receipt) {
        let attempt = self.delivery.as_ref().filter(|delivery| delivery.on_disk);
        let attempt = attempt.map(|delivery| delivery.attempt.clone());
        self.last_seq += 1;
        let receipts = vec![Stamp { message, receipt, at: self.now }];
        self.effects.push(Effect::Store(self.last_seq, Save { attempt, receipts, kept: vec![] }));
    }

    /// Says why the first message waits, if that is news.
    fn hold(&mut self, hold: Hold) {
        let Some(entry) = self.outbox.first_mut() else { return };
        if entry.hold != Some(hold) {
            entry.hold = Some(hold);
            let id = entry.message.id;
            self.stamp(id, Receipt::Held(hold));
        }
    }

    /// Tells the human once of a message that has waited for long.
    fn remind(&mut self) {
        let Some(wait) = self.remind_after else { return };
        let Some(entry) = self.outbox.first_mut() else { return };
        let at = Moment(entry.message.created_at.0 + wait);
        match entry.hold {
            _ if entry.reminded => {}
            Some(hold) if at <= self.now => {
                entry.reminded = true;
                let id = entry.message.id;
                self.stamp(id, Receipt::Overdue(hold));
                self.effects.push(Effect::Remind(id, hold));
            }
            _ => self.wake_at(at),
        }
    }

    fn wake_at(&mut self, at: Moment) {
        // A time that has come is handled within this call or by an event.
        let at = Moment(at.0.max(self.now.0 + 1));
        self.wake = Some(self.wake.map_or(at, |earlier| earlier.min(at)));
    }
}
