//! One choice of a dialog: how its row is written, what its label says, its keys.
//!
//! Pure text: which rows belong together is `dialog`'s business.

use super::Choice;
use super::knowledge::Digits;
use super::shapes::{inner, is_side};

/// A row that may be a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChoiceRow<'a> {
    /// Where it is, once that matters.
    pub row: usize,
    /// The selection's mark stands before it.
    pub marked: bool,
    pub number: Option<u8>,
    /// The column of the number, or of the label if there is none.
    pub col: usize,
    pub label: &'a str,
}

impl<'a> ChoiceRow<'a> {
    /// A row like `❯ 1. Yes` or `  2. No`, in a box or not.
    pub fn numbered(text: &'a str, marks: &[char]) -> Option<ChoiceRow<'a>> {
        let (marked, start, rest) = unmarked(text, marks);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // A dialog of a hundred choices isn't answered by buttons.
        if !(1..=2).contains(&digits) {
            return None;
        }
        let number = rest[..digits].parse().ok()?;
        // In narrow terminals the blank behind the number goes first: `1.Yes`.
        let label = rest[digits..].strip_prefix(['.', ')'])?;
        if !label.contains(char::is_alphabetic) {
            return None;
        }
        let col = text[..start].chars().count();
        Some(ChoiceRow { row: 0, marked, number: Some(number), col, label: label.trim() })
    }

    /// A row like `❯ Yes` or `  No`.
    pub fn plain(text: &'a str, marks: &[char]) -> Option<ChoiceRow<'a>> {
        let (marked, start, rest) = unmarked(text, marks);
        let label = rest.trim();
        let col = text[..start].chars().count();
        (!label.is_empty()).then_some(ChoiceRow { row: 0, marked, number: None, col, label })
    }
}

impl ChoiceRow<'_> {
    pub fn at(self, row: usize) -> Self {
        Self { row, ..self }
    }
}

/// A row without its box and its mark: whether it had one, where the rest begins.
fn unmarked<'a>(text: &'a str, marks: &[char]) -> (bool, usize, &'a str) {
    let (offset, body) = inner(text);
    let rest = body.trim_start();
    let start = offset + body.len() - rest.len();
    let Some(behind) = rest.strip_prefix(|c| marks.contains(&c)) else {
        return (false, start, rest);
    };
    let label = behind.trim_start();
    if label.len() == behind.len() {
        // No blank behind it: it is part of a word.
        return (false, start, rest);
    }
    (true, start + rest.len() - label.len(), label)
}

/// A label as people read it: without ticks, boxes to tick and keys in brackets.
/// Some write a description behind it, two blanks apart.
pub(super) fn label_and_detail(text: &str) -> (String, Option<String>) {
    let text = text.trim().trim_start_matches(TICKS).trim();
    let text = ["[ ]", "[x]", "[✔]", "[✓]", "☐", "☑"]
        .iter()
        .find_map(|tick| text.strip_prefix(tick))
        .unwrap_or(text)
        .trim();
    let (label, detail) = match text.split_once("  ") {
        Some((label, detail)) => (label, Some(detail.trim())),
        None => (text, None),
    };
    let label = without_key(label).trim_end_matches(TICKS).trim_end();
    (label.to_owned(), detail.filter(|text| !text.is_empty()).map(str::to_owned))
}

const TICKS: [char; 4] = ['✔', '✓', ' ', '←'];

/// Whether a label has a box that can be ticked.
pub(super) fn is_tickable(text: &str) -> bool {
    let text = text.trim();
    ["[ ]", "[x]", "[✔]", "[✓]", "☐", "☑"].iter().any(|tick| text.starts_with(tick))
}

/// A label without a key that it names at its end: `Yes, proceed (y)`.
fn without_key(label: &str) -> &str {
    match (named_key(label), label.rfind('(')) {
        (Some(_), Some(at)) => label[..at].trim_end(),
        _ => label,
    }
}

/// The key that a label names at its end.
pub(super) fn named_key(label: &str) -> Option<String> {
    let inside = label.trim_end().strip_suffix(')')?;
    let (_, key) = inside.rsplit_once('(')?;
    let key = key.to_lowercase();
    let mut letters = key.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphanumeric() => Some(letter.to_string()),
        _ if key == "esc" || key.starts_with("esc to ") => Some("Escape".to_owned()),
        _ if key == "shift+tab" => Some("BTab".to_owned()),
        _ => None,
    }
}

/// The keys for the choice at `index` when `selected` has the selection. A digit
/// or a letter is best: it means the same wherever the selection has gone meanwhile.
pub(super) fn keys(
    index: usize,
    row: &ChoiceRow<'_>,
    selected: Option<usize>,
    digits: Digits,
) -> Vec<String> {
    let digit = row.number.filter(|number| *number <= 9).map(|number| number.to_string());
    match (digits, digit) {
        (Digits::Choose, Some(digit)) => return vec![digit],
        (Digits::Move, Some(digit)) => return vec![digit, "Enter".to_owned()],
        _ => {}
    }
    match (named_key(row.label), selected) {
        (Some(key), _) if key != "BTab" => vec![key],
        (_, Some(from)) => steps(from, index, "Up", "Down"),
        (_, None) => Vec::new(),
    }
}

