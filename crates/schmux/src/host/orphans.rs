//! Control clients that nobody reads any more, because the daemon was killed.
//!
//! tmux lets a control client go when it has written all that waits for it, and that
//! is never done where the reader is gone: such a client stays, and a server with one
//! never ends. The reader is the process that started the client, so an orphan is one
//! whose parent is no schmux: instances whose homes are the default one below different
//! `HOME`s share a server. (On hosts each has its own, and `bootstrap.sh` does the same.)

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::place::Place;
use crate::proc;

/// tmux answers in milliseconds; a server that doesn't will not let us in either.
const LIMIT: Duration = Duration::from_secs(2);

const FORMAT: &str = "#{client_control_mode} #{client_pid}";

/// Ends the orphans that are attached to a session. They hold no state, so they are
/// killed. Servers of the user's own are left alone: programs of theirs may be there.
pub(super) async fn end(place: &Place, session: &str) {
    if place.is_users() {
        return;
    }
    let target = format!("={session}");
    let list = place.tmux(&["list-clients", "-t", &target, "-F", FORMAT]);
    // Where no server runs, nothing is left of one.
    let Ok(clients) = proc::output(&list, None, LIMIT).await else { return };
    let clients = String::from_utf8_lossy(&clients);
    if !clients.lines().any(|line| line.starts_with("1 ")) {
        return;
    }
    let list = ["ps", "-A", "-o", "pid=,ppid=,comm="];
    let Ok(processes) = proc::output(&list, None, LIMIT).await else { return };
    for pid in orphans(&clients, &String::from_utf8_lossy(&processes)) {
        tracing::info!(pid = pid.as_raw_nonzero().get(), "ended a control client without a reader");
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// The control clients among these whose parent is no schmux.
fn orphans(clients: &str, processes: &str) -> Vec<Pid> {
    let process = |line: &str| {
        let mut words = line.split_whitespace();
        let (pid, parent) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let is_schmux = Path::new(words.next()?).file_name().is_some_and(|name| name == "schmux");
        Some((pid, (parent, is_schmux)))
    };
    let processes: HashMap<i32, (i32, bool)> = processes.lines().filter_map(process).collect();
    let is_orphan = |pid: &i32| {
        let parent = processes.get(pid).and_then(|(parent, _)| processes.get(parent));
        !parent.is_some_and(|(_, is_schmux)| *is_schmux)
    };
    let control = clients.lines().filter_map(|line| line.strip_prefix("1 ")?.parse().ok());
    control.filter(is_orphan).filter_map(Pid::from_raw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_readers_of_other_instances_are_left_alone() {
        let processes = "1 0 init\n 9 1 schmux\n10 1 /opt/bin/schmux\n12 1 tmux\n13 1 tmux\n\
                         14 9 tmux\n15 10 tmux: client\n16 77 tmux\nnonsense\n";
        let found: Vec<i32> = orphans("1 12\n0 13\n1 0\n1 x\n\n1 14\n1 15\n1 16\n", processes)
            .iter()
            .map(|pid| pid.as_raw_nonzero().get())
            .collect();
        assert_eq!(found, [12, 16]);
    }
}
