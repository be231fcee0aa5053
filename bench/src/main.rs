//! Measures a schmux daemon beside tmux itself, and prints the README's table.
//!
//! It knows the daemon only through its command line and its API, and compares
//! only what was measured in the same run on the same machine. What runs in the
//! panes (`play`) is this program as well, so that both sides share one clock.

mod bare;
mod daemon;
mod machine;
mod node_pty;
mod play;
mod report;
mod rows;
mod screen;
mod sshd;
mod text;
mod viewer;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::rows::{Bench, Row};

#[derive(Parser)]
#[command(
    about = "Measures a schmux daemon beside tmux itself",
    args_conflicts_with_subcommands = true
)]
struct Args {
    /// The binary to measure.
    #[arg(long, default_value = "target/release/schmux")]
    schmux: PathBuf,
    /// Where the node-pty terminal is installed.
    #[arg(long, default_value = "bench/node-pty")]
    node_pty: PathBuf,
    /// Multiplies the amount of data and the number of samples.
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// What to measure; everything if nothing is named.
    rows: Vec<Row>,
    #[command(subcommand)]
    play: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// What runs in a pane.
    #[command(subcommand)]
    Play(play::Play),
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    if let Some(Command::Play(part)) = args.play {
        part.run()?;
        return Ok(ExitCode::SUCCESS);
    }
    let bench = Bench::new(&args.schmux, &args.node_pty, args.scale)?;
    let chosen = if args.rows.is_empty() { Row::all() } else { args.rows };
    let mut figures = Vec::new();
    for row in chosen {
        eprintln!("== {}", row.name());
        match row.measure(&bench) {
            Ok(found) => {
                for figure in &found {
                    eprintln!("   {}", figure.line());
                }
                figures.extend(found);
            }
            Err(error) => {
                eprintln!("   could not be measured: {error:#}");
                figures.push(report::Figure::failed(row.name(), &error));
            }
        }
    }
    print!("{}", report::table(&figures));
    let all_met = figures.iter().all(|figure| figure.met != Some(false));
    Ok(if all_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
