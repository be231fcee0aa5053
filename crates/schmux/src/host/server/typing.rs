//! What is typed into panes: by humans, through the gate, and by the courier.

use schmux_core::courier::{Event, Gate, Pane as Facts};
use schmux_core::fleet::{Fact, is_shell};
use schmux_core::ids::{PaneId, SessionId};
use schmux_core::tmux::{Batch, Command};

use super::commands::nonce;
use super::hold::Opening;
use super::turns::{By, Typing};
use super::typed::{self, Typed};
use super::{Purpose, Rooms};
use crate::host::desk::{Input, Waiting};
use crate::host::hold;
use crate::host::pane::Pane;
use crate::host::request::{Answer, CourierRequest, HostError};

/// What a look at a pane asks. The leading word keeps it from looking like protocol.
fn look_format() -> String {
    format!(
        "look #{{pane_dead}} #{{pane_in_mode}} {} y#{{s/ /_/:pane_current_command}}",
        hold::SLIPPED
    )
}

/// Typing is told to the hub at most this often: the engine counts in seconds.
const TELL_TYPED_MS: i64 = 500;

impl Rooms {
    /// A human's input waits while the courier writes, and goes on in order after it.
    pub(super) fn human_types(
        &mut self,
        session: SessionId,
        input: Input,
        answer: Option<Answer<()>>,
    ) {
        let passed = match self.pane_of(&session) {
            Ok(pane) => pane.desk.pass(input, answer),
            Err(error) => return fail(answer, error),
        };
        if let Some(waiting) = passed {
            self.let_through(&session, waiting, false);
        }
    }

    /// A human has typed past the gate, by a terminal of their own.
    pub(super) fn human_typed(&mut self, session: &SessionId, typed: Typed) {
        if let Ok(pane) = self.pane_of(session) {
            pane.desk.tell(Event::HumanKeys { passed: true });
            self.note_answer(session, typed);
        }
    }

    /// Opens gates that nobody works behind any more.
    pub(super) fn open_forsaken_gates(&mut self) {
        let now = self.now;
        let forsaken = self.panes.iter().filter(|pane| pane.desk.is_forsaken(now));
        let forsaken: Vec<PaneId> = forsaken.map(|pane| pane.id).collect();
        for id in forsaken {
            let Some(pane) = self.panes.get_mut(&id) else { continue };
            let (session, waiting) = (pane.session.clone(), pane.desk.open_gate());
            tracing::warn!(%session, "the courier left its gate closed");
            waiting.into_iter().for_each(|waiting| self.let_through(&session, waiting, true));
            if let Ok(pane) = self.pane_of(&session) {
                let opening = Opening { pane: pane.id, closing: pane.desk.closing(), replay: true };
                self.open_hold(&session, opening);
            }
        }
    }

    pub(super) fn handle_courier(&mut self, request: CourierRequest) {
        let now = self.now;
        match request {
            CourierRequest::SitDown { session, events } => {
                if let Ok(pane) = self.pane_of(&session) {
                    pane.desk.sit_down(events);
                    pane.show_desk(now);
                }
            }
            CourierRequest::Look { session, number } => {
                if let Ok(pane) = self.pane_of(&session) {
                    let id = pane.id;
                    let look = Command::new("display-message").arg("-p");
                    let look = look.opt("-t", id.to_string()).arg(look_format());
                    self.ask_in_turn(id, look, Purpose::Look(id, number));
                }
            }
            CourierRequest::Write { session, input, answer } => {
                self.type_for(&session, By::Courier, input, Purpose::Answer(answer));
            }
            CourierRequest::Watch { session } => self.watch_keys(&session),
            CourierRequest::Submit { session, answer } => match self.pane_of(&session) {
                Ok(pane) if pane.in_mode || pane.dead => drop(answer.send(Ok(false))),
                Ok(pane) => {
                    let id = pane.id;
                    let submit = Batch::branching(hold::submit(id), nonce());
                    self.ask_in_turn(id, submit, Purpose::Submit(id, answer));
                }
                Err(error) => fail(Some(answer), error),
            },
            CourierRequest::Gate { session, gate } => self.set_gate(&session, gate),
            CourierRequest::Repaint { session } => self.repaint(&session),
        }
    }

    /// What tmux says of a pane that was looked at.
    pub(super) fn looked(&mut self, pane: PaneId, number: u64, body: &[u8]) {
        let now = self.now;
        let (Some(room), Some(facts)) = (self.panes.get_mut(&pane), parse_look(body)) else {
            return;
        };
        room.look_from_desk((number, facts), now);
    }

    /// The courier's Enter was pressed: what the agent says from here on is of another turn.
    pub(super) fn submitted(&mut self, pane: PaneId) {
        let now = self.now;
        if let Some(room) = self.panes.get_mut(&pane) {
            room.ears.begin_turn(now);
            self.facts.push((room.session.clone(), Fact::Submitted { at: now }));
        }
    }

