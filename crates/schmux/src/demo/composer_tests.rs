//! The composer by keys: both schools, pastes, history, stash and shell mode.

use clap::Parser;

use super::*;
use crate::demo::args::DemoArgs;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: DemoArgs,
}

struct Typist {
    composer: Composer,
    manners: Manners,
    now: Duration,
}

impl Typist {
    fn new(flags: &str) -> Typist {
        let cli = Cli::parse_from(["demo"].into_iter().chain(flags.split_whitespace()));
        let mut composer = Composer::default();
        composer.set_width(20);
        Typist { composer, manners: Manners::new(&cli.args), now: Duration::ZERO }
    }

    /// Types text; `<name>` is a key.
    fn types(&mut self, keys: &str) -> &mut Typist {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let key = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                Some((name, after)) => {
                    rest = after;
                    named(name)
                }
                None => {
                    rest = &rest[c.len_utf8()..];
                    KeyEvent::from(KeyCode::Char(c))
                }
            };
            self.composer.key(key, &self.manners, self.now);
        }
        self
    }

    fn pastes(&mut self, text: &str) -> &mut Typist {
        self.composer.paste(text, &self.manners, self.now);
        self
    }

    fn shows(&self) -> String {
        let drawn = self.composer.draft().field.drawn(200, self.manners.wrap, usize::MAX);
        let rows: Vec<String> =
            drawn.rows.iter().map(|row| row.iter().map(Atom::shown).collect()).collect();
        format!("{}{}", if self.composer.draft().shell { "!" } else { "" }, rows.join("\n"))
    }
}

fn named(name: &str) -> KeyEvent {
    if let Some(letter) = name.strip_prefix("C-").and_then(|letter| letter.chars().next()) {
        return KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    }
    match name {
        "Up" => KeyCode::Up.into(),
        "Down" => KeyCode::Down.into(),
        "Home" => KeyCode::Home.into(),
        "BS" => KeyCode::Backspace.into(),
        "M-Enter" => KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT),
        other => panic!("no key {other}"),
    }
}

fn check(flags: &str, keys: &str, expected: &str) {
    let mut typist = Typist::new(flags);
    typist.types(keys);
    assert_eq!(typist.shows(), expected, "{flags} {keys}");
}

#[test]
fn keys_edit_the_field() {
    check("", "one<C-j>two<M-Enter>three", "one\ntwo\nthree");
    check("", "one two<C-w>x", "one x");
    check("", "one two<C-w><C-y><C-y>", "one twotwo");
    check("", "one<C-j>two<C-u><C-y>", "one\ntwo");
    check("", "abc<C-a>x<C-e>y<C-h>z", "xabcz");
    check("", "one<C-j>two<C-a><C-a>x", "one\nxtwo");
    check("--habits codex", "one<C-j>two<C-a><C-a>x", "xone\ntwo");
    check("", "one<C-j>two<Home><Home>x", "xone\ntwo");
}

#[test]
fn the_shell_mode_is_entered_and_left_by_the_first_character() {
    check("", "!ls", "!ls");
    check("", "!<BS>ls", "ls");
    check("", "a!b", "a!b");
    let mut codex = Typist::new("--habits codex");
    assert_eq!(codex.pastes("!rm x").shows(), "!rm x");
    assert!(codex.composer.draft().shell);
    let mut claude = Typist::new("");
    assert!(!claude.pastes("!rm x").composer.draft().shell);
    claude = Typist::new("");
    claude.types("!old");
    claude.composer.replace("hello", &claude.manners, Duration::ZERO);
    assert!(claude.composer.draft().shell, "the editor doesn't leave the shell mode");
}

