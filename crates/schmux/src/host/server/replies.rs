//! What tmux answers, and what is done with it.

use schmux_core::fleet::Fact;
use schmux_core::ids::PaneId;
use schmux_core::screen::{META_FORMAT, Seed};
use schmux_core::tmux::{Batch, Command, Reply};

use super::commands::{capture, capture_command, nonce};
use super::{Purpose, REPLAY_LINES, Rooms, errands};
use crate::host::details;
use crate::host::hold;
use crate::host::pane::Pane;
use crate::host::request::HostError;
use crate::host::structure::{parse_hosts, parse_rows};

/// A clock that is read to the second, over a way that takes a moment, is the same
/// if it differs by less than this.
const SAME_CLOCK_MS: i64 = 3000;

impl Rooms {
    pub(super) fn handle_reply(&mut self, Reply { ticket, outcome }: Reply) {
        let Some(purpose) = self.asked.remove(&ticket) else { return };
        let bodies = match outcome {
            Ok(bodies) => bodies,
            Err(refusal) => {
                if let Purpose::Seed(pane) = &purpose {
                    // Most likely it is gone, which the poll will find out.
                    if let Some(room) = self.panes.get_mut(pane) {
                        room.seed_failed();
                    }
                    self.poll_soon();
                }
                if let Purpose::Replay(pane) = &purpose
                    && let Some(room) = self.panes.get_mut(pane)
                {
                    // The next look at the structure asks again, if it is still there.
                    room.lose_thread();
                }
                if let Purpose::Held(opening) = &purpose {
                    // It has kept nothing, then.
                    self.held(*opening, b"");
                }
                if let Purpose::Woken(opening) = &purpose {
                    self.woken(*opening);
                }
                if let Purpose::Piece(pane) = purpose {
                    return self.piece_refused(pane, refusal.message);
                }
                if let Purpose::Dispose(session, answer) = purpose {
                    // It is not there any more.
                    return self.disposed(&session, answer);
                }
                return purpose.fail(&HostError::Refused(refusal.message));
            }
        };
        match purpose {
            Purpose::Nothing | Purpose::Replayed(..) => {}
            Purpose::Probe => {
                if let Some(asked) = self.probe.take() {
                    self.note_delay(asked);
                }
            }
            Purpose::Poll(asked) => {
                self.note_delay(asked);
                self.reconcile(&parse_rows(&bodies[0]));
                self.handle_early_requests();
            }
            Purpose::Beneath(pane) => {
                if let (Some(room), Some(body)) =
                    (self.panes.get_mut(&pane), bodies.into_iter().next())
                {
                    room.beneath = body;
                }
            }
            Purpose::Seed(pane) => self.seeded(pane, &bodies),
            Purpose::Mode(pane) => {
                if let Some(room) = self.panes.get_mut(&pane) {
                    room.in_mode = bodies[0] == b"mode 1";
                    room.tell_desk_facts();
                }
            }
            Purpose::Hosts => {
                let (time, names) = parse_hosts(&bodies[0]);
                self.hosts = names;
                let there = time.map_or(self.now.0, |seconds| seconds.saturating_mul(1000));
                let ahead = there.saturating_sub(self.now.0);
                self.ahead_ms = if ahead.saturating_abs() > SAME_CLOCK_MS { ahead } else { 0 };
            }
            Purpose::Face(pane) => self.face_told(pane, &bodies[0]),
            Purpose::Replay(pane) => {
                if let Some(room) = self.panes.get_mut(&pane) {
                    let session = room.session.clone();
                    let heard = room.ears.replay(&bodies[0], self.now);
                    self.facts.extend(heard.into_iter().map(|fact| (session.clone(), fact)));
                    // The thread may have been lost again meanwhile.
                    self.replay_if_wanted(pane);
                }
            }
            Purpose::Look(pane, number) => self.looked(pane, number, &bodies[0]),
            Purpose::Submit(pane, answer) => {
                let pressed = !hold::slipped(&bodies[0]);
                if pressed {
                    self.submitted(pane);
                }
                let _ = answer.send(Ok(pressed));
            }
            Purpose::Closed => self.closed(bodies.last().map_or(&[], Vec::as_slice)),
            Purpose::Held(opening) => self.held(opening, &bodies[0]),
            Purpose::Woken(opening) => self.woken(opening),
            Purpose::Answering(pane) => self.step_answer(pane),
            Purpose::Create { session, reader, answer } => {
                self.created(session, reader, &bodies[0], answer);
            }
            Purpose::Answer(answer) => {
                // Whoever asked may have left.
                let _ = answer.send(Ok(()));
            }
            Purpose::Pasted(pane, answer) => {
                let _ = answer.send(self.pasted(pane, &bodies[0]));
            }
            Purpose::Piece(pane) => self.piece_taken(pane),
            Purpose::Dispose(session, answer) => self.disposed(&session, answer),
            Purpose::Capture(answer) => {
                let _ = answer.send(capture(&bodies));
            }
            Purpose::Details(answer) => {
                let _ = answer.send(Ok(details::details(&bodies)));
            }
            Purpose::Errand(errand) => self.errand_began(*errand, &bodies),
            Purpose::Fetch(status, answer) => {
                let _ = answer.send(errands::output(status, &bodies));
            }
            Purpose::ErrandScreen(pane) => self.errand_says(pane, &bodies[0]),
        }
    }

