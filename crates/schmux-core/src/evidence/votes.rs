//! What each source says by itself, for `schmux why`: its vote, its age, in words.
//!
//! It decides nothing.

use serde::Serialize;

use super::facts::Facts;
use super::rules::{Basis, Rule};
use super::{Front, Kind, Life, News, State, Teller};
use crate::reading::{Sight, TitleSays};
use crate::signal::Source;
use crate::time::Moment;

/// One source's say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vote {
    pub voice: Voice,
    /// For people: "field", "its turn ended", "completed: All tests pass".
    pub says: String,
    /// The state that it speaks for; none if it only tells that something moved.
    pub state: Option<State>,
    pub at: Moment,
    pub age_ms: u64,
}

/// Who votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    Life,
    Front,
    Screen,
    Title,
    StatusFile,
    EventsFile,
    Marker,
    Cli,
    Hook,
    Aside,
    Children,
    Output,
    Bell,
    Human,
    Message,
    Model,
}

impl Rule {
    /// Whether this rule goes by what that source says.
    pub fn goes_by(self, voice: Voice) -> bool {
        use Voice::{Aside, Cli, EventsFile, Hook, Marker, StatusFile};
        match (self, self.basis()) {
            (Rule::ShellInFront, _) => voice == Voice::Front,
            (Rule::ChildrenWork, _) => voice == Voice::Children,
            (Rule::Bell, _) => voice == Voice::Bell,
            // It may have told by a hook or in its own words.
            (Rule::Told, _) | (_, Basis::Claim) => {
                matches!(voice, StatusFile | EventsFile | Marker | Cli | Hook | Aside)
            }
            (_, Basis::Life) => voice == Voice::Life,
            (_, Basis::Screen) => voice == Voice::Screen,
            (_, Basis::Title) => voice == Voice::Title,
            (_, Basis::Hook) => matches!(voice, Hook | Aside),
            (_, Basis::Message) => voice == Voice::Message,
            (_, Basis::Output) => voice == Voice::Output,
            (_, Basis::Model) => voice == Voice::Model,
            (_, Basis::Nothing) => false,
        }
    }
}

impl Facts {
    /// What every source says, the strongest kinds first.
    pub fn votes(&self, now: Moment) -> Vec<Vote> {
        let mut votes = Vec::new();
        let mut add = |voice, at: Moment, state, says: String| {
            let age_ms = u64::try_from(now.since(at).as_millis()).unwrap_or(u64::MAX);
            votes.push(Vote { voice, says, state, at, age_ms });
        };
        if let Some(life) = &self.life {
            let (says, state) = match life.what {
                Life::Starting => ("starting", Some(State::Starting)),
                Life::Running => ("running", None),
                Life::Exited => ("exited", Some(State::Exited)),
                Life::Unreachable => ("unreachable", Some(State::Unreachable)),
            };
            add(Voice::Life, life.at, state, says.into());
        }
        if let Some(front) = &self.front {
            let (says, state) = match front.what {
                Front::Shell => ("a shell is in front", Some(State::Exited)),
                Front::Other => ("a program is in front", None),
            };
            add(Voice::Front, front.at, state.filter(|_| self.kind != Kind::Shell), says.into());
        }
        if let Some(screen) = &self.screen {
            let (state, words) = sight(&screen.what.sight);
            let sure = screen.what.confidence.as_str();
            add(Voice::Screen, screen.at, state, format!("{words} ({}, {sure})", screen.what.why));
        }
        if let Some(title) = &self.title {
            let (says, state) = match title.what {
                TitleSays::Working => ("working", Some(State::Working)),
                TitleSays::Idle => ("idle", Some(State::Idle)),
                TitleSays::Asking => ("asks for action", Some(State::NeedsInput)),
                TitleSays::Nothing => ("nothing", None),
            };
            add(Voice::Title, title.at, state, says.into());
        }
        if let Some(claim) = &self.claim {
            let voice = match claim.what.source {
                Source::StatusFile => Voice::StatusFile,
                Source::EventsFile => Voice::EventsFile,
                Source::Marker => Voice::Marker,
                Source::Hook => Voice::Hook,
                Source::Cli => Voice::Cli,
            };
            let over = match self.claim_closed {
                false => "",
                true if self.is_answered(claim.at) => " (answered)",
                true => " (of an earlier turn)",
            };
            let says = with(claim.what.state.as_str(), &claim.what.message) + over;
            let state = (!self.claim_closed).then(|| claim.what.state.into());
            add(voice, claim.at, state, says);
        }
        if let Some(hook) = &self.hook {
            let says = match hook.what.news {
                News::TurnBegan => "its turn began",
                News::ToolUsed => "it used a tool",
                News::Asked => "it asks",
                News::TurnEnded => "its turn ended",
                News::Failed => "its turn failed",
            };
            let calls = matches!(hook.what.news, News::Asked | News::Failed);
            let over = calls && self.is_answered(hook.at);
            let state = (!over).then(|| hook.what.news.state());
            let voice = match hook.what.by {
                Teller::Hook => Voice::Hook,
                Teller::Aside => Voice::Aside,
            };
            let over = if over { " (answered)" } else { "" };
            add(voice, hook.at, state, with(says, &hook.what.text) + over);
        }
        if let Some(at) = self.child.filter(|_| self.children > 0) {
            let says = format!("{} started agents run", self.children);
            add(Voice::Children, at, Some(State::Working), says);
        }
        if let Some(opinion) = &self.opinion {
            let says = with(opinion.what.state.as_str(), &opinion.what.summary);
            add(Voice::Model, opinion.at, Some(opinion.what.state.into()), says);
        }
        for (voice, at, says) in [
            (Voice::Message, self.delivered, "a message was delivered"),
            (Voice::Human, self.typed, "keys were pressed"),
            (Voice::Output, self.output, "something was printed"),
            (Voice::Bell, self.bell, "the bell rang"),
        ] {
            if let Some(at) = at {
                add(voice, at, None, says.into());
            }
        }
        votes
    }
}

fn sight(sight: &Sight) -> (Option<State>, String) {
    match sight {
        Sight::Dialog(dialog) => {
            (Some(State::NeedsInput), with(dialog.kind.name(), &dialog.question))
        }
        Sight::Working(line) => (Some(State::Working), with("working", line)),
        Sight::Prompt => (Some(State::Idle), "its field waits".into()),
        Sight::Error(line) => (Some(State::Error), with("error", line)),
        Sight::Shell => (Some(State::Exited), "a shell's prompt".into()),
        Sight::Unknown => (None, "nothing known".into()),
    }
}

fn with(says: &str, text: &str) -> String {
    if text.is_empty() { says.to_owned() } else { format!("{says}: {text}") }
}
