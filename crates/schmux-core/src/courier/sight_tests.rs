//! What screens prove.

use super::super::drawing::draw;
use super::*;

const RULE: &str = "────────────────────────────────────────";

fn check_echo(agent: &str, lines: &[&str], text: &str, expected: Echo) {
    let (view, adapter) = (draw(lines), Adapter::of(Some(agent)));
    let field = Field::find(&view, adapter);
    assert_eq!(echo(&view, field.as_ref(), text, adapter), expected, "{lines:#?}");
}

#[test]
fn echoes() {
    check_echo("claude", &[RULE, "❯ hello you▮", RULE], "hello you", Echo::Whole);
    check_echo("claude", &[RULE, "❯ hello", "  you▮", RULE], "hello you", Echo::Whole);
    check_echo("claude", &[RULE, "❯ hello youx▮", RULE], "hello you", Echo::No);
    check_echo("claude", &[RULE, "❯ hello ▮you", RULE], "hello you", Echo::No);
    check_echo("claude", &[RULE, "❯ hello▮", RULE], "hello you", Echo::No);
    check_echo("claude", &[RULE, "❯ a    b▮", RULE], "a\tb", Echo::Whole);
    check_echo("claude", &[RULE, "❯ done  👍 x▮", RULE], "done 👍\u{1f3fd} x", Echo::Whole);
    check_echo("claude", &[RULE, "❯ ▮", RULE], "hello", Echo::No);
    let long = "one\ntwo\nthree\nfour";
    check_echo("claude", &[RULE, "❯ [Pasted text #1 +3 lines]▮", RULE], long, Echo::StandIn);
    check_echo("claude", &[RULE, "❯ [Pasted text #1 +3 lines]x▮", RULE], long, Echo::No);
    check_echo("claude", &[RULE, "❯ x[Pasted text #1 +3 lines]▮", RULE], long, Echo::No);
    check_echo("claude", &[RULE, "❯ [Pasted text #1 +3 lines]▮", RULE], "short", Echo::No);
}

#[test]
fn the_end_of_a_long_text() {
    let lines: Vec<String> = (0..30).map(|n| format!("line number {n}")).collect();
    let text = lines.join("\n");
    let mut shown: Vec<String> = vec![RULE.into()];
    shown.extend(lines[20..].iter().map(|line| format!("  {line}")));
    shown.last_mut().unwrap().push('▮');
    shown.push(RULE.into());
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    check_echo("claude", &shown, &text, Echo::End);
    check_echo("claude", &shown, &text.replace("number 25", "number x"), Echo::No);
    check_echo("claude", &shown, &format!("{text} and more"), Echo::No);
}

#[test]
fn mentions_are_counted_outside_the_field() {
    let count = |lines: &[&str], text: &str| {
        let (view, adapter) = (draw(lines), Adapter::of(Some("claude")));
        let field = Field::find(&view, adapter);
        mentions(&view, field.as_ref(), text, adapter)
    };
    let text = "please run the tests again";
    assert_eq!(count(&["> please run the tests again", RULE, "❯ ▮", RULE], text), 1);
    assert_eq!(count(&["hello", RULE, "❯ please run the tests again▮", RULE], text), 0);
    assert_eq!(count(&["> please run the", "> please run the tests again", "❯ ▮"], text), 1);
    assert_eq!(count(&["> ok", "it is ok now", "> ok", RULE, "❯ ▮"], "ok"), 2);
    assert_eq!(count(&["> [Pasted text #1 +3 lines]", "❯ ▮"], "a\nb\nc\nd"), 1);
}

#[test]
fn a_tall_message_is_known_by_its_end() {
    let count = |lines: &[&str], text: &str| {
        let (view, adapter) = (draw(lines), Adapter::of(Some("codex")));
        let field = Field::find(&view, adapter);
        mentions(&view, field.as_ref(), text, adapter)
    };
    let lines: Vec<String> = (0..30).map(|n| format!("line number {n}")).collect();
    let text = lines.join("\n");
    // Its beginning is scrolled away.
    let end = ["  line number 28", "  line number 29", "• ok", RULE, "› ▮", RULE];
    assert_eq!(count(&end, &text), 1);
    assert_eq!(count(&end, &format!("{text}\n}}")), 1, "a brace is found anywhere");
    assert_eq!(count(&end, "another text\nline number 28\nline number 27"), 0);
    // In a field that can't be found it proves nothing.
    assert_eq!(count(&["  line number 28", "  line number 29x▮"], &text), 0);
    // A text that fits is known by its beginning alone.
    let fits = "please run this\nand then the other thing";
    let rows = ["and then the other thing", "", "", "", "", "", RULE, "› ▮", RULE];
    assert_eq!(count(&rows, fits), 0);
}
