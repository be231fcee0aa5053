//! What a dialog is about: its title, its question, its body, its kind.
//!
//! It looks at the rows between the choices and what encloses them above: a
//! rule, the top of a box, or the history, which isn't indented as a dialog is.

use super::choices::{keys, label_and_detail, tidy};
use super::dialog::Found;
use super::knowledge::Reader;
use super::pattern::any_in;
use super::shapes::{indent, inner, is_blank, is_rule};
use super::{Choice, Dialog, DialogKind};
use crate::screen::Rows;
use crate::signal::fingerprint;

/// How far above its choices a dialog may begin: a long command or a diff in it.
const TALLEST: usize = 40;

/// How many rows of a body are kept, and how long a row: people read the rest on
/// the screen, and a program must not fill the page.
const BODY: usize = 20;
const LONGEST: usize = 400;

pub(super) fn dialog(reader: &Reader, rows: &Rows, found: Found<'_>) -> Dialog {
    let digits = reader.dialog.digits;
    let choices = found.rows.iter().enumerate().map(|(index, row)| {
        let (label, detail) = label_and_detail(row.label);
        Choice { label: cut(label), detail, keys: keys(index, row, found.selected, digits) }
    });
    let choices: Vec<Choice> = choices.collect();
    let mut dialog = with_choices(reader, rows, found.first, choices, found.selected);
    dialog.multiple = found.multiple;
    dialog
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
        .collect();
    let own = tidy(rows.text(row));
    let asked =
        question(&about).or_else(|| own.contains('?').then(|| (own, about.len()..about.len())));
    let (question, place) = asked.unwrap_or_default();
    let rest =
        about.iter().enumerate().filter(|(at, text)| !place.contains(at) && !text.is_empty());
    let mut rest: Vec<String> = rest.map(|(_, text)| cut(text.clone())).collect();
    // The first row is a title if something follows, or if it is all there is.
    let title = (!rest.is_empty()).then(|| rest.remove(0));
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
        question: cut(question),
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

/// The question among the rows: the last that ends with a question mark, else the
/// last that holds one, else the last that ends with a colon. With the rows that
/// it takes: a wrapped sentence goes up to where it begins.
fn question(rows: &[String]) -> Option<(String, std::ops::Range<usize>)> {
    let last = |test: &dyn Fn(&String) -> bool| rows.iter().rposition(test);
    let end = last(&|row| row.ends_with('?'))
        .or_else(|| last(&|row| row.contains("? ")))
        .or_else(|| last(&|row| row.ends_with(':')))?;
    let mut start = end;
    while start > 0 && continues(&rows[start - 1], &rows[start]) {
        start -= 1;
    }
    Some((rows[start..=end].join(" "), start..end + 1))
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

fn cut(mut text: String) -> String {
    if let Some((at, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(at);
        text.push('…');
    }
    text
}
