//! The rules, in the order in which they are asked: the first that applies wins.
//!
//! A pure function of the facts and the time. Every comparison with the time goes
//! through [`Clock`], which notes when it would turn out otherwise: so the moment
//! at which the finding could change by time alone is known exactly.

use serde::Serialize;

use super::facts::{At, Claim, Facts, SIGN_OFF_MS};
use super::{Confidence, Front, Kind, Life, News, State};
use crate::reading::{DialogKind, Sight, TitleSays};
use crate::signal;
use crate::time::Moment;

/// What follows from the facts at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub state: State,
    pub confidence: Confidence,
    pub rule: Rule,
    /// The agent's words, a dialog's question, an error line.
    pub message: Option<String>,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $text:literal by $basis:ident,)*) => {
        /// Which rule won. Its text stands behind "because".
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Rule { $($(#[$doc])* $name,)* }

        impl Rule {
            pub const ALL: &'static [Rule] = &[$(Rule::$name,)*];

            pub fn text(self) -> &'static str {
                match self { $(Rule::$name => $text,)* }
            }

            /// What kind of evidence it rests on.
            pub fn basis(self) -> Basis {
                match self { $(Rule::$name => Basis::$basis,)* }
            }
        }
    };
}

rules! {
    Unreachable = "tmux can't be reached" by Life,
    Exited = "its program has ended" by Life,
    ShellInFront = "a shell is in front, so the agent has gone" by Life,
    ShellOnScreen = "its screen shows a shell's prompt" by Screen,
    Dialog = "a dialog is on its screen" by Screen,
    TitleAsks = "its title asks for action" by Title,
    SignedOff = "it said so, and is writing its last words" by Claim,
    WorkSeen = "its screen shows that it works" by Screen,
    TitleWorks = "its title shows that it works" by Title,
    /// A spinner that doesn't move.
    Frozen = "its screen shows work, but nothing has moved for long" by Screen,
    Asked = "it told that it asks" by Hook,
    /// Document 003, case 3.
    AnswerTaken = "what it asked has gone from its screen" by Screen,
    Claimed = "it said so" by Claim,
    Failed = "it told that its turn failed" by Hook,
    ErrorLine = "an error is the last thing on its screen" by Screen,
    ChildrenWork = "its turn has ended, but agents that it started still run" by Hook,
    TurnEnded = "it told that its turn ended" by Hook,
    /// Document 003, case 2.
    IdlePrompt = "its field waits and nothing moves" by Screen,
    Told = "it told that it works" by Hook,
    Delivered = "it has just been given a message" by Message,
    Bell = "it rang the bell and has been still since" by Output,
    Starting = "it was started and hasn't shown its field yet" by Life,
    OutputFlows = "it prints, and nothing else is known" by Output,
    Opinion = "its last words read so" by Model,
    Nothing = "nothing tells" by Nothing,
}

/// Kinds of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    Life,
    Screen,
    Title,
    Claim,
    Hook,
    Message,
    Output,
    Model,
    Nothing,
}

/// tmux tells who is in front once a second; a program that a tool starts may be
/// there for one look.
const SHELL_MS: i64 = 2_000;

/// After a turn's end its screen is painted once more. Work that is still seen
/// after this is another turn.
const REOPEN_MS: i64 = 2_000;

/// Document 003: how long after a question its dialog may be missing.
const PROMPT_GONE_MS: i64 = 2_000;

/// Document 003: how long a prompt must wait before it speaks against "working".
const IDLE_MS: i64 = 5_000;

/// The same for an agent that always shows its work: one that doesn't, at rest for
/// longer than the slowest spinner takes for a frame, isn't working.
const SURE_IDLE_MS: i64 = 1_000;

/// The same where its title says so too: longer than the gap between two frames.
const AGREED_IDLE_MS: i64 = 300;

/// Spinners move several times a second. After so long without a byte the screen
/// is a picture, and after the second time nobody knows.
const FROZEN_MS: i64 = 60_000;
const FROZEN_LONG_MS: i64 = 600_000;

/// How long "I work" is believed without any sign of it: long tools are silent.
const TOLD_MS: i64 = 600_000;

/// Agents that were started show their time on the screen each second; without a
/// byte or a word for so long they have ended and it was lost.
const CHILD_MS: i64 = 60_000;

/// What it said holds for as long as nothing happens, but a day is a long time.
const CLAIM_MS: i64 = 12 * 3600 * 1000;

/// A first start takes 3 to 10 s, more on a loaded machine.
const STARTING_MS: i64 = 30_000;

/// How long after its last byte a program counts as printing.
const FLOWS_MS: i64 = 5_000;

