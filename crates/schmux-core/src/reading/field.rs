//! Where the input field is, and what stands right above and below it.
//!
//! Three kinds of fields are known: between two rules, at the cursor, and beside
//! a bar. A prompt's glyph alone makes none: it stands in the history too. Where an
//! agent takes its cursor away, a rule above tells a field from the history.

use serde::{Deserialize, Serialize};

use super::choices::ChoiceRow;
use super::knowledge::Reader;
use super::pattern::any_on;
use super::shapes::{bottom, indent, is_blank, is_plain_rule, is_rule, is_side};
use crate::screen::Rows;

/// An input field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Field {
    /// Its first and last row.
    pub first: usize,
    pub last: usize,
    pub content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Nothing, or a placeholder that the agent draws.
    Empty,
    Draft,
    /// What is typed here is run by a shell.
    Shell,
}

/// How a field is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Frame {
    /// A rule above it, a rule below it.
    Rules,
    /// Nothing around it: a glyph, and the cursor behind it. Where the cursor may be
    /// anywhere, a plain rule above it does, too.
    Cursor,
    /// A bar at its left side, which ends in a foot.
    Bar,
    /// Any of these, in this order.
    #[default]
    Any,
}

/// Where the terminal's cursor stands while the field waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Caret {
    /// In the field, shown or hidden.
    #[default]
    In,
    /// In the field, and shown; dialogs hide it.
    Shown,
    /// Anywhere: this agent draws its own, or shows none without the focus.
    Anywhere,
}

/// The live region.
#[derive(Debug)]
pub(super) struct Live {
    pub field: Option<Field>,
    /// The first row behind the last one that isn't blank.
    pub bottom: usize,
    /// The first row above the field's frame, counted from below; none at the top.
    pub above: Option<usize>,
    /// The first row below the field's frame.
    pub below: usize,
}

/// How far above its glyph a field's cursor may be found, as a part of the screen.
const TALLEST: usize = 2;

pub(super) fn find(reader: &Reader, rows: &Rows) -> Live {
    let bottom = bottom(rows);
    let found = match reader.field.frame {
        Frame::Rules => between_rules(reader, rows, bottom),
        Frame::Cursor => {
            at_cursor(reader, rows, bottom).or_else(|| under_rule(reader, rows, bottom))
        }
        Frame::Bar => beside_bar(reader, rows, bottom),
        Frame::Any => between_rules(reader, rows, bottom)
            .or_else(|| at_cursor(reader, rows, bottom))
            .or_else(|| beside_bar(reader, rows, bottom)),
    };
    found.unwrap_or(Live { field: None, bottom, above: None, below: bottom })
}

