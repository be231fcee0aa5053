//! The model played by events alone: what happens, in the order in which it happens.

use clap::Parser;
use crossterm::event::{KeyCode, KeyModifiers};
use expect_test::{Expect, expect};

use super::*;
use crate::demo::args::DemoArgs;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: DemoArgs,
}

pub(in crate::demo) struct Stage {
    pub(in crate::demo) model: Model,
    pub(in crate::demo) now: Duration,
    log: Vec<String>,
}

impl Stage {
    pub(in crate::demo) fn new(flags: &str, script: &str) -> Stage {
        let cli =
            Cli::parse_from(["demo", "--speed", "0"].into_iter().chain(flags.split_whitespace()));
        let files = vec!["Cargo.toml".to_owned()];
        let script = Script::parse(script).expect("a script");
        let model = Model::new(Manners::new(&cli.args), script, files, "/work space".to_owned());
        let mut stage = Stage { model, now: Duration::ZERO, log: Vec::new() };
        stage.event(Event::Resize(60, 20)).event(Event::Start);
        stage
    }

    pub(in crate::demo) fn event(&mut self, event: Event) -> &mut Stage {
        for effect in self.model.handle(event, self.now) {
            self.log.push(match effect {
                Effect::Print(entry) => format!("print {entry:?}"),
                Effect::Signal { state, message } => format!("signal {state} {message}"),
                Effect::Journal(value) => format!("journal {value}"),
                other => format!("{other:?}"),
            });
        }
        self
    }

    pub(in crate::demo) fn key(&mut self, key: impl Into<KeyEvent>) -> &mut Stage {
        self.event(Event::Key(key.into()))
    }

    pub(in crate::demo) fn control(&mut self, letter: char) -> &mut Stage {
        self.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL))
    }

    pub(in crate::demo) fn types(&mut self, text: &str) -> &mut Stage {
        for c in text.chars() {
            self.key(KeyCode::Char(c));
        }
        self
    }

    pub(in crate::demo) fn sends(&mut self, text: &str) -> &mut Stage {
        self.types(text).key(KeyCode::Enter)
    }

    pub(in crate::demo) fn passes(&mut self, seconds: u64) -> &mut Stage {
        self.now += Duration::from_secs(seconds);
        self.event(Event::Tick)
    }

    fn forget(&mut self) -> &mut Stage {
        self.log.clear();
        self
    }

    fn check(&mut self, expected: Expect) -> &mut Stage {
        expected.assert_eq(&self.log.join("\n"));
        self.forget()
    }

    fn has(&self, part: &str) -> bool {
        self.log.iter().any(|line| line.contains(part))
    }
}

#[test]
fn a_message_is_answered_and_every_change_is_told() {
    Stage::new("", "work 1\nreply It is done.").forget().sends("do it").passes(1).check(expect![[
        r#"
        journal {"event":"submitted","how":"now","kind":"message","text":"do it"}
        journal {"event":"received","images":0,"text":"do it"}
        print User { text: "do it" }
        signal working do it
        journal {"event":"state","state":"working"}
        print Reply { text: "It is done.", first: true }
        signal completed It is done.
        journal {"event":"state","state":"idle"}"#
    ]]);
}

