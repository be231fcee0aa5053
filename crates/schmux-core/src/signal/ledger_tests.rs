//! Stories of markers, repaints and turns.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// A story line by line: `<ms> enter | resize | poll | STATE:WORDS [redrawn]`,
/// or `<ms> replay A, B`.
fn check(story: &str, expected: Expect) {
    let mut ledger = Ledger::default();
    let mut out = String::new();
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let stored = serde_json::to_string(&ledger).unwrap();
        ledger = serde_json::from_str(&stored).unwrap();
        let (at, what) = line.split_once(' ').unwrap();
        let at = Moment(at.parse().unwrap());
        let result = match what.split_once(' ') {
            Some(("replay", list)) => {
                let markers: Vec<_> = list.split(", ").map(marker).collect();
                let news = ledger.replay(&markers, at);
                format!("{:?}", news.iter().map(|m| m.message.as_str()).collect::<Vec<_>>())
            }
            _ if what == "enter" => {
                ledger.begin_turn(at);
                continue;
            }
            _ if what == "resize" => {
                ledger.expect_repaint(at);
                continue;
            }
            _ if what == "poll" => {
                format!("{:?} due {:?}", ledger.poll(at).map(|m| m.state), ledger.due())
            }
            _ => format!("{:?}", ledger.found(&marker(what), at)),
        };
        out.push_str(&format!("{line} -> {result}\n"));
    }
    expected.assert_eq(&out);
}

fn marker(text: &str) -> Marker {
    let (text, redrawn) = text.strip_suffix(" redrawn").map_or((text, false), |text| (text, true));
    let (state, message) = text.split_once(':').unwrap();
    Marker { state: state.parse().unwrap(), message: message.to_owned(), redrawn }
}

