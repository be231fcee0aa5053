//! Whom to ask about, and when.
//!
//! A first look some seconds after the start, then one every few seconds, at
//! sessions that are silent and of which nobody has said anything. A model is never
//! asked twice about the same screen, never more often than the budget allows, and not
//! for a while after it has failed. Where it can't be asked, the words alone have to do.

use std::collections::{HashMap, VecDeque};

use crate::evidence::State;
use crate::ids::SessionId;
use crate::time::Moment;

/// How it looks. As for the budget, a busy day of ten agents asks some twenty times an
/// hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    pub first_ms: i64,
    pub every_ms: i64,
    /// No direct signal for so long.
    pub unsignalled_ms: i64,
    /// No output for so long.
    pub silent_ms: i64,
    pub per_hour: usize,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits {
            first_ms: 10_000,
            every_ms: 15_000,
            unsignalled_ms: 5 * 60_000,
            silent_ms: 15_000,
            per_hour: 60,
        }
    }
}

/// A session, as far as this is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub session: SessionId,
    pub state: State,
    pub has_nudge: bool,
    pub running: bool,
    pub last_signal: Option<Moment>,
    pub last_output: Option<Moment>,
    /// Of what would be asked about: [`super::Extract::fingerprint`].
    pub fingerprint: u64,
}

/// How a screen is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A model is asked.
    Model,
    /// [`super::classify`] has to do.
    Words,
}

/// When it has looked, and what it has asked about.
#[derive(Debug, Clone)]
pub struct Nudgenik {
    habits: Habits,
    next: Moment,
    asked: HashMap<SessionId, (u64, Way)>,
    /// When it asked a model within the last hour, oldest first.
    spent: VecDeque<Moment>,
    /// How often the model has failed since it last answered, and until when it
    /// is left alone for that.
    failures: u32,
    rests_until: Moment,
}

const HOUR_MS: i64 = 3_600_000;

/// How long a model that failed is left alone: a minute after the first time, twice
/// as long after each further one, and never longer than half an hour, so that one
/// that is back is found.
const REST_MS: i64 = 60_000;
const REST_LONGEST_MS: i64 = 1_800_000;

impl Nudgenik {
    pub fn new(habits: Habits, started: Moment) -> Nudgenik {
        let next = Moment(started.0 + habits.first_ms);
        Nudgenik {
            habits,
            next,
            asked: HashMap::new(),
            spent: VecDeque::new(),
            failures: 0,
            rests_until: started,
        }
    }

    /// When to look next.
    pub fn due(&self) -> Moment {
        self.next
    }

    /// Whether it may be asked about a session, whatever its screen shows.
    pub fn is_open(&self, candidate: &Candidate, now: Moment) -> bool {
        let is_long_ago = |at: Moment, ms| now.0 - at.0 >= ms;
        // Where something better is known, an opinion would not be heard.
        let open = matches!(candidate.state, State::Idle | State::Unknown);
        open && candidate.running
            && !candidate.has_nudge
            && candidate.last_signal.is_none_or(|at| is_long_ago(at, self.habits.unsignalled_ms))
            // Who has printed nothing at all has no last words.
            && candidate.last_output.is_some_and(|at| is_long_ago(at, self.habits.silent_ms))
    }

    /// Looks: the sessions to read now, and how. They count as read, and a
    /// question as paid for.
    pub fn look(&mut self, candidates: &[Candidate], now: Moment) -> Vec<(SessionId, Way)> {
        if now < self.next {
            return Vec::new();
        }
        self.next = Moment(now.0 + self.habits.every_ms);
        while self.spent.front().is_some_and(|at| now.0 - at.0 >= HOUR_MS) {
            self.spent.pop_front();
        }
        let mut open: Vec<&Candidate> =
            candidates.iter().filter(|candidate| self.is_open(candidate, now)).collect();
        // Who has waited longest comes first, if there isn't enough for all.
        open.sort_by_key(|candidate| candidate.last_output);
        let mut chosen = Vec::new();
        for Candidate { session, fingerprint, .. } in open {
            let before = self.asked.get(session).filter(|(known, _)| known == fingerprint);
            let way = match before {
                Some((_, Way::Model)) => continue,
                _ if self.left(now) > 0 && now >= self.rests_until => Way::Model,
                Some((_, Way::Words)) => continue,
                None => Way::Words,
            };
            if way == Way::Model {
                self.spent.push_back(now);
            }
            self.asked.insert(session.clone(), (*fingerprint, way));
            chosen.push((session.clone(), way));
        }
        chosen
    }

    /// The model has answered.
    pub fn answered(&mut self) {
        self.failures = 0;
    }

    /// The model couldn't be asked: it is left alone for a while, and may then be
    /// asked about the same screen again. The price stays paid.
    pub fn failed(&mut self, session: &SessionId, now: Moment) {
        self.asked.remove(session);
        // Several questions may have been under way, and failed for one reason.
        if now >= self.rests_until {
            let rest = REST_MS.saturating_mul(1 << self.failures.min(10)).min(REST_LONGEST_MS);
            self.rests_until = Moment(now.0 + rest);
            self.failures += 1;
        }
    }

    /// Only these sessions are left.
    pub fn keep(&mut self, is_there: impl Fn(&SessionId) -> bool) {
        self.asked.retain(|session, _| is_there(session));
    }

