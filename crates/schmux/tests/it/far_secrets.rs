//! What goes to a host and what doesn't: everything that passes through the
//! connection is kept, over the whole life of a session, and searched.

use std::fs;
use std::path::Path;

use schmux::http::auth::Keys;
use schmux::wire::{HostRequest, HostStatus, MessageState, Status};

use super::attach::Outer;
use super::far::Far;
use super::far_courier::{self, Agent};
use super::hosts::says;
use super::support::Daemon;

/// Any half of a secret, so that it is found where two commands share it; as it is,
/// and in hexadecimal digits.
fn holds(stream: &[u8], secret: &str) -> bool {
    let digits: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    [secret, &digits].iter().any(|text| {
        let half = text.len() / 2;
        let mut parts = text.as_bytes().windows(half);
        parts.any(|part| memchr::memmem::find(stream, part).is_some())
    })
}

#[test]
fn a_secret_is_found_in_pieces_too() {
    let secret = "0123456789abcdef0123456789ABCDEF";
    assert!(holds(format!("x{secret}y").as_bytes(), secret));
    assert!(holds(b"0123456789abcde'\nset-buffer 'f0123456789ABCDEF", secret));
    assert!(holds(b"30313233343536373839616263646566", secret));
    assert!(!holds(b"0123456789abcde and something else", secret));
}

/// Every file below a directory.
fn files(dir: &Path, all: &mut Vec<u8>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files(&path, all),
            Ok(kind) if kind.is_file() => all.extend(fs::read(&path).unwrap_or_default()),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_the_daemon_s_goes_to_a_host() {
    let Some(far) = Far::ssh("box") else { return };
    let other = Far::plain("some-other-host");
    let daemon = Daemon::with_config(&far_courier::config());
    let keys = Keys::from_token(fs::read_to_string(daemon.home().token()).unwrap().trim());
    let local = daemon.run("echo token=$SCHMUX_TOKEN; exec cat").await;
    daemon.view(&local, "").await.sees("token=").await;
    // As if it had been started in a session, which has a token in its environment.
    daemon.schmux(&["stop"]);
    let mut start = daemon.command(&["start"]);
    start.env("SCHMUX_TOKEN", keys.agent_token(&local.id)).env("SCHMUX_SESSION_ID", &local.id);
    assert!(start.status().unwrap().success());
    other.join(&daemon);
    let elsewhere = other.run(&daemon, "exec cat").await;

    // All that is written to the way, and what the way finds in its environment.
    let sent = far.path("sent");
    let connect =
        far.connect_through(&format!("env >>{0}.env; tee -a {0} | \"$@\"", sent.display()));
    let attach = far.path("attach.sh");
    fs::write(&attach, format!("echo \"$@\" >>{}; exec \"$@\"", sent.display())).unwrap();
    let mut terminal = far.connect();
    terminal.insert(1, "-t".into());
    let attach = ["sh".to_owned(), attach.to_string_lossy().into_owned()].into_iter();
    let attach: Vec<String> = attach.chain(terminal).collect();
    let request = HostRequest { name: "box".into(), connect, attach };
    let _: HostStatus = daemon.client().post("/api/hosts", &request).await.unwrap();

    // A delivery with a draft, by the editor there.
    let agent = Agent::start(&daemon, &far).await;
    agent.types("a draft of mine");
    agent.sees("a draft of mine").await;
    let message = agent.tells("the message that was sent").await;
    let fate = agent.fate(&message).await;
    assert_eq!(fate.state, MessageState::Confirmed, "{fate:#?}");
    agent.sees("a draft of mine").await;
    // Signals and hooks, what is in the environment there, and a terminal.
    let script = "env >\"$HOME/agents-env\"; schmux signal needs_input by the helper; \
                  echo '{}' | schmux hook claude Notification; echo ready; while read -r line; do echo \"[$line]\"; done";
    let session = far.run(&daemon, script).await;
    says(&daemon, &session, Status::NeedsInput, "by the helper").await;
    let outer = Outer::open(&daemon);
    outer.attach(&session).await;
    outer.sees("ready").await;
    outer.run("typed in a terminal");
    outer.sees("[typed in a terminal]").await;
    outer.press(&["C-b", "d"]);
    outer.sees("code=0").await;
    for verb in [&["why"][..], &["capture"], &["send-keys", "--text", "keys"]] {
        let (verb, rest) = verb.split_first().unwrap();
        daemon.schmux(&[&[*verb, session.id.as_str()], rest].concat());
    }
    // Another connection, and another daemon.
    far.cut();
    daemon.kill().await;
    daemon.schmux(&["start"]);
    daemon.view(&session, "").await.sees("keys").await;
    for id in [&session.id, &agent.session.id] {
        daemon.schmux(&["dispose", id]);
    }
    daemon.schmux(&["host", "remove", "box"]);

    let stream = fs::read(&sent).unwrap();
    let environment = fs::read(far.path("sent.env")).unwrap();
    let mut left = Vec::new();
    files(&far.path("home"), &mut left);
    files(&far.path("work"), &mut left);
    let has = |bytes: &[u8], text: &str| memchr::memmem::find(bytes, text.as_bytes()).is_some();
    // It was kept from the beginning to the end.
    for part in ["NONCE=", &session.id, "the message that was sent", "kill-", "tmux"] {
        assert!(has(&stream, part), "{part:?} is missing");
    }
    assert!(has(&left, "SCHMUX_SESSION_ID="), "what an agent there knows");
    let secrets = [
        ("the token", keys.token().to_owned()),
        ("the cookie", keys.cookie_value().to_owned()),
        ("a token of a session here", keys.agent_token(&local.id)),
        ("a token of another host's session", keys.agent_token(&elsewhere.id)),
        ("a token of its own session", keys.agent_token(&session.id)),
    ];
    for (what, secret) in secrets {
        // Only what follows the session's name is secret.
        let secret = secret.rsplit('.').next().unwrap();
        assert!(!holds(&stream, secret), "{what} went through the connection");
        assert!(!holds(&environment, secret), "{what} is in the environment of its way");
        assert!(!holds(&left, secret), "{what} lies over there");
    }
    let home = daemon.home().dir().to_string_lossy().into_owned();
    for foreign in [home.as_str(), "some-other-host", local.id.as_str(), elsewhere.id.as_str()] {
        assert!(!has(&stream, foreign) && !has(&left, foreign), "{foreign} was told");
    }
}
