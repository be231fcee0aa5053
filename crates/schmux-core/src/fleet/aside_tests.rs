//! Scenes of asides, hooks and screens: how many calls come of them, with which words.

use super::super::tests::{attention, fleet};
use super::super::{Event, Fact, Save};
use super::*;
use crate::evidence::Confidence;
use crate::reading::Dialog;
use crate::signal::State::{Completed, Error, NeedsInput};
use crate::signal::hook::Behind;
use Aside::{Asking, Done, Failed, Idle, Working};

/// What happens in a scene.
#[derive(Clone)]
enum Act {
    Says(Aside),
    Shows(Sight),
    Hooks(hook::News),
    /// The human presses Enter.
    Answers,
    /// The daemon is killed, and another one begins: only what was stored is known.
    Restart,
}
use Act::{Answers, Hooks, Restart, Says, Shows};

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

/// A fleet of one session, and what of it is on disk.
struct Stage {
    fleet: Fleet,
    stored: String,
    /// The daemon has just begun, and hasn't seen a screen yet.
    unheard: bool,
}

impl Stage {
    fn apply(&mut self, event: Event, now: Moment) {
        for save in self.fleet.apply(event, now).save {
            if let Save::Session(session) = save {
                self.stored = serde_json::to_string(&*session).unwrap();
            }
        }
    }

    fn act(&mut self, act: Act, at: Moment) {
        let id = || SessionId::new("proj-001-aaaa").unwrap();
        let event = match act {
            Says(says) => Event::Seen(id(), Fact::Aside { says, at }),
            Shows(sight) => {
                let reading = Box::new(Reading {
                    sight,
                    confidence: Confidence::High,
                    why: "test",
                    field: None,
                    title: TitleSays::Nothing,
                    shows_work: true,
                });
                let unheard = std::mem::take(&mut self.unheard);
                Event::Seen(id(), Fact::Screen { reading, at, unheard })
            }
            Hooks(news) => {
                let told = Told { news, child: false, conversation: None };
                let items = vec![Item::Hook { told, id: None }];
                Event::News(News { session: id(), items, place: None, at })
            }
            Answers => Event::Seen(id(), Fact::Answered { at, enter: true }),
            Restart => {
                let workspaces = self.fleet.workspaces().cloned().collect();
                let session = serde_json::from_str(&self.stored).unwrap();
                self.fleet = Fleet::restore(workspaces, vec![session], 0, at);
                self.unheard = true;
                Event::Seen(id(), Fact::Running)
            }
        };
        self.apply(event, at);
    }
}

