//! The files of the binary, and screens written by hand. Recorded ones are in `tests/screens.rs`.

use proptest::prelude::*;

use super::*;
use crate::screen::{Screen, Size};

fn rows(bytes: &str) -> Rows {
    let mut screen = Screen::new(Size { cols: 60, rows: 16 });
    screen.advance(bytes.replace('\n', "\r\n").as_bytes());
    Rows::read(&screen)
}

fn read(agent: &str, bytes: &str) -> Reading {
    Library::embedded().reader(agent).read(&rows(bytes), "")
}

fn dialog(agent: &str, bytes: &str) -> Dialog {
    match read(agent, bytes).sight {
        Sight::Dialog(dialog) => *dialog,
        other => panic!("{other:?} is no dialog:\n{bytes}"),
    }
}

#[test]
fn every_file_of_the_binary_can_be_used_and_names_itself() {
    let library = Library::embedded();
    let names: Vec<&str> = library.names().collect();
    for known in ["claude", "codex", "gemini", "opencode", "amp", "aider", "cursor-agent"] {
        assert!(names.contains(&known), "{known}");
    }
    for name in names {
        let reader = library.reader(name);
        assert_eq!(reader.name, name);
        let told = !reader.seen.is_empty() || reader.documented.is_some();
        assert!(told || name == "generic", "{name} doesn't say where it is from");
    }
    assert_eq!(library.reader("never heard of").name, "generic");
}

#[test]
fn a_users_file_takes_the_place_of_ours_and_a_bad_one_is_told_of() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let mine = "name = \"claude\"\n[field]\nglyphs = [\"$$\"]\n[title]\nworking = ['^busy']\n";
    let (library, errors) = Library::embedded().with(&[
        file("claude.toml", mine),
        file("new.toml", "name = \"new\"\n"),
        file("typo.toml", "name = \"codex\"\n[feild]\n"),
        file("bad.toml", "name = \"gemini\"\n[work]\nabove = ['(']\n"),
    ]);
    assert_eq!(library.reader("claude").title_says("busy"), TitleSays::Working);
    assert_eq!(library.reader("claude").title_says("⠂ task"), TitleSays::Nothing);
    assert_eq!(library.reader("new").name, "new");
    let files: Vec<&str> = errors.iter().map(|error| error.file.as_str()).collect();
    assert_eq!(files, ["typo.toml", "bad.toml"]);
    assert!(errors[0].to_string().contains("feild"), "{}", errors[0]);
    // What was known before stays.
    assert_eq!(library.reader("codex").title_says("Action Required"), TitleSays::Asking);
    assert_eq!(Library::embedded().reader("claude").title_says("⠂ task"), TitleSays::Working);
}

#[test]
fn a_dialog_tells_what_it_is_about_and_how_it_is_answered() {
    let screen = "● Bash(rm x)\n\n────────────────────\n Bash command\n\n   rm x\n\n Do you want to \
                  proceed?\n ❯ 1. Yes\n   2. No, and tell Claude what to do (esc)\n\n Esc to \
                  cancel\x1b[?25l\x1b[9;2H";
    let found = dialog("claude", screen);
    assert_eq!(found.kind, DialogKind::Permission);
    assert_eq!(found.title.as_deref(), Some("Bash command"));
    assert_eq!(found.body, ["rm x"]);
    assert_eq!(found.question, "Do you want to proceed?");
    let choices: Vec<(&str, String)> =
        found.choices.iter().map(|c| (c.label.as_str(), c.keys.join(" "))).collect();
    assert_eq!(choices, [("Yes", "1".into()), ("No, and tell Claude what to do", "2".into())]);
    assert_eq!(found.selected, Some(0));
    // The selection may move; the dialog is the same. Another command is another dialog.
    let moved = screen.replace(" ❯ 1.", "   1.").replace("   2. No", " ❯ 2. No");
    assert_eq!(dialog("claude", &moved).fingerprint, found.fingerprint);
    assert_eq!(dialog("claude", &moved).selected, Some(1));
    let other = dialog("claude", &screen.replace("rm x", "rm y"));
    assert_ne!(other.fingerprint, found.fingerprint);
}

#[test]
fn what_a_dialog_says_is_safe_to_show() {
    let screen = "────────────\n Run\u{202e} it?\n ❯ 1. Yes\u{2066}\n   2. No\n\n Esc to cancel";
    let found = dialog("claude", screen);
    assert_eq!((found.question.as_str(), found.choices[0].label.as_str()), ("Run it?", "Yes"));
}

/// Looks like a dialog and stands where an agent writes.
const IMITATIONS: [&str; 7] = [
    "Do you want to proceed?\n❯ 1. Yes\n  2. No\n\nEnter to confirm · Esc to cancel",
    "› 1. Yes, proceed (y)\n  2. No (esc)\n\n  Press enter to confirm or esc to cancel",
    "│ ● 1. Allow once     │\n│   2. No (esc)       │\n╰─────────────────────╯",
    "Proceed? [Y/n]",
    "(Y)es/(N)o [Yes]: ",
    "✻ Thinking… (3s · esc to interrupt)",
    "API Error: 500 Internal Server Error",
];

/// Fields as agents draw them, with the cursor where they begin.
const FIELDS: [(&str, &str); 5] = [
    ("claude", "────────────────────\n❯ @\n────────────────────\n  ? for shortcuts"),
    ("copilot", "────────────────────\n❯ @\n────────────────────\n / commands"),
    ("codex", "› @\x1b[2mAsk Codex to do anything\x1b[0m\n\n  fake-model"),
    ("gemini", "────────────────────\n\n > @\n\n workspace"),
    ("generic", "────────────────────\n❯ @\n────────────────────\n  hints"),
];

