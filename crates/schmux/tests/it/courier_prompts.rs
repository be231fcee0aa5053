//! Messages to line prompts: readline and prompt_toolkit, as they are and as an
//! agent whose draft is taken away by keys.

use std::path::{Path, PathBuf};
use std::process::Command;

use schmux::wire::{MessageState, Session, SpawnRequest};

use crate::courier::{becomes, look_up, stays_held, tell};
use crate::support::{Daemon, until};

const READLINE: &str = "import readline\n\
    readline.parse_and_bind('set enable-bracketed-paste on')\n\
    while True:\n    print('got:', input('> '))\n";

const PROMPT_TOOLKIT: &str =
    "from prompt_toolkit import prompt\nwhile True:\n    print('got:', prompt('> '))\n";

/// A Python that has prompt_toolkit: `scripts/setup test` sees to it.
fn python() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/python/bin/python3");
    let has = |python: &PathBuf| {
        let run = Command::new(python).args(["-c", "import prompt_toolkit"]).output();
        run.is_ok_and(|run| run.status.success())
    };
    [PathBuf::from("python3"), own]
        .into_iter()
        .find(has)
        .expect("no Python with prompt_toolkit; `scripts/setup test` installs it")
}

/// A prompt in a session.
struct Prompt<'a> {
    daemon: &'a Daemon,
    session: Session,
}

impl<'a> Prompt<'a> {
    async fn start(daemon: &'a Daemon, target: &str, program: &str) -> Prompt<'a> {
        let file = daemon.path("prompt.py");
        std::fs::write(&file, program).unwrap();
        let line = format!("exec {} {}", python().display(), file.display());
        let request = SpawnRequest {
            target: target.into(),
            workspace: Some(daemon.path("work").to_string_lossy().into_owned()),
            args: vec![line],
            ..SpawnRequest::default()
        };
        let mut made: Vec<Session> = daemon.client().post("/api/spawn", &request).await.unwrap();
        let prompt = Prompt { daemon, session: made.remove(0) };
        prompt.sees(">").await;
        prompt
    }

    fn tmux(&self, words: &[&str]) -> String {
        let pane = format!("={}:", self.session.tmux_session);
        let words: Vec<&str> = [&words[..1], &["-t", &pane], &words[1..]].concat();
        String::from_utf8_lossy(&self.daemon.tmux(&words)).into_owned()
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    /// Until its last line is this one.
    async fn asks(&self, line: &str) {
        until(line, || async {
            let screen = self.screen();
            let last = screen.lines().rfind(|line| !line.trim().is_empty())?;
            (last.trim_end() == line).then_some(())
        })
        .await;
    }

    async fn sees(&self, text: &str) {
        until(text, || async { self.screen().contains(text).then_some(()) }).await;
    }
}

async fn check_line_prompt(program: &str) {
    let daemon = Daemon::start();
    let prompt = Prompt::start(&daemon, "sh", program).await;
    let message = tell(&daemon, &prompt.session, "hello there -- $HOME;").await;
    prompt.sees("got: hello there -- $HOME;").await;
    becomes(&daemon, &message, MessageState::Confirmed).await;
    // A draft in a field that can't be emptied for sure: the message waits.
    prompt.tmux(&["send-keys", "-l", "my draft"]);
    prompt.sees("> my draft").await;
    let message = tell(&daemon, &prompt.session, "second").await;
    stays_held(&daemon, &message, "draft").await;
    prompt.tmux(&["send-keys", "Enter"]);
    prompt.sees("got: second").await;
    let screen = prompt.screen();
    assert_eq!(screen.matches("got: my draft").count(), 1, "{screen}");
    assert_eq!(screen.matches("got: ").count(), 3, "{screen}");
}

#[tokio::test]
async fn readline_gets_messages_when_its_line_is_empty() {
    check_line_prompt(READLINE).await;
}

#[tokio::test]
async fn prompt_toolkit_gets_messages_when_its_line_is_empty() {
    check_line_prompt(PROMPT_TOOLKIT).await;
}

/// The line by line way, on both libraries: the draft is gone for a moment, the
/// message is sent, and the draft is back to be sent by its human.
async fn check_taken_away(program: &str) {
    let target =
        "[targets.lines]\nbase = \"aider\"\ncommand = [\"sh\", \"-c\"]\nprompt = \"none\"\n";
    let daemon = Daemon::with_config(target);
    let prompt = Prompt::start(&daemon, "lines", program).await;
    for (number, draft) in ["my draft", "with  blanks inside", "x"].into_iter().enumerate() {
        prompt.asks(">").await;
        prompt.tmux(&["send-keys", "-l", draft]);
        prompt.sees(&format!("> {draft}")).await;
        let text = format!("message {number}; -- $HOME");
        let message = tell(&daemon, &prompt.session, &text).await;
        until("the message's proof", || async {
            let now = look_up(&daemon, &message).await;
            if now.state == MessageState::Held {
                // On a loaded machine the keys may take longer than a person should
                // wait; the draft is back then, and a person may ask for another try.
                daemon.schmux(&["outbox", "retry", &message.id.to_string()]);
            }
            (now.state == MessageState::Confirmed).then_some(())
        })
        .await;
        prompt.asks(&format!("> {draft}")).await;
        prompt.tmux(&["send-keys", "Enter"]);
        prompt.sees(&format!("got: {draft}")).await;
        let screen = prompt.screen();
        assert_eq!(screen.matches(&format!("got: {text}")).count(), 1, "{screen}");
        assert_eq!(screen.matches("got: ").count(), 2 * (number + 1), "{screen}");
    }
}

#[tokio::test]
async fn a_draft_is_taken_away_by_keys_and_comes_back_in_prompt_toolkit() {
    check_taken_away(PROMPT_TOOLKIT).await;
}

#[tokio::test]
async fn a_draft_is_taken_away_by_keys_and_comes_back_in_readline() {
    check_taken_away(READLINE).await;
}
