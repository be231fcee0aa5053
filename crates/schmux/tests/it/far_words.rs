//! Why a host can't be reached: what failed is told, whatever sshd and login
//! shells print besides.

use std::fs;

use schmux::wire::{HostState, HostStatus};

use super::far::Far;
use super::support::{Daemon, until};

const BANNER: &str = "**********\n  Authorised users only!\n  All is recorded.\n**********\n";

/// With all that ssh says by itself.
fn talkative(far: &Far) -> Vec<String> {
    let words = far.connect().into_iter();
    words.map(|word| word.replace("LogLevel=ERROR", "LogLevel=INFO")).collect()
}

fn refused(far: &Far, daemon: &Daemon) -> String {
    let mut args = vec!["host", "add", &far.name, "--"];
    let connect = talkative(far);
    args.extend(connect.iter().map(String::as_str));
    let output = daemon.try_schmux(&args);
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banner_is_never_the_reason() {
    let Some(far) = Far::ssh("box") else { return };
    let daemon = Daemon::start();
    fs::write(far.path("banner"), BANNER).unwrap();
    let greets = "echo Welcome to box; echo Mind the gap >&2\n";
    fs::write(far.path("home").join(".profile"), greets).unwrap();
    let key = fs::read_to_string(far.path("user.pub")).unwrap();
    // It lets nobody in.
    fs::write(far.path("authorized"), "").unwrap();
    let said = refused(&far, &daemon);
    assert!(said.contains("Permission denied (publickey"), "{said}");
    assert!(!said.contains("Authorised"), "{said}");
    // A login shell that prints and ends: what it said is told as such.
    let closed = format!("command=\"echo Welcome; echo This account is closed.; exit 3\" {key}");
    fs::write(far.path("authorized"), closed).unwrap();
    let said = refused(&far, &daemon);
    assert!(said.contains("failed (exit status: 3), and said: Welcome; This account"), "{said}");
    assert!(said.contains("; on stderr: "), "{said}");
    // One that is good, and is lost later.
    fs::write(far.path("authorized"), &key).unwrap();
    let told = far.join_by(&daemon, &talkative(&far));
    assert!(!told.contains("Authorised") && !told.contains("Welcome"), "{told}");
    far.run(&daemon, "exec cat").await;
    fs::write(far.path("authorized"), "").unwrap();
    far.cut();
    let reason = until("the reason", || async {
        far.status(&daemon).await.reason.filter(|reason| reason.contains("denied"))
    })
    .await;
    assert!(!reason.contains("Authorised") && !reason.contains("Welcome"), "{reason}");
    let logs = fs::read_dir(daemon.home().logs()).unwrap().flatten();
    let log: String = logs.filter_map(|file| fs::read_to_string(file.path()).ok()).collect();
    let is_loss = |line: &&str| line.contains("lost tmux") && line.contains("closed by remote");
    let lost = log.lines().find(is_loss).unwrap_or_else(|| panic!("it was lost: {log}"));
    assert!(!lost.contains("Authorised") && !lost.contains("Mind"), "{lost}");
    fs::write(far.path("authorized"), &key).unwrap();
    far.hurry(&daemon).await;
    far.is(&daemon, HostState::Connected).await;
}

/// Whoever adds a host may leave before the way is tried: nothing of it stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_was_given_up_is_not_known() {
    let daemon = Daemon::start();
    let known = || async {
        let all: Vec<HostStatus> = daemon.client().get("/api/hosts").await.unwrap();
        !all.is_empty()
    };
    let mut adding = daemon.begin_schmux(&["host", "add", "mute", "--", "sh", "-c", "cat >&2"]);
    until("the attempt", || async { known().await.then_some(()) }).await;
    adding.kill().unwrap();
    adding.wait().unwrap();
    until("its end", || async { (!known().await).then_some(()) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_words_for_a_host_are_told() {
    let daemon = Daemon::start();
    for (words, expected) in [
        (&["x", "--", "ssh box"][..], "leave out the quotes: schmux host add x -- ssh box"),
        (&["x", "--", ""], "needs a command"),
        (&["a b", "--", "ssh", "box"], "use up to 40 letters"),
        (&["local"], "that is this machine"),
    ] {
        let output = daemon.try_schmux(&[&["host", "add"], words].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(expected), "{words:?}: {said}");
    }
}
