//! What it said, or its hooks, held against a field that waits.

use super::rest::{is_resting, resting};
use super::seen::reopened;
use super::{Clock, FROZEN_MS, Finding, PROMPT_GONE_MS, Rule, finding, over};
use crate::evidence::facts::{At, Claim, Facts, SIGN_OFF_MS};
use crate::evidence::{Confidence, News, State};
use crate::reading::Sight;
use crate::signal;
use crate::time::Moment;

/// How long "I work" is believed without any sign of it: long tools are silent.
const TOLD_MS: i64 = 600_000;

/// Agents that were started show their time on the screen each second; without a
/// byte or a word for so long they have ended and it was lost.
const CHILD_MS: i64 = 60_000;

/// What it said holds for as long as nothing happens, but a day is a long time.
const CLAIM_MS: i64 = 12 * 3600 * 1000;

/// How long a message that was just submitted counts as work.
const DELIVERED_MS: i64 = 5_000;

/// What was said, by the agent or its hooks, held against a field that waits.
pub(super) fn told(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
    let newest_work = newest_work(facts);
    if let Some(asked) = asked(facts, newest_work, clock) {
        return Some(asked);
    }
    let over = facts.hook.as_ref().filter(|hook| {
        let told = newest_work.is_some_and(|(work, _)| work > hook.at);
        over(hook.what.news) && !told && !reopened(facts, hook.at)
    });
    if over.is_some() && children_work(facts, clock) {
        return Some(finding(State::Working, Confidence::Medium, Rule::ChildrenWork));
    }
    if let Some(claim) = facts.open_claim() {
        // It worked on after its words; they are its last when it rests again.
        let last = newest_work.is_none_or(|(work, _)| work.0 - claim.at.0 <= SIGN_OFF_MS);
        if last || over.is_some() || is_resting(facts, clock) {
            return Some(claimed(claim, clock));
        }
    }
    if let Some(hook) = over {
        return Some(ended(facts, hook.at));
    }
    let (at, rule) = newest_work?;
    if is_resting(facts, clock) {
        return Some(resting(facts, clock));
    }
    match (rule, facts.sight()) {
        (Rule::Delivered, _) if clock.passed(at, DELIVERED_MS) => None,
        (Rule::Delivered, _) => Some(finding(State::Working, Confidence::Medium, rule)),
        _ => {
            let stirred = facts.output.unwrap_or(at).max(at);
            let long = clock.passed(stirred, TOLD_MS);
            let silent = clock.passed(stirred, FROZEN_MS);
            let confidence = if silent { Confidence::Medium } else { Confidence::High };
            (!long).then(|| finding(State::Working, confidence, rule))
        }
    }
}

/// The newest word that it works: a hook, its own claim, or a message of ours.
pub(super) fn newest_work(facts: &Facts) -> Option<(Moment, Rule)> {
    let told = facts.hook.as_ref().filter(|hook| {
        !hook.what.child && matches!(hook.what.news, News::TurnBegan | News::ToolUsed)
    });
    let said = facts.claim.as_ref().filter(|claim| claim.what.state == signal::State::Working);
    let given = facts.delivered.map(|at| (at, Rule::Delivered));
    let words = [told.map(|hook| hook.at), said.map(|claim| claim.at)];
    let words = words.into_iter().flatten().map(|at| (at, Rule::Told)).chain(given);
    words.filter(|(at, _)| facts.is_current(*at)).max_by_key(|(at, _)| *at)
}

/// A hook told of a question and no dialog is seen.
fn asked(facts: &Facts, work: Option<(Moment, Rule)>, clock: &mut Clock) -> Option<Finding> {
    let hook = facts.hook.as_ref().filter(|hook| hook.what.news == News::Asked)?;
    if !facts.is_current(hook.at) {
        return None;
    }
    let came = facts.dialog_seen.filter(|seen| *seen >= hook.at);
    let answered = facts.work_seen.is_some_and(|seen| {
        seen.0 - hook.at.0 >= PROMPT_GONE_MS || came.is_some_and(|came| seen > came)
    });
    let after = |at: Moment| at > hook.at;
    let spoke = facts.open_claim().is_some_and(|claim| after(claim.at));
    if answered || spoke || work.is_some_and(|(at, _)| after(at)) {
        return None;
    }
    let waits = |confidence| finding(State::NeedsInput, confidence, Rule::Asked);
    match facts.sight() {
        Some(Sight::Prompt | Sight::Error(_)) if !clock.passed(hook.at, PROMPT_GONE_MS) => {
            Some(waits(Confidence::High).saying(&hook.what.text))
        }
        // Seen after the question, or its time has come: it isn't there.
        Some(Sight::Prompt | Sight::Error(_)) if is_resting(facts, clock) => {
            Some(resting(facts, clock))
        }
        Some(Sight::Prompt | Sight::Error(_)) => {
            Some(finding(State::Working, Confidence::Medium, Rule::AnswerTaken))
        }
        // Nobody can see whether it is still there, but the human was at it.
        _ if facts.is_answered(hook.at) => None,
        // Not drawn yet.
        Some(Sight::Working(_)) => Some(waits(Confidence::High).saying(&hook.what.text)),
        // A dialog of a shape that isn't known can't be seen to go.
        Some(_) => Some(waits(Confidence::Medium).saying(&hook.what.text)),
        None => Some(waits(Confidence::High).saying(&hook.what.text)),
    }
}

/// Whether agents that it has started still run, as far as anyone can tell.
fn children_work(facts: &Facts, clock: &mut Clock) -> bool {
    let stirred = facts.child.max(facts.output);
    facts.children > 0 && clock.within(stirred, CHILD_MS) && clock.within(facts.child, TOLD_MS)
}

fn claimed(claim: &At<Claim>, clock: &mut Clock) -> Finding {
    let old = clock.passed(claim.at, CLAIM_MS);
    let confidence = if old { Confidence::Medium } else { Confidence::High };
    finding(claim.what.state.into(), confidence, Rule::Claimed).saying(&claim.what.message)
}

/// A hook told that the turn is over.
fn ended(facts: &Facts, at: Moment) -> Finding {
    let hook = facts.hook.as_ref();
    if hook.is_some_and(|hook| hook.what.news == News::Failed && !facts.is_answered(hook.at)) {
        let text = hook.map_or("", |hook| hook.what.text.as_str());
        return finding(State::Error, Confidence::High, Rule::Failed).saying(text);
    }
    if let Some(line) = facts.error()
        && facts.screen.as_ref().is_some_and(|screen| screen.at >= at)
    {
        return finding(State::Error, Confidence::Medium, Rule::ErrorLine).saying(line);
    }
    let agrees = matches!(facts.sight(), Some(Sight::Prompt | Sight::Error(_)));
    let confidence = if agrees { Confidence::High } else { Confidence::Medium };
    finding(State::Idle, confidence, Rule::TurnEnded)
}
