use super::*;
use crate::courier::adapter::Adapter;
use crate::courier::drawing::draw;
use crate::courier::message::{Message, MessageId, Sender};
use crate::courier::{CallId, Caller, EditorAnswer, Event, Pane, Standing};

/// A courier with one message, at an agent that reads nothing for a while. Disk
/// and tmux answer at once.
struct Desk {
    courier: Courier,
    /// The ticket, and how often the editor key was pressed.
    ticket: Option<Moment>,
    presses: usize,
    enters: usize,
    answers: Vec<EditorAnswer>,
    wake: Option<Moment>,
}

const RULE: &str = "────────────────────";
/// A draft that can't be put away: the delivery ends with its first call.
const PICTURE: &str = "see [Image #1]";

impl Desk {
    /// Two presses wait at the agent; returns when.
    fn pressed_twice(draft: &str) -> (Desk, i64) {
        let mut desk = Desk::with_message("claude", draft);
        let mut now = 0;
        while desk.presses < 2 {
            now = desk.wait(|desk| desk.presses, now);
        }
        (desk, now)
    }

    fn with_message(agent: &str, draft: &str) -> Desk {
        let courier = Courier::new(Adapter::of(Some(agent)).clone());
        let (ticket, answers, wake) = (None, vec![], None);
        let mut desk = Desk { courier, ticket, presses: 0, enters: 0, answers, wake };
        desk.feed(Event::Standing(Standing::Idle), 0);
        desk.show(draft, 0);
        let words = Message::new(MessageId(1), Sender::Human, "words", Moment(0));
        desk.feed(Event::Message(words), 0);
        desk
    }

    /// Lets time pass until something was done once more; returns when.
    fn wait(&mut self, what: impl Fn(&Desk) -> usize, now: i64) -> i64 {
        let (before, mut now) = (what(self), now);
        while what(self) == before {
            now = self.wake.expect("something comes next").0;
            assert!(now <= 2 * timing::PRESS_AGAIN, "it was not done");
            self.feed(Event::Tick, now);
        }
        now
    }

    fn feed(&mut self, event: Event, now: i64) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            for effect in self.courier.handle(event, Moment(now)) {
                match effect {
                    Effect::Store(seq, _) => events.push(Event::Stored(seq)),
                    Effect::Look(seq) => events.push(Event::Looked(seq, Pane::default())),
                    Effect::Ticket(until) => self.ticket = until,
                    Effect::Press(_) => self.presses += 1,
                    Effect::Submit => self.enters += 1,
                    Effect::Answer(_, answer) => self.answers.push(answer),
                    Effect::Wake(at) => self.wake = Some(at),
                    _ => {}
                }
            }
        }
    }

    /// The field shows this.
    fn show(&mut self, text: &str, now: i64) {
        let view = Box::new(draw(&[RULE, &format!("❯ {text}▮"), RULE]));
        self.feed(Event::Screen { view, since: Moment(now) }, now);
    }

    /// An editor starts, asks and exits.
    fn call(&mut self, number: u64, content: &str, now: i64) -> Option<EditorAnswer> {
        let (call, caller) = (CallId(number), Caller::Agent);
        self.feed(Event::EditorCalled { call, caller, content: content.into() }, now);
        let wrote = matches!(self.answers.last(), Some(EditorAnswer::Write(_)));
        self.feed(Event::EditorEnded { call, wrote, keys: vec![], kept: None }, now);
        self.answers.pop()
    }
}

#[test]
fn the_ticket_goes_when_no_press_can_come_any_more() {
    let (mut desk, now) = Desk::pressed_twice(PICTURE);
    assert_eq!(desk.call(1, PICTURE, now), Some(EditorAnswer::Leave));
    desk.feed(Event::Tick, now + timing::BACK);
    assert_eq!(desk.courier.under_way(), None, "the draft holds the message");
    // The second press may be right behind.
    assert!(desk.ticket.is_some());
    let over = now + timing::STRAYS + 1;
    assert_eq!(desk.wake, Some(Moment(over)), "it must come by itself");
    desk.feed(Event::Tick, over - 1);
    assert!(desk.ticket.is_some());
    desk.feed(Event::Tick, over);
    assert_eq!(desk.ticket, None);
    // Whoever calls now is a person.
    assert_eq!(desk.call(2, PICTURE, over + 1), Some(EditorAnswer::Human));
    assert_eq!(desk.presses, 2);
}

#[test]
fn the_ticket_goes_with_the_last_press_that_is_answered() {
    let (mut desk, now) = Desk::pressed_twice(PICTURE);
    assert_eq!(desk.call(1, PICTURE, now), Some(EditorAnswer::Leave));
    desk.feed(Event::Tick, now + timing::BACK);
    assert_eq!(
        desk.call(2, PICTURE, now + 100),
        Some(EditorAnswer::Leave),
        "it finds nothing changed"
    );
    assert_eq!(desk.ticket, None);
    assert_eq!(desk.call(3, PICTURE, now + 200), Some(EditorAnswer::Human));
}

