//! From what happens to a session to evidence of its state, and what follows
//! from a new verdict.

use std::sync::Arc;

use super::{Effects, Fleet, Life, Session, Urgency, What};
use crate::evidence::{self, Confidence, Evidence, Front, Hook, News, Rule, State, Typed};
use crate::ids::SessionId;
use crate::nudge::{Change, Heard};
use crate::signal::hook::{self, Told};
use crate::signal::{self, Source};
use crate::time::Moment;

impl Fleet {
    /// When [`super::Event::Tick`] is wanted: a verdict may change by time alone.
    pub fn due(&self) -> Option<Moment> {
        self.sessions().filter_map(|session| session.judge.due()).min()
    }

    /// Gives evidence to a session's judge, and does what follows from it.
    pub(super) fn weigh(
        &mut self,
        id: &SessionId,
        evidence: impl IntoIterator<Item = Evidence>,
        at: Moment,
        now: Moment,
    ) -> Effects {
        let Some(session) = self.sessions.get_mut(id).map(Arc::make_mut) else {
            return Effects::default();
        };
        for evidence in evidence {
            session.judge.handle(evidence, at, now);
        }
        self.settle(id, now)
    }

    /// Asks the judges whose time has come.
    pub(super) fn tick(&mut self, now: Moment) -> Effects {
        let due = |session: &&Session| session.judge.due().is_some_and(|due| due <= now);
        let ids: Vec<SessionId> =
            self.sessions().filter(due).map(|session| session.id.clone()).collect();
        ids.iter().fold(Effects::default(), |effects, id| effects.and(self.settle(id, now)))
    }

    /// Takes over what the judge says now. A call that the verdict speaks against
    /// is over: someone has answered it where we could not see.
    fn settle(&mut self, id: &SessionId, now: Moment) -> Effects {
        let Some(session) = self.sessions.get_mut(id).map(Arc::make_mut) else {
            return Effects::default();
        };
        let verdict = session.judge.verdict(now).clone();
        let old = session.verdict.replace(verdict.clone());
        if old.as_ref() == Some(&verdict) {
            return Effects::default();
        }
        let mut effects = Effects { tell: Urgency::Soon, ..Effects::default() };
        if let Some(drift) = session.judge.take_drift() {
            session.drifts = (session.judge.drifts(), drift.to_string());
        }
        let is_over = session.attention.nudge.as_ref().is_some_and(|nudge| {
            let against = match verdict.state {
                State::Working => true,
                State::Idle => {
                    nudge.state == signal::State::NeedsInput && nudge.source == Source::Hook
                }
                _ => false,
            };
            against && verdict.confidence >= Confidence::Medium && verdict.since > nudge.at
        });
        if is_over {
            let told = session.attention.listen(Heard::Stale, now);
            effects.tell = Urgency::Now;
            effects.save.extend(told.history.map(|what| self.record(id, now, what)));
            effects.save.extend(self.session_save(id));
        }
        // These stand in the history already, in the words of whoever told them.
        let is_told = matches!(verdict.rule, Rule::Unreachable | Rule::Exited | Rule::Claimed);
        if !is_told && old.is_none_or(|old| old.state != verdict.state) {
            let rule = verdict.rule.text().to_owned();
            let (state, confidence) = (verdict.state, verdict.confidence);
            let what = What::Verdict { state, confidence, rule };
            effects.save.push(self.record(id, now, what));
        }
        effects
    }
}

impl Session {
    /// What is known of it after a restart.
    pub(super) fn remembered(&self) -> Vec<(Evidence, Moment)> {
        let mut evidence = vec![(self.life.evidence(), self.created_at)];
        if let Some(nudge) = &self.attention.nudge {
            let (message, source) = (nudge.message.clone(), nudge.source);
            let what = if nudge.state == signal::State::NeedsInput && source == Source::Hook {
                Evidence::Hook(Hook::new(News::Asked, message))
            } else {
                Evidence::Said { state: nudge.state, message, source }
            };
            evidence.push((what, nudge.at));
        }
        evidence
    }
}

impl Life {
    pub(super) fn evidence(&self) -> Evidence {
        Evidence::Life(match self {
            Life::Starting => evidence::Life::Starting,
            Life::Running => evidence::Life::Running,
            Life::Exited { .. } => evidence::Life::Exited,
            Life::Unreachable { .. } => evidence::Life::Unreachable,
        })
    }
}

/// What something that was heard says of the state, given what it changed.
pub(super) fn of_heard(heard: &Heard, change: Change) -> Option<Evidence> {
    Some(match heard {
        Heard::Said(signal) | Heard::Added(signal) => Evidence::Said {
            state: signal.state,
            message: signal.message.clone(),
            source: signal.source,
        },
        Heard::Answered { enter: true } => Evidence::Typed(Typed::Submit),
        Heard::Answered { enter: false } => Evidence::Typed(Typed::Other),
        // The end of a turn of which the agent has not said how it ended.
        Heard::TurnEnded { message, .. } if change == Change::Nudged => Evidence::Said {
            state: signal::State::Completed,
            message: message.clone(),
            source: Source::Hook,
        },
        _ => return None,
    })
}

/// What a hook says of the state, where it isn't a word of the agent's own.
pub(super) fn of_hook(told: &Told) -> Option<Evidence> {
    let (news, text) = match &told.news {
        hook::News::TurnBegan { .. } => (News::TurnBegan, ""),
        hook::News::ToolBegan { .. } | hook::News::ToolEnded { .. } => (News::ToolUsed, ""),
        hook::News::Answered { .. } | hook::News::Compacting => (News::ToolUsed, ""),
        hook::News::Asked { message, .. } => (News::Asked, message.as_str()),
        hook::News::TurnEnded { message, .. } => (News::TurnEnded, message.as_str()),
        hook::News::Interrupted | hook::News::Waiting => (News::TurnEnded, ""),
        hook::News::SubagentEnded => return Some(Evidence::Hook(Hook::of_child(News::TurnEnded))),
        hook::News::TurnFailed { message } => (News::Failed, message.as_str()),
        hook::News::SessionStarted { .. } | hook::News::SessionEnded { .. } | hook::News::Other => {
            return None;
        }
    };
    let hook = if told.child { Hook::of_child(news) } else { Hook::new(news, text) };
    Some(Evidence::Hook(hook))
}

/// Whether this program is a shell, where whatever is typed would be run.
pub fn is_shell(name: &str) -> bool {
    const SHELLS: [&str; 14] = [
        "sh", "bash", "zsh", "fish", "dash", "ash", "ksh", "mksh", "tcsh", "csh", "nu", "elvish",
        "xonsh", "pwsh",
    ];
    // A login shell has a dash before its name, a program on disk its directory.
    let name = name.rsplit('/').next().unwrap_or(name);
    SHELLS.contains(&name.trim_start_matches('-'))
}

pub(super) fn front(name: &str) -> Evidence {
    Evidence::Front(if is_shell(name) { Front::Shell } else { Front::Other })
}
