//! Messages to real programs in a real tmux: the demo agent with the habits of
//! real ones, line prompts, and shells, which must never get one.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use schmux::wire::{Message, MessageState, Session, SpawnRequest};
use serde_json::{Value, json};

use crate::support::{Daemon, until};

/// What the demo agent answers with: nothing takes long.
const SCRIPT: &str = "reply ok\n[when permission]\ntool touch ran\nreply done\n";

/// A demo agent, and what its journal says.
struct Agent<'a> {
    daemon: &'a Daemon,
    session: Session,
    journal: PathBuf,
}

impl<'a> Agent<'a> {
    async fn start(daemon: &'a Daemon, name: &str, flags: &[&str]) -> Agent<'a> {
        let (script, journal) = (daemon.path("script"), daemon.path(&format!("{name}.journal")));
        fs::write(&script, SCRIPT).unwrap();
        let (script, journal_name) = (script.to_string_lossy(), journal.to_string_lossy());
        let own = ["--speed", "0", "--script", &script, "--journal", &journal_name];
        let request = SpawnRequest {
            target: "demo".into(),
            workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
            args: own.iter().chain(flags).map(|&word| word.to_owned()).collect(),
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        let agent = Agent { daemon, session: made.remove(0), journal };
        agent.sees("❯").await;
        agent
    }

    fn tmux(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.daemon.tmux(args)).into_owned()
    }

    fn pane(&self) -> String {
        format!("={}:", self.session.tmux_session)
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", &self.pane()])
    }

    async fn sees(&self, text: &str) {
        until(text, || async { self.screen().contains(text).then_some(()) }).await;
    }

    /// Types past the gate, as someone in a plain `tmux attach` does.
    fn types(&self, text: &str) {
        self.tmux(&["send-keys", "-t", &self.pane(), "-l", "--", text]);
    }

    fn key(&self, name: &str) {
        self.tmux(&["send-keys", "-t", &self.pane(), name]);
    }

    fn pastes(&self, text: &str) {
        let file = self.daemon.path("paste");
        fs::write(&file, text).unwrap();
        self.tmux(&["load-buffer", "-b", "test", file.to_str().unwrap()]);
        self.tmux(&["paste-buffer", "-p", "-r", "-d", "-b", "test", "-t", &self.pane()]);
    }

    fn events(&self, kind: &str) -> Vec<Value> {
        let text = fs::read_to_string(&self.journal).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter(|line| line["event"] == kind).collect()
    }

    fn received(&self) -> Vec<String> {
        let texts = self.events("received");
        texts.iter().filter_map(|event| Some(event["text"].as_str()?.to_owned())).collect()
    }

    async fn tells(&self, text: &str) -> Message {
        tell(self.daemon, &self.session, text).await
    }

    async fn becomes(&self, message: &Message, state: MessageState) -> Message {
        becomes(self.daemon, message, state).await
    }

    /// Sends what stands in the field, and returns what the agent got.
    async fn submits_field(&self) -> String {
        let before = self.received().len();
        // Longer than any habit takes an Enter for part of a paste.
        tokio::time::sleep(Duration::from_millis(300)).await;
        self.key("Enter");
        until("the draft's arrival", || async { self.received().get(before).cloned() }).await
    }
}

async fn tell(daemon: &Daemon, session: &Session, text: &str) -> Message {
    let request = json!({ "to": [session.id], "text": text });
    let mut posted: Vec<Message> = daemon.client().post("/api/messages", &request).await.unwrap();
    posted.remove(0)
}

async fn look_up(daemon: &Daemon, message: &Message) -> Message {
    let path = format!("/api/messages?all=true&session={}", message.session_id);
    let all: Vec<Message> = daemon.client().get(&path).await.unwrap();
    all.into_iter().find(|other| other.id == message.id).unwrap()
}

async fn becomes(daemon: &Daemon, message: &Message, state: MessageState) -> Message {
    until(state.word(), || async {
        let now = look_up(daemon, message).await;
        let wrong = now.state.is_final() && now.state != state;
        assert!(!wrong, "{now:#?}");
        (now.state == state).then_some(now)
    })
    .await
}

const BLOCK: &str = "one\ntwo\n\nfour\nfive\nsix";

/// How a draft gets into the field.
pub enum Step {
    Type(&'static str),
    Key(&'static str),
    Paste(&'static str),
}
use Step::{Key, Paste, Type};

/// Each draft: its steps, what shows when it is there, and what the agent would get.
pub fn drafts() -> Vec<(Vec<Step>, &'static str, String)> {
    vec![
        (vec![Type("fix the login bug")], "login bug", "fix the login bug".into()),
        (vec![Type("one"), Key("C-j"), Key("C-j"), Type("three")], "three", "one\n\nthree".into()),
        (vec![Type("   indented")], "indented", "   indented".into()),
        (vec![Type("👍🏽 naïve 漢字")], "naïve", "👍🏽 naïve 漢字".into()),
        (vec![Type("see "), Paste(BLOCK)], "see", format!("see {BLOCK}")),
        (vec![Type("$HOME `ls` \"q\" \\n ; #")], "$HOME", "$HOME `ls` \"q\" \\n ; #".into()),
    ]
}

async fn check_drafts(name: &str, flags: &[&str]) {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, name, flags).await;
    for (number, (steps, shows, expected)) in drafts().into_iter().enumerate() {
        for step in steps {
            match step {
                Type(text) => agent.types(text),
                Key(name) => agent.key(name),
                Paste(text) => agent.pastes(text),
            }
        }
        agent.sees(shows).await;
        let text = format!("message {number}: -- $HOME; é 漢\n\n  - second line");
        let message = agent.tells(&text).await;
        agent.becomes(&message, MessageState::Confirmed).await;
        // The draft is back when nothing is under way any more.
        until("the draft", || async { agent.screen().contains(shows).then_some(()) }).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        assert_eq!(agent.submits_field().await, expected, "{name}");
        let times = agent.received().iter().filter(|got| **got == text).count();
        assert_eq!(times, 1, "{name}: {:#?}", agent.received());
    }
    assert!(agent.events("interrupted").is_empty());
}

/// The courier has left the pane: keys pass, and no attempt is on disk.
async fn is_at_rest(daemon: &Daemon, agent: &Agent<'_>) -> Option<()> {
    let ticket = daemon.home().dir().join("tickets").join(&agent.session.id);
    (!ticket.exists()).then_some(())
}

#[tokio::test]
async fn drafts_come_back_as_they_were() {
    check_drafts("claude", &["--habits", "claude"]).await;
}

#[tokio::test]
async fn drafts_come_back_from_an_agent_with_other_habits() {
    check_drafts("codex", &["--habits", "codex"]).await;
}

#[tokio::test]
async fn awkward_agents_get_everything_once() {
    let daemon = Daemon::start();
    for (name, flags) in [
        ("slow-echo", &["--echo-delay", "300"][..]),
        ("enter-newline", &["--enter-guard", "60"]),
        ("enter-lost", &["--enter-guard", "60", "--enter-guard-does", "lost"]),
        ("slow-editor", &["--editor-delay", "300"]),
        ("drawn-cursor", &["--cursor", "drawn"]),
        ("blank-if-unchanged", &["--editor-repaint", "blank-if-unchanged"]),
        ("takes-failed-files", &["--editor-nonzero", "take"]),
        ("fullscreen", &["--fullscreen"]),
    ] {
        let agent = Agent::start(&daemon, name, flags).await;
        agent.types("a draft of mine");
        agent.sees("a draft of mine").await;
        let message = agent.tells("run the tests").await;
        agent.becomes(&message, MessageState::Confirmed).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        assert_eq!(agent.submits_field().await, "a draft of mine", "{name}");
        assert_eq!(agent.received(), ["run the tests", "a draft of mine"], "{name}");
    }
}

#[tokio::test]
async fn a_dialog_is_not_answered() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "dialog", &[]).await;
    agent.types("ask for permission");
    agent.sees("ask for permission").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    agent.key("Enter");
    until("a dialog", || async { agent.events("dialog_opened").pop() }).await;
    let message = agent.tells("1 is what you should not do").await;
    agent.becomes(&message, MessageState::Held).await;
    // Long enough for a probe, its patience and a second try.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert!(agent.events("dialog_answered").is_empty());
    assert!(!daemon.path("work/ran").exists());
    agent.key("1");
    until("the tool", || async { daemon.path("work/ran").exists().then_some(()) }).await;
    daemon.schmux(&["outbox", "retry", &message.id.to_string()]);
    agent.becomes(&message, MessageState::Confirmed).await;
    assert_eq!(agent.received(), ["ask for permission", "1 is what you should not do"]);
}

#[tokio::test]
async fn copy_mode_is_left_alone() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "copy", &[]).await;
    let mode = || agent.tmux(&["display-message", "-p", "-t", &agent.pane(), "#{pane_in_mode}"]);
    agent.tmux(&["copy-mode", "-t", &agent.pane()]);
    let message = agent.tells("hello").await;
    until("the reason", || async {
        let reason = look_up(&daemon, &message).await.reason?;
        reason.contains("copy mode").then_some(())
    })
    .await;
    assert_eq!(mode(), "1");
    agent.tmux(&["send-keys", "-t", &agent.pane(), "-X", "cancel"]);
    agent.becomes(&message, MessageState::Confirmed).await;
    assert_eq!(agent.received(), ["hello"]);
}

