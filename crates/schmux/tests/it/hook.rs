//! `schmux hook` as agents call it: the real program, real pipes, and a real
//! daemon that gives an agent its hooks.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use schmux::wire::Session;
use serde_json::{Value, json};

use crate::support::{Daemon, PATIENCE, until};

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        World { dir: tempfile::tempdir().unwrap() }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schmux"));
        command
            .arg("hook")
            .args(args)
            .env("SCHMUX_HOME", self.dir.path())
            .env("SCHMUX_SESSION_ID", "work-001-abcd")
            .env("SCHMUX_EVENTS_FILE", self.dir.path().join("events.jsonl"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it with `input` on a stdin that ends, and expects silence.
    fn run(&self, args: &[&str], input: &str) {
        let mut child = self.command(args).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        silent(child);
    }

    fn events(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.path().join("events.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn silent(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn without_a_daemon_everything_is_kept() {
    let world = World::new();
    world.run(&["claude", "Stop"], r#"{"last_assistant_message": "done"}"#);
    world.run(&["claude", "Stop"], "no JSON");
    world.run(&["codex", "notify", r#"{"type": "agent-turn-complete"}"#], "");
    let said: Vec<_> = world
        .events()
        .iter()
        .map(|line| (line["event"].clone(), line["payload"].clone()))
        .collect();
    assert_eq!(
        said,
        [
            (json!("Stop"), json!({"last_assistant_message": "done"})),
            (json!("Stop"), Value::Null),
            (json!("notify"), json!({"type": "agent-turn-complete"})),
        ]
    );
}

#[test]
fn outside_of_a_session_nothing_happens() {
    let world = World::new();
    for args in [&["claude", "Stop"][..], &["claude"], &[], &["x", "y", "--z"]] {
        let mut command = world.command(args);
        command.env_remove("SCHMUX_SESSION_ID").stdin(Stdio::null());
        silent(command.spawn().unwrap());
    }
    // Nor if the session is another agent's, which has run this one.
    let mut command = world.command(&["gemini", "SessionStart"]);
    silent(command.env("SCHMUX_AGENT", "claude").stdin(Stdio::null()).spawn().unwrap());
    assert_eq!(fs::read_dir(world.dir.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn json_that_comes_late_is_heard_and_keeps_nobody() {
    let world = World::new();
    let mut child = world.command(&["claude", "Stop"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let begin = Instant::now();
    silent(child);
    // It takes 20 ms and what the machine needs to start a program; the agent
    // has said nothing yet, and would be waited for until it does.
    assert!(begin.elapsed() < PATIENCE / 2, "{:?}", begin.elapsed());
    stdin.write_all(br#"{"last_assistant_message": "late"}"#).unwrap();
    let line = until("the late words", || async { world.events().pop() }).await;
    assert_eq!(line["payload"]["last_assistant_message"], "late");
    drop(stdin);
}

#[test]
fn a_command_of_the_users_runs_afterwards() {
    let world = World::new();
    let bell = world.dir.path().join("bell");
    fs::write(&bell, "#!/bin/sh\nprintf '%s|' \"$@\" > \"$SCHMUX_HOME/rang\"\n").unwrap();
    fs::set_permissions(&bell, fs::Permissions::from_mode(0o755)).unwrap();
    let bell = bell.to_str().unwrap();
    let args = ["codex", "notify", "--then", bell, "a b", r#"{"type":"x"}"#];
    let mut command = world.command(&args);
    silent(command.stdin(Stdio::null()).spawn().unwrap());
    assert_eq!(world.events().len(), 1);
    assert_eq!(fs::read_to_string(world.dir.path().join("rang")).unwrap(), "a b|{\"type\":\"x\"}|");
}

/// An agent that reads its settings, as Claude Code does, and runs its first hook.
const CLAUDE: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "2.1.197 (Claude Code)"; exit; fi
hook=$(sed -n 's/.*"command": "\(.* hook claude SessionStart\)".*/\1/p' "$2")
printf '{"source":"startup","session_id":"c"}' | sh -c "$hook"
cat "$4" > told
exec sleep 1000
"#;

#[tokio::test]
async fn a_spawned_agent_is_provisioned() {
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join("claude");
    fs::write(&program, CLAUDE).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("[targets.fake]\ncommand = [{program:?}]\nbase = \"claude\"\n");
    let daemon = Daemon::with_config(&config);
    let made: Vec<Session> =
        serde_json::from_str(&daemon.schmux(&["spawn", "-t", "fake", "--json"])).unwrap();
    // What the user asked for is what is shown.
    assert_eq!(made[0].command, [program.to_str().unwrap()]);
    until("the instructions", || async {
        let told = fs::read_to_string(daemon.path("work/told")).ok()?;
        told.contains("$SCHMUX_STATUS_FILE").then_some(())
    })
    .await;
    let files = daemon.home().launches().join(&made[0].id);
    assert!(files.join("settings.json").exists());
    daemon.schmux(&["dispose", &made[0].id]);
    assert!(!files.exists());
}
