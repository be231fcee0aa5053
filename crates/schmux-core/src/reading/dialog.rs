//! Finds a dialog: choices that are the last thing on the screen.
//!
//! What tells a dialog from prose that looks like one: a mark stands at one of
//! its choices, they are numbered without a gap, nothing but hints comes after
//! them, and the agent's field isn't there. `describe` says what it is about.

use super::choices::{ChoiceRow, is_tickable, letters, steps};
use super::describe;
use super::field::Live;
use super::knowledge::{Reader, Shape};
use super::pattern::any_on;
use super::shapes::{indent, inner, is_blank, is_rule};
use super::{Choice, Dialog};
use crate::evidence::Confidence;
use crate::screen::Rows;

/// Rows that together are the choices of a dialog.
pub(super) struct Found<'a> {
    /// The first row of the choices.
    pub first: usize,
    pub rows: Vec<ChoiceRow<'a>>,
    pub selected: Option<usize>,
    pub multiple: bool,
    /// A hint how to choose stands below.
    pub hinted: bool,
}

/// How many rows may stand between two choices: what one wraps to in a narrow
/// terminal, or its description.
const BETWEEN: usize = 16;

pub(super) fn find(
    reader: &Reader,
    rows: &Rows,
    live: &Live,
) -> Option<(Dialog, Confidence, &'static str)> {
    // A field below means that nothing waits for a choice. Above it a dialog may
    // be open, but only one that draws no field of its own hides it.
    if live.field.is_some() {
        return None;
    }
    reader.dialog.shapes.iter().find_map(|shape| match shape {
        Shape::Numbered => {
            let found = numbered(reader, rows, live.bottom)?;
            let sure =
                found.selected.is_some() && (found.hinted || reader.confidence == Confidence::High);
            let confidence = if sure { reader.confidence } else { Confidence::Medium };
            Some((describe::dialog(reader, rows, found), confidence, "numbered choices"))
        }
        Shape::Marked => {
            let found = marked(reader, rows, live.bottom)?;
            let confidence = reader.confidence.min(Confidence::Medium);
            Some((describe::dialog(reader, rows, found), confidence, "marked choices"))
        }
        Shape::Buttons => {
            let dialog = buttons(reader, rows, live.bottom)?;
            Some((dialog, reader.confidence, "buttons"))
        }
        Shape::Confirm => {
            let dialog = confirm(reader, rows, live.bottom)?;
            Some((dialog, reader.confidence, "yes or no"))
        }
    })
}

fn numbered<'a>(reader: &Reader, rows: &'a Rows, bottom: usize) -> Option<Found<'a>> {
    let marks = &reader.dialog.marks;
    let (last, hinted, below) =
        last_choice(reader, rows, bottom, |text| ChoiceRow::numbered(text, marks).is_some())?;
    let mut found = Vec::new();
    let mut first = last;
    let mut gap = 0;
    for row in (0..=last).rev() {
        let text = rows.text(row);
        let expected = found.last().map(|choice: &ChoiceRow<'_>| choice.number);
        match ChoiceRow::numbered(text, marks) {
            Some(choice) if expected.is_none_or(|next| precedes(choice.number, next)) => {
                if found.last().is_some_and(|next| next.col.abs_diff(choice.col) > 1) {
                    break;
                }
                found.push(choice.at(row));
                (first, gap) = (row, 0);
                if choice.number == Some(1) {
                    break;
                }
            }
            _ => {
                gap += 1;
                let col = found.last().map_or(0, |choice| choice.col);
                let (offset, body) = inner(text);
                let at = text[..offset].chars().count() + indent(body);
                let within = is_blank(text) || is_rule(text) || at + 1 >= col;
                if !within || gap > BETWEEN {
                    break;
                }
            }
        }
    }
    found.reverse();
    let col = found.first()?.col;
    let fits = below.iter().all(|row| {
        let (offset, body) = inner(rows.text(*row));
        rows.text(*row)[..offset].chars().count() + indent(body) > col
    });
    let selected = one(found.iter().map(|choice| choice.marked))?;
    // A list that has lost its top or its mark to a small screen needs its hint.
    let whole = found.first()?.number == Some(1) && selected.is_some();
    if !fits || found.len() < 2 || !(whole || hinted) {
        return None;
    }
    let multiple = found.iter().filter(|choice| is_tickable(choice.label)).count() >= 2;
    Some(Found { first, rows: found, selected, multiple, hinted })
}

fn precedes(number: Option<u8>, next: Option<u8>) -> bool {
    number.is_some_and(|number| next == Some(number + 1))
}

