//! The binary `schmux`.

use clap::Parser;

#[derive(Parser)]
enum Cli {
    DemoAgent(schmux::demo::DemoArgs),
}

fn main() -> anyhow::Result<()> {
    let Cli::DemoAgent(args) = Cli::parse();
    schmux::demo::run(args)
}