#[tokio::test]
async fn a_shell_gets_nothing() {
    let daemon = Daemon::start();
    let session = daemon.run("PS1='> ' exec bash --norc --noprofile -i").await;
    let screen = || {
        let target = format!("={}:", session.tmux_session);
        String::from_utf8_lossy(&daemon.tmux(&["capture-pane", "-p", "-t", &target])).into_owned()
    };
    until("a prompt", || async { screen().contains('>').then_some(()) }).await;
    let before = screen();
    let message = tell(&daemon, &session, "touch ran-by-a-message").await;
    let held = becomes(&daemon, &message, MessageState::Held).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(look_up(&daemon, &message).await.state, MessageState::Held, "{held:?}");
    assert_eq!(screen(), before);
    assert!(!daemon.path("work/ran-by-a-message").exists());
}

/// `kill -9` at many moments of a delivery; `SCHMUX_COURIER_RUNS` for more of them.
#[tokio::test]
async fn a_killed_daemon_loses_and_doubles_nothing() {
    let runs = std::env::var("SCHMUX_COURIER_RUNS").ok().and_then(|runs| runs.parse().ok());
    let runs: u64 = runs.unwrap_or(4);
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "killed", &[]).await;
    for run in 0..runs {
        let draft = format!("draft number {run}");
        agent.types(&draft);
        agent.sees(&draft).await;
        // The courier waits until the typist has stopped, and begins then.
        tokio::time::sleep(Duration::from_millis(1_600)).await;
        let text = format!("message number {run}");
        let message = agent.tells(&text).await;
        tokio::time::sleep(Duration::from_millis(600 * run / runs)).await;
        daemon.kill().await;
        daemon.schmux(&["start"]);
        let fate = until("a fate", || async {
            let now = look_up(&daemon, &message).await;
            now.state.is_final().then_some(now)
        })
        .await;
        until("the draft", || async { agent.screen().contains(&draft).then_some(()) }).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        assert_eq!(agent.submits_field().await, draft, "run {run}: {fate:#?}");
        let times = agent.received().iter().filter(|got| **got == text).count();
        match fate.state {
            MessageState::Confirmed => assert_eq!(times, 1, "run {run}: {fate:#?}"),
            _ => assert!(times <= 1, "run {run}: {fate:#?}"),
        }
    }
}

