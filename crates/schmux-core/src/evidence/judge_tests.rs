//! The judge: what it holds back, what it remembers, and what is always so.

use proptest::prelude::*;

use super::rules_tests::{self, dialog, reading, works};
use super::*;
use crate::reading::{DialogKind, Sight};
use crate::signal;
use crate::time::Moment;

fn judge() -> Judge {
    Judge::new(Moment(-3_600_000), Kind::Agent)
}

fn screen(sight: Sight, confidence: Confidence) -> Evidence {
    Evidence::Screen(reading(sight, confidence, true))
}

fn give(judge: &mut Judge, ms: i64, evidence: Evidence) -> State {
    judge.handle(evidence, Moment(ms), Moment(ms));
    judge.verdict(Moment(ms)).state
}

#[test]
fn sure_changes_are_shown_at_once_and_weak_ones_must_hold() {
    let mut judge = judge();
    assert_eq!(give(&mut judge, 0, screen(works(), Confidence::High)), State::Working);
    // Idle, medium: not before it has held for half a second.
    assert_eq!(give(&mut judge, 1_000, screen(Sight::Prompt, Confidence::High)), State::Working);
    assert_eq!(judge.due(), Some(Moment(1_500)));
    assert_eq!(judge.verdict(Moment(1_499)).state, State::Working);
    assert_eq!(judge.verdict(Moment(1_500)).state, State::Idle);
    assert_eq!(judge.verdict(Moment(1_500)).since, Moment(1_500));
    // A dialog is sure.
    let asks = dialog("Proceed?", DialogKind::Permission);
    assert_eq!(give(&mut judge, 1_600, screen(asks, Confidence::High)), State::NeedsInput);
}

#[test]
fn what_it_said_is_over_soon_after_it_was_answered() {
    let mut judge = judge();
    let asks = rules_tests::said(signal::State::NeedsInput);
    assert_eq!(give(&mut judge, 0, asks), State::NeedsInput);
    give(&mut judge, 10_000, Evidence::Typed(Typed::Submit));
    assert_eq!(judge.verdict(Moment(10_500)).state, State::Unknown);
}

#[test]
fn what_is_back_is_not_shown_as_away() {
    for sight in [None, Some(Sight::Prompt)] {
        let mut judge = judge();
        if let Some(sight) = sight.clone() {
            give(&mut judge, 0, screen(sight, Confidence::High));
        }
        assert_eq!(give(&mut judge, 5_000, Evidence::Life(Life::Unreachable)), State::Unreachable);
        let back = give(&mut judge, 9_000, Evidence::Life(Life::Running));
        let expected = if sight.is_some() { State::Idle } else { State::Unknown };
        assert_eq!(back, expected);
    }
}

/// That nobody has looked yet is no change of its state; what is told or seen is.
#[test]
fn after_a_gap_it_stands_as_before_until_somebody_looks() {
    let lost = || {
        let mut judge = judge();
        give(&mut judge, 0, screen(works(), Confidence::High));
        give(&mut judge, 9_000, Evidence::Life(Life::Unreachable));
        let back = give(&mut judge, 200_000, Evidence::Life(Life::Running));
        assert_eq!(
            (back, judge.shown().since, judge.is_blind()),
            (State::Working, Moment(0), true)
        );
        judge
    };
    let mut judge = lost();
    // Its spinner stands still since before: that is no news of it.
    assert_eq!(judge.verdict(Moment(204_999)).rule, Rule::WorkSeen);
    assert_eq!(judge.due(), Some(Moment(205_000)));
    assert_eq!(judge.verdict(Moment(205_000)).rule, Rule::Frozen);
    let asks = dialog("Proceed?", DialogKind::Permission);
    let news = [
        (screen(asks, Confidence::High), State::NeedsInput),
        (rules_tests::said(signal::State::Completed), State::Completed),
        (Evidence::Hook(Hook::new(News::TurnEnded, "")), State::Idle),
        (Evidence::Life(Life::Exited), State::Exited),
        (Evidence::Life(Life::Unreachable), State::Unreachable),
    ];
    for (news, state) in news {
        let mut judge = lost();
        give(&mut judge, 201_000, news);
        assert!(!judge.is_blind());
        assert_eq!(judge.verdict(Moment(201_500)).state, state);
    }
    let mut judge = lost();
    assert_eq!(give(&mut judge, 200_100, screen(Sight::Prompt, Confidence::High)), State::Working);
    assert_eq!(judge.verdict(Moment(200_600)).state, State::Idle);
}