fn between_rules(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Live> {
    let glyph_rows = (1..bottom).rev().filter_map(|row| Some((row, reader.glyph(rows, row)?)));
    glyph_rows.into_iter().find_map(|(first, glyph)| {
        let lead =
            (1..=reader.field.lead.min(first)).find(|lead| is_rule(rows.text(first - lead)))?;
        let foot = (first + 1..bottom).find(|row| is_rule(rows.text(*row)));
        let last = foot.map_or(first, |foot| foot - 1);
        let here =
            reader.field.caret == Caret::Anywhere || (first..=last).contains(&rows.cursor_row());
        if !here || (reader.field.caret == Caret::Shown && !rows.cursor().visible) {
            return None;
        }
        // Rules may stand above each other; all of them are its frame.
        let mut above = (first - lead).checked_sub(1);
        while let Some(row) = above.filter(|row| is_rule(rows.text(*row))) {
            above = row.checked_sub(1);
        }
        let below = foot.map_or(first + 1, |foot| foot + 1);
        let content = content(rows, first, last, glyph);
        Some(Live { field: Some(Field { first, last, content }), bottom, above, below })
    })
}

fn at_cursor(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Live> {
    if reader.field.caret == Caret::Shown && !rows.cursor().visible {
        return None;
    }
    let cursor = rows.cursor_row();
    let highest = cursor.saturating_sub(rows.len() / TALLEST);
    let mut first = cursor;
    let glyph = loop {
        match reader.glyph(rows, first) {
            Some(glyph) => break glyph,
            // A draft of several rows is indented to stand behind the glyph.
            None if first > highest && is_continued(rows.text(first)) => first -= 1,
            None => return None,
        }
    };
    let left = rows.text(first)[..glyph.end].chars().count();
    if usize::from(rows.cursor().col) < left {
        return None;
    }
    // A selected choice looks like a field; the cursor is hidden in dialogs.
    let chosen = ChoiceRow::numbered(rows.text(first), &reader.dialog.marks).is_some();
    if chosen && !rows.cursor().visible {
        return None;
    }
    let last = (cursor + 1..bottom).take_while(|row| is_draft(rows.text(*row))).last();
    let last = last.unwrap_or(cursor).max(cursor);
    let content = content(rows, first, cursor, glyph);
    let field = Some(Field { first, last: cursor, content });
    Some(Live { field, bottom, above: first.checked_sub(1), below: last.min(cursor) + 1 })
}

/// The field of an agent that shows no cursor: the last glyph below a plain rule, with
/// nothing framed beneath it. What the human has sent stands in boxes, and dialogs do.
fn under_rule(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Live> {
    if reader.field.caret != Caret::Anywhere {
        return None;
    }
    let mut glyphs = (1..bottom).rev().filter_map(|row| Some((row, reader.glyph(rows, row)?)));
    let (first, glyph) = glyphs.next()?;
    let above = (1..=reader.field.lead.min(first)).map(|lead| rows.text(first - lead));
    above.into_iter().find(|text| is_plain_rule(text))?;
    let inside = (first + 1..bottom).take_while(|row| is_continued(rows.text(*row)));
    let last = inside.filter(|row| !is_blank(rows.text(*row))).last().unwrap_or(first);
    // The lower edge of its own box is no frame of another.
    let foot = (last + 1..bottom).find(|row| !is_blank(rows.text(*row)));
    if (last + 1..bottom).any(|row| is_rule(rows.text(row)) && Some(row) != foot) {
        return None;
    }
    let content = content(rows, first, last, glyph);
    let field = Some(Field { first, last, content });
    Some(Live { field, bottom, above: first.checked_sub(1), below: last + 1 })
}

fn is_continued(text: &str) -> bool {
    text.is_empty() || indent(text) >= 2
}

fn is_draft(text: &str) -> bool {
    !is_blank(text) && indent(text) >= 2
}

fn beside_bar(reader: &Reader, rows: &Rows, bottom: usize) -> Option<Live> {
    let begins = |row: usize, test: fn(char) -> bool| {
        rows.text(row).trim_start().chars().next().is_some_and(test)
    };
    let foot = (1..bottom).rev().find(|row| begins(*row, |c| c == '╹'))?;
    let first = (0..foot).rev().take_while(|row| begins(*row, is_side)).last()?;
    if !(first..foot).contains(&rows.cursor_row())
        || (reader.field.caret == Caret::Shown && !rows.cursor().visible)
    {
        return None;
    }
    // Its last row names the mode, and a blank one stands before that.
    let last = foot.saturating_sub(3).max(first);
    let mode = rows.text(foot - 1).trim_start().trim_start_matches(is_side).trim();
    let words = (first..=last).filter(|row| !is_blank(rows.text(*row)));
    let drafted = words.into_iter().any(|row| {
        let text = rows.text(row);
        let start = text.find(is_side).map_or(0, |at| at + '┃'.len_utf8());
        is_drafted(rows, row, start)
    });
    let content = match drafted {
        _ if reader.field.is_shell_mode(mode) => Content::Shell,
        true => Content::Draft,
        false => Content::Empty,
    };
    let field = Some(Field { first, last: foot - 1, content });
    Some(Live { field, bottom, above: first.checked_sub(1), below: foot + 1 })
}

/// A prompt's glyph at the beginning of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// Where the text behind it begins.
    end: usize,
    shell: bool,
}

impl Reader {
    /// The glyph that a row begins with, if it is one of this agent's.
    fn glyph(&self, rows: &Rows, row: usize) -> Option<Glyph> {
        let text = rows.text(row);
        let trimmed = text.trim_start();
        let start = text.len() - trimmed.len();
        // A field stands at the left edge, or one or two columns from it.
        if indent(text) > 2 {
            return None;
        }
        let found = |glyphs: &[String], shell: bool| {
            glyphs.iter().find_map(|glyph| {
                let rest = trimmed.strip_prefix(glyph.as_str())?;
                let apart = rest.chars().next().is_none_or(char::is_whitespace);
                apart.then(|| Glyph { end: start + glyph.len(), shell })
            })
        };
        found(&self.field.glyphs, false).or_else(|| found(&self.field.shell, true))
    }

    /// The working line near the field, or at the bottom if there is no field.
    pub(super) fn working_line(&self, rows: &Rows, live: &Live) -> Option<String> {
        let line = |row: usize| rows.text(row).trim().to_owned();
        if live.field.is_none() {
            let lowest = (0..live.bottom).rev().filter(|row| !is_blank(rows.text(*row)));
            let mut lowest = lowest.take(self.work.reach);
            return lowest.find(|row| any_on(&self.work.bare, rows, *row)).map(line);
        }
        let below = (live.below..live.bottom).find(|row| any_on(&self.work.below, rows, *row));
        if let Some(row) = below {
            return Some(line(row));
        }
        let above = live.above.map_or(0..0, |row| 0..row + 1).rev();
        for row in above.filter(|row| !is_blank(rows.text(*row))).take(self.work.reach) {
            if any_on(&self.work.above, rows, row) {
                return Some(line(row));
            }
            if !any_on(&self.work.skip, rows, row) {
                break;
            }
        }
        None
    }

    /// The error that is the newest thing above the field.
    pub(super) fn error_line(&self, rows: &Rows, live: &Live) -> Option<String> {
        let above = live.above.map_or(0..0, |row| 0..row + 1).rev();
        for row in above.filter(|row| !is_blank(rows.text(*row))).take(self.error.reach) {
            let is_error = any_on(&self.error.rows, rows, row);
            if is_error && !any_on(&self.error.except, rows, row) {
                return Some(rows.text(row).trim().to_owned());
            }
            if any_on(&self.error.stop, rows, row) {
                break;
            }
        }
        None
    }
}

fn content(rows: &Rows, first: usize, last: usize, glyph: Glyph) -> Content {
    if glyph.shell {
        return Content::Shell;
    }
    let drafted = is_drafted(rows, first, glyph.end)
        || (first + 1..=last).any(|row| is_drafted(rows, row, 0));
    if drafted { Content::Draft } else { Content::Empty }
}

/// Whether a row holds text that a human has typed: not blank, not drawn softly.
/// The cell under a drawn cursor is inverse and says nothing about the rest.
fn is_drafted(rows: &Rows, row: usize, from: usize) -> bool {
    let text = rows.text(row);
    text.char_indices().filter(|(at, _)| *at >= from).any(|(at, c)| {
        let look = rows.look(row, at);
        !c.is_whitespace() && c != '\u{200b}' && !is_side(c) && !look.inverse && !look.is_soft()
    })
}