    fn set_gate(&mut self, session: &SessionId, gate: Gate) {
        let now = self.now;
        let pane = match (self.pane_of(session), &gate) {
            (Ok(pane), _) => pane,
            (Err(_), Gate::Open { first, .. }) if !first.is_empty() => {
                let keys = Input::Keys(first.clone());
                return self.withhold(session, (keys, None));
            }
            (Err(_), _) => return,
        };
        match gate {
            Gate::Close => {
                let closing = pane.desk.close_gate(now);
                self.close_hold(session, closing);
            }
            Gate::Open { first, replay } => {
                pane.desk.begin_opening();
                let opening = Opening { pane: pane.id, closing: pane.desk.closing(), replay };
                if let Some(carried) = pane.desk.take_carried() {
                    self.release(session, carried, replay);
                }
                if !first.is_empty() {
                    self.release(session, (Input::Keys(first), None), replay);
                }
                self.open_hold(session, opening);
            }
        }
    }

    /// A dialog has opened since this was typed, which it was not meant for, or there
    /// is no way to its pane.
    pub(super) fn withhold(&mut self, session: &SessionId, (input, answer): Waiting) {
        let data = match &input {
            Input::Keys(bytes) | Input::Paste(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Input::Named(keys) => keys.join(" "),
        };
        self.facts.push((session.clone(), Fact::Withheld { keys: data }));
        fail(answer, HostError::Withheld);
    }

    /// Has the agent draw everything anew, by a size that is not its own for a moment.
    fn repaint(&mut self, session: &SessionId) {
        let Ok(pane) = self.pane_of(session) else { return };
        let (window, Some(size)) = (pane.window.to_string(), pane.size()) else { return };
        if pane.adopted {
            // The window's size is the user's, and may be shared by several panes.
            return;
        }
        for rows in [size.rows.saturating_sub(1).max(2), size.rows] {
            let resize = Command::new("resize-window").opt("-t", &window);
            self.ask(resize.opt("-y", rows.to_string()), Purpose::Nothing);
        }
    }

    /// What a human typed goes on; `replayed` if it has waited at a gate.
    pub(super) fn let_through(
        &mut self,
        session: &SessionId,
        (input, answer): Waiting,
        replayed: bool,
    ) {
        let typed = match &input {
            Input::Keys(bytes) => typed::of_bytes(bytes),
            Input::Named(keys) => typed::of_names(keys),
            Input::Paste(_) => Typed::Text,
        };
        self.note_answer(session, typed);
        let purpose = match (answer, &input) {
            (Some(answer), _) => Purpose::Answer(answer),
            (None, Input::Keys(keys)) if replayed => {
                Purpose::Replayed(session.clone(), keys.clone())
            }
            (None, _) => Purpose::Nothing,
        };
        self.type_for(session, By::Human, input, purpose);
    }

    /// What the human types may be an answer: the call is over then, and with
    /// Enter a turn begins.
    fn note_answer(&mut self, session: &SessionId, typed: Typed) {
        let now = self.now;
        let Ok(pane) = self.pane_of(session) else { return };
        if pane.dead {
            return;
        }
        let is_news = pane.typed_at.is_none_or(|at| now.0 - at.0 >= TELL_TYPED_MS);
        pane.typed_at = Some(now);
        if typed == Typed::Text {
            if is_news {
                self.facts.push((session.clone(), Fact::Typed { at: now }));
            }
            return;
        }
        if typed == Typed::Enter {
            pane.ears.begin_turn(now);
        }
        self.facts
            .push((session.clone(), Fact::Answered { at: now, enter: typed == Typed::Enter }));
    }

    pub(super) fn type_for(&mut self, session: &SessionId, by: By, input: Input, purpose: Purpose) {
        let id = match self.pane_of(session) {
            Ok(pane) if pane.dead => return purpose.fail(&HostError::Ended(session.clone())),
            Ok(pane) => pane.id,
            Err(error) => return purpose.fail(&error),
        };
        if !input.is_empty() {
            self.type_in_turn(id, Typing::new(by, input, purpose));
        } else if let Purpose::Answer(answer) = purpose {
            // Whoever asked may have left.
            let _ = answer.send(Ok(()));
        }
    }
}

pub(super) fn fail<T>(answer: Option<Answer<T>>, error: HostError) {
    if let Some(answer) = answer {
        // Whoever asked may have left.
        let _ = answer.send(Err(error));
    }
}

fn parse_look(body: &[u8]) -> Option<Facts> {
    let text = String::from_utf8_lossy(body);
    let mut fields = text.strip_prefix("look ")?.splitn(4, ' ');
    let dead = fields.next()? == "1";
    let in_mode = fields.next()? == "1";
    let slipped = fields.next()? == "1";
    let shell = is_shell(fields.next()?.strip_prefix('y')?);
    Some(Facts { dead, in_mode, shell, slipped })
}

impl Pane {
    /// Shows the courier what there is to see, if it may look now.
    pub(super) fn show_desk(&mut self, now: schmux_core::time::Moment) {
        if self.desk.is_due_to_show(now) {
            self.show_to_courier(now);
        }
    }

    pub(super) fn tell_desk_facts(&mut self) {
        let shell = is_shell(self.front());
        let facts = Facts { dead: self.dead, in_mode: self.in_mode, shell, slipped: false };
        self.desk.tell(Event::Pane(facts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_understood() {
        let facts = Facts { dead: false, in_mode: true, shell: true, slipped: true };
        assert_eq!(parse_look(b"look 0 1 1 yzsh"), Some(facts));
        assert_eq!(parse_look(b"look 1 0 0 y"), Some(Facts { dead: true, ..Facts::default() }));
        assert_eq!(parse_look(b"nonsense"), None);
    }
}
