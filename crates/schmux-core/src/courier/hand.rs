//! Messages that are handed to the agent without a key: with the answer of a
//! hook, or because the agent fetches them.
//!
//! A message has one owner at a time. One that is handed leaves the outbox, and
//! [`Receipt::Handed`] is on disk, before the words leave the daemon. Then the
//! hook says that it passed them on ([`Receipt::Passed`]), and whatever the agent
//! does next shows that it went on with them. A hook that never got its answer
//! says so too, by the session's events file: only after that proof the message
//! goes back to the outbox. Without any word it is not known, and is not sent again.

use serde_json::json;

use super::message::{Message, Sender};
use super::receipt::{Doubt, Proof, Receipt, Stamp};
use super::{Courier, Effect, timing};
use crate::time::Moment;

/// An occasion to hand something over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chance {
    /// A hook that comes before or amid the agent's work.
    Turn,
    /// A hook at the end of a turn: the agent goes on instead.
    Stop,
    /// The agent asks for its messages.
    Fetch,
}

impl Chance {
    /// What a hook of an agent's gives occasion to. Only hooks that were seen to
    /// bring their answer to the model are here.
    pub fn of(agent: &str, event: &str) -> Option<Chance> {
        match (agent, event) {
            ("claude" | "codex", "UserPromptSubmit" | "PostToolUse") => Some(Chance::Turn),
            ("claude" | "codex", "Stop") => Some(Chance::Stop),
            ("gemini", "BeforeAgent" | "AfterTool") => Some(Chance::Turn),
            ("gemini", "AfterAgent") => Some(Chance::Stop),
            _ => None,
        }
    }

    /// Words as the answer of a hook of that agent's. Only for what [`Chance::of`] knows.
    pub fn answer(self, agent: &str, event: &str, words: &str) -> String {
        let said = match (self, agent) {
            (Chance::Stop, "gemini") => json!({ "decision": "deny", "reason": words }),
            (Chance::Stop, _) => json!({ "decision": "block", "reason": words }),
            _ => json!({ "hookSpecificOutput": {
                "hookEventName": event, "additionalContext": words,
            }}),
        };
        format!("{said}\n")
    }

    /// A human's words are a prompt, and wait to be typed as one unless they are urgent.
    fn is_for(self, message: &Message) -> bool {
        self == Chance::Fetch || message.urgent || matches!(message.from, Sender::Agent(_))
    }
}

/// How many calls are remembered that said too early that they go without: as
/// many as can overtake what is stored for them.
const GONE_CALLS: usize = 16;

/// A message on its way by another's hands.
#[derive(Debug, Clone)]
pub(super) struct Handed {
    message: Message,
    /// The call that it was handed to.
    call: String,
    state: State,
    since: Moment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody has it before this number is on disk.
    Storing(u64),
    Given,
    Passed,
    /// People were told that it isn't known.
    Doubtful,
}

impl Handed {
    /// One that a restart found: the hook's word may be in the events file.
    pub fn restored(message: Message, call: String, now: Moment) -> Handed {
        Handed { message, call, state: State::Given, since: now }
    }

    pub fn passed(message: Message, now: Moment) -> Handed {
        Handed { message, call: String::new(), state: State::Passed, since: now }
    }
}

impl Courier {
    /// Whether a message is in another's hands, and what follows must wait.
    pub(super) fn is_handing(&self) -> bool {
        let under_way = |handed: &Handed| matches!(handed.state, State::Storing(_) | State::Given);
        self.handed.iter().any(under_way)
    }

    /// A call could take a message along. It is answered in any case.
    pub(super) fn chance(&mut self, call: String, chance: Chance) {
        self.went_on(&call);
        let first = self.outbox.first().map(|entry| &entry.message);
        // One that has said already that it goes without isn't there any more.
        let is_there = !self.gone_calls.contains(&call);
        let message = first.filter(|message| is_there && chance.is_for(message)).cloned();
        let Some(message) = message.filter(|_| self.delivery.is_none() && !self.is_handing())
        else {
            return self.effects.push(Effect::Give(call, None));
        };
        self.outbox.remove(message.id);
        self.stamp(message.id, Receipt::Handed(call.clone()));
        let state = State::Storing(self.last_seq);
        self.handed.push(Handed { message, call, state, since: self.now });
    }

