//! One pattern of a row: a regular expression, and the colour it must be written in.
//!
//! Regular expressions, because people who add an agent know them, and because
//! the engine runs in linear time whatever a user's file says; `regex-automata`
//! beneath it is part of this crate's terminal model anyway.

use regex::Regex;
use serde::Deserialize;

use crate::screen::{Paint, Rows};

/// As it stands in a file: the expression alone, or with its ink.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    Plain(String),
    Inked { row: String, ink: Wanted },
}

/// What colour the matched text must have. Prose has the terminal's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Wanted {
    /// Neither the terminal's own, nor white, nor a grey.
    Coloured,
    Red,
    /// Dim or grey, as hints are.
    Soft,
    /// None of these: as prose is written.
    Plain,
}

#[derive(Debug, Clone)]
pub(super) struct Pattern {
    expression: Regex,
    ink: Option<Wanted>,
}

impl Pattern {
    pub fn compile(written: &Written) -> Result<Pattern, regex::Error> {
        let (text, ink) = match written {
            Written::Plain(row) => (row, None),
            Written::Inked { row, ink } => (row, Some(*ink)),
        };
        Ok(Pattern { expression: Regex::new(text)?, ink })
    }

    /// Whether a text alone matches; a pattern with ink never does.
    pub fn is_in(&self, text: &str) -> bool {
        self.ink.is_none() && self.expression.is_match(text)
    }

    /// Whether a row of the screen matches. The ink is that of the first group
    /// if the expression has one, else of where the match begins.
    pub fn is_on(&self, rows: &Rows, row: usize) -> bool {
        let text = rows.text(row);
        match self.ink {
            None => self.expression.is_match(text),
            Some(ink) => self.expression.captures(text).is_some_and(|found| {
                let at = found.get(1).or_else(|| found.get(0)).map_or(0, |group| group.start());
                ink.is_worn(rows, row, at)
            }),
        }
    }
}

impl Wanted {
    fn is_worn(self, rows: &Rows, row: usize, byte: usize) -> bool {
        let look = rows.look(row, byte);
        let white = matches!(
            look.fg,
            Paint::Indexed(7 | 15 | 231 | 251..) | Paint::Rgb(200.., 200.., 200..)
        );
        let plain = look.fg == Paint::Default || white;
        match self {
            Wanted::Coloured => !plain && !look.fg.is_grey(),
            Wanted::Red => look.fg.is_red(),
            Wanted::Soft => look.is_soft(),
            Wanted::Plain => plain && !look.dim,
        }
    }
}

/// Whether any of them matches a row.
pub(super) fn any_on(patterns: &[Pattern], rows: &Rows, row: usize) -> bool {
    patterns.iter().any(|pattern| pattern.is_on(rows, row))
}

/// Whether any of them matches a text.
pub(super) fn any_in(patterns: &[Pattern], text: &str) -> bool {
    patterns.iter().any(|pattern| pattern.is_in(text))
}