#[test]
fn presses_that_an_editor_caught_are_not_typed() {
    let mut presses = Presses::default();
    presses.pressed(Moment(0));
    presses.pressed(Moment(0));
    // Before the first was answered, what is caught was typed by someone.
    assert_eq!(presses.take_out(b"a\x07b", b"\x07", Moment(0)), b"a\x07b");
    presses.answered(Moment(0));
    assert_eq!(presses.take_out(b"a\x07b\x07", b"\x07", Moment(9)), b"ab\x07", "one was ours");
    assert_eq!(presses.strays(), None);
    assert!(!presses.is_unanswered(Moment(9)));
}

#[test]
fn enter_waits_for_an_editor_that_may_still_come() {
    let (mut desk, now) = Desk::pressed_twice("a draft");
    assert_eq!(desk.call(1, "a draft", now), Some(EditorAnswer::Write("words".into())));
    desk.show("words", now + 50);
    desk.feed(Event::Tick, now + 500);
    assert_eq!(desk.enters, 0, "the second press may be on its way");
    // It was: its editor has the terminal, and says when it goes.
    let (call, caller) = (CallId(2), Caller::Agent);
    let content = "words".into();
    desk.feed(Event::EditorCalled { call, caller, content }, now + 600);
    assert_eq!(desk.answers.pop(), Some(EditorAnswer::Leave));
    desk.feed(Event::Tick, now + 700);
    assert_eq!(desk.enters, 0, "Enter would go to the editor");
    desk.feed(Event::EditorEnded { call, wrote: false, keys: vec![], kept: None }, now + 700);
    desk.feed(Event::Tick, now + 700 + timing::BACK);
    assert_eq!(desk.enters, 1);
}

#[test]
fn an_enter_that_was_dropped_is_pressed_again_and_nothing_is_written_twice() {
    let draft = "a draft";
    for (agent, enters, then) in [("codex", 2, "words"), ("claude", 1, "")] {
        let mut desk = Desk::with_message(agent, draft);
        let now = desk.wait(|desk| desk.presses, 0);
        assert_eq!(desk.call(1, draft, now), Some(EditorAnswer::Write("words".into())));
        desk.show("words", now + 50);
        let now = desk.wait(|desk| desk.enters, now);
        // The text stays where it is, and the editor finds it.
        let now = desk.wait(|desk| desk.presses, now);
        assert_eq!(desk.call(2, "words", now), Some(EditorAnswer::Write(then.into())), "{agent}");
        desk.show(then, now + 50);
        desk.feed(Event::Tick, now + 50 + timing::BACK);
        desk.feed(Event::Tick, now + 300);
        assert_eq!(desk.enters, enters, "{agent}");
    }
}

/// An editor may be given the text of the last frame, and it would be lost.
#[test]
fn a_key_that_came_right_before_the_gate_shows_first() {
    let mut desk = Desk::with_message("gemini", "a draft");
    while desk.courier.gate.is_none() {
        let now = desk.wake.expect("something comes next").0;
        desk.feed(Event::Tick, now);
    }
    let closed = desk.courier.gate.unwrap().0;
    desk.feed(Event::Tick, closed + timing::CLOSED - 1);
    assert_eq!(desk.presses, 0);
    desk.show("a drafts", closed + timing::CLOSED - 1);
    desk.feed(Event::Tick, closed + timing::CLOSED);
    assert_eq!((desk.presses, desk.courier.under_way()), (0, None), "someone types");
    assert!(desk.courier.gate.is_none());
    // The next try finds it in the draft.
    let now = desk.wait(|desk| desk.presses, closed + timing::CLOSED);
    assert_eq!(desk.call(1, "a drafts", now), Some(EditorAnswer::Write("words".into())));
}

#[test]
fn a_press_that_was_not_made_is_waited_for_until_its_way_is_back() {
    let now = Moment(1_000);
    let mut presses = Presses::default();
    presses.pressed(Moment(1));
    presses.refused(false, now);
    assert!(!presses.is_unanswered(now) && presses.ready_at(now).is_none());
    presses.pressed(Moment(2));
    presses.refused(true, now);
    assert_eq!(presses.ready_at(now), Some(Moment(now.0 + timing::OWED_AGAIN[0])));
    presses.is_back();
    assert_eq!(presses.ready_at(now), None);
    // One that may have been made is waited for all the same.
    presses.pressed(Moment(3));
    presses.missed(false, 0, now);
    presses.is_back();
    assert_eq!(presses.ready_at(now), Some(Moment(now.0 + timing::PRESS_AGAIN)));
    assert!(presses.is_unanswered(now));
}

#[test]
fn an_answer_that_nobody_heard_counts_for_the_only_press() {
    let now = Moment(1_000);
    let missed = |tickets: &[i64]| {
        let mut presses = Presses::default();
        for ticket in tickets {
            presses.pressed(Moment(*ticket));
            presses.missed(false, 0, now);
        }
        presses
    };
    for (tickets, heard, counts) in
        [(&[7][..], 7, true), (&[7], 6, false), (&[6, 7], 7, false), (&[], 0, false)]
    {
        let mut presses = missed(tickets);
        assert_eq!(presses.answered_unheard(Moment(heard), now), counts, "{tickets:?}");
        assert_eq!(presses.ready_at(now).is_none(), counts || tickets.is_empty());
    }
    let mut restarted = Presses::default();
    restarted.after_restart(now);
    assert!(!restarted.answered_unheard(Moment(7), now), "what was pressed isn't known");
}
