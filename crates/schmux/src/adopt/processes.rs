//! Which known agent runs in a pane, by the processes of its machine.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use schmux_core::fleet::is_shell;

use crate::agents;
use crate::proc;

/// Programs besides shells that run others, by how their names begin: `node`, `python3.12`.
const INTERPRETERS: [&str; 8] = ["node", "bun", "deno", "python", "uv", "npx", "npm", "env"];

/// Listing processes takes a moment on a machine with thousands of them.
const QUICK: Duration = Duration::from_secs(2);

/// Every process of a machine: its parent, and the words of its command line.
pub(super) struct Processes {
    children: HashMap<u32, Vec<u32>>,
    words: HashMap<u32, Vec<String>>,
}

impl Processes {
    /// Those of this machine.
    pub(super) async fn here() -> Processes {
        let argv = ["ps", "-A", "-o", "pid=,ppid=,args="];
        let output = proc::output(&argv, None, QUICK).await.unwrap_or_default();
        Processes::parse(&String::from_utf8_lossy(&output))
    }

    /// Lines of pid, parent and command line. What isn't one is passed over.
    pub(super) fn parse(text: &str) -> Processes {
        let mut all = Processes { children: HashMap::new(), words: HashMap::new() };
        for line in text.lines() {
            let mut fields = line.split_whitespace();
            let mut number = || fields.next().and_then(|field| field.parse::<u32>().ok());
            if let (Some(pid), Some(parent)) = (number(), number()) {
                all.children.entry(parent).or_default().push(pid);
                all.words.insert(pid, fields.take(3).map(Into::into).collect());
            }
        }
        all
    }

    /// The known agent that runs as `pid` or below it.
    pub(super) fn agent_below(&self, pid: u32) -> Option<&'static str> {
        let mut waiting = vec![pid];
        let mut seen = HashSet::new();
        while let Some(pid) = waiting.pop() {
            if !seen.insert(pid) {
                continue;
            }
            let agent = self.words.get(&pid).and_then(|words| agent_of(words));
            if agent.is_some() {
                return agent;
            }
            waiting.extend(self.children.get(&pid).into_iter().flatten());
        }
        None
    }
}

/// The known agent that a command line runs. Many are scripts, so what an
/// interpreter runs counts as well as a program.
fn agent_of(words: &[String]) -> Option<&'static str> {
    let mut names = words.iter().filter_map(|word| Path::new(word).file_name()?.to_str());
    let program = names.next()?;
    if program == "schmux" {
        return names.next().filter(|verb| *verb == "demo-agent").map(|_| agents::DEMO);
    }
    let interprets =
        is_shell(program) || INTERPRETERS.iter().any(|known| program.starts_with(known));
    let scripts = names.filter(|_| interprets).find(|word| !word.starts_with('-'));
    std::iter::once(program).chain(scripts).find_map(agents::by_program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_found_below_shells_and_interpreters() {
        let words = |line: &str| line.split(' ').map(Into::into).collect::<Vec<String>>();
        let processes = Processes {
            children: HashMap::from([(1, vec![2, 5]), (2, vec![3]), (3, vec![2])]),
            words: HashMap::from([
                (1, words("-bash")),
                (2, words("node /usr/bin/codex --yolo")),
                (5, words("vim claude.md")),
                (6, words("less /usr/bin/claude")),
                (7, words("python3 -u /opt/aider")),
                (8, words("/usr/bin/schmux demo-agent --greet")),
                (9, words("schmux attach claude")),
            ]),
        };
        assert_eq!(processes.agent_below(1), Some("codex"));
        assert_eq!(processes.agent_below(5), None);
        assert_eq!(processes.agent_below(6), None);
        assert_eq!(processes.agent_below(7), Some("aider"));
        assert_eq!(processes.agent_below(8), Some("demo"));
        assert_eq!(processes.agent_below(9), None);
        assert_eq!(processes.agent_below(10), None);
    }
}
