//! What the daemon asks of a server, turned into commands for tmux.

use schmux_core::ids::{PaneId, SessionId, WindowId};
use schmux_core::screen::META_FORMAT;
use schmux_core::tmux::{Batch, Command};

use super::commands::{capture_command, create_commands, nonce};
use super::typing::fail;
use super::{Expected, Purpose, Rooms};
use crate::host::pane::Pane;
use crate::host::request::{Answer, End, HostError, Request};
use crate::host::viewer::Viewer;
use crate::host::{HUB, details};
use crate::wire::TerminalMessage;

/// How many requests may wait until the first look at a server is over, which takes
/// milliseconds. What comes beyond that is refused as if the session weren't there.
const MOST_EARLY: usize = 256;

impl Rooms {
    pub(super) fn handle_request(&mut self, request: Request) {
        if self.is_early(&request) {
            return self.early_requests.push(request);
        }
        match request {
            Request::Expect { session, tmux_session, at, adopted, markers, reader } => {
                let (pane, markers) = (None, Some(markers));
                let expected = Expected { tmux_session, at, adopted, pane, markers, reader };
                self.expected.insert(session, expected);
                self.next_poll = self.next_poll.map(|_| self.now);
            }
            Request::BeginTurn { session } => {
                let now = self.now;
                if let Ok(pane) = self.pane_of(&session) {
                    pane.ears.begin_turn(now);
                }
            }
            Request::Create { spec, answer } => match &self.down {
                Some(reason) => {
                    let _ = answer.send(Err(HostError::Unreachable(reason.clone())));
                }
                None => {
                    let (session, reader) = (spec.session.clone(), spec.reader.clone());
                    let batch = Batch::new(create_commands(&spec));
                    self.ask(batch, Purpose::Create { session, reader, answer });
                }
            },
            Request::Dispose { session, end, answer } => self.dispose(&session, end, answer),
            Request::Watch { session, viewer, history, answer } => {
                let _ = answer.send(self.watch(session, viewer, history));
            }
            Request::Unwatch { session, viewer } => {
                if let Ok(pane) = self.pane_of(&session) {
                    pane.unwatch(viewer);
                }
            }
            Request::Refresh { session, viewer, history } => {
                if let Ok(pane) = self.pane_of(&session) {
                    pane.refresh(viewer, history);
                    let id = pane.id;
                    self.seed_if_wanted(id);
                }
            }
            Request::Resize { session, viewer, size, claim } => {
                if let Ok(pane) = self.pane_of(&session)
                    && pane.may_resize(viewer, claim)
                    && pane.size() != Some(size)
                {
                    let resize = Command::new("resize-window").opt("-t", pane.window.to_string());
                    let resize = resize.opt("-x", size.cols.to_string());
                    self.ask(resize.opt("-y", size.rows.to_string()), Purpose::Nothing);
                }
            }
            Request::Type { session, input, answer } => self.human_types(session, input, answer),
            Request::Typed { session, keys } => self.human_typed(&session, keys.into()),
            Request::AnswerDialog { session, wanted, answer } => {
                self.answer_dialog(&session, wanted, answer);
            }
            Request::Courier(request) => self.handle_courier(request),
            Request::Details { session, answer } => {
                let tmux_session = self.expected.get(&session).map(|e| e.tmux_session.clone());
                match self.pane_of(&session).map(|pane| pane.id) {
                    Err(error) => {
                        let _ = answer.send(Err(error));
                    }
                    Ok(id) => {
                        let batch = details::commands(id, &tmux_session.unwrap_or_default());
                        self.ask(Batch::fenced(batch, nonce()), Purpose::Details(answer));
                    }
                }
            }
            Request::Errand(errand) => self.send_errand(errand),
            Request::Put { files, answer } => self.put_files(&files, answer),
            Request::Capture { session, history, ansi, answer } => {
                match self.pane_of(&session).map(|pane| pane.id) {
                    Err(error) => {
                        let _ = answer.send(Err(error));
                    }
                    Ok(id) => {
                        let meta = Command::new("display-message").arg("-p");
                        let meta = meta.opt("-t", id.to_string()).arg(META_FORMAT);
                        let batch = [meta, capture_command(id, ansi, history)];
                        self.ask(Batch::fenced(batch, nonce()), Purpose::Capture(answer));
                    }
                }
            }
        }
    }