/// A line prompt of Python's: readline, or prompt_toolkit where it is installed.
async fn check_line_prompt(program: &str) {
    let daemon = Daemon::start();
    let file = daemon.path("prompt.py");
    fs::write(&file, program).unwrap();
    let session = daemon.run(&format!("exec python3 {}", file.display())).await;
    let pane = format!("={}:", session.tmux_session);
    let screen =
        || String::from_utf8_lossy(&daemon.tmux(&["capture-pane", "-p", "-t", &pane])).into_owned();
    until("a prompt", || async { screen().contains('>').then_some(()) }).await;
    let message = tell(&daemon, &session, "hello there -- $HOME;").await;
    until("the message", || async {
        screen().contains("got: hello there -- $HOME;").then_some(())
    })
    .await;
    becomes(&daemon, &message, MessageState::Confirmed).await;
    // A draft in a field that can't be emptied for sure: the message waits.
    daemon.tmux(&["send-keys", "-t", &pane, "-l", "my draft"]);
    until("the draft", || async { screen().contains("> my draft").then_some(()) }).await;
    let message = tell(&daemon, &session, "second").await;
    let held = becomes(&daemon, &message, MessageState::Held).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(look_up(&daemon, &message).await.state, MessageState::Held, "{held:?}");
    daemon.tmux(&["send-keys", "-t", &pane, "Enter"]);
    until("the second message", || async { screen().contains("got: second").then_some(()) }).await;
    assert_eq!(screen().matches("got: my draft").count(), 1, "{}", screen());
    assert_eq!(screen().matches("got: ").count(), 3, "{}", screen());
}

