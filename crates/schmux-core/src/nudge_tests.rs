//! Scenes: what is heard, second by second, and what the human gets of it.

use super::*;

fn said(state: State, message: &str, source: Source) -> Heard {
    Heard::Said(Signal::new(state, message, source))
}

fn file(state: State, message: &str) -> Heard {
    said(state, message, Source::StatusFile)
}

fn asked(about: Option<&str>) -> Heard {
    Heard::Asked { about: about.map(Into::into), message: "Bash: ls".into() }
}

fn ended() -> Heard {
    Heard::TurnEnded { message: "All done".into(), goes_on: false }
}

fn tool_ended(about: &str) -> Heard {
    Heard::ToolEnded { about: about.into() }
}

/// Plays a scene; returns `seq` and the state and words of the open call.
fn play(scene: &[(i64, Heard)]) -> (u64, Option<(State, String)>) {
    let mut attention = Attention::default();
    for (second, heard) in scene {
        attention.hear(heard.clone(), Moment(second * 1000));
    }
    (attention.seq, attention.nudge.map(|nudge| (nudge.state, nudge.message)))
}

#[track_caller]
fn check(scene: &[(i64, Heard)], seq: u64, open: Option<(State, &str)>) {
    let (count, nudge) = play(scene);
    assert_eq!((count, nudge.as_ref().map(|(s, m)| (*s, m.as_str()))), (seq, open));
}

use State::{Completed, Error, NeedsInput, NeedsTesting, Working};

#[test]
fn each_word_of_the_agent_counts_and_working_clears() {
    check(&[(1, file(NeedsInput, "a"))], 1, Some((NeedsInput, "a")));
    check(&[(1, file(NeedsInput, "a")), (2, file(NeedsInput, "b"))], 2, Some((NeedsInput, "b")));
    check(&[(1, file(Completed, "a")), (2, file(Completed, "a"))], 2, Some((Completed, "a")));
    check(&[(1, file(NeedsTesting, "a")), (2, file(Working, ""))], 1, None);
    check(&[(1, file(Working, "")), (2, file(Error, "x"))], 1, Some((Error, "x")));
}

#[test]
fn the_same_by_another_way_is_one_call() {
    let marker = |m| said(Completed, m, Source::Marker);
    check(&[(1, file(Completed, "a b")), (2, marker("a  b"))], 1, Some((Completed, "a b")));
    check(&[(1, file(Completed, "a")), (2, marker("b"))], 2, Some((Completed, "b")));
    check(&[(1, file(Completed, "a")), (40, marker("a"))], 2, Some((Completed, "a")));
    check(
        &[(1, file(Completed, "a")), (2, file(Working, "")), (3, marker("a"))],
        2,
        Some((Completed, "a")),
    );
}

#[test]
fn a_turn_ends_once() {
    check(&[(1, Heard::TurnBegan), (5, ended())], 1, Some((Completed, "All done")));
    check(&[(1, ended()), (2, ended())], 1, Some((Completed, "All done")));
    check(&[(1, ended()), (2, Heard::TurnBegan), (3, ended())], 2, Some((Completed, "All done")));
    // What the agent itself says of the turn stands.
    let own = [(1, file(NeedsInput, "Which?")), (2, tool_ended("t")), (30, ended())];
    check(&own, 1, Some((NeedsInput, "Which?")));
    // Its words come a moment later than the hook.
    check(&[(1, ended()), (2, file(Completed, "Tests pass"))], 1, Some((Completed, "Tests pass")));
    let goes_on = Heard::TurnEnded { message: "waiting".into(), goes_on: true };
    check(&[(1, asked(Some("t"))), (2, goes_on)], 1, Some((NeedsInput, "Bash: ls")));
    let failed = Heard::TurnFailed { message: "529".into() };
    check(&[(1, Heard::TurnBegan), (2, failed)], 1, Some((Error, "529")));
}

