//! From what happens to a session to evidence of its state, and what follows
//! from a new verdict.

use std::sync::Arc;
use std::time::Duration;

use super::{Effects, Fleet, Life, NOT_LOOKED_AT, Session, Stood, Urgency, What};
use crate::evidence::{self, Confidence, Evidence, Front, Hook, News, Rule, State, Typed, Verdict};
use crate::ids::SessionId;
use crate::nudge::{Change, Heard};
use crate::reading::{Dialog, DialogKind};
use crate::signal::hook::{self, Told};
use crate::signal::{self, Signal, Source};
use crate::time::Moment;

/// What follows from a signal is shown at once; a state that comes back later
/// (it worked on after its words, and rests again) is news.
const JUST_SAID: Duration = Duration::from_secs(1);

impl Fleet {
    /// When [`super::Event::Tick`] is wanted: a verdict may change by time alone.
    pub fn due(&self) -> Option<Moment> {
        self.sessions().filter_map(Session::due).min()
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
        let asked = session.judge.dialog().map(|(dialog, number)| (number, dialog.selected));
        for evidence in evidence {
            session.judge.handle(evidence, at, now);
        }
        let asks = session.judge.dialog().map(|(dialog, number)| (number, dialog.selected));
        let mut effects = self.settle(id, now).and(self.ripen(id, now));
        if asks != asked {
            // A dialog is shown with its choices, and people wait for it to go.
            let same = asks.map(|(number, _)| number) == asked.map(|(number, _)| number);
            effects.tell = effects.tell.max(if same { Urgency::Soon } else { Urgency::Now });
        }
        effects
    }

    /// Asks the judges whose time has come.
    pub(super) fn tick(&mut self, now: Moment) -> Effects {
        let due = |session: &&Session| session.due().is_some_and(|due| due <= now);
        let ids: Vec<SessionId> =
            self.sessions().filter(due).map(|session| session.id.clone()).collect();
        ids.iter().fold(Effects::default(), |effects, id| {
            effects.and(self.settle(id, now)).and(self.ripen(id, now))
        })
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
        let is_news = session.stands(old, &verdict);
        let mut effects = Effects { tell: Urgency::Soon, ..Effects::default() };
        if let Some(drift) = session.judge.take_drift() {
            session.drifts = (session.judge.drifts(), drift.to_string());
            effects.drifts.push((id.clone(), drift));
        }
        let is_over = session.is_call_over(&verdict);
        let last_signal = session.attention.last_signal_at;
        let just_said = last_signal.is_some_and(|at| now.since(at) < JUST_SAID);
        if is_over {
            let told = session.attention.listen(Heard::Stale, now);
            effects.tell = Urgency::Now;
            effects.save.extend(told.history.map(|what| self.record(id, now, what)));
            effects.save.extend(self.session_save(id));
        }
        // These stand in the history already, in the words of whoever told them.
        let is_told = match verdict.rule {
            Rule::Unreachable | Rule::Exited => true,
            Rule::Claimed | Rule::Told => just_said,
            _ => false,
        };
        if is_news {
            // For the time after a restart: then this is no news.
            effects.save.extend(self.session_save(id));
        }
        if !is_told && is_news {
            let rule = verdict.rule.text().to_owned();
            let (state, confidence) = (verdict.state, verdict.confidence);
            let what = What::Verdict { state, confidence, rule };
            effects.save.push(self.record(id, now, what));
        }
        effects
    }
}

impl Session {
    fn due(&self) -> Option<Moment> {
        [self.judge.due(), self.overheard.due()].into_iter().flatten().min()
    }

    /// Notes how it stands now. Whether it stood in another way when it could last be
    /// seen: how it was in between, nobody knows.
    fn stands(&mut self, old: Option<Verdict>, verdict: &Verdict) -> bool {
        if verdict.state == State::Unreachable {
            return false;
        }
        let seen = old.map(|old| old.state).filter(|state| *state != State::Unreachable);
        let (stood, given) = match self.stood.take() {
            Some(Stood { verdict, given }) => (Some(verdict.state), given),
            None => (None, false),
        };
        let is_news = match seen {
            Some(seen) => seen != verdict.state,
            None => given || stood != Some(verdict.state),
        };
        self.stood = Some(Stood { verdict: verdict.clone(), given: given && !is_news });
        is_news
    }