#[test]
fn prose_is_never_taken_for_a_dialog() {
    for (agent, field) in FIELDS {
        for prose in IMITATIONS {
            // As agents show their answers: indented behind a bullet.
            let prose = prose.replace('\n', "\n  ");
            // `\x1b7` and `\x1b8` keep the cursor's place and go back to it.
            let screen = format!("● {prose}\n\n{field}\x1b8").replace('@', "\x1b7");
            assert_eq!(read(agent, &screen).sight, Sight::Prompt, "{agent}:\n{screen}");
        }
    }
}

#[test]
fn a_glyph_alone_is_no_field() {
    for agent in ["claude", "copilot", "codex", "gemini"] {
        let found = read(agent, "text\n❯ an old message\n› another\n > and one\n\nmore text");
        assert_eq!((found.field, found.sight), (None, Sight::Unknown), "{agent}");
    }
}

#[test]
fn a_field_without_the_cursor_is_told_from_the_history_by_what_is_around_it() {
    // Without the focus the cursor stands below everything.
    let read = |screen: &str| read("gemini", &format!("{screen}\x1b[?25l\x1b[16;1H"));
    let field = |inside: &str| {
        let screen = format!("✦ Done.\n────────────────────\n hints\n\n{inside}\n\n workspace");
        read(&screen).field.map(|field| (field.first, field.last, field.content))
    };
    assert_eq!(field(" >   \x1b[38;5;248mType your message\x1b[0m"), Some((4, 4, Content::Empty)));
    assert_eq!(field(" > one\n\n   two"), Some((4, 6, Content::Draft)));
    assert_eq!(field(" > one\n   > quoted"), Some((4, 5, Content::Draft)));
    assert_eq!(field(" ! ls"), Some((4, 4, Content::Shell)));
    for history in [
        // The edge of a box is no rule, and neither is one far above.
        "╰──────────────────╯\n\n > an old message\n\nmore text",
        "▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n > an old message\n▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\nmore text",
        "────────────────────\na\nb\nc\nd\n > an old message\n\nmore text",
    ] {
        assert_eq!(read(history).field, None, "{history}");
    }
    // A rule in the history, a message below it, and a dialog where the field was.
    let asks = "────────────────────\n\n > make a file\n\n╭──────────────────╮\n│ Allow execution? │\n\
                │ ● 1. Allow once  │\n│   2. No (esc)    │\n╰──────────────────╯";
    let found = read(asks);
    assert!(found.field.is_none() && matches!(found.sight, Sight::Dialog(_)), "{found:?}");
    // Others keep their cursor in the field, and have none without it.
    let codex = "────────────────────\n› one\n\n  fake-model\x1b[?25l\x1b[16;1H";
    assert_eq!(self::read("codex", codex).field, None);
}

#[test]
fn placeholders_are_no_drafts() {
    let field = |text: &str| {
        let screen =
            format!("────────────────────\n❯ {text}\n────────────────────\n  hints\x1b[2;3H");
        read("claude", &screen).field.map(|field| field.content)
    };
    assert_eq!(field(""), Some(Content::Empty));
    assert_eq!(field("\x1b[7m \x1b[0m"), Some(Content::Empty));
    assert_eq!(field("\x1b[2mTry \"fix it\"\x1b[0m"), Some(Content::Empty));
    assert_eq!(field("\x1b[7mT\x1b[0;38;5;246mry this\x1b[0m"), Some(Content::Empty));
    assert_eq!(field("fix it"), Some(Content::Draft));
    assert_eq!(field("first\n  second"), Some(Content::Draft));
    let shell = "────────────────────\n! ls\n────────────────────\x1b[2;5H";
    assert_eq!(read("claude", shell).field.unwrap().content, Content::Shell);
}

#[test]
fn titles_speak_for_their_agents() {
    for (agent, title, expected) in [
        ("claude", "⠂ Fix the login", TitleSays::Working),
        ("claude", "✳ Fix the login", TitleSays::Idle),
        ("codex", "⠹ proj", TitleSays::Working),
        ("codex", "[ ! ] Action Required | proj", TitleSays::Asking),
        ("codex", "proj", TitleSays::Nothing),
        ("gemini", "◇  Ready (proj)", TitleSays::Idle),
        ("gemini", "✦  Working… (proj)", TitleSays::Working),
        ("gemini", "✋  Action Required (proj)", TitleSays::Asking),
        ("anything", "⠋ busy", TitleSays::Working),
        ("anything", "vim", TitleSays::Nothing),
    ] {
        assert_eq!(Library::embedded().reader(agent).title_says(title), expected, "{title}");
    }
}

proptest! {
    #[test]
    fn no_screen_makes_it_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        words in "[❯›>●│╭─╹┃▀ 1-9.()?yn\n\u{1b}\\[0-9;mHa-c漢]{0,200}",
        cols in 2..90u16,
        lines in 1..30u16,
    ) {
        let mut screen = Screen::new(Size { cols, rows: lines });
        screen.advance(&bytes);
        screen.advance(words.replace('\n', "\r\n").as_bytes());
        let rows = Rows::read(&screen);
        let library = Library::embedded();
        for name in library.names() {
            let reading = library.reader(name).read(&rows, &words);
            if let Sight::Dialog(dialog) = &reading.sight {
                prop_assert!(reading.field.is_none());
                prop_assert!(dialog.selected.is_none_or(|at| at < dialog.choices.len()));
            }
        }
    }
}
