//! The field's edits as tables: `|` is the cursor.

use super::*;
use Habits::{Claude, Codex};

fn field(marked: &str) -> Field {
    let (before, after) = marked.split_once('|').expect("a cursor in the case");
    let mut field = Field::from_text(&format!("{before}{after}"));
    field.cursor = before.graphemes(true).count();
    field
}

fn marked(field: &Field) -> String {
    let mut text = field.before_cursor();
    text.push('|');
    text.extend(field.atoms[field.cursor..].iter().map(Atom::text));
    text
}

fn check(before: &str, edit: impl Fn(&mut Field), after: &str) {
    let mut field = field(before);
    edit(&mut field);
    assert_eq!(marked(&field), after, "from {before:?}");
}

/// Ten columns, so that "aaaa bbbb cccc" is two rows: "aaaa bbbb " and "cccc".
const W: usize = 10;

#[test]
fn home_and_ctrl_a_differ_between_the_schools() {
    check("aaaa bbbb cc|cc", |f| f.home(Claude, W, Wrap::Word), "aaaa bbbb |cccc");
    check("aaaa bbbb |cccc", |f| f.home(Claude, W, Wrap::Word), "|aaaa bbbb cccc");
    check("one\n|two", |f| f.home(Claude, W, Wrap::Word), "|one\ntwo");
    check("aaaa bbbb cc|cc", |f| f.home(Codex, W, Wrap::Word), "|aaaa bbbb cccc");
    check("one\n|two", |f| f.home(Codex, W, Wrap::Word), "one\n|two");
    check("one\nt|wo", |f| f.line_start(Claude), "one\n|two");
    check("one\n|two", |f| f.line_start(Claude), "one\n|two");
    check("one\n|two", |f| f.line_start(Codex), "|one\ntwo");
}

#[test]
fn ends_of_rows_and_lines() {
    check("aa|aa bbbb cccc", |f| f.end(Claude, W, Wrap::Word), "aaaa bbbb| cccc");
    check("aa|aa bbbb cccc", |f| f.end(Codex, W, Wrap::Word), "aaaa bbbb cccc|");
    check("o|ne\ntwo", |f| f.end(Claude, W, Wrap::Word), "one|\ntwo");
    check("o|ne\ntwo", |f| f.line_end(Claude), "one|\ntwo");
    check("one|\ntwo", |f| f.line_end(Claude), "one|\ntwo");
    check("one|\ntwo", |f| f.line_end(Codex), "one\ntwo|");
}

#[test]
fn kills_are_visual_or_logical_and_join_at_the_edge() {
    let kill = |habits| move |f: &mut Field| drop(f.kill_to_end(habits, W, Wrap::Word));
    check("aa|aa bbbb cccc", kill(Claude), "aa|cccc");
    check("aa|aa bbbb cccc", kill(Codex), "aa|");
    check("one\n|\ntwo", kill(Claude), "one\n|two");
    check("one|\ntwo", kill(Codex), "one|two");
    check("one|", kill(Codex), "one|");
    let back = |habits| move |f: &mut Field| drop(f.kill_to_start(habits, W, Wrap::Word));
    check("aaaa bbbb cc|cc", back(Claude), "aaaa bbbb |cc");
    check("aaaa bbbb cc|cc", back(Codex), "|cc");
    check("one\n|two", back(Claude), "one|two");
    check("one\n|two", back(Codex), "one|two");
    check("|one", back(Codex), "|one");
}

#[test]
fn words_graphemes_and_lines_are_deleted_whole() {
    check("one two  |x", |f| drop(f.kill_word()), "one |x");
    check("  |", |f| drop(f.kill_word()), "|");
    check("one\n|two", Field::backspace, "one|two");
    check("👍🏽|", Field::backspace, "|");
    check("|日本", Field::delete, "|本");
    check("x|", Field::delete, "x|");
}

#[test]
fn graphemes_that_are_typed_in_parts_become_one() {
    let mut field = Field::default();
    "👩‍👩‍👧é".chars().for_each(|c| field.insert(&c.to_string()));
    assert_eq!((field.atoms.len(), field.text().as_str()), (2, "👩‍👩‍👧é"));
    field.insert("\r\nx");
    assert_eq!(field.text(), "👩‍👩‍👧é\r\nx");
}

#[test]
fn up_and_down_keep_the_column_where_they_can() {
    let up = |f: &mut Field| assert!(f.up(W, Wrap::Word));
    let down = |f: &mut Field| assert!(f.down(W, Wrap::Word));
    check("abc\nx\nab|c", up, "abc\nx|\nabc");
    check("ab|c\nx\nabc", down, "abc\nx|\nabc");
    check("日本\nab|c", up, "日|本\nabc");
    check("aaaa bbbb cc|cc", up, "aa|aa bbbb cccc");
    assert!(!field("on|e\ntwo").up(W, Wrap::Word));
    assert!(!field("one\ntw|o").down(W, Wrap::Word));
}

#[test]
fn a_pasted_block_is_one_atom_and_keeps_its_text() {
    let mut field = field("see | ok");
    field.insert_paste("[Pasted text #1 +2 lines]".into(), "a\nb\nc".into());
    assert_eq!(field.text(), "see a\nb\nc ok");
    let drawn = field.drawn(80, Wrap::Word, 9);
    let shown: String = drawn.rows[0].iter().map(Atom::shown).collect();
    assert_eq!(shown, "see [Pasted text #1 +2 lines] ok");
    assert_eq!(drawn.cursor, (0, 29));
    field.backspace();
    assert_eq!(field.text(), "see  ok");
}

#[test]
fn the_cursor_is_drawn_where_the_next_letter_will_stand() {
    let at = |text: &str| field(text).drawn(W, Wrap::Word, 9).cursor;
    assert_eq!(at("|"), (0, 0));
    assert_eq!(at("one\n|"), (1, 0));
    assert_eq!(at("aaaa bbbb |cccc"), (1, 0));
    assert_eq!(at("日本|"), (0, 4));
    assert_eq!(at("\n\n|\n"), (2, 0));
    let long = field("1\n2\n3\n4|\n5");
    let drawn = long.drawn(W, Wrap::Word, 2);
    assert_eq!((drawn.skipped, drawn.rows.len(), drawn.cursor), (2, 2, (1, 1)));
}