fn marked<'a>(reader: &Reader, rows: &'a Rows, bottom: usize) -> Option<Found<'a>> {
    let marks = &reader.dialog.marks;
    // Without numbers only the mark and the hint tell it from a list in prose.
    let hint = (0..bottom)
        .rev()
        .take(TAIL)
        .take_while(|row| is_tail(reader, rows, *row))
        .find(|row| any_on(&reader.dialog.hints, rows, *row))?;
    let choice = |row: usize| {
        let text = rows.text(row);
        let choice = ChoiceRow::numbered(text, marks).or_else(|| ChoiceRow::plain(text, marks));
        choice.map(|choice| choice.at(row))
    };
    let mut lowest = (0..hint).rev().take(LIST).filter_map(choice);
    let selected = lowest.find(|choice| choice.marked)?;
    let (at, col) = (selected.row, selected.col);
    let sibling = |row: usize| {
        let choice = choice(row)?;
        let alike = choice.col == col && !choice.marked && !any_on(&reader.dialog.hints, rows, row);
        (alike && !is_rule(rows.text(row))).then_some(choice)
    };
    let above: Vec<_> = (0..at).rev().map_while(sibling).collect();
    let below: Vec<_> = (at + 1..hint).map_while(sibling).collect();
    let place = above.len();
    let first = at - place;
    let mut found: Vec<ChoiceRow<'a>> = above.into_iter().rev().collect();
    found.push(selected);
    found.extend(below);
    (found.len() >= 2).then_some(Found {
        first,
        rows: found,
        selected: Some(place),
        multiple: false,
        hinted: true,
    })
}

/// How many rows from the bottom a hint is looked for, and how long a list may be above it.
const TAIL: usize = 8;
const LIST: usize = 30;

/// The lowest row that is a choice if only hints and its own wrapped text come
/// after it: that row, whether there was a hint, and the rows of its own.
fn last_choice(
    reader: &Reader,
    rows: &Rows,
    bottom: usize,
    is_choice: impl Fn(&str) -> bool,
) -> Option<(usize, bool, Vec<usize>)> {
    let (mut hinted, mut own) = (false, Vec::new());
    for row in (0..bottom).rev() {
        let text = rows.text(row);
        let hint = any_on(&reader.dialog.hints, rows, row);
        if is_choice(text) && !hint {
            return Some((row, hinted, own));
        }
        hinted |= hint;
        if is_tail(reader, rows, row) {
            continue;
        }
        own.push(row);
        if own.len() > BETWEEN {
            return None;
        }
    }
    None
}

/// Whether a row may stand below a dialog's choices.
fn is_tail(reader: &Reader, rows: &Rows, row: usize) -> bool {
    let text = rows.text(row);
    is_blank(text)
        || is_rule(text)
        || is_arrow(text)
        || is_soft(rows, row)
        || any_on(&reader.dialog.hints, rows, row)
}

/// Whether a row only says that a list goes on.
fn is_arrow(text: &str) -> bool {
    inner(text).1.trim().chars().all(|c| matches!(c, '↑' | '↓' | '▲' | '▼' | '…' | '⋮'))
}

/// Whether a row is drawn to be overlooked.
pub(super) fn is_soft(rows: &Rows, row: usize) -> bool {
    let text = rows.text(row);
    let (offset, body) = inner(text);
    let at = offset + body.len() - body.trim_start().len();
    rows.look(row, at).is_soft()
}

/// The place of the one that is true; `None` within if none is, nothing if several are.
fn one(flags: impl Iterator<Item = bool>) -> Option<Option<usize>> {
    let mut places = flags.enumerate().filter(|(_, flag)| *flag).map(|(place, _)| place);
    match (places.next(), places.next()) {
        (place, None) => Some(place),
        _ => None,
    }
}

/// A row of buttons, one of them on another background than the rest.
fn buttons(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Dialog> {
    let row = (0..bottom)
        .rev()
        .filter(|row| !is_blank(rows.text(*row)))
        .take(TAIL)
        .find(|row| any_on(&reader.dialog.rows, rows, *row))?;
    let (offset, body) = inner(rows.text(row));
    let mut labels: Vec<(usize, &str)> = Vec::new();
    let mut at = offset;
    for part in body.split("   ") {
        let start = at + (part.len() - part.trim_start().len());
        at += part.len() + 3;
        // Far to the right stand hints.
        if part.trim().is_empty() && !labels.is_empty() {
            break;
        }
        if !part.trim().is_empty() {
            labels.push((start, part.trim()));
        }
    }
    let ground = rows.look(row, offset).bg;
    let lit = labels.iter().map(|(start, _)| rows.look(row, *start));
    let selected = one(lit.map(|look| look.bg != ground || look.inverse)).flatten();
    let choices = labels.iter().enumerate().map(|(index, (_, label))| Choice {
        label: (*label).to_owned(),
        detail: None,
        keys: selected.map_or(Vec::new(), |from| steps(from, index, "Left", "Right")),
    });
    let choices: Vec<Choice> = choices.collect();
    // Where nothing is known of the agent, the light on one of them is the proof.
    let sure = selected.is_some() || reader.confidence == Confidence::High;
    (choices.len() >= 2 && sure)
        .then(|| describe::with_choices(reader, rows, row, choices, selected))
}

/// A question at whose end the cursor waits for a letter.
fn confirm(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Dialog> {
    let row = rows.cursor_row();
    let text = rows.text(row);
    let waits = rows.cursor().visible
        && row + 1 == bottom
        && rows.cursor_byte() >= text.len()
        && any_on(&reader.dialog.rows, rows, row);
    waits.then(|| describe::with_choices(reader, rows, row, letters(text), None))
}