#[tokio::test]
async fn readline_gets_messages_when_its_line_is_empty() {
    let program = "import readline\nreadline.parse_and_bind('set enable-bracketed-paste on')\n\
                   while True:\n    print('got:', input('> '))\n";
    check_line_prompt(program).await;
}

#[tokio::test]
async fn prompt_toolkit_gets_messages_when_its_line_is_empty() {
    let has = Command::new("python3").args(["-c", "import prompt_toolkit"]).output().unwrap();
    if has.status.success() {
        let program =
            "from prompt_toolkit import prompt\nwhile True:\n    print('got:', prompt('> '))\n";
        check_line_prompt(program).await;
    }
}

#[tokio::test]
async fn tools_and_people_get_the_users_own_editor() {
    let daemon = Daemon::start();
    // Without a ticket, whoever asks: the variable is taken apart as shells do it.
    let editor = daemon.home().editor();
    let run = Command::new(&editor)
        .args(["+3", "a file"])
        .env("SCHMUX_HOME", daemon.home().dir())
        .env("SCHMUX_SESSION_ID", "work-001-abcd")
        .env("SCHMUX_VISUAL", "")
        .env("SCHMUX_EDITOR", "printf '<%s>'")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), "<+3><a file>");
    // In a session: git's editor is the user's, with a ticket or without.
    let script = "git init -q . && EDIT=$EDITOR SCHMUX_EDITOR='echo by-hand >' SCHMUX_VISUAL= \
                  git -c user.name=a -c user.email=b commit -q --allow-empty; \
                  git log --format=%s; echo done; sleep 60";
    fs::create_dir_all(daemon.home().dir().join("tickets")).unwrap();
    let session = daemon.run(&format!("sleep 1; {script}")).await;
    let ticket = daemon.home().dir().join("tickets").join(&session.id);
    fs::write(&ticket, i64::MAX.to_string()).unwrap();
    let pane = format!("={}:", session.tmux_session);
    let screen =
        || String::from_utf8_lossy(&daemon.tmux(&["capture-pane", "-p", "-t", &pane])).into_owned();
    until("the commit", || async { screen().contains("done").then_some(()) }).await;
    assert!(screen().contains("by-hand"), "{}", screen());
}
