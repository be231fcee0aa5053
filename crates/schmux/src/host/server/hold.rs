//! Keys that tmux keeps while the courier writes: read, typed in their order,
//! and then the gate is open.

use schmux_core::courier::Event;
use schmux_core::ids::{PaneId, SessionId};
use schmux_core::tmux::Batch;

use super::commands::nonce;
use super::{Purpose, Rooms};
use crate::host::desk::{Input, Waiting};
use crate::host::hold::{self, Held};

/// A gate that is being opened: which closing it ends, and whether what waited
/// is typed or shown to the human instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    pub pane: PaneId,
    pub closing: u64,
    pub replay: bool,
}

impl Rooms {
    /// Has tmux keep the keys of those who are attached. Whatever is asked after
    /// this finds them waiting.
    pub(super) fn close_hold(&mut self, session: &SessionId, closing: u64) {
        let number = self.now.0.unsigned_abs().wrapping_add(closing);
        if let Some((name, pane)) = self.holds_keys(session) {
            let close = Batch::new(hold::close(&name, pane, number));
            self.ask_in_turn(pane, close, Purpose::Closed);
        }
    }

    /// The gate is closed; the last reply tells who is attached.
    pub(super) fn closed(&mut self, clients: &[u8]) {
        for bar in hold::bar(clients) {
            self.ask(bar, Purpose::Nothing);
        }
    }

    /// Keys that go past the gate are noted from now on.
    pub(super) fn watch_keys(&mut self, session: &SessionId) {
        if let Some((name, pane)) = self.holds_keys(session) {
            self.ask_in_turn(pane, hold::watch(&name), Purpose::Nothing);
        }
    }

    /// Asks for the keys that tmux has; the gate opens when there are none.
    pub(super) fn open_hold(&mut self, session: &SessionId, opening: Opening) {
        match self.holds_keys(session) {
            Some((name, pane)) => {
                let open = hold::open(&name, !opening.replay);
                self.ask_in_turn(pane, Batch::branching(open, nonce()), Purpose::Held(opening));
            }
            None => self.opened(session, opening.replay),
        }
    }

    /// What tmux had.
    pub(super) fn held(&mut self, opening: Opening, reply: &[u8]) {
        let Some(pane) = self.panes.get_mut(&opening.pane) else { return };
        let (session, held) = (pane.session.clone(), Held::read(reply));
        let is_last = pane.desk.closing() == opening.closing;
        if held.typed || !held.keys.is_empty() {
            pane.desk.tell(Event::HumanKeys { passed: false });
        }
        if !is_last && pane.desk.is_closed() {
            // The courier is at work again.
            return pane.desk.carry(&held.keys);
        }
        if let Some(carried) = pane.desk.take_carried() {
            self.release(&session, carried, opening.replay);
        }
        if !held.keys.is_empty() {
            self.release(&session, (Input::Keys(held.keys), None), opening.replay);
            if is_last {
                self.open_hold(&session, opening);
            }
            return;
        }
        match (is_last, held.waits, opening.replay) {
            (false, ..) => {}
            // What waited is written down by now.
            (true, true, false) => self.open_hold(&session, opening),
            (true, true, true) => self.wake(&session, opening),
            (true, false, _) => self.nothing_held(&session, opening.replay),
        }
    }

    /// Terminals that wait go on, in the order in which they were typed at.
    fn wake(&mut self, session: &SessionId, opening: Opening) {
        if let Some((name, pane)) = self.holds_keys(session) {
            let wake = Batch::branching(hold::wake(&name), nonce());
            self.ask_in_turn(pane, wake, Purpose::Woken(opening));
        }
    }

    /// They have: what they had is in the pane.
    pub(super) fn woken(&mut self, opening: Opening) {
        let Some(pane) = self.panes.get(&opening.pane) else { return };
        if pane.desk.closing() == opening.closing {
            let session = pane.session.clone();
            self.nothing_held(&session, opening.replay);
        }
    }

    fn nothing_held(&mut self, session: &SessionId, replay: bool) {
        self.opened(session, replay);
        if let Some((name, pane)) = self.holds_keys(session) {
            self.ask_in_turn(pane, Batch::new(hold::forget(&name)), Purpose::Nothing);
        }
    }

    /// Nothing waits in tmux any more: what waits at the desk follows.
    fn opened(&mut self, session: &SessionId, replay: bool) {
        let Ok(pane) = self.pane_of(session) else { return };
        for waiting in pane.desk.open_gate() {
            self.release(session, waiting, replay);
        }
    }

    pub(super) fn release(&mut self, session: &SessionId, waiting: Waiting, replay: bool) {
        match replay {
            true => self.let_through(session, waiting, true),
            false => self.withhold(session, waiting),
        }
    }

    /// The tmux session and pane whose keys tmux can keep: on servers that we
    /// configured, those of our own sessions.
    fn holds_keys(&mut self, session: &SessionId) -> Option<(String, PaneId)> {
        let pane = self.pane_of(session).ok().filter(|pane| !pane.adopted)?.id;
        let expected = self.expected.get(session)?;
        Some((expected.tmux_session.clone(), pane))
    }
}
