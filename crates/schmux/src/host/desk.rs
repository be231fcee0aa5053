//! The courier's desk at a pane: what it is shown of the pane, and the gate that
//! keeps the human's keys waiting while it writes. Does no IO.
//!
//! The host never waits for the courier: a view that doesn't fit its queue is
//! shown again later. A gate whose courier is gone, or that stays closed for
//! too long, opens by itself.

use schmux_core::courier::{Event, Pane as Facts};
use schmux_core::screen::{Screen, View};
use schmux_core::time::Moment;
use tokio::sync::mpsc;

use super::request::{Answer, HostError};

/// Views come at most this often. An agent's frame takes some milliseconds, and
/// half of one proves nothing.
const BETWEEN_VIEWS_MS: i64 = 10;

/// The courier opens its gate after 1.5 s at the latest; this is for one that hangs.
const LONGEST_CLOSED_MS: i64 = 5_000;

/// What a human typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// Raw bytes, as a terminal would send them.
    Keys(Vec<u8>),
    /// Keys by tmux's names for them.
    Named(Vec<String>),
    Paste(Vec<u8>),
}

impl Input {
    pub fn is_empty(&self) -> bool {
        match self {
            Input::Keys(bytes) | Input::Paste(bytes) => bytes.is_empty(),
            Input::Named(keys) => keys.is_empty(),
        }
    }
}

/// What there is to see of a pane.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a> {
    pub screen: &'a Screen,
    pub title: &'a str,
    /// When it last printed something.
    pub since: Moment,
}

/// Input that waits at the gate, and whoever wants to know what became of it.
pub(super) type Waiting = (Input, Option<Answer<()>>);

#[derive(Default)]
pub(super) struct Desk {
    courier: Option<mpsc::Sender<Event>>,
    /// Something was printed since the last view.
    stale: bool,
    shown_at: Moment,
    /// What waits, and since when the gate is closed.
    closed: Option<(Moment, Vec<Waiting>)>,
    /// Keys that tmux kept behind an earlier closing, and gave when the gate was closed
    /// again: they are older than all that waits.
    carried: Vec<u8>,
    /// How often it was closed.
    closings: u64,
    /// It is being opened: what tmux has kept goes first.
    opening: bool,
}

impl Desk {
    pub fn sit_down(&mut self, courier: mpsc::Sender<Event>) {
        self.courier = Some(courier);
        self.stale = true;
    }

    /// The pane has printed something, or was drawn anew.
    pub fn note_output(&mut self) {
        self.stale = self.courier.is_some();
    }

    pub fn tell(&mut self, event: Event) {
        if let Some(courier) = &self.courier
            && let Err(mpsc::error::TrySendError::Closed(_)) = courier.try_send(event)
        {
            self.courier = None;
        }
    }

    /// Shows the screen now, whatever was shown before.
    pub fn show(&mut self, Sight { screen, title, since }: Sight<'_>, now: Moment) {
        let Some(courier) = &self.courier else { return };
        let view = Box::new(View::of(screen, title));
        self.shown_at = now;
        self.stale = match courier.try_send(Event::Screen { view, since }) {
            Ok(()) => false,
            Err(mpsc::error::TrySendError::Full(_)) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => {
                self.courier = None;
                false
            }
        };
    }

    /// Answers a look: what the pane shows comes first.
    pub fn looked(&mut self, sight: Option<Sight<'_>>, (number, facts): (u64, Facts), now: Moment) {
        if let Some(sight) = sight {
            self.show(sight, now);
        }
        self.tell(Event::Looked(number, facts));
    }

    /// When something is to be done although nothing happened.
    pub fn due(&self) -> Option<Moment> {
        let view = self.stale.then_some(Moment(self.shown_at.0 + BETWEEN_VIEWS_MS));
        let gate = self.closed.as_ref().map(|(since, _)| Moment(since.0 + LONGEST_CLOSED_MS));
        [view, gate].into_iter().flatten().min()
    }

    pub fn is_due_to_show(&self, now: Moment) -> bool {
        self.stale && now.0 - self.shown_at.0 >= BETWEEN_VIEWS_MS
    }

    /// Returns the number of this closing: a gate that is being opened, and is
    /// closed again meanwhile, stays closed.
    pub fn close_gate(&mut self, now: Moment) -> u64 {
        let waiting = self.closed.take().map(|(_, waiting)| waiting);
        self.closed = Some((now, waiting.unwrap_or_default()));
        self.closings += 1;
        self.opening = false;
        self.closings
    }

    /// The courier has opened it, and may leave; tmux is asked for what it has.
    pub fn begin_opening(&mut self) {
        self.opening = true;
    }

    /// The number of the last closing.
    pub fn closing(&self) -> u64 {
        self.closings
    }

    /// Keys that were typed before this closing wait, too.
    pub fn carry(&mut self, keys: &[u8]) {
        self.carried.extend_from_slice(keys);
    }

