//! What a dialog is about: its title, its question, its body, its kind.
//!
//! It looks at the rows between the choices and what encloses them above: a
//! rule, the top of a box, or the history, which isn't indented as a dialog is.

use super::choices::{ChoiceRow, has_words, keys, label_and_detail, tidy};
use super::dialog::{Found, is_soft};
use super::knowledge::Reader;
use super::pattern::{any_in, any_on};
use super::shapes::{indent, inner, is_blank, is_rule};
use super::{Choice, Dialog, DialogKind};
use crate::screen::Rows;
use crate::signal::fingerprint;
use crate::signal::text::clean_to;

/// How far above its choices a dialog may begin: a long command or a diff in it.
const TALLEST: usize = 40;

/// How many rows of a body are kept, and how long a row: people read the rest on
/// the screen, and a program must not fill the page.
const BODY: usize = 20;
const LONGEST: usize = 400;

pub(super) fn dialog(reader: &Reader, rows: &Rows, found: Found<'_>) -> Dialog {
    let digits = reader.dialog.digits;
    let mut choices = Vec::with_capacity(found.rows.len());
    for (index, choice) in found.rows.iter().enumerate() {
        let next = found.rows.get(index + 1).map(|next| next.row);
        let (more, about) = below(reader, rows, choice, next);
        let (label, detail) = label_and_detail(&format!("{}{more}", choice.label));
        let detail = detail.or((!about.is_empty()).then_some(about));
        let detail = detail.map(|text| cut(&text));
        let keys = keys(index, choice, found.selected, digits);
        choices.push(Choice { label: cut(&label), detail, keys });
    }
    let mut dialog = with_choices(reader, rows, found.first, choices, found.selected);
    dialog.multiple = found.multiple;
    dialog
}

/// What stands below a choice and belongs to it: the rest of its label, and its
/// description, which is drawn softly.
fn below(
    reader: &Reader,
    rows: &Rows,
    choice: &ChoiceRow<'_>,
    next: Option<usize>,
) -> (String, String) {
    let (mut label, mut about) = (String::new(), String::new());
    // A label whose own end is soft goes on softly.
    let (start, text) = inner(rows.text(choice.row));
    let end = start + text.len();
    let tail = rows.look(choice.row, end.saturating_sub(1)).is_soft();
    for row in choice.row + 1..next.unwrap_or(rows.len()) {
        let text = rows.text(row);
        let (offset, body) = inner(text);
        let at = text[..offset].chars().count() + indent(body);
        let its = !is_blank(text) && !is_rule(text) && at > choice.col;
        if !its || any_on(&reader.dialog.hints, rows, row) {
            break;
        }
        let into = if is_soft(rows, row) && !tail { &mut about } else { &mut label };
        into.push(' ');
        into.push_str(&tidy(text));
    }
    (label, about.trim().to_owned())
}

/// A dialog whose choices begin at `row`.
pub(super) fn with_choices(
    reader: &Reader,
    rows: &Rows,
    row: usize,
    choices: Vec<Choice>,
    selected: Option<usize>,
) -> Dialog {
    let top = top(rows, row);
    let about: Vec<String> = (top..row)
        .filter(|row| !is_rule(rows.text(*row)))
        .map(|row| tidy(rows.text(row)))
        .filter(|text| text.is_empty() || has_words(text))
        .collect();
    let own = tidy(rows.text(row));
    let (question, rest) = split(about).unwrap_or_else(|about| match own.contains('?') {
        true => (own, about),
        false => (String::new(), about),
    });
    let mut rest: Vec<String> =
        rest.iter().filter(|text| !text.is_empty()).map(|text| cut(text)).collect();
    // The first row is a title if something follows, or if it is all there is.
    let title = (!rest.is_empty()).then(|| rest.remove(0));
    let title = title.map(|text| text.trim_matches(['☐', '☒', '←', '→', ' ']).to_owned());
    let (title, question) = match (title, question) {
        (Some(title), question) if question.is_empty() => (None, title),
        other => other,
    };
    rest.truncate(BODY);
    let fingerprint = mark(title.as_deref(), &question, &rest, &choices);
    let kind = kind(reader, title.as_deref(), &question, &rest, &choices);
    Dialog {
        kind,
        title,
        question: cut(&question),
        body: rest,
        choices,
        selected,
        multiple: false,
        fingerprint,
    }
}

