//! `schmux completions`: a completion script for a shell. `host add` is completed
//! by the names that ssh knows, which the script asks for when they are needed.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which shell
    shell: Shell,
}

pub(super) fn run(args: Args) -> Outcome {
    print::text(&script(args.shell))
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "schmux", &mut script);
    with_ssh_names(shell, &String::from_utf8_lossy(&script))
}

/// Shells that know no such names, and those we don't know, stay as they are.
fn with_ssh_names(shell: Shell, script: &str) -> String {
    const NAMES: &str = "schmux host ssh-names 2>/dev/null";
    match shell {
        Shell::Bash => {
            let begins = "host__subcmd__add)\n            opts=\"";
            script.replacen(begins, &format!("{begins}$({NAMES}) "), 1)
        }
        Shell::Zsh => {
            let names = format!("_schmux_ssh_names() {{ compadd -- ${{(f)\"$({NAMES})\"}} }}\n\n");
            let ends = "if [ \"$funcstack[1]\"";
            script.replace(":_hosts'", ":_schmux_ssh_names'").replacen(
                ends,
                &format!("{names}{ends}"),
                1,
            )
        }
        Shell::Fish => {
            let add = "__fish_schmux_using_subcommand host; and __fish_seen_subcommand_from add";
            format!("{script}complete -c schmux -n \"{add}\" -f -a \"({NAMES})\"\n")
        }
        _ => script.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ssh_are_asked_for() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            assert_eq!(script.matches("schmux host ssh-names 2>").count(), 1, "{shell}");
        }
        let zsh = script(Shell::Zsh);
        assert_eq!(zsh.matches("_schmux_ssh_names").count(), 2);
    }
}
