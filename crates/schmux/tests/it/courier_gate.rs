//! Someone types in a plain `tmux attach` in the very moment of a delivery: tmux
//! keeps their keys, and they follow the draft.

use schmux::wire::MessageState;

use crate::courier::{Agent, is_at_rest};
use crate::support::{Daemon, until};

/// A terminal beside the daemon, which is a tmux of its own, attached to a session.
struct Attached<'a> {
    agent: &'a Agent<'a>,
}

const OUTER: &str = "own-attached";

impl<'a> Attached<'a> {
    async fn open(agent: &'a Agent<'a>) -> Attached<'a> {
        let attached = Attached { agent };
        let daemon = agent.daemon;
        let attach = format!(
            "TMUX= exec tmux -L {} attach -t ={}",
            daemon.home().tmux_socket(),
            agent.session.tmux_session
        );
        attached.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "41", &attach]);
        until("an attached terminal", || async {
            let clients = agent.tmux(&["list-clients", "-t", &agent.pane()]);
            (!clients.is_empty()).then_some(())
        })
        .await;
        attached
    }

    fn tmux(&self, args: &[&str]) {
        let output = self.agent.daemon.tmux_on(OUTER, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn types(&self, text: &str) {
        // tmux's own command line takes a final `;` for the end of a command.
        let text = if text == ";" { "\\;" } else { text };
        self.tmux(&["send-keys", "-l", "--", text]);
    }

    /// Until tmux keeps the keys.
    async fn is_held(&self) {
        let agent = self.agent;
        until("a closed gate", || async {
            let table = agent.tmux(&["show-options", "-v", "-t", &agent.pane(), "key-table"]);
            (table == "schmux-hold").then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn keys_typed_in_tmux_meanwhile_follow_the_draft() {
    let daemon = Daemon::start();
    // Slow enough for every key to come in mid-delivery.
    let agent = Agent::start(&daemon, "attached", &["--editor-delay", "250"]).await;
    let attached = Attached::open(&agent).await;
    for (number, typed) in ["and more", "; \"é\" \\ #{x} ~", "ß$(y)'z'"].into_iter().enumerate() {
        attached.types("a draft ");
        agent.sees("a draft").await;
        let text = format!("message number {number}");
        let message = agent.tells(&text).await;
        attached.is_held().await;
        for c in typed.chars() {
            attached.types(&c.to_string());
        }
        agent.becomes(&message, MessageState::Confirmed).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        agent.sees(typed).await;
        assert_eq!(agent.submits_field().await, format!("a draft {typed}"));
        assert_eq!(agent.received().iter().filter(|got| **got == text).count(), 1);
    }
    let left = agent.tmux(&["show-options", "-t", &agent.pane()]);
    assert!(!left.contains("key-table") && !left.contains("@schmux"), "{left}");
}

/// The daemon is killed with the gate closed: tmux opens it and types what waited.
#[tokio::test]
async fn keys_that_tmux_keeps_outlive_the_daemon() {
    let daemon = Daemon::start();
    // The editor comes when the daemon is dead.
    let agent = Agent::start(&daemon, "orphaned", &["--editor-delay", "1200"]).await;
    let attached = Attached::open(&agent).await;
    attached.types("a draft ");
    agent.sees("a draft").await;
    agent.tells("never mind").await;
    attached.is_held().await;
    daemon.kill().await;
    attached.types("and its end");
    agent.sees("a draft and its end").await;
}
