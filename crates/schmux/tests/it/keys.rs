//! Names of keys: ours are those of the tmux that is here.

use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};

use schmux::client::ClientError;
use schmux::wire::KeysRequest;
use schmux_core::tmux::key;

use crate::support::Daemon;

/// A tmux server that runs nothing.
struct Tmux {
    dir: tempfile::TempDir,
}

impl Tmux {
    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-f", "/dev/null", "-L", "keys"]).args(args);
        command.env("TMUX_TMPDIR", self.dir.path()).env_remove("TMUX").stdin(Stdio::null());
        command.output().unwrap()
    }

    /// Those words that it can't bind, because they are no keys.
    fn refuses<'a>(&self, words: &[&'a str]) -> BTreeSet<&'a str> {
        let is_refused = |word: &&&str| {
            let bound = self.run(&["bind-key", "-T", "ours", "--", word, "display-message", ""]);
            !bound.status.success()
        };
        words.iter().filter(is_refused).copied().collect()
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn our_names_of_keys_are_those_of_tmux() {
    let tmux = Tmux { dir: tempfile::tempdir().unwrap() };
    assert!(tmux.run(&["new-session", "-d", "cat"]).status.success());
    let none = BTreeSet::new();
    assert_eq!(tmux.refuses(&key::NAMES), none);
    let more = [
        "y",
        "1",
        "é",
        "-",
        "^",
        "^C",
        "C-c",
        "M-x",
        "S-Tab",
        "C-M-S-Up",
        "C--",
        "^Enter",
        "enter",
        "0x41",
        "User999",
        "MouseDown1Pane",
        "MouseDrag2Status",
        "WheelUpStatusLeft",
        "TripleClick3Border",
        "SecondClick1StatusRight",
        "MouseDragEnd1StatusDefault",
    ];
    assert_eq!(tmux.refuses(&more), none);
    let text = ["Entr", "hello", "C-", "a-b", "F13", "0xz", "User1000", "None", "C-Entr", "日本"];
    assert_eq!(tmux.refuses(&text), text.into());

    // tmux's own bindings are a list of keys that its version has.
    let listed = tmux.run(&["list-keys"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    let mut count = 0;
    for line in listed.lines() {
        let word = line.split_once(" -T ").unwrap().1.split_whitespace().nth(1).unwrap();
        // As it would be written in a configuration.
        let word = match word.strip_prefix('\\') {
            Some(bare) if !bare.is_empty() => bare,
            _ => word.trim_matches('"'),
        };
        assert!(key::is_key(word), "tmux has the key {word:?}");
        count += 1;
    }
    assert!(count > 100, "{listed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_api_types_nothing_of_a_request_with_an_unknown_key() {
    let daemon = Daemon::start();
    let session = daemon.run("cat").await;
    let path = format!("/api/sessions/{}/keys", session.id);
    let send = |text: &str, keys: &[&str]| {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        let request = KeysRequest { text: Some(text.into()), keys, ..KeysRequest::default() };
        let (client, path) = (daemon.client(), path.clone());
        async move { client.tell(&path, &request).await }
    };
    match send("lost ", &["Entr"]).await {
        Err(ClientError::Refused { status, error }) => {
            assert_eq!((status.as_u16(), error.code.as_str()), (422, "unknown_key"));
            assert!(error.advice.unwrap().starts_with("did you mean Enter?"));
        }
        other => panic!("{other:?}"),
    }
    send("kept ", &["y", "Space", "0x41", "enter"]).await.unwrap();
    let mut view = daemon.view(&session, "").await;
    view.sees("kept y A").await;
    assert!(!view.rows().concat().contains("lost"), "{:?}", view.rows());
    daemon.schmux(&["dispose", &session.id]);
}
