//! Thousands of days of a scripted agent whose hooks are lost, late, doubled and
//! out of order: is the verdict right soon after the truth has changed?

use proptest::prelude::*;

use super::rules_tests::{dialog, reading, works};
use super::*;
use crate::reading::{DialogKind, Sight};
use crate::time::Moment;

/// What the agent really does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    Idle,
    /// Its turn has ended, and it said "completed".
    Done,
    Working,
    Asking,
    Failed,
}

/// One stretch of its day, and how its hooks fare in it.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    truth: Truth,
    ms: i64,
    dropped: bool,
    doubled: bool,
    late: i64,
}

/// A frame of a screen that moves is read this often.
const READ_MS: i64 = 400;

/// How soon after the truth has changed the verdict must be right: an agent that
/// shows its work, and one of which nothing is known.
const KNOWN_MS: i64 = 2_000;
const GENERIC_MS: i64 = 8_500;

fn stretches() -> impl Strategy<Value = Vec<Stretch>> {
    let next = prop_oneof![
        Just(Truth::Working),
        Just(Truth::Asking),
        Just(Truth::Idle),
        Just(Truth::Done),
        Just(Truth::Failed),
    ];
    let late = prop_oneof![2 => Just(0i64), 1 => 0..8_000i64];
    let stretch = (next, 300..30_000i64, any::<bool>(), any::<bool>(), late).prop_map(
        |(truth, ms, dropped, doubled, late)| Stretch { truth, ms, dropped, doubled, late },
    );
    proptest::collection::vec(stretch, 2..14).prop_map(possible)
}

/// A day that can be: whoever asks or fails has worked before.
fn possible(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut day: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        let before = day.last().map_or(Truth::Idle, |last| last.truth);
        if before != Truth::Working && stretch.truth != Truth::Working {
            day.push(Stretch { truth: Truth::Working, ms: 3_000, ..stretch });
        }
        if day.last().is_none_or(|last| last.truth != stretch.truth) {
            day.push(stretch);
        }
    }
    day
}

fn sight(truth: Truth) -> Sight {
    match truth {
        Truth::Idle | Truth::Done => Sight::Prompt,
        Truth::Working => works(),
        Truth::Asking => dialog("Proceed?", DialogKind::Permission),
        Truth::Failed => Sight::Error("API Error: 529".into()),
    }
}

fn news(truth: Truth, before: Truth) -> News {
    match truth {
        Truth::Idle | Truth::Done => News::TurnEnded,
        Truth::Working if before == Truth::Asking => News::ToolUsed,
        Truth::Working => News::TurnBegan,
        Truth::Asking => News::Asked,
        Truth::Failed => News::Failed,
    }
}

fn is_right(truth: Truth, state: State) -> bool {
    match truth {
        Truth::Idle => state == State::Idle,
        Truth::Done => matches!(state, State::Completed),
        Truth::Working => state == State::Working,
        Truth::Asking => state == State::NeedsInput,
        Truth::Failed => state == State::Error,
    }
}

/// Evidence by the time at which it comes: (comes, so at, what).
fn world(day: &[Stretch], with_hooks: bool, known: bool) -> Vec<(i64, i64, Evidence)> {
    let confidence = if known { Confidence::High } else { Confidence::Medium };
    let screen = |truth| Evidence::Screen(reading(sight(truth), confidence, known));
    let mut events = vec![(0, 0, screen(Truth::Idle))];
    let (mut now, mut before) = (6_000, Truth::Idle);
    for stretch in day {
        let Stretch { truth, ms, dropped, doubled, late } = *stretch;
        if truth == Truth::Working {
            let by_hand = before != Truth::Asking || doubled;
            if by_hand {
                events.push((now, now, Evidence::Typed(Typed::Submit)));
            }
        }
        if truth == Truth::Done {
            let source = signal::Source::StatusFile;
            let message = String::new();
            let state = signal::State::Completed;
            // It says so with a tool, right before its last words.
            events.push((now - 200, now - 200, Evidence::Said { state, message, source }));
        }
        events.push((now, now, Evidence::Output));
        if with_hooks && !dropped {
            let hook = Evidence::Hook(Hook::new(news(truth, before), ""));
            events.push((now + late, now, hook.clone()));
            if doubled {
                events.push((now + late + 700, now, hook));
            }
        }
        let moves = truth == Truth::Working;
        for at in (now + READ_MS / 2..now + ms).step_by(READ_MS as usize) {
            if moves {
                events.push((at, at, Evidence::Output));
            }
            if moves || at == now + READ_MS / 2 {
                events.push((at, at, screen(truth)));
            }
        }
        (now, before) = (now + ms, truth);
    }
    events.sort_by_key(|(comes, _, _)| *comes);
    events
}

fn check(day: &[Stretch], with_hooks: bool, known: bool) -> Result<(), TestCaseError> {
    let limit = if known { KNOWN_MS } else { GENERIC_MS };
    let events = world(day, with_hooks, known);
    let mut judge = Judge::new(Moment(-3_600_000), Kind::Agent);
    let mut next = events.iter().peekable();
    let mut start = 6_000;
    for stretch in day {
        let end = start + stretch.ms;
        let mut at = start;
        while at < end {
            while let Some((comes, so, evidence)) = next.next_if(|(comes, _, _)| *comes <= at) {
                judge.handle(evidence.clone(), Moment(*so), Moment(*comes));
            }
            let verdict = judge.verdict(Moment(at)).clone();
            // Its last words are spoken a little before its turn ends.
            if at >= start + limit && at < end - 300 {
                prop_assert!(
                    is_right(stretch.truth, verdict.state),
                    "{:?} for {} ms is {verdict:?} (hooks {with_hooks}, known {known})\n{:#?}",
                    stretch.truth,
                    at - start,
                    judge.votes(Moment(at))
                );
            }
            at += 100;
        }
        start = end;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn verdicts_are_right_with_hooks_that_fail(day in stretches()) {
        check(&day, true, true)?;
    }

    #[test]
    fn verdicts_are_right_without_hooks(day in stretches()) {
        check(&day, false, true)?;
    }

    #[test]
    fn verdicts_are_right_for_agents_that_nobody_knows(day in stretches()) {
        check(&day, true, false)?;
        check(&day, false, false)?;
    }
}