    /// How many questions are left in this hour.
    pub fn left(&self, now: Moment) -> usize {
        let spent = self.spent.iter().filter(|at| now.0 - at.0 < HOUR_MS).count();
        self.habits.per_hour.saturating_sub(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(name: &str) -> Candidate {
        Candidate {
            session: SessionId::new(name).unwrap(),
            state: State::Idle,
            has_nudge: false,
            running: true,
            last_signal: None,
            last_output: Some(Moment(0)),
            fingerprint: 1,
        }
    }

    fn asks(candidate: Candidate, now: i64) -> bool {
        let mut nudgenik = Nudgenik::new(Habits::default(), Moment(-1_000_000));
        !nudgenik.look(&[candidate], Moment(now)).is_empty()
    }

    #[test]
    fn only_silent_sessions_of_which_nobody_spoke_are_asked_about() {
        let base = || candidate("a");
        assert!(asks(base(), 15_000));
        assert!(!asks(base(), 14_999));
        assert!(!asks(Candidate { has_nudge: true, ..base() }, 60_000));
        assert!(!asks(Candidate { running: false, ..base() }, 60_000));
        assert!(!asks(Candidate { state: State::Working, ..base() }, 60_000));
        assert!(asks(Candidate { state: State::Unknown, ..base() }, 60_000));
        assert!(!asks(Candidate { last_output: None, ..base() }, 60_000));
        let signalled = || Candidate { last_signal: Some(Moment(0)), ..base() };
        assert!(!asks(signalled(), 299_999));
        assert!(asks(signalled(), 300_000));
    }

    #[test]
    fn it_looks_after_ten_seconds_and_then_every_fifteen() {
        let mut nudgenik = Nudgenik::new(Habits::default(), Moment(0));
        assert_eq!(nudgenik.due(), Moment(10_000));
        let old = Candidate { last_output: Some(Moment(-60_000)), ..candidate("a") };
        assert!(nudgenik.look(std::slice::from_ref(&old), Moment(9_999)).is_empty());
        assert_eq!(nudgenik.look(&[old], Moment(10_000)).len(), 1);
        assert_eq!(nudgenik.due(), Moment(25_000));
    }

    #[test]
    fn the_same_screen_is_never_asked_about_twice() {
        let mut nudgenik = Nudgenik::new(Habits::default(), Moment(-1_000_000));
        let mut now = 15_000;
        let mut look = |nudgenik: &mut Nudgenik, candidate: Candidate| {
            now += 15_000;
            nudgenik.look(&[candidate], Moment(now)).len()
        };
        assert_eq!(look(&mut nudgenik, candidate("a")), 1);
        assert_eq!(look(&mut nudgenik, candidate("a")), 0);
        assert_eq!(look(&mut nudgenik, Candidate { fingerprint: 2, ..candidate("a") }), 1);
        nudgenik.keep(|_| false);
        assert_eq!(look(&mut nudgenik, candidate("a")), 1);
    }

    #[test]
    fn the_budget_is_for_an_hour_and_for_those_who_wait_longest() {
        let habits = Habits { per_hour: 2, ..Habits::default() };
        let mut nudgenik = Nudgenik::new(habits, Moment(-1_000_000));
        let at = |name, ms| Candidate { last_output: Some(Moment(ms)), ..candidate(name) };
        let all = [at("a", 3), at("b", 1), at("c", 2)];
        let looked = nudgenik.look(&all, Moment(20_000));
        let names: Vec<(&str, Way)> =
            looked.iter().map(|(session, way)| (session.as_str(), *way)).collect();
        assert_eq!(names, [("b", Way::Model), ("c", Way::Model), ("a", Way::Words)]);
        assert_eq!(nudgenik.left(Moment(20_000)), 0);
        assert!(nudgenik.look(&all, Moment(40_000)).is_empty());
        assert_eq!(nudgenik.left(Moment(3_620_000)), 2);
        // Only the one that no model has read yet.
        assert_eq!(nudgenik.look(&all, Moment(3_620_000)).len(), 1);
    }

    #[test]
    fn a_model_that_failed_is_left_alone_for_a_while() {
        let mut nudgenik = Nudgenik::new(Habits::default(), Moment(-1_000_000));
        let a = candidate("a");
        let ways = |nudgenik: &mut Nudgenik, now| {
            let looked = nudgenik.look(std::slice::from_ref(&a), Moment(now));
            looked.first().map(|(_, way)| *way)
        };
        assert_eq!(ways(&mut nudgenik, 20_000), Some(Way::Model));
        nudgenik.failed(&a.session, Moment(21_000));
        nudgenik.failed(&a.session, Moment(21_500));
        assert_eq!(ways(&mut nudgenik, 40_000), Some(Way::Words));
        assert_eq!(ways(&mut nudgenik, 60_000), None);
        assert_eq!(ways(&mut nudgenik, 81_000), Some(Way::Model));
        nudgenik.failed(&a.session, Moment(82_000));
        assert_eq!(ways(&mut nudgenik, 201_000), Some(Way::Words));
        assert_eq!(ways(&mut nudgenik, 216_000), Some(Way::Model));
        nudgenik.answered();
        assert_eq!(ways(&mut nudgenik, 300_000), None);
    }
}
