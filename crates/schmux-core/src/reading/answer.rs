//! Answers one dialog, key by key. A pure state machine: it is shown the dialog
//! on the screen again and again, and says what to press.
//!
//! **Invariant:** the key that chooses is pressed only while the dialog that was
//! meant is on the screen, and, where it is Enter, only while the selection is
//! seen to stand at the choice that was meant.

use super::Dialog;
use crate::time::Moment;

/// An answer on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answering {
    fingerprint: u64,
    choice: usize,
    phase: Phase,
    /// When something last went on.
    since: Moment,
    moves: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Begun,
    /// A key was pressed that moves the selection, which stood here.
    Moving(Option<usize>),
    Chosen,
}

/// What to do after a look at the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Press these, and look again.
    Press(Vec<String>),
    /// Look again.
    Wait,
    /// It is answered; whether the dialog was seen to close.
    Done { closed: bool },
    /// Nothing was chosen.
    Failed(AnswerError),
}

/// Why a dialog was not answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerError {
    /// It isn't on the screen, or another one is.
    Gone,
    /// No keys are known that choose this for sure.
    NoKeys,
    /// Its selection doesn't move as it should.
    Stuck,
}

/// Agents take up to 350 ms to show a key under load; after this it was lost.
const PATIENCE_MS: i64 = 2_000;

/// A list that is longer, or a selection that runs away, isn't followed for ever.
const MOST_MOVES: usize = 30;

impl Answering {
    /// `fingerprint` is the dialog that is meant, `choice` counts from 0.
    pub fn new(fingerprint: u64, choice: usize, now: Moment) -> Answering {
        Answering { fingerprint, choice, phase: Phase::Begun, since: now, moves: 0 }
    }

    /// Takes a look at the dialog on the screen, if there is one.
    pub fn see(&mut self, dialog: Option<&Dialog>, now: Moment) -> Step {
        let dialog = dialog.filter(|dialog| dialog.fingerprint == self.fingerprint);
        let late = now.0 - self.since.0 >= PATIENCE_MS;
        match (self.phase, dialog) {
            (Phase::Chosen, None) => Step::Done { closed: true },
            (Phase::Chosen, Some(_)) if late => Step::Done { closed: false },
            (Phase::Chosen, Some(_)) => Step::Wait,
            (_, None) => Step::Failed(AnswerError::Gone),
            (Phase::Moving(from), Some(dialog)) if dialog.selected == from => {
                if late {
                    Step::Failed(AnswerError::Stuck)
                } else {
                    Step::Wait
                }
            }
            (_, Some(dialog)) => self.press(dialog, now),
        }
    }

