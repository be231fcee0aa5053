//! Which sessions and panes there are, beside those that should be there.

use std::collections::HashSet;
use std::sync::Arc;

use schmux_core::fleet::{Fact, TmuxPane};
use schmux_core::ids::{PaneId, SessionId, WindowId};
use schmux_core::reading::Reader;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::commands::link_command;
use super::{Expected, Purpose, Rooms};
use crate::host::ears::Ears;
use crate::host::eyes::Eyes;
use crate::host::pane::Pane;
use crate::host::request::{Answer, HostError};
use crate::host::structure::{Row, parse_rows};
use crate::host::{HUB, is_own_session};
use crate::wire::TerminalMessage;

impl Rooms {
    pub(super) fn set_dead(&mut self, id: PaneId, dead: bool, code: Option<i32>) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        if pane.is_ending(dead, code) {
            // tmux up to 3.3a, where it keeps utmp (as Debian's does), loses the signal of
            // about one end in ten while it writes there. The end of another program has
            // it look for this one, too.
            self.ask(Command::new("run-shell").arg("true"), Purpose::Nothing);
            return self.poll_soon();
        }
        if let Some(fact) = pane.set_dead(dead, code, self.now) {
            pane.tell_desk_facts();
            self.facts.push((pane.session.clone(), fact));
        }
    }

    /// Compares what tmux has with what should be there.
    pub(super) fn reconcile(&mut self, rows: &[Row]) {
        self.tend_errands(rows);
        let mut linked = linked(rows);
        let sessions: Vec<SessionId> = self.expected.keys().cloned().collect();
        for session in sessions {
            match self.expected[&session].find(&session, rows) {
                Some(row) => self.found(&session, row, &mut linked),
                None if self.gave_back(&session, rows) => {}
                None => self.missed(&session, rows),
            }
        }
    }

    /// Without a connection nothing can be asked, but who has ended can be told.
    pub(super) fn reconcile_ended(&mut self, rows: &[Row]) {
        for (session, expected) in &self.expected {
            if let Some(row) = expected.find(session, rows).filter(|row| row.dead) {
                self.facts.push((session.clone(), Fact::Exited { code: row.status }));
            }
        }
    }

    fn found(&mut self, session: &SessionId, row: &Row, linked: &mut HashSet<WindowId>) {
        let Some(expected) = self.expected.get_mut(session) else { return };
        let adopted = expected.adopted;
        if expected.tmux_session != row.session {
            expected.tmux_session.clone_from(&row.session);
            let tmux_session = row.session.clone();
            let pane = TmuxPane { id: row.pane, server: row.server.clone() };
            self.facts.push((session.clone(), Fact::Moved { tmux_session, pane }));
        }
        let is_new = expected.pane != Some(row.pane);
        if is_new {
            if let Some(old) = expected.pane.replace(row.pane) {
                self.panes.remove(&old);
            }
            let ledger = expected.markers.take().map_or_else(Ledger::default, |ledger| *ledger);
            let eyes = Eyes::that_missed_something(expected.reader.clone());
            let tap = self.recorder.tap(session);
            let mut pane = Pane::new(row.pane, row.window, session.clone(), eyes, tap);
            pane.adopted = adopted;
            pane.ears = Ears::new(ledger, adopted);
            self.move_in(pane);
            let at = row.active_at.saturating_mul(1000).saturating_sub(self.ahead_ms);
            let at = Moment(at.clamp(0, self.now.0.max(0)));
            self.facts.push((session.clone(), Fact::Output { at }));
        }
        if let Some(old) = self.panes.get(&row.pane).map(|pane| pane.window)
            && old != row.window
        {
            if let Some(pane) = self.panes.get_mut(&row.pane) {
                pane.window = row.window;
            }
            self.let_go_of(old, row.pane, linked);
        }
        if linked.insert(row.window) {
            self.ask(link_command(&row.window.to_string()), Purpose::Nothing);
            if let Some(pane) = self.panes.get_mut(&row.pane).filter(|_| !is_new) {
                // What it printed before that was told to nobody.
                pane.fall_out_of_step(self.now);
                pane.lose_thread();
            }
        }
        self.set_dead(row.pane, row.dead, row.status);
        self.replay_if_wanted(row.pane);
        self.seed_if_wanted(row.pane);
    }

    /// A pane that a script takes out of its window comes to whichever session tmux
    /// thinks of, and that may be our hub: it is given back, and not taken for ended.
    fn gave_back(&mut self, session: &SessionId, rows: &[Row]) -> bool {
        let Some(expected) = self.expected.get(session) else { return false };
        let known = expected.pane.and_then(|id| self.panes.get(&id)).map(|pane| pane.window);
        let Some(known) = known else { return false };
        let is_astray =
            |row: &&Row| expected.owns(session, row) && row.session == HUB && row.window != known;
        let Some(row) = rows.iter().find(is_astray) else { return false };
        let back = Command::new("link-window").arg("-d").opt("-s", row.window.to_string());
        self.ask(back.opt("-t", format!("={}:", expected.tmux_session)), Purpose::Nothing);
        true
    }

    /// The session is not there: someone ended it in tmux, or the server began anew.
    pub(super) fn missed(&mut self, session: &SessionId, rows: &[Row]) {
        let Some(expected) = self.expected.remove(session) else { return };
        // A window that is linked into the hub outlives its session.
        let left = rows.iter().find(|row| row.made_for.as_deref() == Some(session.as_str()));
        if let Some(row) = left {
            let end = Command::new("kill-window").opt("-t", row.window.to_string());
            self.ask(end, Purpose::Nothing);
        }
        if let Some(pane) = expected.pane.and_then(|id| self.panes.remove(&id)) {
            if expected.adopted {
                self.let_go_of(pane.window, pane.id, &linked(rows));
            }
            pane.tell_all(&TerminalMessage::Exited { exit_code: None });
        }
        self.early.remove(session);
        let what = if expected.at.is_some() { "pane" } else { "tmux session" };
        let reason = format!("its {what} is no longer there");
        self.facts.push((session.clone(), Fact::Gone { reason }));
    }

    /// A window of the user's leaves the hub, unless another pane in it is watched. If
    /// it is nowhere else they have ended it, and here it ends, too.
    fn let_go_of(&mut self, window: WindowId, pane: PaneId, linked: &HashSet<WindowId>) {
        if linked.contains(&window) && !self.is_watched(window, pane) {
            let end = Command::new("unlink-window").arg("-k");
            self.ask(end.opt("-t", format!("{HUB}:{window}")), Purpose::Nothing);
        }
    }

    pub(super) fn move_in(&mut self, mut pane: Pane) {
        for (viewer, history) in self.early.remove(&pane.session).unwrap_or_default() {
            pane.watch(viewer, history);
        }
        self.panes.insert(pane);
    }

    pub(super) fn created(
        &mut self,
        session: SessionId,
        reader: Arc<Reader>,
        made: &[u8],
        answer: Answer<()>,
    ) {
        let rows = parse_rows(made);
        let Some(row) = rows.first() else {
            let said = String::from_utf8_lossy(made).into_owned();
            let _ = answer.send(Err(HostError::Refused(said)));
            return;
        };
        let tmux_session = session.as_str().to_owned();
        let eyes = Eyes::new(reader.clone());
        let pane = Some(row.pane);
        let (at, adopted, markers) = (None, false, None);
        let expected = Expected { tmux_session, at, adopted, pane, markers, reader };
        self.expected.insert(session.clone(), expected);
        let tap = self.recorder.tap(&session);
        self.move_in(Pane::new(row.pane, row.window, session.clone(), eyes, tap));
        self.facts.push((session, Fact::Running));
        self.replay_if_wanted(row.pane);
        self.seed_if_wanted(row.pane);
        let _ = answer.send(Ok(()));
    }
}

impl Expected {
    /// Its own pane, whatever the tmux session is called that its user has moved it to.
    /// Linked into several, it stays in the one where it was; in the hub alone is what
    /// its user has ended.
    fn find<'a>(&self, id: &SessionId, rows: &'a [Row]) -> Option<&'a Row> {
        let found = rows.iter().filter(|row| self.owns(id, row) && !is_own_session(&row.session));
        found.min_by_key(|row| (row.made_for.is_none(), row.session != self.tmux_session))
    }

    fn owns(&self, id: &SessionId, row: &Row) -> bool {
        // A daemon that was killed while it made the session may not have marked it.
        let is_unmarked = row.made_for.is_none() && (self.adopted || self.pane.is_none());
        match &self.at {
            Some(pane) => row.is(pane),
            None if is_unmarked => row.session == self.tmux_session,
            None => row.made_for.as_deref() == Some(id.as_str()),
        }
    }
}

/// The windows that are in the hub.
fn linked(rows: &[Row]) -> HashSet<WindowId> {
    rows.iter().filter(|row| row.session == HUB).map(|row| row.window).collect()
}
