//! Keeps agents from talking to each other without end.
//!
//! Two agents that answer every message with a message never stop by
//! themselves, and each answer costs money. A human's word to either of them
//! starts the count anew. Pure policy: who sends what is told by the caller, and
//! messages of humans are never damped.

use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::ids::SessionId;
use crate::time::Moment;

/// What is remembered of recent messages between agents.
#[derive(Debug, Clone, Default)]
pub struct Damper {
    recent: VecDeque<Sent>,
}

#[derive(Debug, Clone)]
struct Sent {
    from: SessionId,
    to: SessionId,
    words: u64,
    at: Moment,
}

/// What may become of a message from one agent to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    Now,
    /// It goes out at this time at the earliest.
    After(Moment),
    Refused(Loop),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    /// The same words to the same agent, again and again.
    Repeating,
    /// Too many messages to and fro.
    PingPong,
    /// One agent writes to many.
    Flood,
}

/// What happened longer ago than ten minutes is another conversation.
const WINDOW_MS: i64 = 10 * 60 * 1000;
/// A question, an answer, a follow-up: as much as that is a conversation.
const FREE: usize = 6;
/// Beyond this it is a loop, whatever it is about.
const MOST: usize = 20;
/// The first wait; it doubles with every further message.
const WAIT_MS: i64 = 15_000;
/// The longest wait, as long as the window: then the count has started anew anyway.
const LONGEST_WAIT_MS: i64 = WINDOW_MS;
/// A word may be repeated ("continue"), but not for ever.
const SAME: usize = 3;
/// Six agents being asked five times each; more is a broadcast in a loop.
const MOST_FROM_ONE: usize = 30;
/// Bounds the memory, whatever many agents do.
const REMEMBERED: usize = 4096;

impl Damper {
    /// Whether an agent's message may go out. One that may is counted.
    pub fn admit(
        &mut self,
        from: &SessionId,
        to: &SessionId,
        text: &str,
        now: Moment,
    ) -> Admission {
        self.recent.retain(|sent| now.0 - sent.at.0 < WINDOW_MS);
        let words = hash(text);
        let count = |test: &dyn Fn(&Sent) -> bool| self.recent.iter().filter(|s| test(s)).count();
        let same = count(&|sent| sent.from == *from && sent.to == *to && sent.words == words);
        let forth = count(&|sent| sent.from == *from && sent.to == *to);
        let back = count(&|sent| sent.from == *to && sent.to == *from);
        let all = count(&|sent| sent.from == *from);
        // Orders to an agent that doesn't answer are no loop.
        let exchanges = 2 * forth.min(back);
        let refused = if same >= SAME {
            Some(Loop::Repeating)
        } else if exchanges >= MOST {
            Some(Loop::PingPong)
        } else if all >= MOST_FROM_ONE {
            Some(Loop::Flood)
        } else {
            None
        };
        if let Some(refused) = refused {
            return Admission::Refused(refused);
        }
        if self.recent.len() >= REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(Sent { from: from.clone(), to: to.clone(), words, at: now });
        match exchanges.checked_sub(FREE) {
            None => Admission::Now,
            Some(over) => {
                let doubled = WAIT_MS << (over / 2).min(8);
                Admission::After(Moment(now.0 + doubled.min(LONGEST_WAIT_MS)))
            }
        }
    }

    /// A human spoke to this agent: what it does now is not a loop.
    pub fn human_spoke_to(&mut self, agent: &SessionId) {
        self.recent.retain(|sent| sent.from != *agent && sent.to != *agent);
    }
}

/// The same words, whatever the blanks between them.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.split_whitespace().for_each(|word| word.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> SessionId {
        SessionId::new(name).unwrap()
    }

    #[test]
    fn ping_pong_slows_down_and_ends() {
        let mut damper = Damper::default();
        let (a, b) = (id("a"), id("b"));
        let mut told = Vec::new();
        for n in 0..24 {
            let (from, to) = if n % 2 == 0 { (&a, &b) } else { (&b, &a) };
            told.push(damper.admit(from, to, &format!("{n}"), Moment(0)));
        }
        assert!(told[..6].iter().all(|admission| *admission == Admission::Now), "{told:?}");
        assert_eq!(told[8], Admission::After(Moment(30_000)), "{told:?}");
        assert_eq!(told[23], Admission::Refused(Loop::PingPong));
        // A human's word, or ten minutes, and they may talk again.
        assert_eq!(damper.clone().admit(&a, &b, "x", Moment(WINDOW_MS)), Admission::Now);
        damper.human_spoke_to(&a);
        assert_eq!(damper.admit(&a, &b, "x", Moment(1)), Admission::Now);
    }

    #[test]
    fn the_same_words_are_not_repeated_for_ever() {
        let mut damper = Damper::default();
        let (a, b) = (id("a"), id("b"));
        for n in 0..SAME {
            assert_eq!(damper.admit(&a, &b, "go  on", Moment(n as i64)), Admission::Now);
        }
        assert_eq!(damper.admit(&a, &b, "go on", Moment(9)), Admission::Refused(Loop::Repeating));
        assert_eq!(damper.admit(&a, &id("c"), "go on", Moment(9)), Admission::Now);
    }

    #[test]
    fn orders_are_no_loop_and_floods_are() {
        let mut damper = Damper::default();
        let boss = id("boss");
        for n in 0..MOST_FROM_ONE {
            let to = id(&format!("w{}", n % 10));
            assert_eq!(damper.admit(&boss, &to, &format!("{n}"), Moment(0)), Admission::Now);
        }
        let more = damper.admit(&boss, &id("w1"), "more", Moment(0));
        assert_eq!(more, Admission::Refused(Loop::Flood));
    }
}
