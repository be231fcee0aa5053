//! Snapshots of the view, at a comfortable size and at tiny ones.

use crossterm::event::KeyCode;
use expect_test::{Expect, expect};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::demo::model::Event;
use crate::demo::model::tests::Stage;

/// The region as text, with `▏` where the cursor is shown.
fn check(stage: &Stage, expected: Expect) {
    let live = live(&stage.model, stage.now);
    let (width, _) = stage.model.size();
    let area = Rect::new(0, 0, width, live.lines.len() as u16);
    let mut buffer = ratatui::buffer::Buffer::empty(area);
    ratatui::widgets::Widget::render(Text::from(live.lines), area, &mut buffer);
    let rows = (0..area.height).map(|y| {
        let mut row = String::new();
        for x in 0..area.width {
            if live.cursor_shown && live.cursor == Position::new(x, y) {
                row.push('▏');
            }
            row.push_str(buffer[(x, y)].symbol());
        }
        row.trim_end().to_owned() + "\n"
    });
    expected.assert_eq(&rows.collect::<String>());
}

fn sized(flags: &str, script: &str, width: u16, height: u16) -> Stage {
    let mut stage = Stage::new(flags, script);
    stage.event(Event::Resize(width, height));
    stage
}

#[test]
fn an_empty_field_has_a_ghost() {
    check(
        &sized("", "", 44, 12),
        expect![[r#"

        ────────────────────────────────────────────
        ❯ ▏Try "may I ask for permission?"
        ────────────────────────────────────────────
          / commands · @ files · ! shell · ctrl-g ed
    "#]],
    );
    check(
        &sized("--ghost=", "", 44, 4),
        expect![[r#"
        ❯ ▏
          / commands · @ files · ! shell · ctrl-g ed
    "#]],
    );
}

#[test]
fn a_draft_is_wrapped_and_the_cursor_stands_in_it() {
    let mut stage = sized("", "", 30, 12);
    stage.types("some words that don't fit into one row");
    stage.control('j').event(Event::Paste("1\n2\n3\n4".into())).types(" ok");
    check(
        &stage,
        expect![[r#"

        ──────────────────────────────
        ❯ some words that don't fit
          into one row
          [Pasted text #1 +4 lines]
          ok▏
        ──────────────────────────────
          enter sends · ctrl-j newline
    "#]],
    );
    stage.control('a');
    check(
        &stage,
        expect![[r#"

        ──────────────────────────────
        ❯ some words that don't fit
          into one row
          ▏[Pasted text #1 +4 lines]
          ok
        ──────────────────────────────
          enter sends · ctrl-j newline
    "#]],
    );
}

#[test]
fn work_shows_a_spinner_the_queue_and_the_stash() {
    let mut stage = sized("", "work 9 Cooking", 44, 14);
    stage.types("mine").control('s').sends("go");
    stage.control('s').sends("and then this").passes(3);
    check(
        &stage,
        expect![[r#"

        ⠋ Cooking… (3s · esc to interrupt)
          ❯ and then this

        ────────────────────────────────────────────
        ❯ mine▏
        ────────────────────────────────────────────
          enter sends · ctrl-j newline · ctrl-g edit
    "#]],
    );
}

#[test]
fn the_shell_mode_has_a_glyph_of_its_own() {
    let mut stage = sized("", "", 50, 12);
    stage.types("!ls -l");
    check(
        &stage,
        expect![[r#"

        ──────────────────────────────────────────────────
        ! ls -l▏
        ──────────────────────────────────────────────────
          shell mode: enter runs it · backspace leaves
    "#]],
    );
}

#[test]
fn completions_stand_under_the_field() {
    let mut stage = sized("", "", 60, 14);
    stage.types("/e").key(KeyCode::Down);
    check(
        &stage,
        expect![[r#"

        ────────────────────────────────────────────────────────────
        ❯ /e▏
        ────────────────────────────────────────────────────────────
          /error         fail as agents do
          /exit          leave
    "#]],
    );
}

#[test]
fn a_dialog_takes_the_place_of_the_field() {
    let mut stage = sized("", "tool touch x", 44, 16);
    stage.sends("go").key(KeyCode::Down);
    check(
        &stage,
        expect![[r#"

        ╭──────────────────────────────────────────╮
        │ Bash command                             │
        │                                          │
        │   touch x                                │
        │                                          │
        │ Do you want to proceed?                  │
        │   1. Yes                                 │
        │ ❯ 2. Yes, and don't ask again            │
        │   3. No (esc)                            │
        ╰──────────────────────────────────────────╯
    "#]],
    );
    stage.event(Event::Resize(20, 5));
    check(
        &stage,
        expect![[r#"
        Do you want
        to proceed?
          1. Yes
        ❯ 2. Yes, and don't
          3. No (esc)
    "#]],
    );
}

#[test]
fn tiny_screens_keep_the_field() {
    let mut stage = sized("", "work 9", 20, 5);
    stage.sends("go").types("a draft that is longer than the screen");
    check(
        &stage,
        expect![[r#"
        ⠋ Thinking… (0s · es
          longer than the
          screen▏
          enter sends · ctrl
    "#]],
    );
    stage.control('c').event(Event::Resize(12, 2));
    check(
        &stage,
        expect![[r#"
        ❯ ▏Try "may I
          / commands
    "#]],
    );
    stage.event(Event::Resize(4, 1));
    assert_eq!(live(&stage.model, stage.now).lines.len(), 1);
}

#[test]
fn a_drawn_cursor_leaves_the_real_one_hidden_in_its_place() {
    let mut stage = sized("--cursor drawn", "", 44, 8);
    stage.types("ab").key(KeyCode::Left);
    let live = live(&stage.model, stage.now);
    assert!(!live.cursor_shown);
    assert_eq!(live.cursor, Position::new(3, 0));
    let block = live.lines[0]
        .spans
        .iter()
        .find(|span| span.style.add_modifier.contains(Modifier::REVERSED));
    assert_eq!(block.expect("a block").content, "b");
}

#[test]
fn titles_tell_the_state() {
    let mut stage = sized("", "work 1\ntool x", 44, 12);
    assert_eq!(title(&stage.model, stage.now), "✳ demo");
    stage.sends("fix the bug");
    assert_eq!(title(&stage.model, stage.now), "⠋ demo: fix the bug");
    stage.passes(1);
    assert_eq!(title(&stage.model, stage.now), "✳ demo");
    let mut codex = sized("--habits codex", "tool x", 44, 12);
    codex.sends("go");
    assert_eq!(title(&codex.model, codex.now), "Action Required");
}

#[test]
fn the_full_screen_has_the_end_of_the_transcript_above_the_field() {
    let mut stage = sized("", "", 52, 14);
    stage.types("draft");
    let entries = [
        Entry::Welcome { directory: "/project".to_owned() },
        Entry::User { text: "what is this?".to_owned() },
        Entry::Reply {
            text: "A transcript that is wrapped where it is too long.".to_owned(),
            first: true,
        },
    ];
    let mut terminal = Terminal::new(TestBackend::new(52, 14)).expect("a terminal");
    terminal.draw(|frame| full(frame, &stage.model, &entries, stage.now)).expect("a frame");
    expect![[r#"
        "   question    I let you choose                     "
        "   long        I work for a while; esc interrupts   "
        "   error       I fail as agents do                  "
        "   exit        I leave                              "
        "   help        all the rest                         "
        "                                                    "
        "❯ what is this?                                     "
        "                                                    "
        "● A transcript that is wrapped where it is too long."
        "                                                    "
        "────────────────────────────────────────────────────"
        "❯ draft                                             "
        "────────────────────────────────────────────────────"
        "  enter sends · ctrl-j newline · ctrl-g editor      "
    "#]]
    .assert_eq(&terminal.backend().to_string());
}

#[test]
fn the_transcript_is_readable() {
    let entries = [
        Entry::Welcome { directory: "/project".to_owned() },
        Entry::User { text: "one\ntwo".to_owned() },
        Entry::Tool { command: "touch x".to_owned() },
        Entry::Output { text: "made\nit".to_owned(), ok: true },
        Entry::Error("API Error: overloaded".to_owned()),
        Entry::Warning("limit".to_owned()),
        Entry::Stopped("Interrupted".to_owned()),
        Entry::Plain("--<[schmux:working:a marker that is longer than the screen is wide, and stays whole]>--".to_owned()),
    ];
    let lines: Vec<String> = entries
        .iter()
        .flat_map(|entry| entry.lines(56))
        .map(|line| line.to_string().trim_end().to_owned())
        .collect();
    expect![[r#"

         ╭─────╮  Welcome! I am the demo agent.
         │ ^_^ │  No key, no cost, nothing leaves here.
         ╰─────╯  /project

         Write me a message. These words make me do things:
           permission  I ask before I run a command
           question    I let you choose
           long        I work for a while; esc interrupts
           error       I fail as agents do
           exit        I leave
           help        all the rest

        ❯ one
          two

        ● Bash(touch x)
          ⎿ made
            it

        ● API Error: overloaded

        ⚠ limit
          ⎿ Interrupted
        --<[schmux:working:a marker that is longer than the screen is wide, and stays whole]>--"#]]
    .assert_eq(&lines.join("\n"));
}
