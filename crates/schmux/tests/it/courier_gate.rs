//! Someone types in the very moment of a delivery. In a plain `tmux attach` tmux
//! keeps their keys, in `schmux attach` its own end does, and they follow the
//! draft. What can't be kept is never sent along with the message.

use schmux::wire::MessageState;
use serde_json::{Value, json};

use crate::attach::Outer;
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
        // Each has a server of its own: one that is asked to end takes its time for it.
        let socket = format!("{OUTER}-{}", self.agent.session.id);
        let output = self.agent.daemon.tmux_on(&socket, args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn types(&self, text: &str) {
        // tmux's own command line takes a final `;` for the end of a command.
        let text = if text == ";" { "\\;" } else { text };
        self.tmux(&["send-keys", "-l", "--", text]);
    }

    fn types_each(&self, text: &str) {
        text.chars().for_each(|c| self.types(&c.to_string()));
    }

    /// As a terminal does it: in a frame, with its line ends.
    fn pastes(&self, text: &str) {
        self.types(&format!("\x1b[200~{}\x1b[201~", text.replace('\n', "\r")));
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

/// One delivery is called off behind a closed gate, and the next closes it at once.
#[tokio::test]
async fn keys_keep_their_order_from_one_delivery_to_the_next() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "order", &[]).await;
    let attached = Attached::open(&agent).await;
    for round in 0..5 {
        agent.types("mine ");
        agent.sees("mine").await;
        let (first, second) = (agent.tells("one").await, agent.tells("two").await);
        attached.is_held().await;
        attached.types("a");
        // It may be too late for that.
        let cancel = format!("/api/messages/{}/cancel", first.id);
        let _ = daemon.client().post::<_, Value>(&cancel, &json!({})).await;
        attached.types_each("bcd");
        agent.becomes(&second, MessageState::Confirmed).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        assert_eq!(agent.submits_field().await, "mine abcd", "round {round}");
    }
}

/// A paste and an ideograph are no keys that tmux could write down: they wait in
/// their terminal, with all that is typed behind them.
#[tokio::test]
async fn pastes_and_ideographs_meanwhile_follow_the_draft() {
    type Typist = fn(&Attached<'_>);
    let typists: [(&str, Typist, &str); 4] = [
        ("a paste", |attached| attached.pastes("pasted;\nand more"), "pasted;\nand more"),
        ("ideographs", |attached| attached.types_each("漢字🙂"), "漢字🙂"),
        (
            "keys, a paste and keys",
            |attached| {
                attached.types_each("xy");
                attached.pastes("z;");
                attached.types_each("é1漢;");
            },
            "xyz;é1漢;",
        ),
        (
            "two pastes",
            |attached| {
                attached.pastes(&"0123456789".repeat(50));
                attached.pastes("end");
            },
            "end",
        ),
    ];
    let daemon = Daemon::start();
    for (name, flags) in
        [("slow-echo", ["--echo-delay", "150"]), ("slow-editor", ["--editor-delay", "250"])]
    {
        let agent = Agent::start(&daemon, name, &flags).await;
        let attached = Attached::open(&agent).await;
        for (number, (what, typist, typed)) in typists.iter().enumerate() {
            attached.types("a draft ");
            agent.sees("a draft").await;
            let text = format!("message number {number}");
            let message = agent.tells(&text).await;
            attached.is_held().await;
            typist(&attached);
            agent.becomes(&message, MessageState::Confirmed).await;
            until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
            let typed = match *typed {
                "end" => format!("{}end", "0123456789".repeat(50)),
                typed => typed.to_owned(),
            };
            assert_eq!(agent.submits_field().await, format!("a draft {typed}"), "{name}, {what}");
            let received = agent.received();
            let times = received.iter().filter(|got| **got == text).count();
            assert_eq!(times, 1, "{name}, {what}: {received:#?}");
            let held = agent.holds(&message).await;
            assert!(!held.iter().any(|why| why.contains("taken back")), "{name}, {what}: {held:?}");
        }
        let left = agent.tmux(&["show-options", "-t", &agent.pane()]);
        assert!(!left.contains("key-table") && !left.contains("@schmux"), "{left}");
        attached.tmux(&["kill-server"]);
    }
}

/// Nothing keeps what a program types: it goes to the agent at once, and the
/// message is taken back rather than sent with it.
#[tokio::test]
async fn what_no_gate_keeps_is_never_sent_along() {
    let daemon = Daemon::start();
    // Slow to echo: what is typed isn't seen before Enter would be pressed.
    for (name, flags) in
        [("slow-echo", ["--echo-delay", "150"]), ("slow-editor", ["--editor-delay", "250"])]
    {
        let agent = Agent::start(&daemon, name, &flags).await;
        let attached = Attached::open(&agent).await;
        attached.types("a draft ");
        agent.sees("a draft").await;
        let message = agent.tells("a message").await;
        attached.is_held().await;
        if name == "slow-echo" {
            agent.sees("a message").await;
        }
        agent.types("by a program");
        agent.becomes(&message, MessageState::Confirmed).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        assert_eq!(agent.submits_field().await, "a draft by a program", "{name}");
        assert_eq!(agent.received(), ["a message", "a draft by a program"], "{name}");
        attached.tmux(&["kill-server"]);
    }
}

/// In `schmux attach` all keys wait, whatever they are.
#[tokio::test]
async fn keys_typed_in_schmux_attach_meanwhile_follow_the_draft() {
    let daemon = Daemon::start();
    let agent = Agent::start(&daemon, "attached", &["--editor-delay", "250"]).await;
    let outer = Outer::open(&daemon);
    outer.attach(&agent.session).await;
    outer.sees("❯").await;
    for (number, typed) in
        ["and more", "é 漢字 👍; \\ #{x} ~", "\x1b[200~pasted\x1b[201~"].iter().enumerate()
    {
        outer.type_in("a draft ");
        agent.sees("a draft").await;
        let text = format!("message number {number}");
        let message = agent.tells(&text).await;
        until("a closed gate", || async {
            let ticket = daemon.home().dir().join("tickets").join(&agent.session.id);
            ticket.exists().then_some(())
        })
        .await;
        outer.type_in(typed);
        agent.becomes(&message, MessageState::Confirmed).await;
        until("an open gate", || async { is_at_rest(&daemon, &agent).await }).await;
        let typed = typed.trim_start_matches("\x1b[200~").trim_end_matches("\x1b[201~");
        agent.sees(&typed[..3]).await;
        assert_eq!(agent.submits_field().await, format!("a draft {typed}"));
        assert_eq!(agent.received().iter().filter(|got| **got == text).count(), 1);
    }
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
    attached.pastes(", pasted");
    attached.types("!");
    agent.sees("a draft and its end, pasted!").await;
}