    pub(super) fn seeded(&mut self, id: PaneId, bodies: &[Vec<u8>]) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let beneath = std::mem::take(&mut pane.beneath);
        match Seed::new(&bodies[0], &bodies[1], &beneath) {
            Some(seed) => {
                pane.note_sample(bodies, &seed.meta, self.now);
                let seeded = pane.seeded(&seed, self.now);
                let session = pane.session.clone();
                if let Some(size) = seeded.resized {
                    self.facts.push((session.clone(), Fact::Size(size)));
                }
                if seeded.astray {
                    tracing::debug!(%session, "the screen model differed from tmux and was put right");
                }
            }
            None => {
                tracing::warn!(session = %pane.session, "tmux's description of a pane made no sense");
                pane.seed_failed();
            }
        }
        self.seed_if_wanted(id);
    }

    /// Asks tmux for the whole screen if the pane or one of its viewers needs it.
    pub(super) fn seed_if_wanted(&mut self, id: PaneId) {
        if self.down.is_some() {
            return;
        }
        let Some(history) = self.panes.get_mut(&id).and_then(Pane::wants_seed) else { return };
        let beneath = capture_command(id, true, 0).arg("-a").arg("-q");
        self.ask(Batch::fenced([beneath], nonce()), Purpose::Beneath(id));
        let meta = Command::new("display-message").arg("-p").opt("-t", id.to_string());
        let batch = [meta.arg(META_FORMAT), capture_command(id, true, history)];
        self.ask(Batch::fenced(batch, nonce()), Purpose::Seed(id));
    }

    /// Asks for the scrollback if what was said in it is not known.
    pub(super) fn replay_if_wanted(&mut self, id: PaneId) {
        if self.down.is_some() || !self.panes.get_mut(&id).is_some_and(|p| p.ears.wants_replay()) {
            return;
        }
        let capture = capture_command(id, false, REPLAY_LINES).arg("-J");
        self.ask(Batch::fenced([capture], nonce()), Purpose::Replay(id));
    }
}

impl Purpose {
    pub(super) fn fail(self, error: &HostError) {
        match self {
            Purpose::Create { answer, .. }
            | Purpose::Answer(answer)
            | Purpose::Pasted(_, answer)
            | Purpose::Dispose(_, answer) => {
                let _ = answer.send(Err(error.clone()));
            }
            Purpose::Submit(_, answer) => {
                let _ = answer.send(Err(error.clone()));
            }
            Purpose::Capture(answer) => {
                let _ = answer.send(Err(error.clone()));
            }
            Purpose::Details(answer) => {
                let _ = answer.send(Err(error.clone()));
            }
            Purpose::Errand(errand) => errand.fail(error),
            Purpose::Fetch(_, answer) => {
                let _ = answer.send(Err(error.clone()));
            }
            Purpose::Nothing
            | Purpose::Replayed(..)
            | Purpose::Piece(_)
            | Purpose::Probe
            | Purpose::ErrandScreen(_)
            | Purpose::Poll(_)
            | Purpose::Beneath(_)
            | Purpose::Seed(_)
            | Purpose::Replay(_)
            | Purpose::Look(..)
            | Purpose::Closed
            | Purpose::Held(_)
            | Purpose::Woken(_)
            | Purpose::Answering(_)
            | Purpose::Hosts
            | Purpose::Face(_)
            | Purpose::Mode(_) => {
                tracing::debug!(%error, "tmux did not do what it was asked");
            }
        }
    }
}
