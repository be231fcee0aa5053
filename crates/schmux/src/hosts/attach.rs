//! The command that attaches a terminal to a session elsewhere, without the daemon.

use crate::config;

/// The beginning of it: the connect command with a terminal.
pub(super) fn prefix(spec: &config::Host) -> Vec<String> {
    if !spec.attach.is_empty() {
        return spec.attach.clone();
    }
    let mut words = spec.connect.clone();
    let program = words.first().and_then(|word| word.rsplit('/').next()).unwrap_or_default();
    match program {
        "ssh" => words.insert(1, "-t".into()),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" | "nomad" => {
            // `exec -i` wants its `-t` beside it.
            if let Some(flag) = words.iter_mut().find(|word| *word == "-i") {
                *flag = "-it".into();
            }
        }
        "srun" => words.insert(1, "--pty".into()),
        _ => {}
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect_commands_get_a_terminal() {
        for (connect, expected) in [
            ("ssh -p 22 box", "ssh -t -p 22 box"),
            ("/usr/bin/ssh box", "/usr/bin/ssh -t box"),
            ("docker exec -i c", "docker exec -it c"),
            ("kubectl exec -i pod --", "kubectl exec -it pod --"),
            ("srun --jobid 7", "srun --pty --jobid 7"),
            ("my-way in", "my-way in"),
        ] {
            let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
            let spec = config::Host { connect: words(connect), ..config::Host::default() };
            assert_eq!(prefix(&spec), words(expected));
            let spec = config::Host { attach: words("a b"), ..spec };
            assert_eq!(prefix(&spec), words("a b"));
        }
    }
}