#[test]
fn a_dialog_is_one_call_until_its_own_tool_ran() {
    check(&[(1, asked(Some("t"))), (7, asked(None))], 1, Some((NeedsInput, "Bash: ls")));
    check(&[(1, asked(Some("t"))), (2, tool_ended("other"))], 1, Some((NeedsInput, "Bash: ls")));
    check(&[(1, asked(Some("t"))), (2, tool_ended("t"))], 1, None);
    check(&[(1, asked(Some("t"))), (2, asked(Some("u")))], 2, Some((NeedsInput, "Bash: ls")));
    check(&[(1, asked(None)), (2, tool_ended("t"))], 1, None);
    // The reminder comes after the human has answered.
    check(
        &[(1, asked(Some("t"))), (2, Heard::Answered { enter: true }), (7, asked(None))],
        1,
        None,
    );
    // A key that answered no dialog, such as the one that sent the prompt, silences none.
    check(
        &[(1, Heard::Answered { enter: true }), (2, asked(None))],
        1,
        Some((NeedsInput, "Bash: ls")),
    );
    check(
        &[(1, asked(None)), (2, Heard::Answered { enter: true }), (7, asked(None))],
        2,
        Some((NeedsInput, "Bash: ls")),
    );
    check(&[(1, asked(Some("t"))), (2, ended())], 2, Some((Completed, "All done")));
}

#[test]
fn the_tool_that_writes_the_status_does_not_clear_it() {
    let scene = [(1, Heard::ToolBegan), (2, file(NeedsInput, "Which?")), (3, tool_ended("t"))];
    check(&scene, 1, Some((NeedsInput, "Which?")));
    check(&[(1, ended()), (9, Heard::ToolBegan)], 1, None);
}

#[test]
fn the_human_answers() {
    check(&[(1, file(Error, "x")), (2, Heard::Answered { enter: true })], 1, None);
    let again = [(1, file(Error, "x")), (2, Heard::Answered { enter: true }), (3, ended())];
    check(&again, 2, Some((Completed, "All done")));
}

#[test]
fn details_are_added_without_a_call() {
    let mut attention = Attention::default();
    attention.hear(file(NeedsInput, "a"), Moment(1));
    let mut more = Signal::new(NeedsInput, "a", Source::StatusFile);
    more.add_detail("progress", "40");
    assert_eq!(attention.hear(Heard::Added(more), Moment(2)), Change::Shown);
    assert_eq!(attention.seq, 1);
    assert_eq!(attention.said.unwrap().detail("progress"), Some("40"));
}

#[test]
fn only_the_first_who_asks_may_ring() {
    let mut attention = Attention::default();
    assert!(!attention.claim("ring", 1, ""), "there is no such call yet");
    attention.hear(file(NeedsInput, "a"), Moment(1));
    assert!(attention.claim("ring", 1, ""));
    assert!(!attention.claim("ring", 1, ""));
    assert!(attention.claim("tab", 1, "a") && attention.claim("tab", 1, "a"), "asked again");
    assert!(!attention.claim("tab", 1, "b"));
    assert!(attention.claim("slack", 1, ""), "another channel has its own turn");
    attention.hear(file(NeedsInput, "b"), Moment(2));
    assert!(!attention.claim("ring", 1, ""), "that one is past");
    assert!(attention.acknowledge(2));
    assert!(!attention.acknowledge(2));
    assert!(!attention.claim("ring", 2, ""), "it was seen");
    assert!(!attention.acknowledge(99), "nobody can have seen what was not said");
    attention.hear(file(Error, "c"), Moment(3));
    attention.hear(Heard::Answered { enter: true }, Moment(4));
    assert!(!attention.claim("ring", 3, ""), "it was answered");
}

#[test]
fn doubles_are_known_by_their_ids() {
    let mut attention = Attention::default();
    assert!(!attention.is_double("a"));
    assert!(attention.is_double("a"));
    (0..REMEMBERED).for_each(|n| assert!(!attention.is_double(&n.to_string())));
    assert!(!attention.is_double("a"), "only the last ones are remembered");
}

#[test]
fn it_survives_being_stored() {
    let mut attention = Attention::default();
    attention.hear(asked(Some("t")), Moment(1));
    attention.claim("ring", 1, "");
    let text = serde_json::to_string(&attention).unwrap();
    assert_eq!(serde_json::from_str::<Attention>(&text).unwrap(), attention);
}

