//! Who started `schmux edit`: the session's agent, or a tool of its.
//!
//! `EDITOR` reaches everything that runs below the agent. `git commit` has a
//! git between us and the agent, and mostly no terminal on its stdin. The agent
//! is the first process of the pane, or one that is called like it; between it
//! and us there are shells at most. What isn't known is a tool.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use rustix::process::{Pid, getppid, getsid};
use schmux_core::fleet::is_shell;

use crate::agents::{self, provision};
use crate::proc;
use crate::wire::EditCaller;

/// Nobody starts an editor through more shells than this.
const DEEPEST: usize = 6;

pub(super) fn caller() -> EditCaller {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let own = std::env::var(provision::AGENT).unwrap_or_default();
    let leader = getsid(None).ok();
    match (terminal, first_above_shells(getppid(), leader)) {
        (true, Some(process)) if process.is_agent(&own) => EditCaller::Agent,
        _ => EditCaller::Tool,
    }
}

struct Process {
    is_leader: bool,
    /// The first words of its command line.
    words: Vec<String>,
}

impl Process {
    fn is_agent(&self, own: &str) -> bool {
        let mut names = self.words.iter().filter_map(|word| name(word));
        self.is_leader && !self.is_shell()
            || names.any(|name| agents::by_program(name).is_some_and(|agent| agent == own))
    }

    fn is_shell(&self) -> bool {
        self.words.first().and_then(|word| name(word)).is_some_and(is_shell)
    }
}

fn name(word: &str) -> Option<&str> {
    Path::new(word).file_name()?.to_str()
}

/// The nearest process above us that is no shell. A shell that runs an agent's
/// start script is called like the agent by its second word, and counts as one.
fn first_above_shells(mut pid: Option<Pid>, leader: Option<Pid>) -> Option<Process> {
    for _ in 0..DEEPEST {
        let at = pid?;
        let (parent, words) = look(at)?;
        let process = Process { is_leader: Some(at) == leader, words };
        if !process.is_shell() || process.is_leader {
            return Some(process);
        }
        pid = parent;
    }
    None
}

/// A process's parent and the first words of its command line.
fn look(pid: Pid) -> Option<(Option<Pid>, Vec<String>)> {
    let pid = pid.as_raw_nonzero();
    let Ok(line) = fs::read(format!("/proc/{pid}/cmdline")) else { return ask_ps(pid.get()) };
    let words = line.split(|byte| *byte == 0).take(3);
    let words = words.map(|word| String::from_utf8_lossy(word).into_owned()).collect();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Some((Pid::from_raw(parent.trim().parse().ok()?), words))
}

/// The same where there is no /proc.
fn ask_ps(pid: i32) -> Option<(Option<Pid>, Vec<String>)> {
    let pid = pid.to_string();
    let child = proc::collected(&["ps", "-o", "ppid=,args=", "-p", &pid]).ok()?;
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut fields = text.split_whitespace();
    let parent = fields.next()?.parse().ok()?;
    Some((Pid::from_raw(parent), fields.take(3).map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_known_by_place_or_name() {
        for (is_leader, words, expected) in [
            (true, &["claude", "--settings", "x"][..], true),
            (true, &["node", "/usr/bin/gemini"], true),
            (false, &["node", "/usr/lib/node_modules/.bin/claude"], true),
            (false, &["/opt/vendor/claude"], true),
            (false, &["codex"], false),
            (false, &["git", "commit"], false),
            (false, &["vim", "x"], false),
            (true, &["bash"], false),
            (true, &["bash", "-c", "claude; bash"], false),
            (false, &[], false),
        ] {
            let words = words.iter().map(|&word| word.to_owned()).collect();
            let process = Process { is_leader, words };
            assert_eq!(process.is_agent("claude"), expected, "{:?}", process.words);
        }
    }

    #[test]
    fn this_very_process_is_seen() {
        let (parent, words) = look(rustix::process::getpid()).unwrap();
        assert_eq!(parent, getppid());
        assert!(!words.is_empty());
    }
}