#[test]
fn long_pastes_become_placeholders() {
    let paste = |flags: &str, text: &str| {
        let mut typist = Typist::new(flags);
        typist.pastes(text);
        (typist.shows(), typist.composer.draft().field.text())
    };
    assert_eq!(paste("", "a\nb\nc\n").0, "a\nb\nc");
    let (shown, text) = paste("", "a\rb\rc\rd");
    assert_eq!((shown.as_str(), text.as_str()), ("[Pasted text #1 +4 lines]", "a\nb\nc\nd"));
    assert_eq!(paste("--habits codex", "a\nb\nc\nd").0, "a\nb\nc\nd");
    assert!(paste("", &"x".repeat(1100)).0.starts_with("xxx"));
    assert_eq!(paste("", &"x".repeat(1101)).0, "[Pasted text #1 +1101 chars]");
    assert_eq!(paste("--paste-lines 2", "a\nb").0, "[Pasted text #1 +2 lines]");
    assert_eq!(paste("", "a\tb").1, "a    b");
    assert_eq!(paste("--paste-tabs keep", "a\tb").1, "a\tb");
    assert_eq!(paste("", "a\r\nb").1, "a\n\nb");
    assert_eq!(paste("--paste-crlf one", "a\r\nb").1, "a\nb");
}

#[test]
fn a_picture_is_an_attachment_that_new_text_loses() {
    let mut typist = Typist::new("--image-paste");
    typist.types("look ").pastes("/tmp/Shot.PNG");
    let field = &typist.composer.draft().field;
    assert_eq!((field.text().as_str(), field.images()), ("look [Image #1]", 1));
    typist.composer.replace("look [Image #1]!", &typist.manners, Duration::ZERO);
    assert_eq!(typist.composer.draft().field.images(), 0);
    assert_eq!(Typist::new("").pastes("/tmp/shot.png").shows(), "/tmp/shot.png");
}

#[test]
fn up_on_the_first_row_replaces_the_draft_and_down_brings_it_back() {
    let mut typist = Typist::new("");
    typist.types("first").composer.take();
    typist.types("!second").composer.take();
    assert_eq!(typist.types("draft<Up>").shows(), "!second");
    assert_eq!(typist.types("<Up><Up>").shows(), "first");
    assert_eq!(typist.types("<Down><Down>").shows(), "draft");
    assert_eq!(typist.types("<Down>").shows(), "draft");
}

#[test]
fn a_cleared_draft_is_kept_by_codex_with_its_pastes() {
    let mut codex = Typist::new("--habits codex --paste-lines 2");
    codex.types("see ").pastes("a\nb");
    codex.composer.clear(&codex.manners);
    assert_eq!(codex.shows(), "");
    assert_eq!(codex.types("<Up>").shows(), "see [Pasted text #1 +2 lines]");
    let mut claude = Typist::new("");
    claude.types("gone");
    claude.composer.clear(&claude.manners);
    assert_eq!(claude.types("<Up>").shows(), "");
}

#[test]
fn the_stash_comes_back_after_a_submit() {
    let mut typist = Typist::new("--paste-lines 2");
    typist.types("my ").pastes("a\nb").composer.swap_stash();
    assert_eq!((typist.shows().as_str(), typist.composer.stashed()), ("", true));
    assert_eq!(typist.types("msg").composer.take().field.text(), "msg");
    assert_eq!(typist.shows(), "my [Pasted text #1 +2 lines]");
    typist.composer.swap_stash();
    typist.composer.swap_stash();
    assert_eq!(typist.shows(), "my [Pasted text #1 +2 lines]");
}

#[test]
fn an_enter_too_soon_or_after_a_backslash_is_no_submit() {
    let enter = |flags: &str, text: &str, wait: u64| {
        let mut typist = Typist::new(flags);
        let now = typist.types(text).now + Duration::from_millis(wait);
        let enter = typist.composer.enter(&typist.manners, now);
        (enter, typist.shows())
    };
    assert_eq!(enter("", "a", 0), (Enter::Submits, "a".into()));
    assert_eq!(enter("--enter-guard 20", "a", 19), (Enter::Spent, "a\n".into()));
    assert_eq!(enter("--enter-guard 20", "a", 20), (Enter::Submits, "a".into()));
    let lost = "--enter-guard 20 --enter-guard-does lost";
    assert_eq!(enter(lost, "a", 5), (Enter::Spent, "a".into()));
    assert_eq!(enter("", "a\\", 0), (Enter::Spent, "a\n".into()));
    assert_eq!(enter("--backslash submits", "a\\", 0), (Enter::Submits, "a\\".into()));
    assert_eq!(enter("--habits codex", "a\\", 0), (Enter::Submits, "a\\".into()));
}
