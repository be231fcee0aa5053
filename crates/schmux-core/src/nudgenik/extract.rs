//! An agent's last answer, from the last rows of its terminal.
//!
//! Plain text in, plain text out: the field and what stands below it go, then
//! everything up to the human's last message, then frames, bullets and the marks
//! that agents draw. It works on what agents have in common and knows none of them;
//! where it finds no message of the human's it keeps all that there is.

use crate::signal::fingerprint;

/// How many rows are looked at.
pub const LINES: usize = 100;

/// How much of an answer is kept, in characters. How a turn ended stands at its
/// end, and a model is paid by the word.
const LONGEST: usize = 4_000;

/// How many choices are kept.
const CHOICES: usize = 9;

/// What an agent said last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extract {
    pub answer: String,
    /// The points of a list at its end, if it ends with one or asks about one.
    pub choices: Vec<String>,
    /// The same for the same words, so that nothing is asked twice.
    pub fingerprint: u64,
}

/// Takes the last [`LINES`] rows, oldest first.
pub fn extract<S: AsRef<str>>(rows: &[S]) -> Extract {
    let used = rows.iter().rposition(|row| !row.as_ref().trim().is_empty()).map_or(0, |at| at + 1);
    let rows = &rows[used.saturating_sub(LINES)..used];
    let rows: Vec<&str> = rows.iter().map(|row| row.as_ref().trim_end()).collect();
    let end = field(&rows).unwrap_or(rows.len());
    let start = (0..end).rev().find(|row| is_message(&rows, *row, end)).map_or(0, |row| row + 1);
    let mut lines: Vec<String> = Vec::new();
    for row in &rows[start..end] {
        let Some(line) = plain(row) else { continue };
        if !(line.is_empty() && lines.last().is_none_or(String::is_empty)) {
            lines.push(line);
        }
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let answer = tail(lines.join("\n"));
    let choices = choices(&lines);
    Extract { fingerprint: fingerprint(answer.as_bytes()), answer, choices }
}

const GLYPHS: [char; 4] = ['❯', '›', '>', '»'];

/// How far from the bottom a field may be: its own height, a footer, a popup.
const LOWEST: usize = 16;

/// How far above its glyph a field's frame may begin.
const LEAD: usize = 4;

/// Words that begin so far to the right are hints, drawn at the edge.
const EDGE: usize = 40;

/// The row where the field begins: the lowest that begins with a prompt's glyph.
fn field(rows: &[&str]) -> Option<usize> {
    let lowest = rows.len().saturating_sub(LOWEST);
    let found = (lowest..rows.len()).rev().find(|row| glyph(rows[*row]).is_some());
    // A rule above it is its frame; its mode may stand between.
    let framed = found.map(|row| (row.saturating_sub(LEAD)..row).find(|at| is_drawn(rows[*at])));
    found.map(|row| framed.flatten().unwrap_or(row)).or_else(|| {
        let foot = (lowest..rows.len()).rev().find(|row| rows[*row].trim().starts_with('╹'))?;
        (0..foot).rev().take_while(|row| rows[*row].trim().starts_with('┃')).last()
    })
}

/// What stands behind a prompt's glyph at the left edge.
fn glyph(row: &str) -> Option<&str> {
    let trimmed = row.trim_start();
    if row.len() - trimmed.len() > 2 {
        return None;
    }
    let rest = trimmed.strip_prefix(GLYPHS)?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// Whether a row is a message of the human's. One that quotes (`> so`) within an
/// answer looks alike; a message has a blank row before it.
fn is_message(rows: &[&str], row: usize, end: usize) -> bool {
    let words = glyph(rows[row]).is_some_and(|text| !text.is_empty());
    let apart = row == 0 || rows[row - 1].trim().is_empty() || is_drawn(rows[row - 1]);
    let said = (row + 1..end).any(|row| plain(rows[row]).is_some_and(|line| !line.is_empty()));
    words && apart && said
}

/// A row without what agents draw around their words; nothing if it is all drawn.
fn plain(row: &str) -> Option<String> {
    let indented = row.chars().take_while(|c| *c == ' ').count();
    if is_drawn(row) || (indented >= EDGE && indented < row.chars().count()) {
        return None;
    }
    let sides = |c: char| matches!(c, '│' | '┃' | '║' | '▌');
    let row = row.trim().trim_start_matches(sides).trim_end_matches(sides).trim();
    let row = row.trim_start_matches(['●', '•', '✦', '⏺', '⎿', '└', '■', '▣', '✻', '◦']).trim();
    Some(row.to_owned())
}

/// Nothing but lines, blocks and corners.
fn is_drawn(row: &str) -> bool {
    let row = row.trim();
    !row.is_empty() && row.chars().all(|c| c == ' ' || ('\u{2500}'..='\u{259f}').contains(&c))
}

/// The end of a long text, from a whole line on.
fn tail(text: String) -> String {
    let chars = text.chars().count();
    if chars <= LONGEST {
        return text;
    }
    let cut: String = text.chars().skip(chars - LONGEST).collect();
    cut.split_once('\n').map_or(cut.clone(), |(_, rest)| rest.to_owned())
}

/// The list at the end of an answer, which one more sentence may follow.
fn choices(lines: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut after = 0;
    for line in lines.iter().rev() {
        match point(line) {
            Some(text) => found.push(text.to_owned()),
            None if line.is_empty() => {}
            None if found.is_empty() && after < 2 => after += 1,
            None => break,
        }
    }
    found.reverse();
    if found.len() < 2 {
        found.clear();
    }
    found.truncate(CHOICES);
    found
}

/// A point of a list: `1. Postgres`, `a) SQLite`, `- neither`.
fn point(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '•']) {
        return rest.strip_prefix(' ').map(str::trim);
    }
    let (mark, rest) = line.split_once(['.', ')'])?;
    let mark = mark.trim_start_matches('(');
    let number = mark.parse::<u8>().is_ok() || (mark.len() == 1 && mark.is_ascii());
    let rest = rest.strip_prefix(' ')?.trim();
    (number && !rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(screen: &str, answer: &str, choices: &[&str]) {
        let rows: Vec<&str> = screen.lines().collect();
        let found = extract(&rows);
        assert_eq!(found.answer, answer);
        assert_eq!(found.choices, choices);
    }

    #[test]
    fn the_last_answer_is_found_between_the_message_and_the_field() {
        check(
            "❯ first\n\n● Old answer.\n\n❯ second\n\n● Which one do you want?\n\n  1. Postgres\n  2. \
             SQLite\n\n✻ Baked for 2s\n\n──────────\n❯ \n──────────\n  ? for shortcuts",
            "Which one do you want?\n\n1. Postgres\n2. SQLite\n\nBaked for 2s",
            &["Postgres", "SQLite"],
        );
        check(
            " > quote me\n\n✦ So he said:\n  > not a message\n  and left.\n\n────────────\n >   \
             Type your message",
            "So he said:\n> not a message\nand left.",
            &[],
        );
        check(
            "  ┃  hello\n\n     All done.\n\n     ▣  Build\n\n  ┃\n  ┃\n  ┃  Build\n  ╹▀▀▀▀",
            "hello\n\nAll done.\n\nBuild",
            &[],
        );
        check("", "", &[]);
        check(
            "just a program's output\nin two lines",
            "just a program's output\nin two lines",
            &[],
        );
    }

    #[test]
    fn long_answers_lose_their_beginning() {
        let rows: Vec<String> = (0..90).map(|n| format!("{n} {}", "word ".repeat(30))).collect();
        let found = extract(&rows);
        assert!(found.answer.chars().count() <= LONGEST);
        assert!(found.answer.starts_with(|c: char| c.is_ascii_digit()));
        assert!(found.answer.contains("89 word"));
        // More rows above change nothing.
        let more: Vec<String> =
            (0..50).map(|n| format!("older {n}")).chain(rows.iter().cloned()).collect();
        assert_eq!(extract(&more[more.len() - LINES..]).fingerprint, extract(&more).fingerprint);
    }
}
