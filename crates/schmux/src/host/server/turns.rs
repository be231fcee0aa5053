//! Input on its way to panes. What is longer than a line goes piece by piece, each once
//! tmux has taken the one before, so that it serves others in between; what else is for
//! the same pane waits behind it, in its order.
//!
//! **Invariant:** a pane has a queue only while tmux owes an answer to a piece for it.

use std::collections::{BTreeMap, VecDeque};

use schmux_core::ids::PaneId;
use schmux_core::tmux::{Batch, Command, command};

use super::commands::nonce;
use super::{Purpose, Rooms};
use crate::host::desk::Input;
use crate::host::request::HostError;

/// So many lines are one piece for a host: with one, a paste would take a round trip for
/// each 12 kB. Keys of others wait until a slow way has carried as much.
const LINES_FAR: usize = 4;

/// Names of keys are 30 bytes long at most, and a line has room for 12 kB.
const NAMES_A_LINE: usize = 64;

/// What waits for its turn, by pane. As much as people and the courier have given it.
pub(super) type Turns = BTreeMap<PaneId, VecDeque<Turn>>;

pub(super) enum Turn {
    Type(Typing),
    /// Something else that is for this pane after what was typed before.
    Ask(Batch, Purpose),
}

/// Input, as what of it is still to be sent.
pub(super) struct Typing {
    by: By,
    input: Input,
    sent: usize,
    /// Where a paste is gathered; nothing else needs one.
    buffer: String,
    purpose: Purpose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    Human,
    Courier,
}

impl Typing {
    pub fn new(by: By, input: Input, purpose: Purpose) -> Typing {
        let buffer = match &input {
            Input::Paste(_) => format!("schmux-{}", nonce()),
            Input::Keys(_) | Input::Named(_) => String::new(),
        };
        Typing { by, input, sent: 0, buffer, purpose }
    }

    /// The next line, and whether it is the last.
    fn next(&mut self, pane: PaneId) -> (Batch, bool) {
        match &self.input {
            Input::Keys(bytes) => {
                let rest = &bytes[self.sent..];
                let line = &rest[..rest.len().min(command::MOST_KEYS)];
                self.sent += line.len();
                (Batch::new(command::keys(pane, line)), line.len() == rest.len())
            }
            Input::Named(names) => {
                let rest = &names[self.sent..];
                let line = &rest[..rest.len().min(NAMES_A_LINE)];
                self.sent += line.len();
                let send = Command::new("send-keys").opt("-t", pane.to_string());
                (send.arg("--").args(line).into(), line.len() == rest.len())
            }
            Input::Paste(text) => {
                let (fill, rest) = command::fill(&self.buffer, &text[self.sent..]);
                self.sent = text.len() - rest.len();
                if !rest.is_empty() {
                    return (fill.into(), false);
                }
                let [ask, paste] = command::paste(pane, &self.buffer);
                (Batch::branching([ask, fill, paste], nonce()), true)
            }
        }
    }
}

impl Turn {
    pub fn into_purpose(self) -> Purpose {
        match self {
            Turn::Type(Typing { purpose, .. }) | Turn::Ask(_, purpose) => purpose,
        }
    }
}

impl Rooms {
    /// Types into a pane, after all that waits for it.
    pub(super) fn type_in_turn(&mut self, pane: PaneId, typing: Typing) {
        match self.turns.get_mut(&pane) {
            Some(waiting) => waiting.push_back(Turn::Type(typing)),
            None => {
                if let Some(rest) = self.send_piece(pane, typing) {
                    self.turns.insert(pane, VecDeque::from([Turn::Type(rest)]));
                }
            }
        }
    }

    /// Asks tmux once it has taken all that was typed into this pane before.
    pub(super) fn ask_in_turn(&mut self, pane: PaneId, batch: impl Into<Batch>, purpose: Purpose) {
        match self.turns.get_mut(&pane) {
            Some(waiting) => waiting.push_back(Turn::Ask(batch.into(), purpose)),
            None => self.ask(batch, purpose),
        }
    }

    /// tmux has taken a piece.
    pub(super) fn piece_taken(&mut self, pane: PaneId) {
        loop {
            match self.turns.get_mut(&pane).and_then(VecDeque::pop_front) {
                Some(Turn::Ask(batch, purpose)) => self.ask(batch, purpose),
                Some(Turn::Type(typing)) => {
                    if let Some(rest) = self.send_piece(pane, typing) {
                        let waiting = self.turns.entry(pane).or_default();
                        return waiting.push_front(Turn::Type(rest));
                    }
                }
                None => return drop(self.turns.remove(&pane)),
            }
        }
    }

    /// tmux has not, most likely because the pane is gone.
    pub(super) fn piece_refused(&mut self, pane: PaneId, why: String) {
        if let Some(Turn::Type(typing)) = self.turns.get_mut(&pane).and_then(VecDeque::pop_front) {
            self.give_up(typing, &HostError::Refused(why));
        }
        self.piece_taken(pane);
    }

    /// Sends the next piece; gives back what is left of it then.
    fn send_piece(&mut self, pane: PaneId, mut typing: Typing) -> Option<Typing> {
        if let Err(error) = self.make_ready(pane, typing.by) {
            self.give_up(typing, &error);
            return None;
        }
        let lines = if self.far { LINES_FAR } else { 1 };
        for line in 1..=lines {
            let (batch, is_last) = typing.next(pane);
            if is_last {
                let purpose = match (typing.purpose, &typing.input) {
                    (Purpose::Answer(answer), Input::Paste(_)) => Purpose::Pasted(pane, answer),
                    (purpose, _) => purpose,
                };
                self.ask(batch, purpose);
                return None;
            }
            // If it is refused in between, so is the last.
            let purpose = if line == lines { Purpose::Piece(pane) } else { Purpose::Nothing };
            self.ask(batch, purpose);
        }
        Some(typing)
    }

    /// Sees that what is typed arrives. Keys of a person end tmux's copy mode, which would
    /// swallow them and which a browser doesn't show.
    fn make_ready(&mut self, id: PaneId, by: By) -> Result<(), HostError> {
        let Some(pane) = self.panes.get(&id) else { return Err(gone()) };
        if pane.dead {
            return Err(HostError::Ended(pane.session.clone()));
        }
        match (pane.in_mode, by) {
            (true, By::Human) => {
                let cancel = Command::new("send-keys").opt("-t", id.to_string());
                self.ask(cancel.opt("-X", "cancel"), Purpose::Nothing);
                Ok(())
            }
            (true, By::Courier) => Err(HostError::Refused("it is in copy mode".into())),
            (false, _) => Ok(()),
        }
    }

    fn give_up(&mut self, typing: Typing, error: &HostError) {
        if typing.sent > 0 && !typing.buffer.is_empty() {
            let delete = Command::new("delete-buffer").opt("-b", &typing.buffer);
            self.ask(delete, Purpose::Nothing);
        }
        typing.purpose.fail(error);
    }

    /// What became of a paste, by its first reply.
    pub(super) fn pasted(&self, pane: PaneId, reply: &[u8]) -> Result<(), HostError> {
        if reply != command::PASTED_NOTHING {
            return Ok(());
        }
        Err(self.panes.get(&pane).map_or_else(gone, |pane| HostError::Ended(pane.session.clone())))
    }
}

fn gone() -> HostError {
    HostError::Lost("its pane is gone".into())
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
