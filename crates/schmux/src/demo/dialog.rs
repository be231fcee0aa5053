//! Dialogs: everything that takes the place of the field and wants a choice.
//!
//! A pure value: keys in, a choice out. What a choice means is the model's business.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::args::DialogKeys;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A tool wants to run this command.
    Permission {
        command: String,
    },
    Question,
    Plan,
    Trust,
    Login,
    /// A view that Left opens in an empty field; it has nothing to choose.
    View,
}

impl Kind {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Permission { .. } => "permission",
            Kind::Question => "question",
            Kind::Plan => "plan",
            Kind::Trust => "trust",
            Kind::Login => "login",
            Kind::View => "view",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dialog {
    pub(crate) kind: Kind,
    pub(crate) title: String,
    pub(crate) body: Vec<String>,
    pub(crate) question: String,
    pub(crate) options: Vec<String>,
    pub(crate) selected: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Counted from zero; none if the dialog was cancelled.
    pub(crate) choice: Option<usize>,
    /// The key, for the journal.
    pub(crate) by: String,
}

impl Dialog {
    pub(crate) fn permission(command: &str) -> Dialog {
        Dialog::new(
            Kind::Permission { command: command.to_owned() },
            "Bash command",
            vec![command.to_owned()],
            "Do you want to proceed?",
            &["Yes", "Yes, and don't ask again", "No (esc)"],
        )
    }

    pub(crate) fn question(question: &str, options: &[String]) -> Dialog {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        Dialog::new(Kind::Question, "Question", Vec::new(), question, &options)
    }

    pub(crate) fn plan(steps: &str) -> Dialog {
        Dialog::new(
            Kind::Plan,
            "Ready to code?",
            steps.split('\n').map(str::to_owned).collect(),
            "Would you like to proceed with this plan?",
            &["Yes, start", "Yes, and accept edits", "No, keep planning (esc)"],
        )
    }

    pub(crate) fn trust(directory: &str) -> Dialog {
        Dialog::new(
            Kind::Trust,
            "Accessing workspace",
            vec![directory.to_owned()],
            "Do you trust the files in this folder?",
            &["Yes, proceed", "No, exit (esc)"],
        )
    }

    pub(crate) fn login() -> Dialog {
        Dialog::new(
            Kind::Login,
            "Login",
            vec!["The demo needs no account: any choice will do.".to_owned()],
            "Select login method:",
            &["Demo account with subscription", "Demo console account"],
        )
    }

    pub(crate) fn view() -> Dialog {
        let body = vec!["No background tasks.".to_owned()];
        Dialog::new(Kind::View, "Background tasks", body, "esc to close", &[])
    }

    fn new(kind: Kind, title: &str, body: Vec<String>, question: &str, options: &[&str]) -> Dialog {
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let (title, question) = (title.to_owned(), question.to_owned());
        Dialog { kind, title, body, question, options, selected: 0 }
    }

    /// A key; an answer once something is chosen. Whatever has no meaning here is lost.
    pub(crate) fn key(&mut self, key: KeyEvent, keys: DialogKeys) -> Option<Answer> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let last = self.options.len().saturating_sub(1);
        let answer = |choice, by: &str| Some(Answer { choice, by: by.to_owned() });
        match key.code {
            KeyCode::Esc => answer(None, "esc"),
            KeyCode::Char('c') if control => answer(None, "ctrl-c"),
            KeyCode::Left if self.kind == Kind::View => answer(None, "left"),
            KeyCode::Up => {
                self.selected = self.selected.checked_sub(1).unwrap_or(last);
                None
            }
            KeyCode::Down | KeyCode::Tab => {
                self.selected = if self.selected >= last { 0 } else { self.selected + 1 };
                None
            }
            KeyCode::Enter if !self.options.is_empty() => answer(Some(self.selected), "enter"),
            KeyCode::Char(c) if !control => self.letter(c, keys, "key"),
            _ => None,
        }
    }

    /// A single character, typed or pasted (`how` tells the journal).
    pub(crate) fn letter(&self, c: char, keys: DialogKeys, how: &str) -> Option<Answer> {
        let last = self.options.len().checked_sub(1)?;
        let choice = match c {
            'y' | 'Y' if keys == DialogKeys::Yn => 0,
            'n' | 'N' if keys == DialogKeys::Yn => last,
            digit => (digit.to_digit(10)? as usize).checked_sub(1).filter(|n| *n <= last)?,
        };
        Some(Answer { choice: Some(choice), by: format!("{how} {c}") })
    }

    /// Whether the choice is the one that says no (by position: it is the last).
    pub(crate) fn refuses(&self, choice: Option<usize>) -> bool {
        choice.is_none_or(|choice| choice + 1 == self.options.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &[KeyCode], school: DialogKeys, expected: Option<(Option<usize>, &str)>) {
        let mut dialog = Dialog::permission("touch x");
        let answer = keys.iter().find_map(|code| dialog.key(KeyEvent::from(*code), school));
        let expected = expected.map(|(choice, by)| Answer { choice, by: by.to_owned() });
        assert_eq!(answer, expected, "{keys:?}");
    }

    #[test]
    fn keys_choose_as_in_real_dialogs() {
        use KeyCode::{Char, Down, Enter, Esc, Up};
        let numbers = DialogKeys::Numbers;
        check(&[Enter], numbers, Some((Some(0), "enter")));
        check(&[Down, Enter], numbers, Some((Some(1), "enter")));
        check(&[Up, Enter], numbers, Some((Some(2), "enter")));
        check(&[Char('2')], numbers, Some((Some(1), "key 2")));
        check(&[Char('4'), Char('0'), Char('x')], numbers, None);
        check(&[Esc], numbers, Some((None, "esc")));
        check(&[Char('y')], numbers, None);
        check(&[Char('y')], DialogKeys::Yn, Some((Some(0), "key y")));
        check(&[Char('h'), Char('n')], DialogKeys::Yn, Some((Some(2), "key n")));
    }
}