    pub fn take_carried(&mut self) -> Option<Waiting> {
        let keys = std::mem::take(&mut self.carried);
        (!keys.is_empty()).then_some((Input::Keys(keys), None))
    }

    /// Whether the courier is at work, and keys wait.
    pub fn is_closed(&self) -> bool {
        self.closed.is_some()
    }

    /// Opens it and hands out what waited, in its order.
    pub fn open_gate(&mut self) -> Vec<Waiting> {
        let waiting = self.closed.take().map(|(_, waiting)| waiting).unwrap_or_default();
        self.take_carried().into_iter().chain(waiting).collect()
    }

    /// Whether the gate should open by itself: nobody works behind it any more.
    pub fn is_forsaken(&self, now: Moment) -> bool {
        let is_gone = self.courier.as_ref().is_none_or(mpsc::Sender::is_closed) && !self.opening;
        self.closed
            .as_ref()
            .is_some_and(|(since, _)| is_gone || now.0 - since.0 >= LONGEST_CLOSED_MS)
    }

    /// Takes the human's input if the gate is closed; gives it back if it is open.
    pub fn pass(&mut self, input: Input, answer: Option<Answer<()>>) -> Option<Waiting> {
        self.tell(Event::HumanKeys { passed: self.closed.is_none() });
        match &mut self.closed {
            Some((_, waiting)) => {
                waiting.push((input, answer));
                None
            }
            None => Some((input, answer)),
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for (_, answer) in self.open_gate() {
            // Whoever typed may have left.
            answer.map(|answer| answer.send(Err(HostError::Lost("its pane is gone".into()))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Input {
        Input::Keys(text.as_bytes().to_vec())
    }

    #[test]
    fn input_waits_in_its_order_while_the_gate_is_closed() {
        let mut desk = Desk::default();
        let (courier, mut events) = mpsc::channel(8);
        desk.sit_down(courier);
        assert!(desk.pass(keys("a"), None).is_some());
        desk.close_gate(Moment(0));
        assert!(desk.pass(keys("b"), None).is_none());
        assert!(desk.pass(Input::Paste(b"c".to_vec()), None).is_none());
        let waited: Vec<Input> = desk.open_gate().into_iter().map(|(input, _)| input).collect();
        assert_eq!(waited, [keys("b"), Input::Paste(b"c".to_vec())]);
        assert!(desk.pass(keys("d"), None).is_some());
        let passed: Vec<bool> = std::iter::from_fn(|| match events.try_recv().ok()? {
            Event::HumanKeys { passed } => Some(passed),
            _ => None,
        })
        .collect();
        assert_eq!(passed, [true, false, false, true]);
    }

    #[test]
    fn what_waited_behind_an_earlier_closing_goes_first() {
        let mut desk = Desk::default();
        desk.close_gate(Moment(0));
        desk.begin_opening();
        desk.close_gate(Moment(1));
        assert!(desk.pass(keys("c"), None).is_none());
        desk.carry(b"a");
        desk.carry(b"b");
        let waited: Vec<Input> = desk.open_gate().into_iter().map(|(input, _)| input).collect();
        assert_eq!(waited, [keys("ab"), keys("c")]);
        desk.close_gate(Moment(2));
        desk.carry(b"d");
        assert_eq!(desk.take_carried().map(|(input, _)| input), Some(keys("d")));
        assert!(desk.take_carried().is_none());
    }

    #[test]
    fn a_gate_without_a_courier_opens() {
        let mut desk = Desk::default();
        let (courier, events) = mpsc::channel(1);
        desk.sit_down(courier);
        desk.close_gate(Moment(0));
        assert!(!desk.is_forsaken(Moment(10)));
        assert!(desk.is_forsaken(Moment(LONGEST_CLOSED_MS)));
        drop(events);
        assert!(desk.is_forsaken(Moment(10)));
        desk.begin_opening();
        assert!(!desk.is_forsaken(Moment(10)) && desk.is_forsaken(Moment(LONGEST_CLOSED_MS)));
        desk.close_gate(Moment(10));
        assert!(desk.is_forsaken(Moment(10)));
    }

    #[test]
    fn a_view_that_found_no_room_is_shown_later() {
        let mut desk = Desk::default();
        let (courier, mut events) = mpsc::channel(1);
        desk.sit_down(courier);
        let screen = Screen::new(schmux_core::screen::Size { cols: 20, rows: 3 });
        let sight = Sight { screen: &screen, title: "", since: Moment(0) };
        desk.show(sight, Moment(0));
        assert_eq!(desk.due(), None);
        desk.note_output();
        desk.show(sight, Moment(5));
        assert_eq!(desk.due(), Some(Moment(15)));
        events.try_recv().unwrap();
        assert!(desk.is_due_to_show(Moment(15)));
        desk.show(sight, Moment(15));
        assert_eq!(desk.due(), None);
    }
}
