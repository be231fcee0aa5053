//! The demo agent in a real tmux: keys and pastes in, the screen and the journal out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A loaded machine may take this long; a test that passes takes far less.
const PATIENCE: Duration = Duration::from_secs(20);

/// One demo agent in a tmux server of its own, which ends with the test.
struct Agent {
    dir: TempDir,
}

impl Agent {
    fn start(flags: &str, script: &str) -> Agent {
        let agent = Agent { dir: TempDir::new().expect("a temporary directory") };
        // The pane stays when the agent exits, so that the server does.
        fs::write(agent.path("tmux.conf"), "set -g remain-on-exit on\nset -g status off\n")
            .expect("a file is written");
        fs::write(agent.path("script"), script).expect("a file is written");
        agent.write_editor("cp \"$1\" seen\nprintf 'from the editor\\n' > \"$1\"");
        let binary = env!("CARGO_BIN_EXE_schmux");
        // What the agent leaves behind is kept in files. tmux's own `pane_dead_status`
        // stays empty now and then (seen with 3.3a).
        let command = format!(
            "'{binary}' demo-agent --speed 0 --script script --journal journal {flags}\n\
             code=$?; stty -a > modes; echo $code > code"
        );
        let status = format!("SCHMUX_STATUS_FILE={}", agent.path("status").display());
        let editor = format!("EDITOR={} -w", agent.path("editor").display());
        agent.tmux(&[
            "new-session",
            "-d",
            "-x",
            "80",
            "-y",
            "24",
            "-e",
            "SCHMUX_ENABLED=1",
            "-e",
            &status,
            "-e",
            &editor,
            "-e",
            "VISUAL=",
            &command,
        ]);
        agent.event("started");
        agent.sees("❯ ", "the field");
        agent
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// An editor that is called with an argument before the file, as real ones often are.
    fn write_editor(&self, body: &str) {
        let path = self.path("editor");
        fs::write(&path, format!("#!/bin/sh\nshift\n{body}\n")).expect("a file is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode is set");
    }

    fn tmux(&self, args: &[&str]) -> Output {
        let output = Command::new("tmux")
            .args(["-L", "demo", "-f"])
            .arg(self.path("tmux.conf"))
            .args(args)
            .current_dir(self.dir.path())
            // The socket is in the test's own directory.
            .env("TMUX_TMPDIR", self.dir.path())
            .env_remove("TMUX")
            .env("LC_ALL", "C.UTF-8")
            .output()
            .expect("tmux runs");
        assert!(output.status.success(), "tmux {args:?}: {output:?}");
        output
    }

    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    fn types(&self, text: &str) {
        // tmux takes a final `;` for the end of its command.
        let text = text.strip_suffix(';').map_or(text.to_owned(), |text| format!("{text}\\;"));
        self.tmux(&["send-keys", "-l", &text]);
    }

    fn pastes(&self, text: &str) {
        fs::write(self.path("paste"), text).expect("a file is written");
        let file = self.path("paste");
        self.tmux(&["load-buffer", "-b", "p", file.to_str().expect("a path in UTF-8")]);
        self.tmux(&["paste-buffer", "-p", "-d", "-b", "p"]);
    }

    /// Types a text, waits for its echo and sends it.
    fn sends(&self, text: &str) {
        self.types(text);
        self.sees(text, "the echo");
        self.keys(&["Enter"]);
    }

    fn screen(&self) -> String {
        text(self.tmux(&["capture-pane", "-p"]))
    }

    fn asks_tmux(&self, format: &str) -> String {
        text(self.tmux(&["display-message", "-p", format])).trim_end().to_owned()
    }

    fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("journal")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Waits for the newest event of a name.
    fn event(&self, name: &str) -> Value {
        let newest = || self.journal().into_iter().rfind(|event| event["event"] == name);
        self.wait(name, newest)
    }

    fn sees(&self, part: &str, what: &str) -> String {
        self.wait(what, || Some(self.screen()).filter(|screen| screen.contains(part)))
    }

    fn until(&self, what: &str, condition: impl Fn() -> bool) {
        self.wait(what, || condition().then_some(()));
    }

    fn wait<T>(&self, what: &str, condition: impl Fn() -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(value) = condition() {
                return value;
            }
            if Instant::now() > deadline {
                panic!("no {what}\n{}\n{:#?}", self.screen(), self.journal());
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    fn exit_status(&self) -> String {
        let status = || fs::read_to_string(self.path("code")).ok().filter(|s| s.ends_with('\n'));
        self.wait("exit", status).trim_end().to_owned()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // Without the asserts of `tmux`: a second panic would hide the first.
        let _ = Command::new("tmux")
            .args(["-L", "demo", "kill-server"])
            .env("TMUX_TMPDIR", self.dir.path())
            .env_remove("TMUX")
            .output();
    }
}

fn text(output: Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_message_arrives_exactly_and_the_state_is_signalled() {
    let agent = Agent::start("", "wait-for-file go\nreply I heard {message}.");
    agent.sends("grüße, 日本 👍🏽;");
    assert_eq!(agent.event("received")["text"], "grüße, 日本 👍🏽;");
    agent.sees(" Waiting for go…", "the spinner");
    agent.until("working", || {
        fs::read_to_string(agent.path("status")).is_ok_and(|s| s.starts_with("working "))
    });
    agent.until("title", || agent.asks_tmux("#{pane_title}").ends_with("demo: grüße, 日本 👍🏽;"));
    // The cursor stands in the field while the agent works.
    assert_eq!(agent.asks_tmux("#{cursor_x}"), "2");
    fs::write(agent.path("go"), "").expect("a file is written");
    agent.sees("● I heard grüße, 日本 👍🏽;.", "the reply");
    let done = "completed I heard grüße, 日本 👍🏽;.\n";
    agent.until("completed", || fs::read_to_string(agent.path("status")).is_ok_and(|s| s == done));
    agent.until("idle title", || agent.asks_tmux("#{pane_title}") == "✳ demo");
}

#[test]
fn a_dialog_ignores_pastes_and_runs_the_tool_by_number() {
    let agent = Agent::start("", "tool touch made");
    agent.sends("go");
    agent.sees("❯ 1. Yes", "the dialog");
    agent.pastes("1 is what I say\n");
    agent.keys(&["C-g"]);
    agent.types("3");
    agent.sees("Denied", "the denial");
    assert!(!agent.path("made").exists() && !agent.path("seen").exists());
    agent.sends("again");
    agent.until("second dialog", || agent.screen().contains("❯ 1. Yes"));
    agent.types("1");
    assert_eq!(agent.event("tool")["code"], 0);
    assert!(agent.path("made").exists());
    let answers: Vec<Value> =
        agent.journal().into_iter().filter(|event| event["event"] == "dialog_answered").collect();
    assert_eq!((&answers[0]["by"], &answers[1]["by"]), (&"key 3".into(), &"key 1".into()));
}

#[test]
fn a_long_paste_is_a_placeholder_and_arrives_whole() {
    let agent = Agent::start("", "reply ok");
    agent.types("see ");
    agent.pastes("one\n\n  two   \n$three;\nfour\nfive\n");
    agent.types(" end");
    agent.sees("❯ see [Pasted text #1 +6 lines] end", "the placeholder");
    agent.keys(&["Enter"]);
    assert_eq!(agent.event("received")["text"], "see one\n\n  two   \n$three;\nfour\nfive end");
}

#[test]
fn the_editor_gets_the_draft_and_gives_back_its_own() {
    let agent = Agent::start("", "reply ok");
    agent.types("a draft with ");
    agent.pastes("1\n2\n3\n4\n5");
    agent.keys(&["C-g"]);
    agent.sees("❯ from the editor", "the editor's text");
    assert_eq!(
        fs::read_to_string(agent.path("seen")).expect("a file is there"),
        "a draft with 1\n2\n3\n4\n5"
    );
    // Raw mode and bracketed paste are on again.
    agent.pastes(" and\na paste");
    agent.keys(&["Enter"]);
    assert_eq!(agent.event("received")["text"], "from the editor and\na paste");
    agent.write_editor("exit 1");
    agent.types("kept");
    agent.keys(&["C-g"]);
    agent.sees("the draft is kept", "the notice");
    agent.sees("❯ kept", "the draft");
}

#[test]
fn the_screen_stays_blank_after_an_unchanged_file_where_that_is_the_habit() {
    let agent = Agent::start("--editor-repaint blank-if-unchanged", "reply ok");
    agent.write_editor(":");
    agent.types("draft");
    agent.sees("❯ draft", "the draft");
    agent.keys(&["C-g"]);
    agent.until("blank screen", || agent.screen().trim().is_empty());
    agent.types("!");
    agent.sees("❯ draft!", "the draft again");
}

#[test]
fn keys_typed_while_the_editor_runs_come_after_it() {
    let agent = Agent::start("", "reply ok");
    agent.write_editor("touch opened\nwhile [ ! -e close ]; do sleep 0.01; done");
    agent.types("draft");
    agent.keys(&["C-g"]);
    agent.until("editor", || agent.path("opened").exists());
    agent.types("+more");
    fs::write(agent.path("close"), "").expect("a file is written");
    assert_eq!(agent.event("editor_closed")["text"], "draft");
    agent.keys(&["Enter"]);
    assert_eq!(agent.event("received")["text"], "draft+more");
}

#[test]
fn the_work_goes_on_while_the_editor_runs() {
    let agent = Agent::start("", "wait-for-file go\nreply finished");
    agent.write_editor("touch opened\nwhile [ ! -e close ]; do sleep 0.01; done");
    agent.sends("go");
    agent.event("received");
    agent.keys(&["C-g"]);
    agent.until("editor", || agent.path("opened").exists());
    fs::write(agent.path("go"), "").expect("a file is written");
    agent.until("signal", || agent.event("signal")["state"] == "completed");
    fs::write(agent.path("close"), "").expect("a file is written");
    agent.sees("● finished", "the reply");
}

#[test]
fn shell_mode_runs_a_command() {
    let agent = Agent::start("", "reply ok");
    agent.types("!echo out; echo err >&2; exit 4");
    agent.sees("! echo out", "the glyph");
    agent.keys(&["Enter"]);
    let shell = agent.event("shell");
    assert_eq!((&shell["output"], &shell["code"]), (&"out\nerr\n".into(), &4.into()));
    agent.sees("⎿ out", "the output");
}

#[test]
fn escape_interrupts_work_and_commands() {
    let agent = Agent::start("", "work 3600\n[message]\nrun echo $$ > pid; sleep 3600");
    agent.sends("first");
    agent.sees("esc to interrupt", "the spinner");
    agent.keys(&["Escape"]);
    agent.sees("Interrupted", "the note");
    agent.sends("second");
    agent.until("the command", || {
        fs::read_to_string(agent.path("pid")).is_ok_and(|pid| pid.ends_with('\n'))
    });
    agent.keys(&["Escape"]);
    let pid = fs::read_to_string(agent.path("pid")).expect("a file is there");
    // The shell is gone, or a zombie until its parent has read of its end.
    agent.until("the command's end", || {
        fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
            .map_or(true, |stat| stat.contains(") Z "))
    });
}

#[test]
fn an_enter_too_soon_becomes_a_newline() {
    let agent = Agent::start("--enter-guard 5000", "reply ok");
    agent.types("two lines");
    agent.keys(&["Enter"]);
    agent.types("in one");
    let screen = agent.sees("  in one", "the second line");
    assert!(screen.contains("❯ two lines\n  in one"), "{screen}");
}

#[test]
fn the_exit_code_is_the_script_s() {
    let agent = Agent::start("", "exit 7");
    agent.sends("leave");
    assert_eq!(agent.exit_status(), "7");
    assert_eq!(agent.event("exit")["code"], 7);
}

#[test]
fn ctrl_c_twice_exits_with_success() {
    let agent = Agent::start("", "");
    agent.keys(&["C-c"]);
    agent.sees("Press Ctrl-C again to exit", "the warning");
    agent.keys(&["C-c"]);
    assert_eq!(agent.exit_status(), "0");
}

#[test]
fn a_terminated_agent_restores_the_terminal() {
    for flags in ["", "--fullscreen"] {
        let agent = Agent::start(flags, "");
        let pid = agent.event("started")["pid"].to_string();
        assert!(Command::new("kill").arg(&pid).status().expect("kill runs").success());
        assert_eq!(agent.exit_status(), "143");
        assert_eq!(agent.event("exit")["why"], "SIGTERM");
        assert_eq!(agent.asks_tmux("#{alternate_on}"), "0");
        let modes = fs::read_to_string(agent.path("modes")).expect("a file is there");
        assert!(modes.contains(" icanon") && modes.contains(" echo "), "{modes}");
    }
}

#[test]
fn markers_are_printed_whole_on_lines_of_their_own() {
    let agent = Agent::start("--signals marker", "error it broke");
    agent.sends("go");
    let screen = agent.sees("--<[schmux:error:it broke]>--", "the marker");
    assert!(screen.lines().any(|line| line == "--<[schmux:working:go]>--"), "{screen}");
    assert!(screen.contains("API Error: it broke"));
}

#[test]
fn a_burst_is_in_the_scrollback_whole() {
    let agent = Agent::start("", "burst 500\nreply done");
    agent.sends("go");
    agent.sees("● done", "the reply");
    let all = text(agent.tmux(&["capture-pane", "-p", "-S", "-"]));
    let lines: Vec<&str> = all.lines().filter(|line| line.ends_with(" of 500")).collect();
    assert_eq!(lines.len(), 500);
    assert_eq!((lines[0], lines[499]), ("line 1 of 500", "line 500 of 500"));
}

#[test]
fn every_size_shows_one_field_with_the_cursor_in_it() {
    for flags in ["", "--fullscreen"] {
        let agent = Agent::start(flags, "reply ok");
        agent.types("a draft of some words that has to be wrapped");
        for (width, height) in [(50, 20), (20, 5), (34, 9), (120, 40), (80, 24)] {
            let (width, height) = (width.to_string(), height.to_string());
            agent.tmux(&["resize-window", "-x", &width, "-y", &height]);
            agent.until("one whole field", || {
                let screen = agent.screen();
                let row: usize = agent.asks_tmux("#{cursor_y}").parse().unwrap_or_default();
                let before = screen.lines().nth(row).unwrap_or_default();
                screen.matches("wrapped").count() == 1 && before.ends_with("wrapped")
            });
        }
        agent.keys(&["Enter"]);
        let received = agent.event("received");
        assert_eq!(received["text"], "a draft of some words that has to be wrapped");
    }
}
