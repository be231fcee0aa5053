//! A delivery under way: its stage, and what each stage waits for.
//!
//! The [`Attempt`] in it is what a restart would find on disk; the [`Stage`] is
//! what only this life knows.

use super::attempt::{Attempt, Path, Step};
use super::event::{CallId, EditorAnswer, Kept, Pane};
use super::field::Field;
use super::message::Message;
use super::receipt::{Doubt, Failure, Hold, Receipt, Stamp};
use super::sentinel::Clearing;
use super::{Courier, Effect, timing};
use crate::time::Moment;

pub(super) struct Delivery {
    pub attempt: Attempt,
    pub stage: Stage,
    /// The attempt was handed to the store.
    pub on_disk: bool,
    /// The agent said that it got the message.
    pub hooked: bool,
    /// The message's fate is stored; only the draft is left to do.
    pub settled: bool,
    /// Why the message will wait once the field is as it was.
    pub then_hold: Option<Hold>,
    /// How often the draft was put back without being seen.
    pub returns: u8,
    /// Keys went past the closed gate.
    pub disturbed: bool,
    /// After Enter the field was seen without the message.
    pub left: bool,
    /// The editor key may have been pressed after Enter. A call that is late, or
    /// has an old text, brings the message back into the field.
    pub asked: bool,
    /// The field as it was before.
    pub seen: Option<Field>,
    /// The call that was told to write.
    pub call: Option<CallId>,
    pub comeback: Comeback,
    pub clearing: Option<Clearing>,
    /// When the last key of the line by line way was pressed.
    pub moved: Option<Moment>,
}

/// A draft on its way back.
#[derive(Debug, Default)]
pub(super) struct Comeback {
    /// What the field should show of it.
    pub head: String,
    /// What is to be pasted behind that.
    pub tail: String,
    /// All of it went by the file, which is as good as seen.
    pub by_file: bool,
}

pub(super) enum Stage {
    /// For better times.
    Waiting,
    /// The gate was closed right now: what came before it must show first.
    Closing {
        then: Then,
    },
    Looking {
        seq: u64,
        since: Moment,
        then: Then,
    },
    Storing {
        seq: u64,
        then: Then,
    },
    /// The editor key was pressed.
    Calling {
        since: Moment,
    },
    /// The text should appear in the field.
    Showing {
        since: Moment,
    },
    /// It did, and must stand.
    Settling {
        since: Moment,
    },
    /// Enter was pressed.
    Proving {
        since: Moment,
        gone: Option<Moment>,
        proven: Option<Moment>,
    },
    /// The draft should appear in the field.
    Returning {
        since: Moment,
    },
    /// The draft is being taken away, or put back, by keys.
    Clearing {
        since: Moment,
    },
    /// All is done. The editor that was told to leave things as they are has the
    /// terminal still, and keys would go to it.
    Leaving,
}

/// A stage's name, for the log.
pub(super) fn name(stage: &Stage) -> &'static str {
    match stage {
        Stage::Waiting => "waiting",
        Stage::Closing { .. } => "closing",
        Stage::Looking { .. } => "looking",
        Stage::Storing { .. } => "storing",
        Stage::Calling { .. } => "calling",
        Stage::Showing { .. } => "showing",
        Stage::Settling { .. } => "settling",
        Stage::Proving { .. } => "proving",
        Stage::Returning { .. } => "returning",
        Stage::Clearing { .. } => "clearing",
        Stage::Leaving => "leaving",
    }
}

/// What is done once the disk or tmux has answered.
pub(super) enum Then {
    /// Stored: look once more.
    BeforeFirst,
    /// Looked: the first byte.
    FirstByte,
    /// Looked: press the editor key.
    Press,
    /// Stored: look once more.
    BeforeEnter,
    /// Looked: press Enter.
    Enter,
    /// Looked: paste the message once more.
    PasteAgain,
    /// Stored: look once more.
    BeforeDraft,
    /// Looked: paste the draft.
    PasteDraft,
    /// Looked: paste what the agent trimmed off it.
    PasteTail,
    /// Stored: look once more.
    BeforeMove,
    /// Looked: the next key of the line by line way.
    Move,
    /// Stored: answer the editor, and go on.
    Answer { call: CallId, answer: EditorAnswer, after: After },
    /// Stored: look once more, and the message may go into the cleared field.
    Paste,
    /// Stored: see what is left to do.
    Resume,
}

pub(super) enum After {
    /// The message should show.
    Show,
    /// The draft should show.
    Return(String),
    /// The field is empty now: what became of the message?
    Prove,
    Close,
}

