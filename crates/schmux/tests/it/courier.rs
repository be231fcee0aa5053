//! Messages to real programs in a real tmux: the demo agent with the habits of
//! real ones, line prompts, and shells, which must never get one.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use schmux::wire::{Message, MessageState, Session, SpawnRequest};
use serde_json::{Value, json};

use crate::support::{Daemon, PATIENCE, until, until_for, until_still};

/// What the demo agent answers with: nothing takes long.
const SCRIPT: &str = "reply ok\n[when permission]\ntool touch ran\nreply done\n";

/// A demo agent, and what its journal says.
pub(crate) struct Agent<'a> {
    pub daemon: &'a Daemon,
    pub session: Session,
    journal: PathBuf,
}

impl<'a> Agent<'a> {
    pub(crate) async fn start(daemon: &'a Daemon, name: &str, flags: &[&str]) -> Agent<'a> {
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

    pub(crate) fn tmux(&self, args: &[&str]) -> String {
        String::from_utf8_lossy(&self.daemon.tmux(args)).into_owned()
    }

    pub(crate) fn pane(&self) -> String {
        format!("={}:", self.session.tmux_session)
    }

    pub(crate) fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", &self.pane()])
    }

    pub(crate) async fn sees(&self, text: &str) {
        until(text, || async { self.screen().contains(text).then_some(()) }).await;
    }

    /// Types past the gate, as someone in a plain `tmux attach` does.
    pub(crate) fn types(&self, text: &str) {
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

    pub(crate) fn received(&self) -> Vec<String> {
        let texts = self.events("received");
        texts.iter().filter_map(|event| Some(event["text"].as_str()?.to_owned())).collect()
    }

    pub(crate) async fn tells(&self, text: &str) -> Message {
        tell(self.daemon, &self.session, text).await
    }

    pub(crate) async fn becomes(&self, message: &Message, state: MessageState) -> Message {
        becomes(self.daemon, message, state).await
    }

    /// Why it waited, each time that it did.
    pub(crate) async fn holds(&self, message: &Message) -> Vec<String> {
        let now = look_up(self.daemon, message).await;
        now.receipts.into_iter().filter_map(|receipt| receipt.reason).collect()
    }

    /// Sends what stands in the field, and returns what the agent got.
    pub(crate) async fn submits_field(&self) -> String {
        let before = self.received().len();
        until_still(|| self.screen()).await;
        self.key("Enter");
        until("the draft's arrival", || async { self.received().get(before).cloned() }).await
    }
}

pub(crate) async fn tell(daemon: &Daemon, session: &Session, text: &str) -> Message {
    let request = json!({ "to": [session.id], "text": text });
    let mut posted: Vec<Message> = daemon.client().post("/api/messages", &request).await.unwrap();
    posted.remove(0)
}

pub(crate) async fn look_up(daemon: &Daemon, message: &Message) -> Message {
    let path = format!("/api/messages?all=true&session={}", message.session_id);
    let all: Vec<Message> = daemon.client().get(&path).await.unwrap();
    all.into_iter().find(|other| other.id == message.id).unwrap()
}

pub(crate) async fn becomes(daemon: &Daemon, message: &Message, state: MessageState) -> Message {
    until(state.word(), || async {
        let now = look_up(daemon, message).await;
        let wrong = now.state.is_final() && now.state != state;
        assert!(!wrong, "{now:#?}");
        (now.state == state).then_some(now)
    })
    .await
}

/// The message waits for this reason, however often it is tried at once.
pub(crate) async fn stays_held(daemon: &Daemon, message: &Message, why: &str) {
    until(why, || async {
        let reason = look_up(daemon, message).await.reason?;
        reason.contains(why).then_some(())
    })
    .await;
    for _ in 0..3 {
        // Answered once the courier has it; the next answer comes behind the try.
        daemon.schmux(&["outbox", "retry", &message.id.to_string()]);
        let now = look_up(daemon, message).await;
        assert!(now.state == MessageState::Held && now.reason.is_some(), "{now:?}");
    }
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
pub(crate) async fn is_at_rest(daemon: &Daemon, agent: &Agent<'_>) -> Option<()> {
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

/// The text is in the field by then, and is not written a second time.
#[tokio::test]
async fn an_enter_that_was_lost_is_pressed_again() {
    let daemon = Daemon::start();
    let flags = ["--enter-guard", "500", "--enter-guard-does", "lost"];
    let agent = Agent::start(&daemon, "lost-once", &flags).await;
    let message = agent.tells("run the tests").await;
    agent.becomes(&message, MessageState::Confirmed).await;
    assert_eq!(agent.received(), ["run the tests"]);
    let receipts = look_up(&daemon, &message).await.receipts;
    let written = receipts.iter().position(|receipt| receipt.state == MessageState::Written);
    let after: Vec<MessageState> =
        receipts[written.unwrap()..].iter().map(|receipt| receipt.state).collect();
    assert_eq!(after, [MessageState::Written, MessageState::Confirmed]);
}

#[tokio::test]
async fn the_longest_messages_arrive_whole() {
    let daemon = Daemon::start();
    let lines: String = (0..).map(|n| format!("line {n}: é 漢 -- $HOME;\n")).take(40_000).collect();
    let most = lines.floor_char_boundary(1 << 20);
    let text = lines[..most].trim_end();
    for draft in ["", "a draft of mine"] {
        let name = if draft.is_empty() { "empty" } else { "draft" };
        let agent = Agent::start(&daemon, name, &["--habits", "claude"]).await;
        agent.types(draft);
        agent.sees(draft).await;
        let message = agent.tells(text).await;
        // A busy machine needs several tries for so much, with growing pauses between them.
        until_for(PATIENCE * 6, "confirmed", || async {
            let now = look_up(&daemon, &message).await;
            (now.state == MessageState::Confirmed).then_some(())
        })
        .await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        agent.sees(draft).await;
        let received = agent.received();
        assert!(received.len() == 1 && received[0] == text, "{name}: {}", received.len());
    }
}

#[tokio::test]
async fn a_dialog_is_not_answered() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "dialog", &[]).await;
    agent.types("ask for permission");
    agent.sees("ask for permission").await;
    until_still(|| agent.screen()).await;
    agent.key("Enter");
    until("a dialog", || async { agent.events("dialog_opened").pop() }).await;
    let message = agent.tells("1 is what you should not do").await;
    stays_held(&daemon, &message, "dialog").await;
    assert!(agent.events("dialog_answered").is_empty());
    assert!(agent.events("editor_opened").is_empty());
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
    stays_held(&daemon, &message, "shell").await;
    assert_eq!(screen(), before);
    assert!(!daemon.path("work/ran-by-a-message").exists());
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
