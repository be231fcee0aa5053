//! Answers the dialog that a pane shows, by keys that are proven one by one.
//!
//! Each step first asks tmux something: when its reply is there, everything that
//! the pane had printed until then has been read, so the dialog that is looked
//! at is the one that the key will meet. While the courier's gate is closed, or
//! a human has just typed, it waits.

use schmux_core::fleet::Fact;
use schmux_core::ids::{PaneId, SessionId};
use schmux_core::reading::{AnswerError, Answering, Step};
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::turns::By;
use super::typing::fail;
use super::{Purpose, Rooms};
use crate::host::desk::Input;
use crate::host::pane::Pane;
use crate::host::request::{Answer, DialogAnswer, HostError};

/// How long after a key the screen is looked at: agents show it in 20 to 60 ms.
const LOOK_MS: i64 = 40;

/// A human's key may be on its way to the screen for so long; before that the
/// selection that is seen may be an old one.
const HUMAN_MS: i64 = 300;

/// Longer than this nobody keeps a gate closed.
const LONGEST_MS: i64 = 10_000;

/// An answer on its way to a pane.
pub(in crate::host) struct PendingAnswer {
    answering: Answering,
    begun: Moment,
    /// When to look again; nothing while tmux is being asked.
    next: Option<Moment>,
    /// Whoever wants to know whether the dialog was seen to close; until it is told.
    answer: Option<Answer<bool>>,
}

impl PendingAnswer {
    pub(in crate::host) fn due(&self) -> Option<Moment> {
        self.next
    }
}

impl Drop for PendingAnswer {
    fn drop(&mut self) {
        fail(self.answer.take(), HostError::Lost("its pane is gone".into()));
    }
}

impl Rooms {
    /// Begins to answer a dialog, if it is the one on the screen.
    pub(super) fn answer_dialog(
        &mut self,
        session: &SessionId,
        wanted: DialogAnswer,
        answer: Answer<bool>,
    ) {
        let now = self.now;
        let pane = match self.pane_of(session) {
            Ok(pane) if pane.dead => return fail(Some(answer), HostError::Ended(session.clone())),
            Ok(pane) => pane,
            Err(error) => return fail(Some(answer), error),
        };
        if pane.answering.is_some() {
            return fail(Some(answer), HostError::Dialog(AnswerError::Gone));
        }
        let DialogAnswer { fingerprint, since, choice } = wanted;
        // Another one with the same words has opened since.
        let is_newer = pane.dialog(now).is_none_or(|(_, seen)| seen > since);
        if is_newer {
            return fail(Some(answer), HostError::Dialog(AnswerError::Gone));
        }
        let answering = Answering::new(fingerprint, choice, now);
        pane.answering =
            Some(PendingAnswer { answering, begun: now, next: Some(now), answer: Some(answer) });
        self.go_on_answering();
    }

    /// Goes on with the answers whose time has come.
    pub(super) fn go_on_answering(&mut self) {
        let now = self.now;
        let is_due = |pane: &Pane| {
            let next = pane.answering.as_ref().and_then(|pending| pending.next);
            next.is_some_and(|next| next <= now)
        };
        let due: Vec<PaneId> =
            self.panes.iter().filter(|pane| is_due(pane)).map(|pane| pane.id).collect();
        for id in due {
            if let Some(pending) = self.panes.get_mut(&id).and_then(|pane| pane.answering.as_mut())
            {
                pending.next = None;
            }
            let fence = Command::new("display-message").arg("-p");
            let fence = fence.opt("-t", id.to_string()).arg("answer");
            self.ask(fence, Purpose::Answering(id));
        }
    }

    /// All that the pane has printed is read: what does it show?
    pub(super) fn step_answer(&mut self, id: PaneId) {
        let now = self.now;
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let Some(mut pending) = pane.answering.take() else { return };
        let session = pane.session.clone();
        let typed = pane.typed_at.is_some_and(|at| now.0 - at.0 < HUMAN_MS);
        // So does what was typed before and has not arrived.
        let typed = typed || self.turns.contains_key(&id);
        if pane.desk.is_closed() || typed || !pane.knows_screen() {
            if now.0 - pending.begun.0 >= LONGEST_MS {
                return fail(pending.answer.take(), HostError::Dialog(AnswerError::Stuck));
            }
            pending.next = Some(Moment(now.0 + LOOK_MS));
            pane.answering = Some(pending);
            return;
        }
        let seen = pane.dialog(now);
        match pending.answering.see(seen.as_ref().map(|(dialog, _)| &**dialog), now) {
            Step::Wait => self.look_again(id, pending),
            Step::Press(keys) => {
                if pending.answering.is_chosen() {
                    // Now and not when it is seen to close: by then the agent may
                    // have said something that is no question any more.
                    let answered = Fact::Answered { at: now, enter: true };
                    self.facts.push((session.clone(), answered));
                }
                self.type_for(&session, By::Human, Input::Named(keys), Purpose::Nothing);
                self.look_again(id, pending);
            }
            Step::Done { closed } => {
                // Whoever asked may have left.
                pending.answer.take().map(|answer| answer.send(Ok(closed)));
            }
            Step::Failed(error) => fail(pending.answer.take(), HostError::Dialog(error)),
        }
    }

    fn look_again(&mut self, id: PaneId, mut pending: PendingAnswer) {
        pending.next = Some(Moment(self.now.0 + LOOK_MS));
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.answering = Some(pending);
        }
    }
}