#[test]
fn a_permitted_tool_runs_and_a_denied_one_does_not() {
    let mut stage = Stage::new("", "tool touch x\nreply Done.");
    stage.forget().sends("go").check(expect![[r#"
        journal {"event":"submitted","how":"now","kind":"message","text":"go"}
        journal {"event":"received","images":0,"text":"go"}
        print User { text: "go" }
        signal working go
        journal {"event":"state","state":"working"}
        print Tool { command: "touch x" }
        journal {"event":"dialog_opened","kind":"permission","options":["Yes","Yes, and don't ask again","No (esc)"],"question":"Do you want to proceed?"}
        signal needs_input Do you want to proceed? (touch x)
        journal {"event":"state","state":"dialog"}"#]]);
    // Text that means nothing here is lost, and so is a paste of more than one character.
    stage.types("hello").event(Event::Paste("1\n".into())).check(expect![""]);
    stage.types("1").check(expect![[r#"
        journal {"answer":"Yes","by":"key 1","choice":1,"event":"dialog_answered","kind":"permission"}
        journal {"event":"state","state":"working"}
        signal working go
        Run { command: "touch x" }"#]]);
    stage.event(Event::ChildDone { output: "\n".into(), code: Some(0) }).check(expect![[r#"
        journal {"code":0,"command":"touch x","event":"tool","output":"\n"}
        print Output { text: "(no output)", ok: true }
        print Reply { text: "Done.", first: true }
        signal completed Done.
        journal {"event":"state","state":"idle"}"#]]);
    stage.sends("again").forget().key(KeyCode::Esc).check(expect![[r#"
        journal {"answer":null,"by":"esc","choice":null,"event":"dialog_answered","kind":"permission"}
        journal {"event":"state","state":"working"}
        print Stopped("Denied")
        signal completed Denied
        journal {"event":"state","state":"idle"}"#]]);
}

#[test]
fn dont_ask_again_is_remembered() {
    let mut stage = Stage::new("", "tool touch x");
    stage.sends("go").types("2").event(Event::ChildDone { output: String::new(), code: Some(0) });
    stage.forget().sends("go");
    assert!(stage.has("Run {") && !stage.has("dialog_opened"));
}

#[test]
fn a_single_pasted_character_chooses_unless_it_is_inert() {
    let mut acts = Stage::new("", "tool x");
    assert!(acts.sends("go").event(Event::Paste("1".into())).has("\"by\":\"paste 1\""));
    let mut inert = Stage::new("--dialog-paste inert", "tool x");
    assert!(!inert.sends("go").event(Event::Paste("1".into())).has("dialog_answered"));
    let mut codex = Stage::new("--habits codex", "tool x");
    assert!(codex.sends("go").types("y").has("Run {"));
}

#[test]
fn escape_interrupts_and_what_waited_comes_back() {
    let mut stage = Stage::new("", "work 9");
    stage.sends("one").sends("two").types("draft").forget().key(KeyCode::Esc).check(expect![[r#"
        journal {"by":"esc","event":"interrupted"}
        print Stopped("Interrupted")
        signal completed Interrupted
        journal {"event":"state","state":"idle"}"#]]);
    assert_eq!(stage.model.composer.draft().field.text(), "two\ndraft");
    let mut silent = Stage::new("--silent-interrupt", "work 9");
    assert!(!silent.sends("one").forget().key(KeyCode::Esc).has("signal"));
}

#[test]
fn a_message_during_the_work_is_queued_taken_in_or_rejected() {
    let mut queue = Stage::new("", "work 1");
    queue.sends("one").forget().sends("two");
    assert!(queue.has("queued") && !queue.has("received"));
    assert!(queue.passes(1).has(r#""event":"received","images":0,"text":"two""#));
    let mut steer = Stage::new("--while-working steer", "work 1");
    steer.sends("one").forget().sends("two");
    assert!(steer.has("steered") && steer.has("received") && !steer.has("signal"));
    let mut reject = Stage::new("--while-working reject", "work 1");
    reject.sends("one").forget().sends("two");
    assert!(reject.has("rejected") && !reject.has("received"));
    assert_eq!(reject.model.composer.draft().field.text(), "two");
}

#[test]
fn the_editor_gets_the_whole_draft_and_its_text_comes_back() {
    let mut stage = Stage::new("", "");
    stage.types("see ").event(Event::Paste("a\nb\nc\nd".into())).forget().control('g');
    stage.check(expect![[r#"
        journal {"event":"editor_opened","shell":false,"text":"see a\nb\nc\nd"}
        OpenEditor { text: "see a\nb\nc\nd" }
        journal {"event":"state","state":"editor"}"#]]);
    let text = Some("new\n\n".to_owned());
    stage.event(Event::EditorDone { text, ok: true }).check(expect![[r#"
        journal {"event":"editor_closed","ok":true,"taken":true,"text":"new\n"}
        journal {"event":"state","state":"idle"}"#]]);
    assert_eq!(stage.model.composer.draft().field.text(), "new\n");
    stage.control('g').event(Event::EditorDone { text: Some("bad".into()), ok: false });
    assert_eq!(stage.model.composer.draft().field.text(), "new\n");
    let mut gemini = Stage::new("--editor-nonzero take --editor-newline keep", "");
    gemini.control('g').event(Event::EditorDone { text: Some("x\n".into()), ok: false });
    assert_eq!(gemini.model.composer.draft().field.text(), "x\n");
}

#[test]
fn the_editor_key_is_dead_in_dialogs_and_where_completions_block_it() {
    let opens =
        |flags: &str, text: &str| Stage::new(flags, "").types(text).control('g').has("OpenEditor");
    assert!(opens("", "/he") && opens("", "!ls") && opens("", ""));
    assert!(!opens("--popup-blocks-editor", "/he"));
    assert!(!opens("--editor-key none", ""));
    assert!(!opens("--trust-dialog", ""));
    let mut chord = Stage::new("--editor-key ctrl-x-ctrl-e", "");
    assert!(!chord.control('x').control('x').control('e').has("OpenEditor"));
    assert!(chord.control('x').control('e').has("OpenEditor"));
}

#[test]
fn shell_mode_runs_the_text() {
    let mut stage = Stage::new("", "");
    stage.forget().sends("!ls x").event(Event::ChildDone { output: "x\n".into(), code: Some(0) });
    stage.check(expect![[r#"
        journal {"event":"submitted","how":"now","kind":"shell","text":"ls x"}
        print Shell { command: "ls x" }
        journal {"event":"state","state":"working"}
        Run { command: "ls x" }
        journal {"code":0,"command":"ls x","event":"shell","output":"x\n"}
        print Output { text: "x", ok: true }
        journal {"event":"state","state":"idle"}"#]]);
}

#[test]
fn ctrl_c_clears_then_warns_then_exits() {
    let mut stage = Stage::new("", "");
    stage.types("text").control('c');
    assert!(stage.model.composer.draft().is_empty() && !stage.model.exit_armed());
    assert!(stage.control('c').model.exit_armed());
    assert!(!stage.passes(3).model.exit_armed());
    assert!(stage.control('c').control('c').has("Exit(0)"));
    assert!(Stage::new("--ctrl-c once", "").control('c').has("Exit(0)"));
    assert!(Stage::new("", "").control('d').has("Exit(0)"));
    assert!(!Stage::new("", "").types("x").control('d').has("Exit(0)"));
}

#[test]
fn commands_with_a_slash_are_not_messages_unless_told() {
    let mut stage = Stage::new("", "reply ok");
    assert!(stage.sends("/nonsense here").has("Unknown command: /nonsense"));
    assert!(!stage.has("received"));
    assert!(Stage::new("--slash text", "").sends("/nonsense").has("received"));
    // The first Enter picks the completion, the second sends it.
    let mut popup = Stage::new("", "");
    assert!(popup.types("/ex").key(KeyCode::Enter).key(KeyCode::Enter).has("Exit(0)"));
    let mut file = Stage::new("", "");
    file.types("read @Car").key(KeyCode::Tab);
    assert_eq!(file.model.composer.draft().field.text(), "read @Cargo.toml ");
}

#[test]
fn the_trust_dialog_holds_the_first_prompt_back() {
    let mut stage = Stage::new("--trust-dialog hello there", "reply ok");
    assert!(!stage.has("received"));
    assert!(stage.key(KeyCode::Enter).has(r#""event":"received","images":0,"text":"hello there""#));
    assert!(Stage::new("--trust-dialog", "").types("2").has("Exit(1)"));
}

#[test]
fn steps_of_every_kind_are_played() {
    let script = "error boom\n[message]\nexit 3\n[start]\nprint marker\nraw \\e[1m\nburst 2\ntitle T\nbell\nsignal needs_testing look";
    let mut stage = Stage::new("", script);
    assert!(
        stage.has("Plain(\"marker\")") && stage.has("Raw(\"\\u{1b}[1m\")") && stage.has("Bell")
    );
    assert!(stage.has("line 2 of 2") && stage.has("signal needs_testing look"));
    assert!(stage.sends("x").has("API Error: boom") && stage.has("signal error boom"));
    assert!(stage.sends("x").has("Exit(3)"));
    let mut file = Stage::new("", "wait-for-file /x/go\nreply went");
    assert_eq!(file.sends("x").model.awaited_file(), Some(Path::new("/x/go")));
    assert!(file.event(Event::FileFound).has("went"));
}

#[test]
fn the_first_keys_are_eaten_where_that_is_the_habit() {
    let mut stage = Stage::new("--eat-keys 2", "");
    assert_eq!(stage.types("abc").model.composer.draft().field.text(), "c");
}

#[test]
fn awkward_keys_are_there_when_asked_for() {
    let mut stage = Stage::new("--left-on-empty view --ctrl-y auto-approve", "tool x");
    assert!(stage.key(KeyCode::Left).has(r#""kind":"view""#));
    assert!(stage.types("text is lost").key(KeyCode::Esc).model.composer.draft().is_empty());
    assert!(stage.control('y').sends("go").has("Run {"));
}

proptest::proptest! {
    /// No input makes the model or the view fall over, at any size.
    #[test]
    fn nothing_panics(
        keys in proptest::collection::vec((0usize..24, proptest::char::any()), 0..60),
        width in 0u16..50, height in 0u16..14,
    ) {
        let mut stage = Stage::new("", "reply hi\ntool x\nquestion q | a | b\nwork 1");
        stage.event(Event::Resize(width, height));
        for (kind, c) in keys {
            match kind {
                0 => stage.key(KeyCode::Enter),
                1 => stage.key(KeyCode::Esc),
                2 => stage.key(KeyCode::Up),
                3 => stage.key(KeyCode::Down),
                4 => stage.key(KeyCode::Home),
                5 => stage.key(KeyCode::End),
                6 => stage.key(KeyCode::Backspace),
                7 => stage.event(Event::Paste(format!("{c}\n\t{c}\r\n{c}{c}\n"))),
                8 => stage.control((b'a' + (c as u32 % 26) as u8) as char),
                9 => stage.passes(1),
                10 => stage.event(Event::ChildDone { output: c.to_string(), code: None }),
                11 => stage.event(Event::EditorDone { text: Some(c.to_string()), ok: true }),
                12 => stage.types("1"),
                13 => stage.types("/"),
                14 => stage.key(KeyCode::Left),
                15 => stage.event(Event::Resize(c as u16 % 30, width)),
                _ => stage.key(KeyCode::Char(c)),
            };
            let live = crate::demo::view::live(&stage.model, stage.now);
            let (width, height) = stage.model.size();
            proptest::prop_assert!(live.lines.len() <= usize::from(height.max(1)));
            proptest::prop_assert!(live.cursor.x < width.max(1));
            proptest::prop_assert!(usize::from(live.cursor.y) < live.lines.len().max(1));
        }
    }
}