#[test]
fn once_a_turn_and_again_in_the_next() {
    check(
        "0 completed:Done
         10 completed:Done
         90000 completed:Do ne redrawn
         100000 enter
         100005 completed:Done
         100010 completed:Done
         100020 error:Done
         101000 error:Done
         103000 error:Done
         103010 error:Done",
        expect![[r#"
            0 completed:Done -> Tell
            10 completed:Done -> Repaint
            90000 completed:Do ne redrawn -> Repaint
            100005 completed:Done -> Tell
            100010 completed:Done -> Repaint
            100020 error:Done -> Tell
            101000 error:Done -> Repaint
            103000 error:Done -> Tell
            103010 error:Done -> Repaint
        "#]],
    );
}

#[test]
fn a_program_that_redraws_repeats_itself_after_enter() {
    check(
        "0 needs_input:May I? redrawn
         5000 enter
         5050 needs_input:May I? redrawn
         6500 needs_input:May I? redrawn
         8000 needs_input:May I? redrawn
         8100 completed:New redrawn
         20000 needs_input:May I? redrawn
         20100 needs_input:May I? redrawn",
        expect![[r#"
            0 needs_input:May I? redrawn -> Tell
            5050 needs_input:May I? redrawn -> Repaint
            6500 needs_input:May I? redrawn -> Repaint
            8000 needs_input:May I? redrawn -> Repaint
            8100 completed:New redrawn -> Tell
            20000 needs_input:May I? redrawn -> Tell
            20100 needs_input:May I? redrawn -> Repaint
        "#]],
    );
}

#[test]
fn a_resize_paints_old_turns_again() {
    check(
        "0 completed:A
         1000 enter
         2000 completed:B
         3000 enter
         9000 resize
         9100 completed:A
         10900 completed:B
         12000 completed:A
         12100 completed:C
         90000 completed:A",
        expect![[r#"
            0 completed:A -> Tell
            2000 completed:B -> Tell
            9100 completed:A -> Repaint
            10900 completed:B -> Repaint
            12000 completed:A -> Repaint
            12100 completed:C -> Tell
            90000 completed:A -> Tell
        "#]],
    );
}

#[test]
fn working_begins_a_turn_once_it_has_settled() {
    check(
        "0 working:
         5000 completed:Done
         60000 working: redrawn
         60010 completed:Done redrawn
         61500 poll
         90000 working: redrawn
         90500 poll
         91000 poll
         95000 completed:Done redrawn
         95010 working: redrawn
         95020 completed:Done redrawn
         99000 poll",
        expect![[r#"
            0 working: -> Tell
            5000 completed:Done -> Tell
            60000 working: redrawn -> Wait
            60010 completed:Done redrawn -> Repaint
            61500 poll -> None due None
            90000 working: redrawn -> Wait
            90500 poll -> None due Some(Moment(91000))
            91000 poll -> Some(Working) due None
            95000 completed:Done redrawn -> Tell
            95010 working: redrawn -> Wait
            95020 completed:Done redrawn -> Repaint
            99000 poll -> None due None
        "#]],
    );
}

#[test]
fn a_scrollback_tells_what_came_last() {
    check(
        "0 completed:A
         1 completed:B
         5 replay completed:A, completed:B
         6 replay completed:A, completed:B, completed:A, completed:B
         7 replay completed:A, completed:B, error:C, error:C
         8 replay completed:A, error:C, completed:A
         9 replay completed:B, error:C, error:D
         10 replay completed:B, error:C
         11 replay error:D, needs_input:E, error:D
         12 replay error:D, needs_input:E, error:D
         13 replay needs_input:F, completed:A
         14 replay error:D, needs_input:G, error:H, error:D, needs_input:G, error:H
         15 replay error:I, error:J, error:I",
        expect![[r#"
            0 completed:A -> Tell
            1 completed:B -> Tell
            5 replay completed:A, completed:B -> []
            6 replay completed:A, completed:B, completed:A, completed:B -> []
            7 replay completed:A, completed:B, error:C, error:C -> ["C"]
            8 replay completed:A, error:C, completed:A -> ["A"]
            9 replay completed:B, error:C, error:D -> ["D"]
            10 replay completed:B, error:C -> []
            11 replay error:D, needs_input:E, error:D -> ["E", "D"]
            12 replay error:D, needs_input:E, error:D -> []
            13 replay needs_input:F, completed:A -> ["F", "A"]
            14 replay error:D, needs_input:G, error:H, error:D, needs_input:G, error:H -> ["G", "H"]
            15 replay error:I, error:J, error:I -> ["J", "I"]
        "#]],
    );
}

#[test]
fn it_forgets_only_what_is_old() {
    let mut ledger = Ledger::default();
    for n in 0..1000 {
        assert_eq!(ledger.found(&marker(&format!("error:{n}")), Moment(n)), Decision::Tell);
    }
    assert_eq!(ledger.found(&marker("error:999"), Moment(2000)), Decision::Repaint);
    assert_eq!(ledger.told.len(), REMEMBERED);
}

fn any_marker() -> impl Strategy<Value = Marker> {
    (0usize..5, 0u8..4, any::<bool>()).prop_map(|(state, words, redrawn)| Marker {
        state: State::ALL[state],
        message: words.to_string(),
        redrawn,
    })
}

proptest! {
    /// Whatever was told, painting all of it again after a resize tells nothing,
    /// and neither does a scrollback that holds it.
    #[test]
    fn a_repaint_tells_nothing(
        said in proptest::collection::vec((any_marker(), 0i64..9000, any::<bool>()), 1..40),
        gap in 0i64..1500,
    ) {
        let mut ledger = Ledger::default();
        let mut now = 0;
        let mut told = Vec::new();
        for (marker, later, turn) in said {
            now += later;
            told.extend(ledger.poll(Moment(now)));
            if turn {
                ledger.begin_turn(Moment(now));
            }
            if ledger.found(&marker, Moment(now)) == Decision::Tell {
                told.push(marker);
            }
        }
        prop_assert_eq!(ledger.replay(&told, Moment(now)), []);
        now += 100_000;
        ledger.expect_repaint(Moment(now));
        for marker in &told {
            now += gap;
            prop_assert_eq!(ledger.found(marker, Moment(now)), Decision::Repaint);
        }
    }

    /// Without a turn, redrawn words are told once, `working` aside.
    #[test]
    fn words_are_told_once_a_turn(
        said in proptest::collection::vec((any_marker(), 0i64..9000), 0..40),
    ) {
        let mut ledger = Ledger::default();
        let mut now = 0;
        let mut told = std::collections::HashSet::new();
        for (marker, later) in said.into_iter().filter(|(m, _)| m.state != State::Working) {
            now += later;
            let marker = Marker { redrawn: true, ..marker };
            if ledger.found(&marker, Moment(now)) == Decision::Tell {
                prop_assert!(told.insert(marker.key()));
            }
            prop_assert!(told.contains(&marker.key()));
        }
    }
}

#[test]
fn a_marker_with_gaps_is_the_last_one_again() {
    check(
        "0 needs_testing:Please try it
         2500 needs_testing:Pl ase try it redrawn
         2600 needs_testing:Please t it redrawn
         2700 completed:Pl ase try it redrawn
         2800 needs_testing:Pl ase try it
         9000 completed:Tests do pass
         9100 completed:Tests pass redrawn",
        expect![[r#"
            0 needs_testing:Please try it -> Tell
            2500 needs_testing:Pl ase try it redrawn -> Repaint
            2600 needs_testing:Please t it redrawn -> Repaint
            2700 completed:Pl ase try it redrawn -> Tell
            2800 needs_testing:Pl ase try it -> Tell
            9000 completed:Tests do pass -> Tell
            9100 completed:Tests pass redrawn -> Tell
        "#]],
    );
}