/// Plays a scene (milliseconds), with a tick whenever one is due, up to `end`.
#[track_caller]
fn check(scene: &[(i64, Act)], end: i64, seq: u64, open: Option<(State, &str)>) {
    let fleet = fleet(&[("proj-001-aaaa", None)]);
    let stored = serde_json::to_string(fleet.sessions().next().unwrap()).unwrap();
    let mut stage = Stage { fleet, stored, unheard: false };
    let acts = scene.iter().map(|(at, act)| (*at, Some(act.clone())));
    for (at, act) in acts.chain([(end, None)]) {
        while let Some(due) = stage.fleet.due().filter(|due| due.0 <= at) {
            stage.apply(Event::Tick, due);
        }
        if let Some(act) = act {
            stage.act(act, Moment(at));
        }
    }
    let nudge = attention(&stage.fleet).nudge.as_ref();
    let shown = nudge.map(|nudge| (nudge.state, nudge.message.as_str()));
    assert_eq!((attention(&stage.fleet).seq, shown), (seq, open));
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
    let next = [(5_200, fails()), (9_000, began()), (9_010, Says(Working)), (12_000, Says(Failed))];
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

/// One after the other, each less than a second after the one before: words come in time.
fn from(start: i64, acts: &[Act]) -> Vec<(i64, Act)> {
    (0..).map(|nth| start + nth * 900).zip(acts.iter().cloned()).collect()
}

fn works() -> Act {
    Shows(Sight::Working("• Working".into()))
}

#[test]
fn what_was_said_while_nobody_listened_is_told_once() {
    let error = Some((Error, "no more credit"));
    let question = Some((NeedsInput, "Run it?"));
    // It worked, the daemon died, and this is what its screen shows after that.
    for (shown, open) in [(fails(), error), (asks("Run it?"), question)] {
        let away = from(0, &[Says(Idle), Says(Working), works(), Restart, shown.clone()]);
        // Not before the files with what hooks told have been read.
        check(&away, 5_000, 0, None);
        check(&away, 9_000, 1, open);
        let again = [away, from(20_000, &[Restart, shown.clone()])].concat();
        check(&again, 30_000, 1, open);
        // Nor after the human has answered, while it is still to be seen.
        let answered = [again, from(30_000, &[Answers, Restart, shown])].concat();
        check(&answered, 60_000, 1, None);
    }
    // The whole turn was in that time, and even its start.
    check(&from(0, &[Says(Idle), Restart, fails()]), 9_000, 1, error);
    check(&from(0, &[Restart, fails()]), 9_000, 1, error);
    check(&from(0, &[Says(Working), Restart, Shows(Sight::Prompt)]), 9_000, 0, None);
    check(&from(0, &[Says(Working), Restart, works(), fails()]), 9_000, 0, None);
}

#[test]
fn what_was_told_before_a_restart_is_not_told_again() {
    let error = Some((Error, "no more credit"));
    let turn = [Says(Working), Says(Failed), fails()];
    let told = |more: &[Act]| from(0, &[&turn, more].concat());
    check(&told(&[Restart, fails()]), 20_000, 1, error);
    // Also if the human was at it, and after another one.
    check(&told(&[Says(Idle), Answers, Restart, fails()]), 20_000, 1, None);
    check(&told(&[Restart, fails(), Restart, fails()]), 20_000, 1, error);
    // A narrower screen shows less of it.
    let cut = Shows(Sight::Error("■ no more".into()));
    check(&told(&[Restart, cut]), 20_000, 1, error);
    // Killed before there were words, or before the call was made at all.
    let killed_at = |at| [(0, Says(Working)), (900, Says(Failed)), (at, Restart), (9_000, fails())];
    check(&killed_at(2_000), 20_000, 1, Some((Error, "")));
    check(&killed_at(950), 20_000, 1, error);
    // What it never told aside is none of this.
    check(&from(0, &[Says(Idle), fails(), Restart, fails()]), 20_000, 0, None);
    // Another one is another call; so is the same in another turn, if that is known.
    let other = Shows(Sight::Error("■ overloaded".into()));
    check(&told(&[Restart, other]), 20_000, 2, Some((Error, "overloaded")));
    check(&told(&[Says(Working), Restart, fails()]), 20_000, 2, error);
    check(&told(&[Restart, began(), fails()]), 20_000, 2, error);
    check(&told(&[Restart, fails(), began()]), 20_000, 2, error);
    let next = [Restart, fails(), began(), Says(Working), Says(Failed)];
    check(&told(&next), 20_000, 2, Some((Error, "")));
}

#[test]
fn a_gap_is_one_call_with_what_hooks_told_in_it() {
    let question = Some((NeedsInput, "Bash: ls"));
    let away = |more: &[Act]| from(0, &[&[Says(Working), Restart], more].concat());
    check(&away(&[asked(), asks("Run it?")]), 20_000, 1, question);
    check(&away(&[asks("Run it?"), asked()]), 20_000, 1, question);
    check(&away(&[asks("Run it?"), asked(), Answers]), 20_000, 1, None);
    let heard = [asks("Run it?"), Says(Asking), asks("Run it?")];
    check(&away(&heard), 20_000, 1, Some((NeedsInput, "Run it?")));
    // A menu is the human's own.
    let menu = match asks("Select a model") {
        Shows(Sight::Dialog(dialog)) => Dialog { kind: DialogKind::Menu, ..*dialog },
        _ => unreachable!("it is a dialog"),
    };
    check(&away(&[Shows(Sight::Dialog(Box::new(menu)))]), 20_000, 0, None);
}