impl Delivery {
    pub fn new(message: &Message, text: String, path: Path, now: Moment) -> Delivery {
        let attempt = Attempt {
            message: message.id,
            path,
            step: Step::Calling,
            at: now,
            text,
            draft: String::new(),
            mentions: 0,
            shown: false,
            enters: 0,
            sentinel: String::new(),
            keys: Vec::new(),
            caught: Vec::new(),
            given: None,
            emptied: false,
            cancelled: false,
        };
        Delivery { on_disk: false, ..Delivery::interrupted(attempt) }
    }

    /// One that a restart found.
    pub fn interrupted(attempt: Attempt) -> Delivery {
        let settled = attempt.step == Step::Restoring;
        Delivery {
            stage: Stage::Waiting,
            on_disk: true,
            hooked: false,
            settled,
            then_hold: None,
            returns: 0,
            disturbed: false,
            left: false,
            asked: matches!(attempt.step, Step::Submitting | Step::Restoring),
            attempt,
            seen: None,
            call: None,
            comeback: Comeback::default(),
            clearing: None,
            moved: None,
        }
    }
}

impl Courier {
    /// One step on, if there is one to make.
    pub(super) fn advance(&mut self) -> bool {
        let Some(delivery) = &self.delivery else {
            self.tend_strays();
            return self.begin();
        };
        if self.scene.is_over() && delivery.on_disk {
            return self.agent_ended();
        }
        match &delivery.stage {
            Stage::Waiting => self.resume(),
            Stage::Closing { .. } => self.await_closed(),
            Stage::Looking { since, .. } => self.await_look(*since),
            Stage::Storing { .. } => false,
            Stage::Calling { since } => self.await_call(*since),
            Stage::Showing { since } => self.await_echo(*since),
            Stage::Settling { since } => self.await_settled(*since),
            Stage::Proving { .. } => self.await_proof(),
            Stage::Returning { since } => self.await_draft(*since),
            Stage::Clearing { since } => self.await_cleared(*since),
            Stage::Leaving => self.await_leave(),
        }
    }

    fn await_leave(&mut self) -> bool {
        if let Some(at) = self.presses.editing(self.now) {
            self.wake_at(at);
            return false;
        }
        self.close(vec![], vec![]);
        true
    }

    /// tmux answered: the newest facts, and the screen that goes with them.
    pub(super) fn looked(&mut self, seq: u64, pane: Pane) {
        self.scene.pane = pane;
        if pane.slipped {
            self.disturbed();
        }
        if self.focusing.take_if(|asked| *asked == seq).is_some() {
            return self.focus();
        }
        let Some(then) = self.take_then(seq) else { return };
        match then {
            Then::FirstByte => self.first_byte(),
            Then::Press => self.press(),
            Then::Enter => self.enter(),
            Then::PasteAgain => self.paste_again(),
            Then::PasteDraft => self.paste_draft(),
            Then::PasteTail => self.paste_tail(),
            Then::Move => self.make_move(),
            _ => {}
        }
    }

    pub(super) fn stored(&mut self, seq: u64) {
        let Some(then) = self.take_then(seq) else { return };
        match then {
            Then::BeforeFirst => {
                // Not before: a disk may be slow, and nobody should wait for it.
                self.close_gate();
                self.look(Then::FirstByte);
            }
            Then::BeforeEnter => self.look(Then::Enter),
            Then::Answer { call, answer, after } => self.answer(call, answer, after),
            Then::Paste => self.look(Then::PasteAgain),
            Then::BeforeDraft => self.look(Then::PasteDraft),
            Then::BeforeMove => self.look(Then::Move),
            _ => {}
        }
    }

    /// The disk refused. Nothing that depends on it is done.
    pub(super) fn store_failed(&mut self, seq: u64) {
        let Some(then) = self.take_then(seq) else { return };
        if let Then::Answer { call, .. } = then {
            self.answer_only(call, EditorAnswer::Leave);
        }
        let fresh = self.delivery.as_ref().is_some_and(|d| d.attempt.step == Step::Calling);
        let dropped = self.delivery.take_if(|_| fresh || matches!(then, Then::BeforeFirst));
        match dropped {
            Some(delivery) => self.open_gate_with(delivery.attempt.keys),
            None => self.open_gate(),
        }
        if let Some(entry) = self.outbox.first_mut() {
            entry.back_off(self.now);
        }
        self.presses.wait(Moment(self.now.0 + timing::STRAY));
        self.hold(Hold::DiskFull);
    }