#[test]
fn a_flicker_is_not_shown() {
    let mut judge = judge();
    give(&mut judge, 0, screen(works(), Confidence::High));
    for tool in 0..20 {
        let at = 1_000 + tool * 2_000;
        // Between two tools the spinner is gone for a few frames.
        give(&mut judge, at, screen(Sight::Prompt, Confidence::High));
        assert_eq!(judge.verdict(Moment(at + 400)).state, State::Working);
        give(&mut judge, at + 450, screen(works(), Confidence::High));
    }
    assert_eq!(judge.history().count(), 1);
}

#[test]
fn verdicts_fall_due_by_themselves() {
    let mut judge = judge();
    give(&mut judge, 0, Evidence::Hook(Hook::new(News::TurnBegan, "")));
    give(&mut judge, 100, screen(Sight::Prompt, Confidence::Medium));
    let mut seen = vec![judge.verdict(Moment(100)).state];
    while let Some(due) = judge.due() {
        assert!(due.0 < 4_000_000, "it never comes to rest: {seen:?}");
        seen.push(judge.verdict(due).state);
    }
    assert!(seen.starts_with(&[State::Working]) && seen.ends_with(&[State::Idle]), "{seen:?}");
}

#[test]
fn drift_is_told_and_counted() {
    let mut judge = judge();
    give(&mut judge, 0, Evidence::Hook(Hook::new(News::TurnBegan, "")));
    give(&mut judge, 38_000, screen(Sight::Prompt, Confidence::High));
    judge.verdict(Moment(39_000));
    judge.verdict(Moment(40_000));
    let drift = judge.take_drift().unwrap();
    assert_eq!(drift.to_string(), "was working by hook 40 s ago, now idle by screen, medium");
    assert_eq!((judge.drifts(), judge.take_drift()), (1, None));
    // What a hook told and the screen shows is no drift.
    give(&mut judge, 50_000, Evidence::Hook(Hook::new(News::Asked, "?")));
    give(&mut judge, 50_001, screen(dialog("?", DialogKind::Question), Confidence::High));
    assert_eq!(judge.drifts(), 1);
}

#[test]
fn the_same_dialog_twice_is_two_dialogs() {
    let mut judge = judge();
    let asks = || screen(dialog("Proceed?", DialogKind::Permission), Confidence::High);
    give(&mut judge, 0, asks());
    give(&mut judge, 500, asks());
    assert_eq!(judge.dialog().map(|(_, number)| number), Some(1));
    assert_eq!(judge.dialog_since(), Some(Moment(0)));
    give(&mut judge, 900, screen(works(), Confidence::High));
    assert_eq!((judge.dialog(), judge.dialog_since()), (None, None));
    give(&mut judge, 1_200, asks());
    assert_eq!(judge.dialog().map(|(_, number)| number), Some(2));
}

#[test]
fn votes_say_who_says_what() {
    let mut judge = judge();
    give(&mut judge, 0, Evidence::Hook(Hook::new(News::TurnBegan, "")));
    let state = signal::State::Completed;
    let source = signal::Source::Marker;
    give(&mut judge, 1_000, Evidence::Said { state, message: "All green".into(), source });
    give(&mut judge, 2_000, Evidence::Output);
    let votes = judge.votes(Moment(4_000));
    let told: Vec<String> = votes
        .iter()
        .map(|vote| {
            let state = vote.state.map_or("-", State::as_str);
            format!("{:?} {} {state} {}", vote.voice, vote.says, vote.age_ms)
        })
        .collect();
    assert_eq!(
        told,
        [
            "Marker completed: All green completed 3000",
            "Hook its turn began working 4000",
            "Output something was printed - 2000",
        ]
    );
    let json = serde_json::to_value(judge.verdict(Moment(4_000))).unwrap();
    assert_eq!(json["state"], "completed");
    assert_eq!(json["rule"], "claimed");
    assert_eq!(json["message"], "All green");
}

