//! `schmux completions`: a completion script for a shell.

use clap::CommandFactory;

use super::{Cli, Outcome, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which shell
    shell: clap_complete::Shell,
}

pub(super) fn run(args: Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "schmux", &mut script);
    print::bytes(&script)
}