    /// It is on disk; false if that was about something else.
    pub(super) fn handing_stored(&mut self, seq: u64) -> bool {
        let now = self.now;
        let storing = |handed: &&mut Handed| handed.state == State::Storing(seq);
        let Some(handed) = self.handed.iter_mut().find(storing) else { return false };
        (handed.state, handed.since) = (State::Given, now);
        let call = handed.call.clone();
        if self.gone_calls.contains(&call) {
            self.missed(&call);
        } else {
            self.effects.push(Effect::Give(call, Some(handed.message.clone())));
        }
        true
    }

    /// The disk refused, so nobody gets it now.
    pub(super) fn handing_failed(&mut self, seq: u64) -> bool {
        let storing = |handed: &Handed| handed.state == State::Storing(seq);
        let Some(at) = self.handed.iter().position(storing) else { return false };
        let Handed { message, call, .. } = self.handed.remove(at);
        self.outbox.put_back(message);
        self.effects.push(Effect::Give(call, None));
        true
    }

    /// The hook says that the agent has it.
    pub(super) fn passed(&mut self, call: &str) {
        let now = self.now;
        let waiting = |handed: &&mut Handed| {
            handed.call == call && matches!(handed.state, State::Given | State::Doubtful)
        };
        if let Some(handed) = self.handed.iter_mut().find(waiting) {
            (handed.state, handed.since) = (State::Passed, now);
            let id = handed.message.id;
            self.stamp(id, Receipt::Passed);
        }
    }

    /// It is proven that the call went without it.
    pub(super) fn missed(&mut self, call: &str) {
        let lost = |handed: &Handed| {
            handed.call == call && matches!(handed.state, State::Given | State::Doubtful)
        };
        if let Some(at) = self.handed.iter().position(lost) {
            let Handed { message, .. } = self.handed.remove(at);
            self.stamp(message.id, Receipt::Queued);
            self.outbox.put_back(message);
        } else {
            self.gone_calls.push_back(call.to_owned());
            if self.gone_calls.len() > GONE_CALLS {
                self.gone_calls.pop_front();
            }
        }
    }

    /// The agent does something else by now, so it has read what it was passed.
    pub(super) fn went_on(&mut self, call: &str) {
        let read = |handed: &mut Handed| handed.state == State::Passed && handed.call != call;
        let read: Vec<Handed> = self.handed.extract_if(.., read).collect();
        for handed in read {
            self.stamp(handed.message.id, Receipt::Confirmed(Proof::WentOn));
        }
    }

    /// Tells of those of which no word came.
    pub(super) fn watch_handed(&mut self) {
        let is_over = self.scene.is_over();
        let mut stamps = Vec::new();
        let mut wake = None;
        self.handed.retain_mut(|handed| {
            let (limit, doubt) = match handed.state {
                State::Storing(_) => return true,
                State::Given => (timing::HANDED, Doubt::NotPassed),
                State::Passed if is_over => (0, Doubt::Ended),
                State::Passed => return true,
                State::Doubtful => (timing::LATE_WORD, Doubt::NotPassed),
            };
            let until = Moment(handed.since.0 + limit);
            if until > self.now {
                wake = Some(wake.map_or(until, |earlier: Moment| earlier.min(until)));
                return true;
            }
            if handed.state == State::Doubtful {
                return false;
            }
            let receipt = Receipt::Indeterminate(doubt);
            stamps.push(Stamp { message: handed.message.id, receipt, at: self.now });
            let is_kept = handed.state == State::Given;
            (handed.state, handed.since) = (State::Doubtful, self.now);
            is_kept
        });
        for Stamp { message, receipt, .. } in stamps {
            self.stamp(message, receipt);
        }
        if let Some(at) = wake {
            self.wake_at(at);
        }
    }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
