//! Shapes that terminal programs have in common: rules, boxes, blanks, shell prompts.
//!
//! They know no agent.

use crate::screen::Rows;

/// A row that is a line drawn across, perhaps with a word in it.
pub(super) fn is_rule(text: &str) -> bool {
    let text = text.trim();
    let (mut drawn, mut all) = (0, 0);
    for c in text.chars() {
        drawn += usize::from(is_line(c));
        all += 1;
    }
    // Words in a rule are labels; more than a third of them is text with dashes.
    drawn >= RULE && drawn * 3 >= all * 2
}

/// A line that isn't the edge of a box, and has no words in it.
pub(super) fn is_plain_rule(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|c| c == '─') && text.chars().count() >= RULE
}

/// The shortest rule: agents draw them across the screen or a box, never shorter.
const RULE: usize = 8;

fn is_line(c: char) -> bool {
    matches!(c, '─' | '━' | '═' | '╌' | '╍' | '┄' | '┈' | '▀' | '▄' | '▔' | '▁' | '╹' | '⎯')
        || is_corner(c)
}

fn is_corner(c: char) -> bool {
    matches!(c, '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' | '╔' | '╗' | '╚' | '╝')
}

/// A side of a box.
pub(super) fn is_side(c: char) -> bool {
    matches!(c, '│' | '┃' | '║' | '▌' | '▐' | '╎')
}

/// A row without the sides of the boxes around it, and where it begins in the row.
pub(super) fn inner(text: &str) -> (usize, &str) {
    let (mut start, mut end) = (0, text.len());
    // Two boxes within each other are the most that was seen.
    for _ in 0..2 {
        let rest = text[start..end].trim_start();
        let Some(side) = rest.chars().next().filter(|c| is_side(*c)) else { break };
        start = end - rest.len() + side.len_utf8();
    }
    for _ in 0..2 {
        let rest = text[start..end].trim_end();
        let Some(side) = rest.chars().next_back().filter(|c| is_side(*c)) else { break };
        end = start + rest.len() - side.len_utf8();
    }
    (start, text[start..end].trim_end())
}

/// Nothing but blanks, zero-width marks and the sides of boxes.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_side(c) || c == '\u{200b}')
}

/// The first row behind the last one that has anything in it.
pub(super) fn bottom(rows: &Rows) -> usize {
    (0..rows.len()).rev().find(|row| !is_blank(rows.text(*row))).map_or(0, |row| row + 1)
}

/// How far a text is indented, in characters.
pub(super) fn indent(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).count()
}

/// Whether the cursor waits behind a shell's prompt, with nothing below it.
pub(super) fn is_shell_prompt(rows: &Rows) -> bool {
    let row = rows.cursor_row();
    if rows.is_alternate() || !rows.cursor().visible || bottom(rows) > row + 1 {
        return false;
    }
    let text = rows.text(row);
    if rows.cursor_byte() < text.len() {
        return false;
    }
    // Two forms: the sign alone, or behind a name, a path or an environment.
    let text = text.trim_end();
    let Some(sign) = text.chars().next_back() else { return false };
    let before = &text[..text.len() - sign.len_utf8()];
    let is_sign = matches!(sign, '$' | '#' | '%' | '❯' | '➜' | '»' | 'λ');
    is_sign && before.chars().count() <= PROMPT && !before.trim_end().ends_with([':', '.', '?'])
}

/// A shell's prompt may hold a user, a host, a path and a branch.
const PROMPT: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::{Screen, Size};

    #[test]
    fn rules_are_told_from_text() {
        for (text, rule) in [
            ("────────────────", true),
            ("  ╌╌╌╌╌╌╌╌╌╌", true),
            ("──────── build ─────────", true),
            ("╭──────────────╮", true),
            ("╹▀▀▀▀▀▀▀▀▀▀▀", true),
            ("───", false),
            ("a --- b --- c", false),
            ("── a text with two dashes ──", false),
            ("", false),
        ] {
            assert_eq!(is_rule(text), rule, "{text:?}");
        }
    }

    #[test]
    fn plain_rules_are_no_edges_of_boxes() {
        for (text, plain) in [
            ("────────────────", true),
            (" ──────── ", true),
            ("───", false),
            ("", false),
            ("╭──────────────╮", false),
            ("▄▄▄▄▄▄▄▄▄▄▄▄", false),
            ("──────── build ─────────", false),
        ] {
            assert_eq!(is_plain_rule(text), plain, "{text:?}");
        }
    }

    #[test]
    fn boxes_are_taken_off() {
        for (text, start, expected) in [
            ("│ Yes      │", 3, " Yes"),
            ("  ┃  Yes", 5, "  Yes"),
            ("│ │ touch x │ │", 7, " touch x"),
            ("plain │ text", 0, "plain │ text"),
            ("│", 3, ""),
            ("", 0, ""),
        ] {
            assert_eq!(inner(text), (start, expected), "{text:?}");
        }
    }

    #[test]
    fn shell_prompts_are_the_last_thing_on_the_screen() {
        for (bytes, expected) in [
            ("$ ", true),
            ("text\r\ndev@box:~/proj$ ", true),
            ("(venv) dev@box proj % ", true),
            ("➜ ", true),
            ("$ ls", false),
            ("$ \x1b[1;1H", false),
            ("$ \r\nmore\x1b[1;3H", false),
            ("\x1b[?25l$ ", false),
            ("\x1b[?1049h$ ", false),
            ("it costs 5 $", true),
            ("100 %\r\n", false),
        ] {
            let mut screen = Screen::new(Size { cols: 40, rows: 5 });
            screen.advance(bytes.as_bytes());
            assert_eq!(is_shell_prompt(&Rows::read(&screen)), expected, "{bytes:?}");
        }
    }
}