/// The first row of the dialog whose choices begin at `row`.
fn top(rows: &Rows, row: usize) -> usize {
    let (offset, body) = inner(rows.text(row));
    let boxed = offset > 0;
    let indented = indent(rows.text(row)) > 0 || boxed;
    let mut top = row;
    for above in (row.saturating_sub(TALLEST)..row).rev() {
        let text = rows.text(above);
        // Thin rules divide a dialog, and a box may stand within a box.
        if is_rule(text) && !is_dotted(text) && inner(text).0 == 0 {
            break;
        }
        let outside = !is_blank(text) && indent(text) == 0 && inner(text).0 == 0;
        if outside && (indented || boxed) && body.len() > 1 && !is_rule(text) {
            break;
        }
        top = above;
    }
    top
}

fn is_dotted(text: &str) -> bool {
    text.contains(['╌', '╍', '┄', '┈'])
}

/// The question among the rows, and the rows without it: the last that ends with a
/// question mark, else the last that holds one, else the last that ends with a
/// colon. A wrapped sentence goes up to where it begins. All rows if there is none.
fn split(rows: Vec<String>) -> Result<(String, Vec<String>), Vec<String>> {
    let last = |test: &dyn Fn(&String) -> bool| rows.iter().rposition(test);
    let end = last(&|row| row.ends_with('?'))
        .or_else(|| last(&|row| row.contains("? ")))
        .or_else(|| last(&|row| row.ends_with(':')));
    let Some(end) = end else { return Err(rows) };
    let mut start = end;
    while start > 0 && continues(&rows[start - 1], &rows[start]) {
        start -= 1;
    }
    let asked = rows[start..=end].join(" ");
    let (question, after) = match asked.rfind("? ") {
        Some(at) if !asked.ends_with(['?', ':']) => asked.split_at(at + 1),
        _ => (asked.as_str(), ""),
    };
    let mut rest = rows[..start].to_vec();
    rest.push(after.trim().to_owned());
    rest.extend_from_slice(&rows[end + 1..]);
    Ok((question.to_owned(), rest))
}

/// Whether a row is the beginning of the next one's sentence.
fn continues(row: &str, next: &str) -> bool {
    let small = next.chars().next().is_some_and(char::is_lowercase);
    small && !row.is_empty() && !row.ends_with(['.', '?', '!', ':', ')'])
}

fn kind(
    reader: &Reader,
    title: Option<&str>,
    question: &str,
    body: &[String],
    choices: &[Choice],
) -> DialogKind {
    let mut texts: Vec<&str> = vec![question];
    texts.extend(title);
    // Only the head of the body: a diff or a command may hold any words.
    texts.extend(body.iter().take(2).map(String::as_str));
    texts.extend(choices.first().map(|choice| choice.label.as_str()));
    let named = reader
        .dialog
        .kinds
        .iter()
        .find(|(_, patterns)| texts.iter().any(|text| any_in(patterns, text)));
    named.map_or(DialogKind::Other, |(kind, _)| *kind)
}

/// The same for the same words, wherever the selection stands and however they wrap.
fn mark(title: Option<&str>, question: &str, body: &[String], choices: &[Choice]) -> u64 {
    let mut words: Vec<&str> = Vec::new();
    let texts = title.into_iter().chain([question]).chain(body.iter().map(String::as_str));
    let labels = choices.iter().map(|choice| choice.label.as_str());
    for text in texts.chain(labels) {
        words.extend(text.split_whitespace());
        words.push("\n");
    }
    fingerprint(words.join(" ").as_bytes())
}

/// Safe to show, and not longer than people read.
fn cut(text: &str) -> String {
    clean_to(text.as_bytes(), LONGEST)
}
