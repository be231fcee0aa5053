//! The rules, in the order in which they are asked: the first that applies wins.
//!
//! A pure function of the facts and the time. Every comparison with the time goes
//! through [`Clock`], which notes when it would turn out otherwise: so the moment
//! at which the finding could change by time alone is known exactly.

mod rest;
mod seen;
mod told;

use serde::{Deserialize, Serialize};

use super::facts::{At, Facts};
use super::{Confidence, Front, Kind, Life, News, State};
use crate::reading::Sight;
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
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// "Waiting" was told, and no prompt is there.
    AnswerTaken = "what it asked has gone from its screen" by Screen,
    Claimed = "it said so" by Claim,
    Failed = "it told that its turn failed" by Hook,
    ErrorLine = "an error is the last thing on its screen" by Screen,
    ChildrenWork = "its turn has ended, but agents that it started still run" by Hook,
    TurnEnded = "it told that its turn ended" by Hook,
    /// "Working" was told, and a prompt waits in silence.
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

/// How long after a question its dialog may be missing.
const PROMPT_GONE_MS: i64 = 2_000;

/// How long a prompt must wait before it speaks against "working".
const IDLE_MS: i64 = 5_000;

/// Spinners move several times a second. After so long without a byte the screen
/// is a picture.
const FROZEN_MS: i64 = 60_000;

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
        .or_else(|| seen::seen(facts, &mut clock))
        .or_else(|| told::told(facts, &mut clock))
        .or_else(|| rest::guessed(facts, &mut clock))
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

fn over(news: News) -> bool {
    matches!(news, News::TurnEnded | News::Failed)
}

fn hook(facts: &Facts) -> Option<News> {
    facts.hook.as_ref().map(|hook| hook.what.news)
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
