use super::*;
use crate::courier::adapter::Adapter;
use crate::courier::message::MessageId;
use crate::courier::{Event, Stored};
use crate::ids::SessionId;

/// A courier whose disk can be made to wait or to fail.
struct Desk {
    courier: Courier,
    now: i64,
    /// All receipts so far.
    told: Vec<(i64, Receipt)>,
    given: Vec<(String, Option<i64>)>,
    /// Numbers that are not on disk yet.
    unstored: Vec<u64>,
    is_slow: bool,
}

fn message(id: i64, agent: bool, urgent: bool) -> Message {
    let from = match agent {
        true => Sender::Agent(SessionId::new("other").unwrap()),
        false => Sender::Human,
    };
    Message { urgent, ..Message::new(MessageId(id), from, format!("m{id}"), Moment(0)) }
}

impl Desk {
    fn new(stored: Stored) -> Desk {
        let adapter = Adapter::of(Some("claude")).clone();
        let courier = Courier::restore(adapter, stored, Moment(0));
        let (told, given, unstored) = (vec![], vec![], vec![]);
        Desk { courier, now: 0, told, given, unstored, is_slow: false }
    }

    fn feed(&mut self, event: Event) {
        let mut events = vec![event];
        while let Some(event) = events.pop() {
            for effect in self.courier.handle(event, Moment(self.now)) {
                match effect {
                    Effect::Store(seq, save) => {
                        let told = save.receipts.into_iter().map(|s| (s.message.0, s.receipt));
                        // What holds the next one up is another test's matter.
                        self.told.extend(told.filter(|(_, r)| !matches!(r, Receipt::Held(_))));
                        match self.is_slow {
                            true => self.unstored.push(seq),
                            false => events.push(Event::Stored(seq)),
                        }
                    }
                    Effect::Give(call, message) => {
                        self.given.push((call, message.map(|message| message.id.0)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn chance(&mut self, call: &str, chance: Chance) -> Option<i64> {
        self.feed(Event::Chance(call.into(), chance));
        let (to, given) = self.given.pop().expect("every chance is answered");
        assert_eq!(to, call);
        given
    }

    fn state(&self, id: i64) -> Option<&Receipt> {
        self.told.iter().rev().find(|(message, _)| *message == id).map(|(_, receipt)| receipt)
    }
}

fn with(messages: &[Message]) -> Desk {
    Desk::new(Stored { waiting: messages.to_vec(), ..Stored::default() })
}

#[test]
fn a_hook_takes_it_along_and_the_next_one_confirms_it() {
    let mut desk = with(&[message(1, true, false), message(2, true, false)]);
    assert_eq!(desk.chance("a", Chance::Turn), Some(1));
    assert_eq!(desk.chance("b", Chance::Turn), None, "the first is not passed on yet");
    desk.feed(Event::Passed("a".into()));
    assert_eq!(desk.state(1), Some(&Receipt::Passed));
    desk.feed(Event::Passed("a".into()));
    assert_eq!(desk.chance("c", Chance::Stop), Some(2));
    assert_eq!(desk.state(1), Some(&Receipt::Confirmed(Proof::WentOn)));
    desk.feed(Event::Passed("c".into()));
    desk.feed(Event::WentOn("d".into()));
    assert_eq!(desk.state(2), Some(&Receipt::Confirmed(Proof::WentOn)));
    assert_eq!(desk.told.len(), 6, "{:?}", desk.told);
    assert_eq!(desk.chance("e", Chance::Fetch), None);
}

#[test]
fn a_human_s_words_wait_to_be_typed_unless_urgent_or_fetched() {
    for (chance, urgent, given) in [
        (Chance::Turn, false, None),
        (Chance::Stop, false, None),
        (Chance::Turn, true, Some(1)),
        (Chance::Fetch, false, Some(1)),
    ] {
        assert_eq!(with(&[message(1, false, urgent)]).chance("a", chance), given, "{chance:?}");
    }
}

#[test]
fn what_a_hook_surely_missed_is_tried_again_and_nothing_else() {
    let mut desk = with(&[message(1, true, false), message(2, true, false)]);
    assert_eq!(desk.chance("a", Chance::Turn), Some(1));
    desk.feed(Event::Missed("other".into()));
    assert_eq!(desk.chance("b", Chance::Turn), None);
    desk.feed(Event::Missed("a".into()));
    assert_eq!(desk.state(1), Some(&Receipt::Queued));
    assert_eq!(desk.chance("c", Chance::Turn), Some(1), "it is the first again");
    // No word at all: it isn't known, and the next one may go.
    desk.now = timing::HANDED;
    desk.feed(Event::Tick);
    assert_eq!(desk.state(1), Some(&Receipt::Indeterminate(Doubt::NotPassed)));
    assert_eq!(desk.chance("d", Chance::Turn), Some(2));
    // A late word counts all the same.
    desk.feed(Event::Passed("c".into()));
    assert_eq!(desk.state(1), Some(&Receipt::Passed));
    desk.feed(Event::Missed("c".into()));
    assert_eq!(desk.state(1), Some(&Receipt::Passed), "it was passed on");
}

#[test]
fn nothing_leaves_before_it_is_on_disk() {
    let mut desk = with(&[message(1, true, false)]);
    desk.is_slow = true;
    desk.feed(Event::Chance("a".into(), Chance::Turn));
    assert!(desk.given.is_empty());
    let seq = desk.unstored.pop().unwrap();
    desk.feed(Event::StoreFailed(seq));
    assert_eq!(desk.given.pop(), Some(("a".into(), None)));
    desk.feed(Event::Chance("b".into(), Chance::Turn));
    let seq = desk.unstored.pop().unwrap();
    desk.feed(Event::Stored(seq));
    assert_eq!(desk.given.pop(), Some(("b".into(), Some(1))));
}

#[test]
fn a_call_that_gave_up_meanwhile_gets_nothing() {
    let mut desk = with(&[message(1, true, false)]);
    desk.is_slow = true;
    desk.feed(Event::Chance("a".into(), Chance::Turn));
    desk.feed(Event::Missed("a".into()));
    let seq = desk.unstored.remove(0);
    desk.feed(Event::Stored(seq));
    assert!(desk.given.is_empty(), "nobody waits for it");
    assert_eq!(desk.state(1), Some(&Receipt::Queued));
    desk.is_slow = false;
    desk.feed(Event::Missed("b".into()));
    assert_eq!(desk.chance("b", Chance::Turn), None);
    assert_eq!(desk.chance("c", Chance::Turn), Some(1));
}

#[test]
fn a_restart_waits_for_the_hook_s_word() {
    let stored = || Stored {
        waiting: vec![message(2, true, false)],
        handed: vec![(message(1, true, false), "a".into())],
        ..Stored::default()
    };
    for (word, expected, next) in [
        (Event::Missed("a".into()), Receipt::Queued, Some(1)),
        (Event::Passed("a".into()), Receipt::Confirmed(Proof::WentOn), Some(2)),
    ] {
        let mut desk = Desk::new(stored());
        assert_eq!(desk.chance("b", Chance::Turn), None, "the word may still come");
        desk.feed(word);
        assert_eq!(desk.chance("c", Chance::Turn), next);
        assert!(desk.told.contains(&(1, expected)), "{:?}", desk.told);
    }
    let mut desk = Desk::new(stored());
    desk.now = timing::HANDED;
    desk.feed(Event::Tick);
    assert_eq!(desk.state(1), Some(&Receipt::Indeterminate(Doubt::NotPassed)));
}

#[test]
fn answers_are_in_each_agent_s_form() {
    for (agent, event, expected) in [
        (
            "claude",
            "PostToolUse",
            r#"{"hookSpecificOutput":{"additionalContext":"w","hookEventName":"PostToolUse"}}"#,
        ),
        ("codex", "Stop", r#"{"decision":"block","reason":"w"}"#),
        ("gemini", "AfterAgent", r#"{"decision":"deny","reason":"w"}"#),
    ] {
        let chance = Chance::of(agent, event).unwrap();
        let said: serde_json::Value =
            serde_json::from_str(&chance.answer(agent, event, "w")).unwrap();
        assert_eq!(said, serde_json::from_str::<serde_json::Value>(expected).unwrap());
    }
    assert_eq!(Chance::of("claude", "PreToolUse"), None);
    assert_eq!(Chance::of("aider", "Stop"), None);
}