fn typed() -> impl Strategy<Value = Typed> {
    prop_oneof![Just(Typed::Submit), Just(Typed::Tab), Just(Typed::Other)]
}

fn sights() -> impl Strategy<Value = Sight> {
    prop_oneof![
        Just(works()),
        Just(Sight::Prompt),
        Just(Sight::Unknown),
        Just(Sight::Shell),
        Just(Sight::Error("API Error".into())),
        Just(dialog("Proceed?", DialogKind::Permission)),
        Just(dialog("Select model", DialogKind::Menu)),
    ]
}

fn confidences() -> impl Strategy<Value = Confidence> {
    prop_oneof![Just(Confidence::Low), Just(Confidence::Medium), Just(Confidence::High)]
}

fn said() -> impl Strategy<Value = signal::State> {
    proptest::sample::select(signal::State::ALL.to_vec())
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let news = proptest::sample::select(vec![
        News::TurnBegan,
        News::ToolUsed,
        News::Asked,
        News::TurnEnded,
        News::Failed,
    ]);
    let title = proptest::sample::select(vec![
        TitleSays::Working,
        TitleSays::Idle,
        TitleSays::Asking,
        TitleSays::Nothing,
    ]);
    let lives = proptest::sample::select(vec![Life::Starting, Life::Running]);
    prop_oneof![
        1 => lives.prop_map(Evidence::Life),
        2 => said().prop_map(|state| Evidence::Said {
            state,
            message: "words".into(),
            source: signal::Source::StatusFile,
        }),
        4 => (news, any::<bool>()).prop_map(|(news, child)| {
            Evidence::Hook(Hook { child, ..Hook::new(news, "") })
        }),
        6 => (sights(), confidences(), any::<bool>(), title.clone()).prop_map(
            |(sight, confidence, shows, title)| {
                Evidence::Screen(Reading { title, ..reading(sight, confidence, shows) })
            }
        ),
        1 => title.prop_map(Evidence::Title),
        4 => Just(Evidence::Output),
        1 => Just(Evidence::Bell),
        1 => prop_oneof![Just(Front::Shell), Just(Front::Other)].prop_map(Evidence::Front),
        1 => typed().prop_map(Evidence::Typed),
        1 => Just(Evidence::Delivered),
        1 => (said(), confidences()).prop_map(|(state, confidence)| Evidence::Opinion {
            state,
            confidence,
            summary: String::new(),
        }),
    ]
}

/// Evidence and how much later than the one before it came; it may tell of earlier.
fn story() -> impl Strategy<Value = Vec<(Evidence, i64, i64)>> {
    let late = prop_oneof![4 => Just(0i64), 1 => 0..20_000i64];
    proptest::collection::vec((evidence(), 0..15_000i64, late), 1..30)
}

fn played(story: &[(Evidence, i64, i64)]) -> (Judge, i64) {
    let mut judge = judge();
    let mut now = 0;
    for (evidence, after, late) in story {
        now += after;
        judge.handle(evidence.clone(), Moment(now - late), Moment(now));
        assert!(judge.verdict(Moment(now)).since <= Moment(now));
    }
    (judge, now)
}