/// Moves from one choice to another, and takes it.
pub(super) fn steps(from: usize, to: usize, back: &str, forth: &str) -> Vec<String> {
    let step = if to < from { back } else { forth };
    let mut keys = vec![step.to_owned(); from.abs_diff(to)];
    keys.push("Enter".to_owned());
    keys
}

/// The choices of a question that is answered by a letter: `(Y)es/(N)o/(A)ll [Yes]`,
/// `[Y/n]`, `(y/n)`, `[(y)es, (n)o]`.
pub(super) fn letters(text: &str) -> Vec<Choice> {
    let choice = |label: &str, letter: char| Choice {
        label: label.to_owned(),
        detail: None,
        keys: vec![letter.to_lowercase().to_string(), "Enter".to_owned()],
    };
    let spelled: Vec<Choice> = text
        .split(['/', ',', '['])
        .filter_map(|part| {
            let part = part.trim().trim_end_matches([']', ':', ')']);
            let at = part.rfind('(')?;
            let (before, rest) = (&part[..at], part[at + 1..].trim_start_matches('('));
            let (letter, rest) = rest.split_once(')')?;
            let letter = letter.chars().next().filter(|_| letter.chars().count() == 1)?;
            // What stands before the first choice is the question.
            let before = before.rsplit(' ').next().unwrap_or(before);
            let word = format!("{before}{letter}{rest}");
            let mut shown = word.chars();
            let first = shown.next()?.to_uppercase();
            Some(choice(&format!("{first}{}", shown.as_str()), letter))
        })
        .collect();
    if spelled.len() >= 2 {
        return spelled;
    }
    vec![choice("Yes", 'y'), choice("No", 'n')]
}

/// Text for people: without sides of boxes, its blanks made one.
pub(super) fn tidy(text: &str) -> String {
    let (_, text) = inner(text);
    let words = text.split_whitespace().filter(|word| !word.chars().all(is_side));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a text says anything: art and ornaments have no letters.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: [char; 4] = ['❯', '›', '>', '●'];

    #[test]
    fn numbered_rows_are_told_from_text() {
        for (text, expected) in [
            (" ❯ 1. Yes", Some((true, 1, 3, "Yes"))),
            ("   2. No", Some((false, 2, 3, "No"))),
            ("│ ● 1. Allow once    │", Some((true, 1, 4, "Allow once"))),
            ("  12) Twelve", Some((false, 12, 2, "Twelve"))),
            ("› 1.  Postgres", Some((true, 1, 2, "Postgres"))),
            ("  3.3rd-party", Some((false, 3, 2, "3rd-party"))),
            ("  1.5, 2", None),
            ("  1 print(1)", None),
            ("100. Line", None),
            ("❯ 1.", None),
            ("", None),
        ] {
            let found = ChoiceRow::numbered(text, &MARKS);
            let found = found.map(|row| (row.marked, row.number.unwrap(), row.col, row.label));
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn labels_lose_what_is_for_keys() {
        for (text, label, detail) in [
            ("Yes, proceed (y)", "Yes, proceed", None),
            ("No, exit (esc)", "No, exit", None),
            ("No, and tell Copilot (Esc to stop)", "No, and tell Copilot", None),
            ("Postgres           A server", "Postgres", Some("A server")),
            ("[ ] SQLite", "SQLite", None),
            ("Dark mode ✔", "Dark mode", None),
            ("Trust folder (proj)", "Trust folder (proj)", None),
        ] {
            assert_eq!(label_and_detail(text), (label.into(), detail.map(Into::into)), "{text}");
        }
    }

    #[test]
    fn the_safest_keys_are_taken() {
        let row = |text| ChoiceRow::numbered(text, &MARKS).unwrap();
        let check = |text, index, selected, digits, expected: &[&str]| {
            assert_eq!(keys(index, &row(text), selected, digits), expected, "{text}");
        };
        check("2. No (n)", 1, Some(0), Digits::Choose, &["2"]);
        check("2. No (n)", 1, Some(0), Digits::Move, &["2", "Enter"]);
        check("2. No (n)", 1, Some(0), Digits::Nothing, &["n"]);
        check("2. No (esc)", 1, Some(0), Digits::Nothing, &["Escape"]);
        check("3. All edits (shift+tab)", 2, Some(0), Digits::Nothing, &["Down", "Down", "Enter"]);
        check("1. Yes", 0, Some(2), Digits::Nothing, &["Up", "Up", "Enter"]);
        check("1. Yes", 0, Some(0), Digits::Nothing, &["Enter"]);
        check("1. Yes", 0, None, Digits::Nothing, &[]);
        check("12. Twelve", 11, None, Digits::Choose, &[]);
    }

    #[test]
    fn letters_are_read_from_the_question() {
        for (text, expected) in [
            ("Proceed? (y/n)", vec![("Yes", "y"), ("No", "n")]),
            ("Proceed? [Y/n]", vec![("Yes", "y"), ("No", "n")]),
            ("Log in to Amp? [(y)es, (n)o]:", vec![("Yes", "y"), ("No", "n")]),
            (
                "Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]:",
                vec![
                    ("Yes", "y"),
                    ("No", "n"),
                    ("All", "a"),
                    ("Skip all", "s"),
                    ("Don't ask again", "d"),
                ],
            ),
        ] {
            let found = letters(text);
            let found: Vec<(&str, &str)> =
                found.iter().map(|c| (c.label.as_str(), c.keys[0].as_str())).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