    /// Whether it is about a session that should be there, and that nobody has looked
    /// for yet. A way to a host may take its time: who asks for it is told so.
    fn is_early(&self, request: &Request) -> bool {
        let awaited = self.down.is_none() || (self.fresh && !self.far);
        awaited
            && self.early_requests.len() < MOST_EARLY
            && request
                .needs_pane_of()
                .and_then(|session| self.expected.get(session))
                .is_some_and(|expected| expected.pane.is_none())
    }

    /// All sessions were looked for, or can't be.
    pub(super) fn handle_early_requests(&mut self) {
        for request in std::mem::take(&mut self.early_requests) {
            self.handle_request(request);
        }
    }

    pub(super) fn pane_of(&mut self, session: &SessionId) -> Result<&mut Pane, HostError> {
        if let Some(reason) = &self.down {
            return Err(HostError::Unreachable(reason.clone()));
        }
        let pane = self.expected.get(session).and_then(|expected| expected.pane);
        pane.and_then(|id| self.panes.get_mut(&id))
            .ok_or_else(|| HostError::NoPane(session.clone()))
    }

    fn watch(&mut self, session: SessionId, viewer: Viewer, history: u32) -> Result<(), HostError> {
        let now = self.now;
        let expected =
            self.expected.get(&session).ok_or_else(|| HostError::NoPane(session.clone()))?;
        if let Some(reason) = &self.down {
            viewer.tell(TerminalMessage::Unreachable { reason: reason.clone() });
        }
        match expected.pane.and_then(|id| self.panes.get_mut(&id)) {
            Some(pane) => {
                if pane.dead {
                    viewer.tell(TerminalMessage::Exited { exit_code: None });
                }
                pane.watch(viewer, history);
                // Whoever watches wants to see it now.
                pane.rests_until = pane.rests_until.map(|_| now);
                let id = pane.id;
                self.seed_if_wanted(id);
            }
            None => self.early.entry(session).or_default().push((viewer, history)),
        }
        Ok(())
    }

    /// Ends a session. While that can't be done, or until it is, it is watched.
    fn dispose(&mut self, session: &SessionId, end: End, answer: Answer<()>) {
        let down = self.down.as_ref().filter(|_| !end.forget);
        if let (Some(reason), true) = (down, self.expected.contains_key(session)) {
            return fail(Some(answer), HostError::Unreachable(reason.clone()));
        }
        let commands = self.end_commands(session, end.kill);
        if self.down.is_some() || commands.is_empty() {
            // There is nothing to end; that is what was wanted.
            return self.disposed(session, answer);
        }
        self.ask(Batch::new(commands), Purpose::Dispose(session.clone(), answer));
    }

    fn end_commands(&self, session: &SessionId, kill: bool) -> Vec<Command> {
        let Some(expected) = self.expected.get(session) else { return Vec::new() };
        // Where its user has moved it, their own panes may be beside it.
        let is_at_home = !expected.adopted && expected.tmux_session == session.as_str();
        let Some(pane) = expected.pane.and_then(|id| self.panes.get(&id)) else {
            // It was not seen yet.
            let end = Command::new("kill-window").opt("-t", format!("={session}:"));
            return Vec::from_iter((kill && is_at_home).then_some(end));
        };
        let is_alone = !self.is_watched(pane.window, pane.id);
        if kill && is_at_home && is_alone {
            return vec![Command::new("kill-window").opt("-t", pane.window.to_string())];
        }
        let end = Command::new("kill-pane").opt("-t", pane.id.to_string());
        // The hub would keep a window in which nothing of ours is left.
        let leave = Command::new("unlink-window").opt("-t", format!("{HUB}:{}", pane.window));
        kill.then_some(end).into_iter().chain(is_alone.then_some(leave)).collect()
    }

    /// Whether another pane than this one is watched in a window.
    pub(super) fn is_watched(&self, window: WindowId, besides: PaneId) -> bool {
        self.panes.iter().any(|pane| pane.window == window && pane.id != besides)
    }

    /// A session is over.
    pub(super) fn disposed(&mut self, session: &SessionId, answer: Answer<()>) {
        let pane = self.expected.remove(session).and_then(|expected| expected.pane);
        self.early.remove(session);
        if let Some(pane) = pane.and_then(|id| self.panes.remove(&id)) {
            pane.tell_all(&TerminalMessage::Gone);
        }
        // Whoever asked may have left.
        let _ = answer.send(Ok(()));
    }
}