    fn press(&mut self, dialog: &Dialog, now: Moment) -> Step {
        let choice = dialog.choices.get(self.choice).filter(|_| !dialog.multiple);
        let Some(keys) = choice.map(|choice| &choice.keys[..]).filter(|keys| !keys.is_empty())
        else {
            return Step::Failed(AnswerError::NoKeys);
        };
        self.since = now;
        let at_it = dialog.selected == Some(self.choice);
        let typed = keys[0].chars().all(char::is_alphabetic) && keys[0].chars().count() == 1;
        let (press, phase) = match keys {
            [.., enter] if at_it && enter == "Enter" => (vec![enter.clone()], Phase::Chosen),
            [one] => (vec![one.clone()], Phase::Chosen),
            // A letter into a line: there is no selection that could be looked at.
            [_, _] if typed && dialog.selected.is_none() => (keys.to_vec(), Phase::Chosen),
            [step, ..] => (vec![step.clone()], Phase::Moving(dialog.selected)),
            [] => return Step::Failed(AnswerError::NoKeys),
        };
        self.phase = phase;
        self.moves += 1;
        if self.moves > MOST_MOVES {
            return Step::Failed(AnswerError::Stuck);
        }
        Step::Press(press)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{Choice, DialogKind};

    /// A dialog whose choices have these keys, and where the selection stands.
    fn dialog(keys: &[&[&str]], selected: Option<usize>) -> Dialog {
        let choice = |keys: &&[&str]| Choice {
            label: String::new(),
            detail: None,
            keys: keys.iter().map(|&key| key.to_owned()).collect(),
        };
        Dialog {
            kind: DialogKind::Permission,
            title: None,
            question: "Proceed?".into(),
            body: Vec::new(),
            choices: keys.iter().map(choice).collect(),
            selected,
            multiple: false,
            fingerprint: 7,
        }
    }

    fn press(keys: &[&str]) -> Step {
        Step::Press(keys.iter().map(|&key| key.to_owned()).collect())
    }

    #[test]
    fn a_digit_chooses_at_once() {
        let shown = dialog(&[&["1"], &["2"]], Some(0));
        let mut answer = Answering::new(7, 1, Moment(0));
        assert_eq!(answer.see(Some(&shown), Moment(0)), press(&["2"]));
        assert_eq!(answer.see(Some(&shown), Moment(100)), Step::Wait);
        assert_eq!(answer.clone().see(None, Moment(200)), Step::Done { closed: true });
        assert_eq!(answer.see(Some(&shown), Moment(2_000)), Step::Done { closed: false });
    }

    #[test]
    fn enter_is_pressed_only_at_the_choice() {
        let at = |selected: usize| {
            let keys: [&[&str]; 3] = match selected {
                0 => [&["Enter"], &["Down", "Enter"], &["Down", "Down", "Enter"]],
                1 => [&["Up", "Enter"], &["Enter"], &["Down", "Enter"]],
                _ => [&["Up", "Up", "Enter"], &["Up", "Enter"], &["Enter"]],
            };
            dialog(&keys, Some(selected))
        };
        let mut answer = Answering::new(7, 2, Moment(0));
        assert_eq!(answer.see(Some(&at(0)), Moment(0)), press(&["Down"]));
        assert_eq!(answer.see(Some(&at(0)), Moment(40)), Step::Wait);
        assert_eq!(answer.see(Some(&at(1)), Moment(80)), press(&["Down"]));
        // Someone else has moved it back.
        assert_eq!(answer.see(Some(&at(0)), Moment(120)), press(&["Down"]));
        assert_eq!(answer.see(Some(&at(1)), Moment(160)), press(&["Down"]));
        assert_eq!(answer.see(Some(&at(2)), Moment(200)), press(&["Enter"]));
        assert_eq!(answer.see(None, Moment(240)), Step::Done { closed: true });
    }

    #[test]
    fn digits_that_move_and_letters_that_are_typed() {
        let shown = |selected| dialog(&[&["1", "Enter"], &["2", "Enter"]], selected);
        let mut answer = Answering::new(7, 1, Moment(0));
        assert_eq!(answer.see(Some(&shown(None)), Moment(0)), press(&["2"]));
        assert_eq!(answer.see(Some(&shown(Some(1))), Moment(40)), press(&["Enter"]));
        let line = dialog(&[&["y", "Enter"], &["n", "Enter"]], None);
        let mut answer = Answering::new(7, 1, Moment(0));
        assert_eq!(answer.see(Some(&line), Moment(0)), press(&["n", "Enter"]));
    }

    #[test]
    fn nothing_is_pressed_into_another_dialog() {
        let shown = dialog(&[&["1"], &[]], Some(0));
        let other = Dialog { fingerprint: 8, ..shown.clone() };
        let failed = |error| Step::Failed(error);
        for (choice, seen, expected) in [
            (0, Some(&other), AnswerError::Gone),
            (0, None, AnswerError::Gone),
            (1, Some(&shown), AnswerError::NoKeys),
            (2, Some(&shown), AnswerError::NoKeys),
        ] {
            let mut answer = Answering::new(7, choice, Moment(0));
            assert_eq!(answer.see(seen, Moment(0)), failed(expected));
        }
        let ticks = Dialog { multiple: true, ..shown };
        let mut answer = Answering::new(7, 0, Moment(0));
        assert_eq!(answer.see(Some(&ticks), Moment(0)), failed(AnswerError::NoKeys));
    }

    #[test]
    fn a_selection_that_does_not_move_is_given_up() {
        let shown = dialog(&[&["Enter"], &["Down", "Enter"]], Some(0));
        let mut answer = Answering::new(7, 1, Moment(0));
        assert_eq!(answer.see(Some(&shown), Moment(0)), press(&["Down"]));
        assert_eq!(answer.see(Some(&shown), Moment(1_999)), Step::Wait);
        let stuck = Step::Failed(AnswerError::Stuck);
        assert_eq!(answer.see(Some(&shown), Moment(2_000)), stuck);
    }
}
