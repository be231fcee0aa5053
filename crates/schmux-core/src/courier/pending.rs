//! Messages that were sent and lack a proof, and words that are still to come.
//!
//! A hook may be late. The word on a message that the screen proved already
//! must not be taken for the word on the next one with the same text.

use super::message::MessageId;
use super::receipt::{Doubt, Proof, Receipt};
use super::sight::essence;
use super::{Courier, timing};
use crate::signal::hook::CUT;
use crate::time::Moment;

#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    sent: Vec<Sent>,
}

#[derive(Debug, Clone)]
struct Sent {
    message: MessageId,
    text: String,
    mentions: u32,
    until: Moment,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Submitted, and not seen yet.
    Unproven,
    /// People were told that it isn't known.
    Doubtful,
    /// Proven by the screen; the agent's word is still to come.
    Expected,
}

impl Pending {
    pub fn unproven(&mut self, message: MessageId, text: String, mentions: u32, now: Moment) {
        let until = Moment(now.0 + timing::UNPROVEN);
        self.sent.push(Sent { message, text, mentions, until, state: State::Unproven });
    }

    pub fn is_watching(&self) -> bool {
        self.sent.iter().any(|sent| sent.state == State::Unproven)
    }
}

/// A prompt as an agent's hook told of it.
struct Heard {
    essence: String,
    /// It is only the beginning: hooks pass long texts on cut.
    cut: bool,
}

impl Heard {
    fn of(text: &str) -> Heard {
        let cut = text.strip_suffix(CUT).filter(|rest| rest.len() >= SURE);
        Heard { essence: essence(cut.unwrap_or(text)), cut: cut.is_some() }
    }

    fn is(&self, sent: &str) -> bool {
        let sent = essence(sent);
        if self.cut { sent.starts_with(&self.essence) } else { sent == self.essence }
    }
}

/// So much of a beginning is enough to know a text by; what hooks leave of a long
/// one is more. A shorter text that ends like one that was cut is whole.
const SURE: usize = 8 << 10;

impl Courier {
    /// What is still to be heard of a message whose fate was just decided.
    pub(super) fn note_fate(&mut self, receipt: &Receipt) {
        let Some(delivery) = &self.delivery else { return };
        let attempt = &delivery.attempt;
        let (state, wait) = match receipt {
            Receipt::Submitted => (State::Unproven, timing::UNPROVEN),
            Receipt::Indeterminate(_) => (State::Doubtful, timing::LATE_WORD),
            Receipt::Confirmed(Proof::Screen) if self.adapter.hooks => {
                (State::Expected, timing::EXPECTED_WORD)
            }
            _ => return,
        };
        self.pending.sent.push(Sent {
            message: attempt.message,
            text: attempt.text.clone(),
            mentions: attempt.mentions,
            until: Moment(self.now.0 + wait),
            state,
        });
    }

    /// The agent says that it was given a prompt: the oldest that waits for this
    /// word, or the one under way.
    pub(super) fn hear(&mut self, text: &str) {
        let heard = Heard::of(text);
        let known = self.pending.sent.iter().position(|sent| heard.is(&sent.text));
        if let Some(index) = known {
            let sent = self.pending.sent.remove(index);
            if sent.state != State::Expected {
                self.stamp(sent.message, Receipt::Confirmed(Proof::Hook));
            }
            return;
        }
        if let Some(delivery) = &mut self.delivery
            && !delivery.settled
            && delivery.attempt.step.may_hold_message()
            && heard.is(&delivery.attempt.text)
        {
            delivery.hooked = true;
        }
    }

    /// Looks for sent messages in the conversation, and tells of those that
    /// don't show up.
    pub(super) fn watch_pending(&mut self) {
        let mut sent = std::mem::take(&mut self.pending.sent);
        for entry in &mut sent {
            let over = entry.until <= self.now;
            if entry.state == State::Unproven && self.is_in_conversation(entry) {
                self.stamp(entry.message, Receipt::Confirmed(Proof::Screen));
                entry.state = State::Expected;
                entry.until = Moment(self.now.0 + timing::EXPECTED_WORD);
            } else if entry.state == State::Unproven && over {
                self.stamp(entry.message, Receipt::Indeterminate(Doubt::NotSeen));
                entry.state = State::Doubtful;
                entry.until = Moment(self.now.0 + timing::LATE_WORD);
            }
        }
        sent.retain(|entry| entry.until > self.now);
        if let Some(at) = sent.iter().map(|entry| entry.until).min() {
            self.wake_at(at);
        }
        self.pending.sent = sent;
    }

    fn is_in_conversation(&self, sent: &Sent) -> bool {
        self.scene.field.is_some()
            && !self.scene.echo(&sent.text, &self.adapter).is_there()
            && self.scene.mentions(&sent.text, &self.adapter) > sent.mentions
    }
}

impl super::attempt::Step {
    /// Whether the message may be in the field, or just left it.
    fn may_hold_message(self) -> bool {
        use super::attempt::Step;
        matches!(self, Step::Swapping | Step::Pasting | Step::Submitting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_prompt_is_known_by_its_beginning() {
        let long = "one\ntwo é\n".repeat(20_000);
        let cut = |bytes: usize| format!("{}{CUT}", &long[..long.floor_char_boundary(bytes)]);
        for (heard, sent, same) in [
            (cut(16 << 10), long.as_str(), true),
            (cut(16 << 10), &long[4..], false),
            (cut(100), &long, false),
            ("wait…".into(), "wait…", true),
            ("wait…".into(), "wait for me", false),
            (long.clone(), &long, true),
        ] {
            assert_eq!(Heard::of(&heard).is(sent), same, "{} bytes", heard.len());
        }
    }
}
