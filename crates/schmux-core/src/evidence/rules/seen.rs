//! What its screen and its title show at this moment.

use super::{Clock, FROZEN_MS, Finding, IDLE_MS, PROMPT_GONE_MS, Rule, finding, hook, over};
use crate::evidence::facts::{Facts, SIGN_OFF_MS};
use crate::evidence::{Confidence, News, State};
use crate::reading::{DialogKind, Sight, TitleSays};
use crate::time::Moment;

/// After a turn's end its screen is painted once more. Work that is still seen
/// after this is another turn.
const REOPEN_MS: i64 = 2_000;

/// After so long without a byte nobody knows what a picture of work means.
const FROZEN_LONG_MS: i64 = 600_000;

/// What its screen and its title show at this moment.
pub(super) fn seen(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
    let title = facts.title.as_ref().map_or(TitleSays::Nothing, |title| title.what);
    let screen = facts.screen.as_ref();
    let sight = facts.sight();
    if let Some(Sight::Dialog(dialog)) = sight {
        let read = screen.map_or(Confidence::Medium, |screen| screen.what.confidence);
        let menu = dialog.kind == DialogKind::Menu;
        let confidence = match (hook(facts), title) {
            (Some(News::Asked), _) | (_, TitleSays::Asking) => Confidence::High,
            // The human has opened it, and it waits for the human all the same.
            _ if menu => read.min(Confidence::Medium),
            _ => read,
        };
        let found = finding(State::NeedsInput, confidence, Rule::Dialog);
        return Some(found.saying(&dialog.question));
    }
    let works = matches!(sight, Some(Sight::Working(_)));
    let sure = screen.is_some_and(|screen| screen.what.confidence == Confidence::High);
    if title == TitleSays::Asking && !(works && sure) {
        return Some(finding(State::NeedsInput, Confidence::Medium, Rule::TitleAsks));
    }
    if works || (title == TitleSays::Working && title_moves(facts, clock)) {
        return work_seen(facts, works, title, clock);
    }
    None
}

/// A spinner in a title moves each second. One that stands still over a field
/// that waits was left behind.
fn title_moves(facts: &Facts, clock: &mut Clock) -> bool {
    let waits = matches!(facts.sight(), Some(Sight::Prompt | Sight::Error(_)));
    let stirred = facts.output.max(facts.title.as_ref().map(|title| title.at));
    !waits || clock.within(stirred, IDLE_MS)
}

/// A spinner, and what speaks against it.
fn work_seen(
    facts: &Facts,
    on_screen: bool,
    title: TitleSays,
    clock: &mut Clock,
) -> Option<Finding> {
    if let Some(claim) = facts.open_claim()
        && !clock.passed(claim.at, SIGN_OFF_MS)
    {
        let found = finding(claim.what.state.into(), Confidence::High, Rule::SignedOff);
        return Some(found.saying(&claim.what.message));
    }
    let seen = facts.work_seen?;
    // A picture from before the end of the turn doesn't open it again.
    let ended = facts.hook.as_ref().filter(|hook| over(hook.what.news));
    if ended.is_some_and(|hook| !reopened(facts, hook.at)) {
        return None;
    }
    if is_about_to_ask(facts, seen) {
        return None;
    }
    let stirred = facts.output.unwrap_or(seen).max(seen);
    let rule = if on_screen { Rule::WorkSeen } else { Rule::TitleWorks };
    if clock.passed(stirred, FROZEN_LONG_MS) {
        return Some(finding(State::Unknown, Confidence::Low, Rule::Frozen));
    }
    if clock.passed(stirred, FROZEN_MS) {
        return Some(finding(State::Working, Confidence::Low, Rule::Frozen));
    }
    let read = facts.screen.as_ref().map_or(Confidence::Medium, |screen| screen.what.confidence);
    let both = on_screen && title == TitleSays::Working;
    let confidence = match (both, on_screen) {
        (true, _) => Confidence::High,
        (_, true) => read,
        (_, false) => Confidence::High,
    };
    Some(finding(State::Working, confidence, rule))
}

/// Whether a hook has told of a question whose dialog isn't drawn yet: the work
/// that is seen is that of before.
fn is_about_to_ask(facts: &Facts, work_seen: Moment) -> bool {
    let asked = facts.hook.as_ref().filter(|hook| hook.what.news == News::Asked);
    asked.is_some_and(|hook| {
        let came = facts.dialog_seen.is_some_and(|seen| seen >= hook.at);
        !came && work_seen.0 - hook.at.0 < PROMPT_GONE_MS
    })
}

/// Whether work was seen so long after a turn's end that it is another turn.
pub(super) fn reopened(facts: &Facts, ended: Moment) -> bool {
    facts.work_seen.is_some_and(|seen| seen.0 - ended.0 >= REOPEN_MS)
}