    /// Takes what was to follow number `seq`; the stage is to wait until it says otherwise.
    fn take_then(&mut self, seq: u64) -> Option<Then> {
        let delivery = self.delivery.as_mut()?;
        match &delivery.stage {
            Stage::Looking { seq: asked, .. } | Stage::Storing { seq: asked, .. }
                if *asked == seq => {}
            _ => return None,
        }
        match std::mem::replace(&mut delivery.stage, Stage::Waiting) {
            Stage::Looking { then, .. } | Stage::Storing { then, .. } => Some(then),
            _ => None,
        }
    }

    pub(super) fn set_stage(&mut self, stage: Stage) {
        if let Some(delivery) = &mut self.delivery {
            delivery.stage = stage;
        }
    }

    /// Asks tmux how the pane is, and goes on with `then`.
    pub(super) fn look(&mut self, then: Then) {
        if let Some(at) = self.gate_settles_at() {
            self.wake_at(at);
            return self.set_stage(Stage::Closing { then });
        }
        self.last_seq += 1;
        self.effects.push(Effect::Look(self.last_seq));
        self.set_stage(Stage::Looking { seq: self.last_seq, since: self.now, then });
    }

    /// Stores the attempt, and goes on with `then`.
    pub(super) fn store_then(&mut self, receipts: Vec<Receipt>, kept: Vec<Kept>, then: Then) {
        let stamps = self.stamps(receipts);
        let seq = self.store(stamps, kept);
        self.set_stage(Stage::Storing { seq, then });
    }

    fn await_closed(&mut self) -> bool {
        if let Some(at) = self.gate_settles_at() {
            self.wake_at(at);
            return false;
        }
        let Some(delivery) = &mut self.delivery else { return false };
        if let Stage::Closing { then } = std::mem::replace(&mut delivery.stage, Stage::Waiting) {
            self.look(then);
        }
        true
    }

    /// Without an answer from tmux nothing is known.
    fn await_look(&mut self, since: Moment) -> bool {
        let late = Moment(since.0 + timing::LOOK);
        if self.now < late {
            self.wake_at(late);
            return false;
        }
        self.open_gate();
        match &mut self.delivery {
            Some(delivery) if delivery.on_disk => delivery.stage = Stage::Waiting,
            _ => self.delivery = None,
        }
        self.presses.wait(Moment(self.now.0 + timing::LOOK));
        if let Some(entry) = self.outbox.first_mut() {
            entry.back_off(self.now);
        }
        self.hold(Hold::Unreachable);
        false
    }

    /// The end of a delivery: the field is as the human had it, or theirs again.
    /// A message that isn't settled waits for its next try.
    pub(super) fn close(&mut self, receipts: Vec<Receipt>, kept: Vec<Kept>) {
        let mut stamps = self.stamps(receipts);
        let Some(delivery) = self.delivery.take() else { return };
        let message = delivery.attempt.message;
        let hold = delivery.then_hold;
        if stamps.iter().any(|stamp| stamp.receipt.is_final()) || delivery.settled {
            self.outbox.remove(message);
        } else if delivery.attempt.cancelled {
            self.outbox.remove(message);
            let receipt = Receipt::Failed(Failure::Cancelled);
            stamps.push(Stamp { message, receipt, at: self.now });
        } else if let Some(entry) = self.outbox.first_mut() {
            entry.back_off(self.now);
            if let Some(hold) = hold.filter(|hold| entry.hold.replace(*hold) != Some(*hold)) {
                stamps.push(Stamp { message, receipt: Receipt::Held(hold), at: self.now });
            }
        }
        self.store(stamps, kept);
        if !self.presses.is_unanswered(self.now) {
            self.effects.push(Effect::Ticket(None));
        }
        self.open_gate_with(delivery.attempt.keys);
    }

    /// The agent is gone: nothing more can be typed, or found out.
    fn agent_ended(&mut self) -> bool {
        let Some(delivery) = &mut self.delivery else { return false };
        let Attempt { step, draft, .. } = &delivery.attempt;
        let kept = Kept { draft: draft.clone(), at: self.now };
        let kept = if draft.is_empty() { vec![] } else { vec![kept] };
        let receipts = match step {
            _ if delivery.settled => vec![],
            _ if delivery.hooked => vec![Receipt::Confirmed(super::receipt::Proof::Hook)],
            Step::Submitting => vec![Receipt::Indeterminate(Doubt::Ended)],
            _ => vec![],
        };
        if let Stage::Storing { then: Then::Answer { call, .. }, .. } = delivery.stage {
            self.answer_only(call, EditorAnswer::Leave);
        }
        self.close(receipts, kept);
        true
    }

    fn stamps(&self, receipts: Vec<Receipt>) -> Vec<Stamp> {
        let Some(message) = self.under_way() else { return Vec::new() };
        receipts.into_iter().map(|receipt| Stamp { message, receipt, at: self.now }).collect()
    }
}
