//! Which sessions and panes there are, beside those that should be there.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use schmux_core::fleet::Fact;
use schmux_core::ids::{PaneId, SessionId, WindowId};
use schmux_core::reading::Reader;
use schmux_core::signal::ledger::Ledger;
use schmux_core::time::Moment;
use schmux_core::tmux::Command;

use super::commands::link_command;
use super::{Expected, Purpose, Rooms};
use crate::host::HUB;
use crate::host::ears::Ears;
use crate::host::eyes::Eyes;
use crate::host::pane::Pane;
use crate::host::request::{Answer, HostError};
use crate::host::structure::{Row, parse_rows};
use crate::wire::TerminalMessage;

impl Rooms {
    pub(super) fn set_dead(&mut self, id: PaneId, dead: bool, code: Option<i32>) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        if let Some(fact) = pane.set_dead(dead, code, self.now) {
            self.facts.push((pane.session.clone(), fact));
        }
    }

    /// Compares what tmux has with what should be there.
    pub(super) fn reconcile(&mut self, rows: &[Row]) {
        self.tend_errands(rows);
        let mut first: HashMap<&str, &Row> = HashMap::new();
        for row in rows {
            first.entry(&row.session).or_insert(row);
        }
        let linked = rows.iter().filter(|row| row.session == HUB).map(|row| row.window).collect();
        let sessions: Vec<SessionId> = self.expected.keys().cloned().collect();
        for session in sessions {
            match first.get(self.expected[&session].tmux_session.as_str()) {
                Some(row) => self.found(&session, row, &linked),
                None => self.missed(&session, rows),
            }
        }
    }

    /// Without a connection nothing can be asked, but who has ended can be told.
    pub(super) fn reconcile_ended(&mut self, rows: &[Row]) {
        for (session, expected) in &self.expected {
            if let Some(row) =
                rows.iter().find(|row| row.session == expected.tmux_session && row.dead)
            {
                self.facts.push((session.clone(), Fact::Exited { code: row.status }));
            }
        }
    }

    pub(super) fn found(&mut self, session: &SessionId, row: &Row, linked: &HashSet<WindowId>) {
        let Some(expected) = self.expected.get_mut(session) else { return };
        let adopted = expected.adopted;
        if expected.pane != Some(row.pane) {
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
        if !linked.contains(&row.window) {
            self.ask(link_command(&row.window.to_string()), Purpose::Nothing);
        }
        self.set_dead(row.pane, row.dead, row.status);
        self.replay_if_wanted(row.pane);
        self.seed_if_wanted(row.pane);
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
            if expected.adopted && rows.iter().any(|row| row.session == HUB) {
                // Its user ended it: it ends here, too, unless it is linked elsewhere.
                let end = Command::new("unlink-window").arg("-k");
                self.ask(end.opt("-t", format!("{HUB}:{}", pane.window)), Purpose::Nothing);
            }
            pane.tell_all(&TerminalMessage::Exited { exit_code: None });
        }
        self.early.remove(session);
        let reason = "its tmux session is no longer there".to_owned();
        self.facts.push((session.clone(), Fact::Gone { reason }));
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
        let expected = Expected { tmux_session, adopted: false, pane, markers: None, reader };
        self.expected.insert(session.clone(), expected);
        let tap = self.recorder.tap(&session);
        self.move_in(Pane::new(row.pane, row.window, session.clone(), eyes, tap));
        self.facts.push((session, Fact::Running));
        self.replay_if_wanted(row.pane);
        self.seed_if_wanted(row.pane);
        let _ = answer.send(Ok(()));
    }
}
