//! The command line by which a person attaches a terminal to a session, without
//! the daemon: `tmux attach` here, and by a host's connect command elsewhere.

use super::session::{Address, Socket};
use crate::sh;

/// Programs that run another one, behind whatever words are for themselves.
const WRAPPERS: [&str; 5] = ["env", "sudo", "doas", "nice", "nohup"];

/// Programs that lead elsewhere, and give a terminal there only if they are told to.
const WAYS: [&str; 8] = ["ssh", "docker", "podman", "nerdctl", "kubectl", "oc", "nomad", "srun"];

impl Address {
    /// Of a session on this machine.
    pub fn here(socket: Socket, tmux_session: String) -> Address {
        Address { socket, tmux_session, pane: None, via: Vec::new(), tmux: String::new() }
    }

    /// A command line for a shell.
    pub fn attach_command(&self) -> String {
        let (flag, socket) = match &self.socket {
            Socket::Name(name) => ("-L", name),
            Socket::Path(path) => ("-S", path),
        };
        let target = match &self.pane {
            None => format!("={}", self.tmux_session),
            // By its session too: its window is also linked into one of ours.
            Some(pane) => format!("={}:.{}", self.tmux_session, pane.id),
        };
        let mut verb = vec!["attach", "-t", &target];
        if self.pane.is_some() {
            // While another pane fills the window, attaching alone shows this one half.
            verb.splice(..0, ["select-pane", "-t", &target, ";"]);
        }
        if self.via.is_empty() {
            return sh::join(["tmux", flag, socket].into_iter().chain(verb));
        }
        let tmux = if self.tmux.is_empty() { "tmux" } else { &self.tmux };
        let words = [tmux, "-u", flag, socket].into_iter().chain(verb).map(str::to_owned);
        // A shell takes them as its script.
        let is_script = self.via.last().is_some_and(|word| word == "-c");
        let words: Vec<String> = if is_script { vec![sh::join(words)] } else { words.collect() };
        let joined = is_ssh(&self.via);
        let words = words.iter().map(|word| if joined { sh::quote(word) } else { word.clone() });
        sh::join(self.via.iter().cloned().chain(words))
    }
}

/// What brings a terminal to where `connect` leads. `is_shell`: that is a shell
/// already, and needs to be told what to run.
pub fn way(connect: &[String], is_shell: bool) -> Vec<String> {
    let mut words = connect.to_vec();
    let at = program(&words);
    match name(words.get(at)) {
        "ssh" => words.insert(at + 1, "-t".into()),
        "srun" => words.insert(at + 1, "--pty".into()),
        program if WAYS.contains(&program) => {
            // `exec -i` wants its `-t` beside it.
            if let Some(flag) = words.iter_mut().skip(at).find(|word| *word == "-i") {
                *flag = "-it".into();
            }
        }
        _ => {}
    }
    words.extend(is_shell.then(|| "-c".to_owned()));
    words
}

/// Whether what runs there gets its words joined, for a shell to read once more.
fn is_ssh(way: &[String]) -> bool {
    name(way.get(program(way))) == "ssh"
}

/// Where the program that matters stands: behind `env A=b` and its like.
fn program(words: &[String]) -> usize {
    let leads = |word: &String| WAYS.contains(&name(Some(word)));
    let is_wrapped = WRAPPERS.contains(&name(words.first()));
    words.iter().position(leads).filter(|_| is_wrapped).unwrap_or(0)
}

fn name(word: Option<&String>) -> &str {
    word.and_then(|word| word.rsplit('/').next()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::TmuxPane;
    use super::*;
    use crate::ids::PaneId;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn connect_commands_get_a_terminal() {
        for (connect, is_shell, expected) in [
            ("ssh -p 22 box", false, "ssh -t -p 22 box"),
            ("/usr/bin/ssh box", false, "/usr/bin/ssh -t box"),
            ("env A=b ssh box", false, "env A=b ssh -t box"),
            ("docker exec -i c", false, "docker exec -it c"),
            ("sudo -u dev docker exec -i c", false, "sudo -u dev docker exec -it c"),
            ("my-way to docker -i", false, "my-way to docker -i"),
            ("docker exec -i c bash", true, "docker exec -it c bash -c"),
            ("kubectl exec -i pod --", false, "kubectl exec -it pod --"),
            ("srun --jobid 7", false, "srun --pty --jobid 7"),
            ("my-way in", false, "my-way in"),
            ("/bin/sh", true, "/bin/sh -c"),
        ] {
            assert_eq!(way(&words(connect), is_shell), words(expected));
        }
    }

    #[test]
    fn names_are_quoted_for_every_shell_that_reads_them() {
        let attach = |via: &str, tmux: &str, name: &str| {
            let via = if via.is_empty() { Vec::new() } else { words(via) };
            let (socket, tmux_session) = (Socket::Name("s".into()), name.to_owned());
            let address = Address::here(socket, tmux_session);
            Address { via, tmux: tmux.into(), ..address }.attach_command()
        };
        assert_eq!(attach("", "", "a-1"), "tmux -L s attach -t '=a-1'");
        assert_eq!(attach("docker exec -it c", "", "a $(b)"), {
            "docker exec -it c tmux -u -L s attach -t '=a $(b)'"
        });
        // Each time a shell reads it, one layer goes.
        for (via, name) in [("ssh -t box", "a $(b) 'c'"), ("ssh -t box sh -c", "it's; x")] {
            let line = attach(via, "/opt/tmux", name);
            let there = shlex::split(&line).unwrap()[words(via).len()..].join(" ");
            let mut read = shlex::split(&there).unwrap();
            if via.ends_with("-c") {
                read = shlex::split(&read.concat()).unwrap();
            }
            let expected = ["/opt/tmux", "-u", "-L", "s", "attach", "-t", &format!("={name}")];
            assert_eq!(read, expected, "{line}");
        }
        assert_eq!(attach("/bin/sh -c", "", "a b"), {
            r"/bin/sh -c 'tmux -u -L s attach -t '\''=a b'\'''"
        });
    }

    #[test]
    fn a_pane_of_several_is_shown() {
        let pane = Some(TmuxPane { id: PaneId(5), server: "7-1700000000".into() });
        let here = Address::here(Socket::Path("/s".into()), "my own".into());
        let here = Address { pane, ..here };
        let shown = "select-pane -t '=my own:.%5' ';' attach -t '=my own:.%5'";
        assert_eq!(here.attach_command(), format!("tmux -S /s {shown}"));
        let via = words("docker exec -it c");
        let there = Address { via, ..here.clone() };
        assert_eq!(there.attach_command(), format!("docker exec -it c tmux -u -S /s {shown}"));
        let there = Address { via: words("ssh -t box"), ..here };
        let read = shlex::split(&there.attach_command()).unwrap()[3..].join(" ");
        assert_eq!(read, format!("tmux -u -S /s {shown}"));
    }
}
