//! What follows from an aside: evidence at once, and a call if nobody else makes it.
//!
//! An aside has no words. A dialog's question and an error line are on the screen
//! a moment later, and a hook that tells of the same has better ones; so a call
//! waits for them, and is made without if they don't come.

use std::sync::Arc;

use super::{Effects, Fleet, Item, News};
use crate::evidence::{self, Evidence, Hook};
use crate::ids::SessionId;
use crate::nudge::Heard;
use crate::signal::aside::Aside;
use crate::signal::hook::Told;
use crate::signal::text::clean;
use crate::time::Moment;

/// How long a call waits for words. Hooks come within some tens of milliseconds and
/// a screen is read 150 ms after it is still; a loaded machine takes several times that.
const WORDS_MS: i64 = 1_000;

/// What an agent told its terminal, and the call that may come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overheard {
    last: Option<Aside>,
    /// Its hooks were heard, which tell of dialogs and ends of turns, too.
    hooked: bool,
    /// A call that waits for words, and since when.
    waits: Option<(Aside, Moment)>,
}

impl Overheard {
    pub(super) fn note_hook(&mut self, told: &Told) {
        self.hooked |= !told.child;
    }

    /// When a call is made whether there are words or not.
    pub(super) fn due(&self) -> Option<Moment> {
        self.waits.map(|(_, since)| Moment(since.0.saturating_add(WORDS_MS)))
    }

    /// Takes what it says; whether that is news.
    fn hear(&mut self, says: Aside, at: Moment) -> bool {
        if self.last.replace(says) == Some(says) {
            return false;
        }
        self.waits = match says {
            // Hooks tell of it with the answer.
            Aside::Done if self.hooked => None,
            Aside::Asking | Aside::Failed | Aside::Done => Some((says, at)),
            // An end stays one while the human types; a question is over.
            Aside::Idle => self.waits.filter(|(says, _)| *says != Aside::Asking),
            Aside::Working => None,
        };
        true
    }

    /// The call whose time has come, given the words that its screen shows.
    fn ripe(&mut self, words: Option<(&str, Moment)>, now: Moment) -> Option<(Aside, String)> {
        let (says, since) = self.waits?;
        let words = words.filter(|(_, read)| *read >= since && says != Aside::Done);
        let words = words.map(|(words, _)| clean(plain(words).as_bytes()));
        let is_best = says == Aside::Failed || !self.hooked;
        let is_due = self.due().is_some_and(|due| due <= now);
        if !is_due && (words.is_none() || !is_best) {
            return None;
        }
        self.waits = None;
        Some((says, words.unwrap_or_default()))
    }
}

/// A line of a screen without the mark that stands before it. Of a service's answer
/// that is shown as it came, only the words for people.
fn plain(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '{');
    let message = line.find("\"message\"").map(|at| &line[at + "\"message\"".len()..]);
    let message = message.and_then(|rest| rest.trim_start_matches([':', ' ']).strip_prefix('"'));
    let end = message.and_then(|words| words.split('"').next()).filter(|words| !words.is_empty());
    end.unwrap_or(line)
}

impl Fleet {
    pub(super) fn overhear(
        &mut self,
        id: &SessionId,
        says: Aside,
        at: Moment,
        now: Moment,
    ) -> Effects {
        let session = self.sessions.get_mut(id).map(Arc::make_mut);
        if !session.is_some_and(|session| session.overheard.hear(says, at)) {
            return Effects::default();
        }
        self.weigh(id, [evidence(says, "")], at, now)
    }

    /// Makes the call that waits, if its time has come.
    pub(super) fn ripen(&mut self, id: &SessionId, now: Moment) -> Effects {
        let session = self.sessions.get_mut(id).filter(|session| session.overheard.waits.is_some());
        let Some(session) = session.map(Arc::make_mut) else { return Effects::default() };
        let Some((says, message)) = session.overheard.ripe(session.judge.words(), now) else {
            return Effects::default();
        };
        let heard = match says {
            Aside::Asking => Heard::Asked { about: None, message: message.clone() },
            Aside::Failed => Heard::TurnFailed { message: message.clone() },
            Aside::Done => Heard::TurnEnded { message: String::new(), goes_on: false },
            Aside::Working | Aside::Idle => return Effects::default(),
        };
        let items = vec![Item::Heard { heard, id: None }];
        let news = News { session: id.clone(), items, place: None, at: now };
        let effects = self.hear(news, now);
        effects.and(self.weigh(id, [evidence(says, &message)], now, now))
    }
}

