//! A field that waits, and what is left where nothing was said.

use super::told::newest_work;
use super::{Clock, Finding, IDLE_MS, Rule, finding};
use crate::evidence::facts::Facts;
use crate::evidence::{Confidence, Kind, Life, State};
use crate::reading::{Sight, TitleSays};

/// [`IDLE_MS`] for an agent that always shows its work: one that doesn't, at rest for
/// longer than the slowest spinner takes for a frame, isn't working.
const SURE_IDLE_MS: i64 = 1_000;

/// The same where its title says so, too: longer than the gap between two frames.
const AGREED_IDLE_MS: i64 = 300;

/// How long after a word of work a screen must have been read to be held against it.
/// Agents tell of a turn some milliseconds before they draw it, and what was read
/// meanwhile is of before. A screen is read when it has been still for 150 ms, so
/// that nothing was drawn between the word and a reading that is no earlier than this.
const DRAWN_MS: i64 = 150;

/// A first start takes 3 to 10 s, more on a loaded machine.
const STARTING_MS: i64 = 30_000;

/// How long after its last byte a program counts as printing.
const FLOWS_MS: i64 = 5_000;

/// Keys are echoed within a second or two; that isn't work.
const ECHO_MS: i64 = 2_000;

/// Whether its field waits, and has for long enough to mean something.
pub(super) fn is_resting(facts: &Facts, clock: &mut Clock) -> bool {
    if !matches!(facts.sight(), Some(Sight::Prompt | Sight::Error(_))) {
        return false;
    }
    let words = newest_work(facts).map(|(at, _)| at);
    let Some(stirred) = facts.stirred().max(words) else { return false };
    let ms = match (agree(facts), is_sure(facts)) {
        (true, _) => AGREED_IDLE_MS,
        (_, true) => SURE_IDLE_MS,
        _ => IDLE_MS,
    };
    clock.passed(stirred, ms)
}

/// Whether its screen and its title both say that it waits, and both were read since it
/// last told that it works: a moving screen is read only up to 800 ms after it began to
/// move, so until then there is only the one that stood there before.
fn agree(facts: &Facts) -> bool {
    let (Some(title), Some(screen)) = (&facts.title, &facts.screen) else { return false };
    let read = title.at.min(screen.at);
    let is_of_now = newest_work(facts).is_none_or(|(told, _)| read.0 - told.0 >= DRAWN_MS);
    is_of_now && title.what == TitleSays::Idle && shows_work(facts)
}

/// Whether its screen would surely show it if it worked.
fn shows_work(facts: &Facts) -> bool {
    facts
        .screen
        .as_ref()
        .is_some_and(|screen| screen.what.shows_work && screen.what.confidence == Confidence::High)
}

/// Whether this agent would show it if it worked.
fn is_sure(facts: &Facts) -> bool {
    let title = facts.title.as_ref().map_or(TitleSays::Nothing, |title| title.what);
    shows_work(facts)
        || title == TitleSays::Idle
        || (facts.title_speaks && title == TitleSays::Nothing)
}

/// Its field waits: how the turn ended is what the screen tells.
pub(super) fn resting(facts: &Facts, clock: &mut Clock) -> Finding {
    if let Some(line) = facts.error() {
        let read =
            facts.screen.as_ref().map_or(Confidence::Medium, |screen| screen.what.confidence);
        return finding(State::Error, read, Rule::ErrorLine).saying(line);
    }
    if let Some(line) = &facts.failed {
        // Something was drawn below it, but nothing has happened since.
        return finding(State::Error, Confidence::Medium, Rule::ErrorLine).saying(line);
    }
    let long = facts.stirred().is_some_and(|at| clock.passed(at, IDLE_MS));
    let confidence = match (is_sure(facts), long || agree(facts)) {
        (true, true) => Confidence::High,
        (true, false) => Confidence::Medium,
        // Nothing was said of work, and no agent is known that waits like this.
        (false, _) if newest_work(facts).is_none() => Confidence::Low,
        (false, _) => Confidence::Medium,
    };
    finding(State::Idle, confidence, Rule::IdlePrompt)
}

/// Nothing was said: what is left are the field, output, the bell and the clock.
pub(super) fn guessed(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
    if is_resting(facts, clock) {
        return Some(resting(facts, clock));
    }
    let field = matches!(facts.sight(), Some(Sight::Prompt | Sight::Error(_)));
    let is_young = facts.kind == Kind::Agent
        && facts.work_seen.is_none()
        && clock.within(Some(facts.born), STARTING_MS);
    let given = facts.submitted.max(facts.delivered).is_some();
    if field && (is_sure(facts) || (is_young && !given)) {
        // Not still yet, but an agent that shows its work shows none, and one that
        // has just come up was given nothing to do.
        return Some(finding(State::Idle, Confidence::Medium, Rule::IdlePrompt));
    }
    if !field {
        let starting = facts.life.as_ref().map(|life| life.what) == Some(Life::Starting);
        // Of an unknown program nobody knows whether it will ever show a field.
        if (starting || is_young) && !facts.came_up {
            return Some(finding(State::Starting, Confidence::Medium, Rule::Starting));
        }
    }
    let typed = clock.within(facts.typed, ECHO_MS);
    if field && typed {
        return Some(finding(State::Idle, Confidence::Low, Rule::IdlePrompt));
    }
    if !typed && clock.within(facts.output, FLOWS_MS) {
        return Some(finding(State::Working, Confidence::Low, Rule::OutputFlows));
    }
    let rang = facts.bell.filter(|bell| Some(*bell) >= facts.answered.max(facts.delivered));
    if let Some(bell) = rang
        && facts.output.is_none_or(|output| output.0 - bell.0 <= FLOWS_MS)
        && clock.passed(bell, FLOWS_MS)
    {
        return Some(finding(State::NeedsInput, Confidence::Low, Rule::Bell));
    }
    None
}
