//! `schmux completions`: a completion script for a shell. `host add` is completed
//! by the names that ssh knows, which the script asks for when they are needed.

use clap::{Command, CommandFactory};
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
    clap_complete::generate(shell, &mut shown(&Cli::command()), "schmux", &mut script);
    with_ssh_names(shell, &String::from_utf8_lossy(&script))
}

/// The command without what is hidden, which clap would offer all the same. It has no
/// way to take something out of one, so this is another.
fn shown(command: &Command) -> Command {
    let arguments = command.get_arguments().filter(|one| !one.is_hide_set());
    let verbs = command.get_subcommands().filter(|one| !one.is_hide_set());
    // clap keeps names for ever, and so may the little time that this runs.
    let name: &'static str = command.get_name().to_owned().leak();
    let aliases = command.get_visible_aliases().map(|alias| &*alias.to_owned().leak());
    let mut made = Command::new(name).disable_help_subcommand(true).visible_aliases(aliases);
    if let Some(about) = command.get_about() {
        made = made.about(about.clone());
    }
    if let Some(version) = command.get_version() {
        made = made.version(&*version.to_owned().leak());
    }
    made.args(arguments.cloned()).subcommands(verbs.map(shown))
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
    fn what_is_hidden_is_not_offered() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            for hidden in ["own-terminal", "keeper", "demo-agent", "--quiet"] {
                assert!(!script.contains(hidden), "{shell}: {hidden}");
            }
            for offered in ["send-keys", "nudge", "foreground", "version"] {
                assert!(script.contains(offered), "{shell}: {offered}");
            }
        }
    }

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