/// Keys are echoed within a second or two; that isn't work.
const ECHO_MS: i64 = 2_000;

/// How long a message that was just submitted counts as work.
const DELIVERED_MS: i64 = 5_000;

/// Looks at the time, and remembers when looking again would tell something else.
pub(super) struct Clock {
    now: Moment,
    due: Option<Moment>,
}

impl Clock {
    /// Whether `ms` have passed since `at`.
    fn passed(&mut self, at: Moment, ms: i64) -> bool {
        let then = Moment(at.0.saturating_add(ms));
        if self.now >= then {
            return true;
        }
        self.due = Some(self.due.map_or(then, |due| due.min(then)));
        false
    }

    /// Whether it was less than `ms` ago.
    fn within(&mut self, at: Option<Moment>, ms: i64) -> bool {
        at.is_some_and(|at| !self.passed(at, ms))
    }
}

/// The finding at a moment, and when it could change by time alone.
pub fn judge(facts: &Facts, now: Moment) -> (Finding, Option<Moment>) {
    let mut clock = Clock { now, due: None };
    let finding = life(facts, &mut clock)
        .or_else(|| seen(facts, &mut clock))
        .or_else(|| told(facts, &mut clock))
        .or_else(|| guessed(facts, &mut clock))
        .unwrap_or_else(|| finding(State::Unknown, Confidence::Low, Rule::Nothing));
    (refined(facts, finding), clock.due)
}

fn finding(state: State, confidence: Confidence, rule: Rule) -> Finding {
    Finding { state, confidence, rule, message: None }
}

impl Finding {
    fn saying(mut self, message: &str) -> Finding {
        self.message = (!message.is_empty()).then(|| message.to_owned());
        self
    }
}

/// Whether there is an agent at all.
fn life(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
    match facts.life.as_ref().map(|life| life.what) {
        Some(Life::Unreachable) => {
            return Some(finding(State::Unreachable, Confidence::High, Rule::Unreachable));
        }
        Some(Life::Exited) => return Some(finding(State::Exited, Confidence::High, Rule::Exited)),
        _ => {}
    }
    if facts.kind == Kind::Shell {
        return None;
    }
    let on_screen = facts.sight() == Some(&Sight::Shell);
    match &facts.front {
        Some(At { what: Front::Shell, at }) => {
            let held = clock.passed(*at, SHELL_MS);
            let confidence = if on_screen { Confidence::High } else { Confidence::Medium };
            (held || on_screen).then(|| finding(State::Exited, confidence, Rule::ShellInFront))
        }
        Some(_) => None,
        // Nobody said who is in front; a picture of a prompt is a weak reason.
        None => {
            let still = on_screen && clock.passed(facts.stirred()?, IDLE_MS);
            still.then(|| finding(State::Exited, Confidence::Low, Rule::ShellOnScreen))
        }
    }
}

/// What its screen and its title show at this moment.
fn seen(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
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
fn reopened(facts: &Facts, ended: Moment) -> bool {
    facts.work_seen.is_some_and(|seen| seen.0 - ended.0 >= REOPEN_MS)
}

fn over(news: News) -> bool {
    matches!(news, News::TurnEnded | News::Failed)
}

fn hook(facts: &Facts) -> Option<News> {
    facts.hook.as_ref().map(|hook| hook.what.news)
}

/// What was said, by the agent or its hooks, held against a field that waits.
fn told(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
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
fn newest_work(facts: &Facts) -> Option<(Moment, Rule)> {
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

/// Whether its field waits, and has for long enough to mean something.
fn is_resting(facts: &Facts, clock: &mut Clock) -> bool {
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

/// Whether its screen and its title both say that it waits.
fn agree(facts: &Facts) -> bool {
    let title = facts.title.as_ref().map(|title| title.what);
    title == Some(TitleSays::Idle) && shows_work(facts)
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
fn resting(facts: &Facts, clock: &mut Clock) -> Finding {
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
fn guessed(facts: &Facts, clock: &mut Clock) -> Option<Finding> {
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

/// A model's opinion says how a turn ended where nothing else does. It is about
/// one screen, and dies with the next output or an answer; it is never sure.
fn refined(facts: &Facts, found: Finding) -> Finding {
    let Some(opinion) = &facts.opinion else { return found };
    let current = facts.output.is_none_or(|output| output <= opinion.at);
    let current = current && !facts.is_answered(opinion.at);
    if !current || !matches!(found.state, State::Idle | State::Unknown) {
        return found;
    }
    let confidence = opinion.what.confidence.min(Confidence::Medium);
    let state = opinion.what.state.into();
    finding(state, confidence, Rule::Opinion).saying(&opinion.what.summary)
}