/// What an aside says of the state.
fn evidence(says: Aside, text: &str) -> Evidence {
    let news = match says {
        Aside::Working => evidence::News::ToolUsed,
        Aside::Idle | Aside::Done => evidence::News::TurnEnded,
        Aside::Asking => evidence::News::Asked,
        Aside::Failed => evidence::News::Failed,
    };
    Evidence::Hook(Hook::aside(news, text))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{attention, fleet, see_at};
    use super::super::{Event, Fact};
    use super::*;
    use crate::evidence::Confidence;
    use crate::reading::{Dialog, DialogKind, Reading, Sight, TitleSays};
    use crate::signal::State::{self, Completed, Error, NeedsInput};
    use crate::signal::hook::{self, Behind};
    use Aside::{Asking, Done, Failed, Idle, Working};

    /// What happens in a scene.
    #[derive(Clone)]
    enum Act {
        Says(Aside),
        Shows(Sight),
        Hooks(hook::News),
    }
    use Act::{Hooks, Says, Shows};

    fn asks(question: &str) -> Act {
        let dialog = Dialog {
            kind: DialogKind::Permission,
            title: None,
            question: question.into(),
            body: Vec::new(),
            choices: Vec::new(),
            selected: None,
            multiple: false,
            fingerprint: 1,
        };
        Shows(Sight::Dialog(Box::new(dialog)))
    }

    fn fails() -> Act {
        Shows(Sight::Error("■ no more credit".into()))
    }

    fn ended() -> Act {
        Hooks(hook::News::TurnEnded { message: "All done".into(), behind: Behind::Nothing })
    }

    fn asked() -> Act {
        Hooks(hook::News::Asked { about: Some("t".into()), message: "Bash: ls".into() })
    }

    fn began() -> Act {
        Hooks(hook::News::TurnBegan { prompt: None })
    }

    /// Plays a scene (milliseconds), with a tick whenever one is due, up to `end`.
    #[track_caller]
    fn check(scene: &[(i64, Act)], end: i64, seq: u64, open: Option<(State, &str)>) {
        let mut fleet = fleet(&[("proj-001-aaaa", None)]);
        let id = SessionId::new("proj-001-aaaa").unwrap();
        let mut acts: Vec<(i64, Option<Act>)> =
            scene.iter().map(|(at, act)| (*at, Some(act.clone()))).collect();
        acts.push((end, None));
        for (at, act) in acts {
            while let Some(due) = fleet.due().filter(|due| due.0 <= at) {
                fleet.apply(Event::Tick, due);
            }
            let now = Moment(at);
            match act {
                Some(Says(says)) => drop(see_at(&mut fleet, Fact::Aside { says, at: now }, now)),
                Some(Shows(sight)) => {
                    let reading = Box::new(Reading {
                        sight,
                        confidence: Confidence::High,
                        why: "test",
                        field: None,
                        title: TitleSays::Nothing,
                        shows_work: true,
                    });
                    see_at(&mut fleet, Fact::Screen { reading, at: now }, now);
                }
                Some(Hooks(news)) => {
                    let told = Told { news, child: false, conversation: None };
                    let items = vec![Item::Hook { told, id: None }];
                    let news = News { session: id.clone(), items, place: None, at: now };
                    fleet.apply(Event::News(news), now);
                }
                None => {}
            }
        }
        let nudge = attention(&fleet).nudge.as_ref();
        let shown = nudge.map(|nudge| (nudge.state, nudge.message.as_str()));
        assert_eq!((attention(&fleet).seq, shown), (seq, open));
    }

    #[test]
    fn a_failure_is_a_call_with_the_words_on_the_screen() {
        let turn = [(0, began()), (10, Says(Working)), (5_000, Says(Failed))];
        let with = |more: &[(i64, Act)]| [&turn[..], more].concat();
        check(&with(&[]), 5_500, 0, None);
        check(&with(&[(5_200, fails())]), 5_200, 1, Some((Error, "no more credit")));
        check(&with(&[]), 6_000, 1, Some((Error, "")));
        // Once, however often it says so and whoever else does.
        let again = [(5_200, fails()), (5_300, Says(Failed)), (5_400, Says(Idle))];
        check(&with(&again), 20_000, 1, Some((Error, "no more credit")));
        let hooked = Hooks(hook::News::TurnFailed { message: "529".into() });
        check(&with(&[(5_050, hooked.clone())]), 20_000, 1, Some((Error, "529")));
        check(&with(&[(6_500, hooked)]), 20_000, 1, Some((Error, "529")));
        // And again in the next turn.
        let next =
            [(5_200, fails()), (9_000, began()), (9_010, Says(Working)), (12_000, Says(Failed))];
        check(&with(&next), 20_000, 2, Some((Error, "")));
        // It was only on its way to try again.
        check(&with(&[(5_100, Says(Working))]), 20_000, 0, None);
    }

    #[test]
    fn a_line_is_told_in_its_words() {
        for (line, words) in [
            ("■ exceeded retry limit, last status: 500", "exceeded retry limit, last status: 500"),
            (
                "■ {\"type\": \"error\", \"error\": {\"message\": \"bad request\", \"code\": 400",
                "bad request",
            ),
            ("■ {\"error\": {\"message\": \"cut at the edge of", "cut at the edge of"),
            ("■ {\"message\": 3}", "{\"message\": 3}"),
            ("Do you want to proceed?", "Do you want to proceed?"),
        ] {
            assert_eq!(plain(line), words);
        }
    }

    #[test]
    fn a_dialog_is_one_call_whoever_tells_of_it_first() {
        check(&[(0, Says(Asking)), (200, asks("Run it?"))], 200, 1, Some((NeedsInput, "Run it?")));
        let hooked = [(0, began()), (1_000, Says(Asking)), (1_200, asks("Run it?"))];
        let with = |more: &[(i64, Act)]| [&hooked[..], more].concat();
        // Hooks have better words, if they come.
        check(&with(&[]), 1_200, 0, None);
        check(&with(&[]), 2_000, 1, Some((NeedsInput, "Run it?")));
        check(&with(&[(1_300, asked())]), 9_000, 1, Some((NeedsInput, "Bash: ls")));
        check(&with(&[(2_500, asked())]), 9_000, 1, Some((NeedsInput, "Run it?")));
        let early = [(0, began()), (900, asked()), (1_000, Says(Asking)), (1_200, asks("Run it?"))];
        check(&early, 9_000, 1, Some((NeedsInput, "Bash: ls")));
        // Answered or refused before anyone was called.
        check(&[(0, Says(Asking)), (500, Says(Idle))], 9_000, 0, None);
        check(&[(0, Says(Asking)), (500, Says(Working))], 9_000, 0, None);
    }

    #[test]
    fn a_dialog_that_is_answered_is_no_call_any_more() {
        let asks = [(0, Says(Asking)), (200, asks("Run it?"))];
        let with = |more: &[(i64, Act)]| [&asks[..], more].concat();
        let goes = (3_000, Shows(Sight::Prompt));
        check(&with(&[goes.clone(), (3_010, Says(Idle))]), 9_000, 1, None);
        check(&with(&[goes, (3_010, Says(Working))]), 9_000, 1, None);
    }

    #[test]
    fn the_end_of_a_turn_is_the_hooks_to_tell_if_there_are_any() {
        check(&[(0, Says(Working)), (3_000, Says(Done))], 9_000, 1, Some((Completed, "")));
        // `notify` comes a moment later.
        let late = [(0, Says(Working)), (3_000, Says(Done)), (4_500, ended())];
        check(&late, 9_000, 1, Some((Completed, "All done")));
        let hooked = [(0, began()), (3_000, Says(Done)), (3_050, ended())];
        check(&hooked, 9_000, 1, Some((Completed, "All done")));
        // The human types; it is over all the same.
        let typed = [(0, Says(Working)), (3_000, Says(Done)), (3_100, Says(Idle))];
        check(&typed, 9_000, 1, Some((Completed, "")));
        check(&[(0, Says(Working)), (3_000, Says(Idle))], 9_000, 0, None);
    }
}
