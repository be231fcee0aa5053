//! One instance and its home: found from anywhere, and not mixed up with what lives in it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use schmux::wire::Session;

use crate::support::{Daemon, runs, until};

/// A home whose path is too long for a socket in it.
struct Long {
    dir: tempfile::TempDir,
}

impl Long {
    fn new() -> Long {
        Long { dir: tempfile::tempdir().unwrap() }
    }

    fn runtime(&self, name: &str) -> PathBuf {
        let dir = self.dir.path().join(name);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    /// Runs the program where `XDG_RUNTIME_DIR` is this, or where there is none.
    fn run(&self, runtime: Option<&Path>, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schmux"));
        command
            .args(args)
            .env("SCHMUX_HOME", self.dir.path().join("a-long-name/".repeat(9)))
            .env("SCHMUX_PORT", "0")
            .env("TMUX_TMPDIR", self.dir.path())
            .env("TMPDIR", self.runtime("tmp"))
            .env_remove("TMUX")
            .env_remove("SCHMUX_TOKEN")
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::null());
        if let Some(runtime) = runtime {
            command.env("XDG_RUNTIME_DIR", runtime);
        }
        command.output().unwrap()
    }

    fn works(&self, runtime: Option<&Path>, args: &[&str]) {
        let output = self.run(runtime, args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{args:?} with {runtime:?}: {said}");
    }
}

impl Drop for Long {
    fn drop(&mut self) {
        self.run(None, &["stop"]);
    }
}

/// cron, ssh and sudo have another `XDG_RUNTIME_DIR` than the desktop, or none.
#[test]
fn a_daemon_of_a_long_home_is_found_whatever_the_environment() {
    let long = Long::new();
    let (one, two) = (long.runtime("one"), long.runtime("two"));
    for started in [Some(one.as_path()), Some(&two), None] {
        long.works(started, &["start"]);
        for asked in [Some(one.as_path()), Some(&two), None] {
            long.works(asked, &["status"]);
            long.works(asked, &["start"]);
        }
        long.works(Some(&one), &["stop"]);
        assert_eq!(long.run(started, &["status"]).status.code(), Some(3));
    }
}

/// The control clients that are attached to the hub, by their process ids.
fn control_clients(daemon: &Daemon) -> Vec<String> {
    let list = ["list-clients", "-t", "=schmux-hub", "-F", "#{client_control_mode} #{client_pid}"];
    let said = String::from_utf8(daemon.tmux(&list)).unwrap();
    said.lines().filter_map(|line| line.strip_prefix("1 ")).map(str::to_owned).collect()
}

/// tmux keeps a control client whose output nobody reads, and then never ends itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_daemon_that_was_killed_in_a_flood_leaves_no_client_behind() {
    let daemon = Daemon::start();
    let flood = daemon.run("while :; do seq 1 2000; done").await;
    let mut before = Vec::new();
    for _ in 0..2 {
        daemon.view(&flood, "").await.sees("1999").await;
        before.extend(control_clients(&daemon));
        daemon.kill().await;
        daemon.schmux(&["start"]);
    }
    until("one client, the new daemon's", || async {
        let now = control_clients(&daemon);
        (now.len() == 1 && !before.contains(&now[0])).then_some(())
    })
    .await;
    for pid in before {
        assert!(!runs(&pid), "{pid}");
    }
    let server = String::from_utf8(daemon.tmux(&["display-message", "-p", "#{pid}"])).unwrap();
    daemon.schmux(&["dispose", &flood.id]);
    daemon.schmux(&["stop"]);
    until("the end of the tmux server", || async { (!runs(server.trim())).then_some(()) }).await;
}

/// `~/.schmux` is the default instance's home, and where a session in `~` signals.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_in_the_home_directory_shares_a_directory_with_the_instance() {
    let person = Person::new();
    let git = |args: &[&str]| person.out(Command::new("git").args(args));
    git(&["init", "-q"]);
    git(&["-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "m"]);
    person.schmux(&["start"]);
    let script =
        "echo \"needs_input from $SCHMUX_STATUS_FILE\" > \"$SCHMUX_STATUS_FILE\"; exec cat";
    person.schmux(&["spawn", "-t", "sh", "-n", "here", "-w", ".", "--", script]);
    person.schmux(&["wait", "here", "--for", "needs_input", "--timeout", "30s"]);
    let listed: Vec<Session> = serde_json::from_str(&person.schmux(&["list", "--json"])).unwrap();
    let session = &listed[0];
    let ours = person.dir.path().join(".schmux").canonicalize().unwrap();
    let status_file = Path::new(&session.status_file).canonicalize().unwrap();
    assert_eq!(status_file, ours.join("signal").join(&session.id));
    let said = session.said.nudge_summary.as_deref().unwrap();
    assert!(said.ends_with(&format!(".schmux/signal/{}", session.id)), "{said}");
    // The home is as closed as ever, and git is told by its own file, not by one of the user's.
    assert_eq!(fs::metadata(&ours).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(!person.dir.path().join(".gitignore").exists());
    let exclude = fs::read_to_string(person.dir.path().join(".git/info/exclude")).unwrap();
    assert_eq!(exclude.lines().filter(|line| *line == ".schmux/").count(), 1, "{exclude}");
    assert!(!git(&["status", "--porcelain"]).contains(".schmux"));
    // The end of the session takes nothing of the instance along, nor of what was said.
    person.schmux(&["dispose", "here"]);
    person.schmux(&["unprovision", "."]);
    for kept in ["schmux.db", "token", "config.toml", "instance", "tmux.conf", "logs"] {
        assert!(ours.join(kept).exists(), "{kept}");
    }
    person.schmux(&["stop"]);
    person.schmux(&["start"]);
    assert!(person.schmux(&["events", &session.id]).contains("needs_input"));
}

/// Somebody with a home directory of their own and a default instance in it.
struct Person {
    dir: tempfile::TempDir,
}

impl Person {
    fn new() -> Person {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join(".schmux");
        fs::create_dir(&home).unwrap();
        fs::write(home.join("config.toml"), "[targets.sh]\ncommand = [\"sh\", \"-c\"]\n").unwrap();
        Person { dir }
    }

    fn schmux(&self, args: &[&str]) -> String {
        self.out(Command::new(env!("CARGO_BIN_EXE_schmux")).args(args))
    }

    fn out(&self, command: &mut Command) -> String {
        let output = self.command(command).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("HOME", self.dir.path())
            .env("SCHMUX_PORT", "0")
            .env("TMUX_TMPDIR", self.dir.path())
            .env_remove("TMUX")
            .env_remove("SCHMUX_HOME")
            .env_remove("SCHMUX_TOKEN")
            .env_remove("SCHMUX_SESSION_ID")
            .current_dir(self.dir.path())
            .stdin(Stdio::null())
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        for args in [&["dispose", "--all", "--yes"][..], &["stop"]] {
            let _ = self.command(Command::new(env!("CARGO_BIN_EXE_schmux")).args(args)).output();
        }
        let _ = self.command(Command::new("tmux").args(["-L", "schmux", "kill-server"])).output();
    }
}