    /// Something was submitted to it. What works may go on with that.
    pub(super) fn note_given(&mut self) {
        if let Some(stood) = self.stood.as_mut().filter(|s| s.verdict.state != State::Working) {
            stood.given = true;
        }
    }

    /// Whether nobody has looked for it since a restart.
    pub(super) fn is_not_looked_at(&self) -> bool {
        matches!(&self.life, Life::Unreachable { reason } if reason == NOT_LOOKED_AT)
    }

    /// Whether the open call says something that is not so any more.
    fn is_call_over(&self, verdict: &Verdict) -> bool {
        let Some(nudge) = &self.attention.nudge else { return false };
        let asked = nudge.state == signal::State::NeedsInput;
        // A menu that the human has opened doesn't speak against what was said.
        let menu = |(dialog, _): (&Dialog, u64)| dialog.kind == DialogKind::Menu;
        let against = match verdict.state {
            State::Working => true,
            State::Idle => asked && nudge.source == Source::Hook,
            State::NeedsInput => {
                verdict.rule == Rule::Dialog && !asked && !self.judge.dialog().is_some_and(menu)
            }
            _ => false,
        };
        against && verdict.confidence >= Confidence::Medium && verdict.since > nudge.at
    }

    /// What is known of it after a restart, in its order. That nobody has looked at
    /// it yet is so since now; how it ended was so before.
    pub(super) fn remembered(&self, now: Moment) -> Vec<(Evidence, Moment)> {
        let since = match self.life {
            // Stored by a version that didn't keep when.
            Life::Exited { .. } => self.ended_at.unwrap_or(self.created_at),
            _ => now,
        };
        let mut evidence = vec![(self.life.evidence(), since)];
        if let Some(nudge) = &self.attention.nudge {
            let (message, source) = (nudge.message.clone(), nudge.source);
            let what = if nudge.state == signal::State::NeedsInput && source == Source::Hook {
                Evidence::Hook(Hook::new(News::Asked, message))
            } else {
                Evidence::Said { state: nudge.state, message, source }
            };
            evidence.push((what, nudge.at));
        }
        evidence.extend(self.told_before());
        evidence.sort_by_key(|(_, at)| *at);
        evidence
    }
}

impl Session {
    /// What it had told of its turn when it was last seen, if that decided how it stood.
    fn told_before(&self) -> Option<(Evidence, Moment)> {
        let verdict = &self.stood.as_ref().filter(|stood| !stood.given)?.verdict;
        let is_work = |said: &&Signal| said.state == signal::State::Working;
        let told = match (verdict.rule, self.attention.said.as_ref().filter(is_work)) {
            (Rule::Told, Some(Signal { state, message, source, .. })) => {
                Evidence::Said { state: *state, message: message.clone(), source: *source }
            }
            (Rule::Told, None) => Evidence::Hook(Hook::new(News::TurnBegan, "")),
            (Rule::TurnEnded, _) => Evidence::Hook(Hook::new(News::TurnEnded, "")),
            _ => return None,
        };
        Some((told, verdict.since))
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
        Heard::Signed(signal) if change == Change::Nudged => Evidence::Said {
            state: signal.state,
            message: signal.message.clone(),
            source: signal.source,
        },
        Heard::Answered { enter: true } => Evidence::Typed(Typed::Submit),
        Heard::Answered { enter: false } => Evidence::Typed(Typed::Tab),
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
        hook::News::Signed { message, .. } => (News::TurnEnded, message.as_str()),
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

/// `is_own`: that is what the session itself runs.
pub(super) fn front(name: &str, is_own: bool) -> Evidence {
    Evidence::Front(if is_shell(name) && !is_own { Front::Shell } else { Front::Other })
}