#[test]
fn a_childs_turn_is_not_its_parents() {
    let told = |news, child| Heard::of_hook(&Told { news, child, conversation: None });
    let ended = || News::TurnEnded { message: "m".into(), behind: Behind::Commands };
    assert_eq!(told(ended(), true), None);
    let heard = Heard::TurnEnded { message: "m".into(), goes_on: false };
    assert_eq!(told(ended(), false), Some(heard));
    let asks = || News::Asked { about: None, message: "m".into() };
    assert_eq!(told(asks(), true), Some(Heard::Asked { about: None, message: "m".into() }));
    assert_eq!(told(News::Interrupted, false), Some(Heard::Stopped));
    assert_eq!(told(News::Waiting, false), None);
    check(&[(1, asked(Some("t"))), (2, Heard::Stopped)], 1, None);
}

#[test]
fn a_marker_in_the_last_answer_is_one_call_whichever_way_it_comes_first() {
    let signed = || Heard::Signed(Signal::new(NeedsTesting, "Try it", Source::Hook));
    let marker = || Heard::Said(Signal::new(NeedsTesting, "Try it", Source::Marker));
    let expected = Some((NeedsTesting, "Try it"));
    check(&[(1, Heard::TurnBegan), (2, signed()), (3, marker())], 1, expected);
    check(&[(1, Heard::TurnBegan), (2, marker()), (3, signed())], 1, expected);
    check(&[(1, Heard::TurnBegan), (2, marker()), (60, signed())], 1, expected);
    let asked_before = [(1, asked(Some("t"))), (2, signed())];
    check(&asked_before, 2, expected);
}

#[test]
fn a_hook_that_tells_late_of_a_turn_ends_nothing_that_was_said_in_it() {
    let hook = |news| Told { news, child: false, conversation: None };
    let began = || hook(News::TurnBegan { prompt: None });
    let signed = || News::Signed { state: NeedsTesting, message: "Try it".into() };
    // As the fleet does with each hook.
    let tell = |attention: &mut Attention, told: Told, second: i64| {
        let at = Moment(second * 1000);
        let late = attention.is_late(&told, at);
        if let Some(heard) = Heard::of_hook(&told).filter(|_| !late) {
            attention.hear(heard, at);
        }
        late
    };
    let marker = || said(NeedsTesting, "Try it", Source::Marker);
    let entered = || {
        let mut attention = Attention::default();
        attention.hear(Heard::Answered { enter: true }, Moment(1000));
        attention
    };
    let open = |attention: &Attention| attention.nudge.as_ref().map(|nudge| nudge.state);

    let mut late = entered();
    late.hear(marker(), Moment(2000));
    assert!(tell(&mut late, began(), 3));
    assert!(!tell(&mut late, hook(signed()), 3));
    assert_eq!((late.seq, open(&late), late.turns), (1, Some(NeedsTesting), 0));
    // The next turn that hooks tell of is another, whoever submitted it.
    assert!(!tell(&mut late, began(), 4));
    assert_eq!((late.seq, open(&late), late.turns), (1, None, 1));

    // In time: the submission that was seen has begun the turn already.
    let mut timely = entered();
    assert!(!tell(&mut timely, began(), 1));
    timely.hear(marker(), Moment(2000));
    assert_eq!((timely.seq, timely.turns), (1, 0));
    // A child's turn is none of this.
    assert!(!timely.is_late(&Told { child: true, ..began() }, Moment(2000)));

    // An error that the agent told aside, by its terminal.
    let mut failed = entered();
    failed.hear(Heard::TurnFailed { message: "529".into() }, Moment(2000));
    assert!(tell(&mut failed, began(), 3));
    assert_eq!((failed.seq, open(&failed)), (1, Some(Error)));

    // A message of ours, while the call of the turn before is still open.
    let mut given = Attention::default();
    given.hear(marker(), Moment(1000));
    given.submit(Moment(2000));
    assert!(!tell(&mut given, began(), 3));
    assert_eq!(open(&given), None);

    // Much later it is another turn, which nobody saw begin.
    let mut later = entered();
    later.hear(marker(), Moment(2000));
    assert!(!tell(&mut later, began(), 60));
    assert_eq!((later.seq, open(&later), later.turns), (1, None, 1));
}
