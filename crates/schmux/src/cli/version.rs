//! `schmux version`.

use super::{Outcome, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let version = env!("CARGO_PKG_VERSION");
    if args.json {
        return print::json(&serde_json::json!({ "version": version }));
    }
    print::text(&format!("schmux {version}\n"))
}