proptest! {
    #[test]
    fn nothing_changes_before_it_is_due(story in story(), part in 0..100i64) {
        let (mut judge, now) = played(&story);
        let before = judge.verdict(Moment(now)).clone();
        let due = judge.due();
        if let Some(due) = due {
            prop_assert!(due.0 > now, "due in the past");
            let between = now + (due.0 - 1 - now) * part / 100;
            prop_assert_eq!(judge.verdict(Moment(between)), &before);
        } else {
            prop_assert_eq!(judge.verdict(Moment(now + 100_000_000)), &before);
        }
    }

    #[test]
    fn time_alone_brings_every_session_to_rest(story in story()) {
        let (mut judge, _) = played(&story);
        for _ in 0..40 {
            match judge.due() {
                Some(due) => { judge.verdict(due); }
                None => return Ok(()),
            }
        }
        prop_assert!(false, "it goes on for ever");
    }

    #[test]
    fn a_dialog_that_is_surely_there_always_wins(story in story()) {
        let (mut judge, now) = played(&story);
        judge.handle(Evidence::Front(Front::Other), Moment(now), Moment(now));
        let asks = dialog("Proceed?", DialogKind::Permission);
        judge.handle(screen(asks, Confidence::High), Moment(now), Moment(now));
        let verdict = judge.verdict(Moment(now));
        prop_assert_eq!(verdict.state, State::NeedsInput);
        prop_assert_eq!(verdict.confidence, Confidence::High);
    }

    #[test]
    fn the_end_of_the_program_is_the_end(story in story()) {
        let (mut judge, now) = played(&story);
        let at = Moment(now + 1);
        judge.handle(Evidence::Life(Life::Exited), at, at);
        prop_assert_eq!(judge.verdict(at).state, State::Exited);
        prop_assert_eq!(judge.due(), None);
    }

    #[test]
    fn idle_always_has_a_reason(story in story()) {
        let (mut judge, now) = played(&story);
        let verdict = judge.verdict(Moment(now)).clone();
        if verdict.state == State::Idle {
            prop_assert!(matches!(verdict.rule, Rule::IdlePrompt | Rule::TurnEnded), "{:?}", verdict);
        }
    }

    #[test]
    fn evidence_twice_is_evidence_once(story in story()) {
        // Children are counted, so theirs isn't; a minute's silence mends that.
        let once: Vec<_> = story
            .into_iter()
            .filter(|(evidence, _, _)| !matches!(evidence, Evidence::Hook(hook) if hook.child))
            .collect();
        let twice: Vec<_> = once
            .iter()
            .flat_map(|(evidence, after, late)| {
                [(evidence.clone(), *after, *late), (evidence.clone(), 0, *late)]
            })
            .collect();
        let (mut a, now) = played(&once);
        let (mut b, _) = played(&twice);
        prop_assert_eq!(a.verdict(Moment(now)), b.verdict(Moment(now)));
    }
}

#[test]
fn a_turn_that_ended_unseen_is_not_opened_by_typing() {
    let mut judge = judge();
    let mut take = |evidence: Evidence, at: i64| give(&mut judge, at, evidence);
    take(Evidence::Hook(Hook::new(News::TurnBegan, "")), 0);
    assert_eq!(take(screen(works(), Confidence::High), 400), State::Working);
    // Interrupted: nobody tells.
    take(screen(Sight::Prompt, Confidence::High), 2_000);
    take(screen(Sight::Prompt, Confidence::High), 3_000);
    assert_eq!(take(screen(Sight::Prompt, Confidence::High), 4_000), State::Idle);
    // The human types the next message.
    assert_eq!(take(Evidence::Typed(Typed::Other), 9_000), State::Idle);
    assert_eq!(take(Evidence::Output, 9_010), State::Idle);
    assert_eq!(take(screen(Sight::Prompt, Confidence::High), 9_200), State::Idle);
    assert_eq!(take(Evidence::Hook(Hook::new(News::TurnBegan, "")), 9_300), State::Working);
}

#[test]
fn what_is_drawn_below_an_error_does_not_mend_it() {
    let mut judge = judge();
    let mut take = |sight: Sight, at: i64| give(&mut judge, at, screen(sight, Confidence::High));
    let fails = || Sight::Error("API Error: 400".into());
    take(fails(), 0);
    assert_eq!(take(fails(), 1_200), State::Error);
    assert_eq!(take(Sight::Prompt, 1_600), State::Error);
    assert_eq!(take(Sight::Prompt, 9_000), State::Error);
    assert_eq!(take(works(), 9_500), State::Working);
    take(Sight::Prompt, 10_000);
    assert_eq!(take(Sight::Prompt, 16_000), State::Idle);
}
