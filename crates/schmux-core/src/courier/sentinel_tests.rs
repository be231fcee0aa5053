//! Which drafts can be read without doubt, and the moves that take them away.

use super::super::drawing::draw;
use super::*;

const RULE: &str = "────────────────────────────────────────";

fn adapter(multiline: bool) -> Adapter {
    let mut adapter = Adapter::of(Some("aider")).clone();
    adapter.lines.as_mut().unwrap().multiline = multiline;
    adapter.wraps_to_edge = false;
    adapter
}

fn check_read(multiline: bool, rows: &[&str], expected: Option<&[&str]>) {
    let adapter = adapter(multiline);
    let field = Field::find(&draw(rows), &adapter).unwrap();
    let lines = read(&field, &adapter);
    let lines: Option<Vec<&str>> = lines.as_ref().map(|l| l.iter().map(String::as_str).collect());
    assert_eq!(lines.as_deref(), expected, "{rows:#?}");
}

#[test]
fn only_sure_drafts_are_read() {
    check_read(false, &["> fix it▮"], Some(&["fix it"]));
    check_read(false, &["> fix it ▮"], Some(&["fix it "]));
    check_read(false, &["> fix▮ it"], Some(&["fix it"]));
    check_read(false, &["> one", "  two▮"], None);
    check_read(true, &["> one", "  two▮"], None);
    check_read(true, &[RULE, "> one", "", "  two▮", RULE], Some(&["one", "", "two"]));
    check_read(true, &[RULE, "> one, long enough to be wrapped mayb", "  two▮", RULE], None);
    check_read(false, &["> smile 👍▮"], None);
}

#[test]
fn tokens_differ() {
    let (a, b) = (token(MessageId(1), Moment(1)), token(MessageId(2), Moment(1)));
    assert_ne!(a, b);
    assert_ne!(a, token(MessageId(1), Moment(2)));
    assert_eq!(a.chars().count(), TOKEN);
}

/// Plays all moves on lines and a cursor, as a field would.
fn play(lines: &[&str], at: usize) -> Vec<Move> {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut clearing = Clearing::new(lines, at);
    let mut moves = vec![Move::ToEnd];
    clearing.foresee(Move::ToEnd);
    while let Some(next) = clearing.next() {
        moves.push(next);
        clearing.foresee(next);
        assert!(moves.len() < 100);
    }
    assert_eq!(clearing.lines, [""]);
    moves
}

#[test]
fn lines_are_taken_in_both_directions() {
    use Move::{JoinDown, JoinUp, Kill, Mark, ToEnd, ToStart};
    let line = [ToStart, Mark, ToStart, Kill];
    assert_eq!(play(&["one"], 0), [&[ToEnd][..], &line].concat());
    assert_eq!(play(&["one", "two"], 1), [&[ToEnd][..], &line, &[JoinUp], &line].concat());
    assert_eq!(play(&["one", "two"], 0), [&[ToEnd][..], &line, &[JoinDown, ToEnd], &line].concat());
    assert_eq!(
        play(&["one", "", "three"], 1),
        [&[ToEnd, JoinUp][..], &line, &[JoinDown, ToEnd], &line].concat()
    );
}

#[test]
fn what_was_taken_goes_back() {
    let original = ["one", "two", "three", "four"].map(str::to_owned).to_vec();
    let token = "§ABCD§";
    for (rows, expected) in [
        // Nothing but the mark.
        (&[RULE, "> one", "  §ABCD§▮two", "  three", "  four", RULE][..], Some("two")),
        // The second is gone.
        (&[RULE, "> one", "  ▮", "  three", "  four", RULE], Some("two")),
        (&[RULE, "> one▮", "  three", "  four", RULE], Some("one\ntwo")),
        (&[RULE, "> §ABCD§▮three", "  four", RULE], Some("one\ntwo\nthree")),
        (&[RULE, "> ▮", RULE], Some("one\ntwo\nthree\nfour")),
        // The human did something else.
        (&[RULE, "> onex▮", "  three", "  four", RULE], None),
        (&[RULE, "> one", "  new▮", "  three", "  four", RULE], None),
        (&[RULE, "> five", "  ▮", RULE], None),
    ] {
        let field = Field::find(&draw(rows), &adapter(true)).unwrap();
        let undo = Clearing::undo(original.clone(), &field, token);
        let given = undo.map(|mut clearing| {
            while let Some(next) = clearing.next().filter(|next| *next != Move::Give) {
                clearing.foresee(next);
            }
            clearing.missing()
        });
        assert_eq!(given.as_deref(), expected, "{rows:#?}");
    }
}
