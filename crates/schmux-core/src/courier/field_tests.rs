//! Fields of several agents, as they are drawn.

use super::super::drawing::draw;
use super::*;

fn find(agent: &str, lines: &[&str]) -> Option<Field> {
    Field::find(&draw(lines), Adapter::of(Some(agent)))
}

/// What is read: the mode, whether it is empty, the rows, and what precedes the cursor.
fn check(agent: &str, lines: &[&str], mode: Mode, empty: bool, rows: &[&str], before: &str) {
    let field = find(agent, lines).unwrap_or_else(|| panic!("no field in {lines:#?}"));
    assert_eq!(field.mode, mode, "{lines:#?}");
    assert_eq!(field.is_empty(), empty, "{lines:#?} {field:?}");
    assert_eq!(field.rows, rows, "{lines:#?}");
    assert_eq!(field.before_cursor(), before, "{lines:#?}");
}

const RULE: &str = "────────────────────────────────────────";

#[test]
fn empty_fields() {
    for (agent, lines) in [
        ("claude", &[RULE, "❯ ▮", RULE, "⟨  ? for shortcuts⟩"][..]),
        ("claude", &[RULE, "❯ ▮⟨Try \"fix the tests\"⟩", RULE]),
        // A cursor that the agent draws on its ghost text.
        ("claude", &[RULE, "❯ ▮⟦T⟧⟨ry \"fix the tests\"⟩", RULE]),
        ("claude", &[RULE, "❯ ▮⟦ ⟧", RULE]),
        ("codex", &["› ▮⟨Ask Codex to do anything⟩", "", "⟨  ⏎ send   ⌃J newline⟩"]),
        ("gemini", &["╭──────╮", "│ > ▮⟨Type your message⟩   │", "╰──────╯"]),
        ("unknown", &["said something", "", "> ▮"]),
        ("claude", &["> old question", "", "⏺ answer", RULE, "❯ ▮", RULE]),
    ] {
        check(agent, lines, Mode::Text, true, &[""], "");
    }
}

#[test]
fn drafts() {
    let text = Mode::Text;
    check("claude", &[RULE, "❯ fix▮", RULE], text, false, &["fix"], "fix");
    check("claude", &[RULE, "❯ fix ▮", RULE], text, false, &["fix"], "fix ");
    check("claude", &[RULE, "❯ ▮fix", RULE], text, false, &["fix"], "");
    check("claude", &[RULE, "❯ f▮⟦i⟧x", RULE], text, false, &["fix"], "f");
    check("claude", &[RULE, "❯  ▮", RULE], text, false, &[""], " ");
    check(
        "claude",
        &[RULE, "❯ one", "", "  three▮", RULE, "⟨  hint⟩"],
        text,
        false,
        &["one", "", "three"],
        "one\n\nthree",
    );
    // The first line is empty and the cursor stands on it.
    check("claude", &[RULE, "❯ ▮", "  two", RULE], text, false, &["", "two"], "");
    check(
        "claude",
        &[RULE, "❯ one▮", "", "  three", RULE],
        text,
        false,
        &["one", "", "three"],
        "one",
    );
    check(
        "codex",
        &["› one", "  two▮", "", "⟨  footer⟩"],
        text,
        false,
        &["one", "two"],
        "one\ntwo",
    );
    // A quotation in a draft is no prompt.
    check(
        "claude",
        &[RULE, "❯ see", "  > said▮", RULE],
        text,
        false,
        &["see", "> said"],
        "see\n> said",
    );
    check(
        "gemini",
        &["╭──────╮", "│ > one      │", "│   two▮     │", "╰──────╯"],
        text,
        false,
        &["one", "two"],
        "one\ntwo",
    );
}

#[test]
fn shell_mode_is_told_by_the_glyph() {
    check("claude", &[RULE, "! ls▮", RULE], Mode::Shell, false, &["ls"], "ls");
    check("unknown", &["$ ▮"], Mode::Shell, true, &[""], "");
}

#[test]
fn no_field() {
    for (agent, lines) in [
        // A dialog: the cursor is away from any prompt.
        ("claude", &["╭──────╮", "│ Run it? │", "│ ❯ 1. Yes │", "│   2. No  │", "▮╰──────╯"][..]),
        ("claude", &["❯ old question", "", "▮"]),
        ("claude", &["❯ old question", RULE, "   ▮"]),
        ("codex", &["working", "  text▮"]),
        ("codex", &["> old", "answer", "    ▮"]),
        ("claude", &["▮❯ x"]),
        ("claude", &["❯x▮"]),
    ] {
        assert_eq!(find(agent, lines), None, "{lines:#?}");
    }
}

#[test]
fn guards_are_compared() {
    let guard = |agent, lines: &[&str]| find(agent, lines).unwrap().guard;
    assert_eq!(guard("claude", &["❯ ▮"]), "❯");
    assert_eq!(guard("gemini", &["│ > ▮"]), "│ >");
    assert_eq!(guard("gemini", &["│ ! ▮"]), "│ !");
}

#[test]
fn line_prompts_go_on_at_the_edge() {
    let full = "> 34567890123456789012345678901234567890";
    let text = &full[2..];
    check("aider", &["said", "> ▮"], Mode::Text, true, &[""], "");
    check("aider", &["said", "> ab ▮"], Mode::Text, false, &["ab"], "ab ");
    let joined = format!("{text}more");
    check("aider", &[full, "more▮"], Mode::Text, false, &[&joined], &joined);
    check("aider", &[full, "▮more"], Mode::Text, false, &[&joined], text);
    check("aider", &[full, "▮"], Mode::Text, false, &[text], text);
    assert_eq!(find("aider", &["> asked", "answer▮"]), None);
}

#[test]
fn a_line_break_at_the_end_is_seen_by_the_cursor() {
    for (lines, expected) in [
        (&[RULE, "❯ abc", "  ▮", RULE][..], true),
        (&[RULE, "❯ abc▮", RULE], false),
        (&[RULE, "❯ ▮", RULE], false),
        (&[RULE, "❯ abc", "  ▮", "  def", RULE], false),
        (&[RULE, "❯ abc", "  ▮def", RULE], false),
    ] {
        assert_eq!(find("claude", lines).unwrap().ends_in_line_break(), expected, "{lines:#?}");
    }
}
