//! Questions of connect commands: host keys and second factors. They are shown in
//! the CLI and by the API, and the daemon waits for no answer.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use schmux::wire::{HostPrompt, HostRequest, HostState, HostStatus};
use serde_json::json;

use super::attach::Outer;
use super::far::Far;
use super::support::{Daemon, until};

/// Its ssh knows no host, and asks.
fn strange(far: &Far) -> Vec<String> {
    let words = far.connect().into_iter();
    words
        .map(|word| word.replace("StrictHostKeyChecking=no", "StrictHostKeyChecking=ask"))
        .collect()
}

/// A way that wants a second factor before it lets anybody in. sshd itself asks
/// for one only with PAM; ssh then runs the same program in the same manner.
fn guarded(far: &Far) -> Vec<String> {
    let path = far.path("guarded");
    let script = "#!/bin/sh\ncode=$(\"$SSH_ASKPASS\" 'Verification code: ') || exit 1\n\
                  [ \"$code\" = 123456 ] || { echo 'that code is wrong' >&2; exit 1; }\nexec \"$@\"\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    [path.to_string_lossy().into_owned()].into_iter().chain(far.connect()).collect()
}

async fn open_prompt(daemon: &Daemon, seen: u64) -> HostPrompt {
    until("a question", || async {
        // Whatever is open, everything else is answered at once.
        let began = Instant::now();
        let hosts: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
        assert!(began.elapsed() < Duration::from_secs(5), "the daemon hangs");
        hosts.into_iter().find_map(|host| host.prompt).filter(|prompt| prompt.id > seen)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_by_the_api() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    let mut seen = 0;
    for (connect, asks, secret, answer, good) in [
        (strange(&far), "authenticity of host", false, Some("no"), false),
        (strange(&far), "authenticity of host", false, Some("yes"), true),
        (guarded(&far), "Verification code", true, Some("000000"), false),
        (guarded(&far), "Verification code", true, None, false),
        (guarded(&far), "Verification code", true, Some("123456"), true),
    ] {
        let client = daemon.client().patient(Duration::from_secs(60));
        let request = HostRequest { name: "box".into(), connect, attach: Vec::new() };
        let added =
            tokio::spawn(async move { client.post::<_, HostStatus>("/api/hosts", &request).await });
        let prompt = open_prompt(&daemon, seen).await;
        assert!(prompt.text.contains(asks) && prompt.secret == secret, "{prompt:?}");
        seen = prompt.id;
        let given = json!({"id": prompt.id, "answer": answer});
        daemon.client().tell("/api/hosts/box/answer", &given).await.unwrap();
        let added = added.await.unwrap();
        assert_eq!(added.is_ok(), good, "{added:?}");
        if good {
            assert_eq!(added.unwrap().state, HostState::Connected);
            daemon.schmux(&["host", "remove", "box"]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_in_the_terminal() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    let outer = Outer::open(&daemon);
    let exe = env!("CARGO_BIN_EXE_schmux");
    let home = daemon.home();
    let schmux = format!("SCHMUX_HOME={} {exe}", home.dir().display());
    let quoted = |words: Vec<String>| schmux_core::sh::join(words);
    outer.run(&format!("clear; {schmux} host add box -- {}; echo code=$?", quoted(strange(&far))));
    outer.sees("The authenticity of host").await;
    outer.sees("(yes/no/[fingerprint])?").await;
    let shown = outer.tmux(&["capture-pane", "-p"]);
    assert!(!shown.contains('\u{fffd}'), "its lines are lines: {shown}");
    outer.run("yes");
    outer.sees("code=0").await;
    // `host test` and `host connect` ask as well, and hide what is a secret.
    daemon.schmux(&["host", "remove", "box"]);
    let add = format!("clear; {schmux} host add box -- {}; echo code=$?", quoted(guarded(&far)));
    outer.run(&add);
    outer.sees("Verification code").await;
    outer.run("123456");
    outer.sees("code=0").await;
    let shown = outer.tmux(&["capture-pane", "-p", "-S", "-100"]);
    assert!(!shown.contains("123456"), "{shown}");
    for verb in ["test", "connect"] {
        daemon.schmux(&["host", "disconnect", "box"]);
        far.is(&daemon, HostState::Idle).await;
        // What the last one showed is gone before the next one is looked for.
        outer.run("clear; echo cleared-$((40 + 2))");
        outer.sees("cleared-42").await;
        outer.run(&format!("clear; {schmux} host {verb} box; echo code=$?"));
        outer.sees("Verification code").await;
        let list = daemon.schmux(&["host", "list"]);
        assert!(list.contains("asks: Verification code"), "{list}");
        outer.run("123456");
        outer.sees("code=0").await;
    }
}
