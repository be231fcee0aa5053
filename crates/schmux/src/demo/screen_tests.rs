//! The bytes of the inline region: little when little changes, and the right
//! number of rows up when the terminal has broken ours.

use super::*;

fn live(rows: &[&str], cursor: (u16, u16)) -> Live {
    let lines = rows.iter().map(|row| Line::raw(row.to_string())).collect();
    Live { lines, cursor: cursor.into(), cursor_shown: true }
}

#[test]
fn only_rows_that_changed_are_written() {
    let mut region = Region::default();
    region.paint(&[], &live(&["one", "two", "three"], (1, 1)), 20);
    let out = region.paint(&[], &live(&["one", "two", "other"], (1, 1)), 20);
    assert_eq!(out, "\x1b[1B\rother\x1b[K\x1b[1A\r\x1b[1C\x1b[?25h");
    assert_eq!(region.paint(&[], &live(&["one", "two", "other"], (1, 1)), 20), "");
}

#[test]
fn new_entries_go_above_the_region() {
    let mut region = Region::default();
    region.paint(&[], &live(&["rule", "field"], (2, 1)), 20);
    let out = region.paint(&[Entry::Plain("hi".into())], &live(&["rule", "field"], (2, 1)), 20);
    assert_eq!(out, "\x1b[?25l\x1b[1A\r\x1b[Jhi\r\nrule\r\nfield\r\x1b[2C\x1b[?25h");
}

#[test]
fn rows_that_the_terminal_has_broken_are_counted() {
    let mut region = Region::default();
    region.paint(&[], &live(&["0123456789", "", "field"], (3, 2)), 10);
    // At four columns the first row takes three rows, the empty one still one.
    assert!(region.paint(&[], &live(&["0123", "", "fiel"], (3, 2)), 4).contains("\x1b[4A\r\x1b[J"));
}

#[test]
fn long_lines_are_cut_and_styles_end() {
    let line = Line::styled("日本語", Style::new().bold());
    let (bytes, columns) = encode(&line, 5);
    assert_eq!(columns, 4);
    assert!(
        bytes.contains("日本") && !bytes.contains('語') && bytes.ends_with("\x1b[m"),
        "{bytes:?}"
    );
}
