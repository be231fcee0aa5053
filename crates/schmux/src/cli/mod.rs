//! The command line: one file a verb.
//!
//! A verb asks the daemon through `client` and prints what it answers; `--json`
//! prints the API's own objects. Nothing here knows SQL, tmux's protocol or how
//! the daemon works inside. Output goes through `print`, errors through `failure`.

mod adopt;
mod ask;
mod attach;
mod capture;
mod completions;
mod dispose;
mod doctor;
mod edit;
mod environment;
mod events;
mod failure;
mod hook;
mod host;
mod letterbox;
mod list;
mod mcp;
mod outbox;
mod pick;
mod print;
mod qr;
mod quick;
mod replay;
mod report;
mod send_keys;
mod signal;
mod spawn;
mod start;
mod status;
mod stop;
mod table;
mod targets;
mod tell;
mod transcript;
mod unprovision;
mod url;
mod version;
mod wait;
mod why;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::client::Client;
use crate::home::Home;

use failure::Failure;

/// Runs many AI coding agents in tmux, and calls you exactly once when one needs you.
#[derive(Debug, Parser)]
#[command(name = "schmux", version, after_help = AFTER_HELP, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

/// How long the end waits for what still runs on threads: long enough for a write
/// to a file, too short to be noticed.
const LAST_WORDS: Duration = Duration::from_millis(500);

const AFTER_HELP: &str = "\
Sessions are named by their id, the beginning of it, or their nickname.

Exit codes:
  0  done
  1  failed
  2  wrong usage, or a mistake in config.toml
  3  the daemon is not running
  4  no such session, target or workspace
  5  the environment is unfit: tmux missing or too old, port taken, directory not writable
  6  `wait` gave up after its timeout
  7  `wait` can wait no more: the session ended in another way

Environment:
  SCHMUX_HOME  the directory of the instance (default ~/.schmux)
  SCHMUX_PORT  the port of the dashboard (0 picks a free one)
  NO_COLOR     no colours";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Start the daemon, in the background unless told otherwise
    Start(start::Args),
    /// Stop the daemon; agents keep running
    Stop(stop::Args),
    /// Tell whether the daemon runs, and where
    Status(status::Args),
    /// Print a link that logs a browser in
    Url(url::Args),
    /// Run agents in a workspace
    Spawn(spawn::Args),
    /// List the sessions
    #[command(visible_alias = "ls")]
    List(list::Args),
    /// Tell what the agents said and what happened
    Events(events::Args),
    /// Wait until a session is in one of some states
    Wait(wait::Args),
    /// Explain a session's state: what every source says, and which rule won
    Why(why::Args),
    /// Write a session's screen and state to a file, as a test case
    Report(report::Args),
    /// Attach this terminal to a session
    Attach(attach::Args),
    /// Play what a session printed, or export it
    Replay(replay::Args),
    /// Print a session's screen
    Capture(capture::Args),
    /// Send text or keys to a session
    SendKeys(send_keys::Args),
    /// Tell agents something, exactly once and without spoiling what you type
    #[command(visible_alias = "nudge")]
    Tell(tell::Args),
    /// Show the messages that wait, and for what
    Outbox(outbox::Args),
    /// Serve tools to the agent that starts it, over MCP
    Mcp(mcp::Args),
    /// End sessions for good
    Dispose(dispose::Args),
    /// List what can be spawned
    Targets(targets::Args),
    /// Tell a session's state, for scripts
    Signal(signal::Args),
    /// Take schmux's instructions out of a workspace's files
    Unprovision(unprovision::Args),
    /// Manage other machines and containers where agents can live
    Host(host::Args),
    /// Take over an agent that you started by hand in tmux
    Adopt(adopt::Args),
    /// Check that everything schmux needs is there
    Doctor(doctor::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the version
    Version(version::Args),
    /// Run the agent that comes with schmux
    #[command(hide = true)]
    DemoAgent(crate::demo::DemoArgs),
    /// Pass on what an agent's hook says; agents call it
    #[command(hide = true)]
    Hook(hook::Args),
    /// Edit a file with your own editor; agents call it, and the courier answers
    #[command(hide = true)]
    Edit(edit::Args),
    /// Stand in for a stalled daemon; the daemon starts it
    #[command(hide = true)]
    Keeper {
        #[arg(last = true, required = true)]
        attach: Vec<String>,
    },
    /// Run a program on a terminal of its own; `schmux attach` starts it
    #[command(hide = true)]
    OwnTerminal {
        #[arg(last = true, required = true)]
        program: Vec<String>,
    },
}

/// What a verb works with.
pub(crate) struct Context {
    home: Home,
    client: Client,
}

type Outcome = Result<(), Failure>;

/// The program, from its arguments to its exit code.
pub fn main() -> ExitCode {
    // An agent waits for its hooks and editors, so they don't wait for the rest of this.
    let words = || std::env::args_os().skip(1);
    if let Some(exit) = hook::main(words()).or_else(|| edit::main(words())) {
        return exit;
    }
    if let Some(exit) = ask::main() {
        return exit;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => {
            // It may be `--help` into a pipe that was closed: nothing to say then.
            let _ = err.print();
            return ExitCode::from(u8::try_from(err.exit_code()).unwrap_or(2));
        }
    };
    match run(cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(verb: Verb) -> Outcome {
    // These need neither a home nor a runtime.
    let verb = match verb {
        Verb::Completions(args) => return completions::run(args),
        Verb::Version(args) => return version::run(&args),
        Verb::DemoAgent(args) => return crate::demo::run(args).map_err(Failure::from_any),
        // `main` has caught every call but those for its help.
        Verb::Hook(_) | Verb::Edit(_) => return Ok(()),
        Verb::Keeper { attach } => {
            return crate::host::keeper::run(&attach).map_err(Failure::from_any);
        }
        Verb::OwnTerminal { program } => {
            return Err(Failure::from_any(crate::attach::own_terminal(&program)));
        }
        verb => verb,
    };
    let home = Home::from_env()?;
    // Inside a session it is the agent who speaks.
    let token = std::env::var("SCHMUX_TOKEN").ok().filter(|token| !token.is_empty());
    let context = Context { client: Client::new(&home).speaking_for(token), home };
    // The daemon streams many terminals at once; every other verb asks a question or two.
    let mut builder = match &verb {
        Verb::Start(args) if args.foreground => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = builder
        .enable_all()
        .build()
        .map_err(|err| Failure::new(format!("can't start the async runtime: {err}")))?;
    let outcome = runtime.block_on(run_async(verb, context));
    // A request to some service may still be waiting for its answer on a thread.
    runtime.shutdown_timeout(LAST_WORDS);
    outcome
}

async fn run_async(verb: Verb, context: Context) -> Outcome {
    match verb {
        Verb::Start(args) => start::run(args, context).await,
        Verb::Stop(args) => stop::run(args, &context).await,
        Verb::Status(args) => status::run(args, &context).await,
        Verb::Url(args) => url::run(args, &context).await,
        Verb::Spawn(args) => spawn::run(args, &context).await,
        Verb::List(args) => list::run(args, &context).await,
        Verb::Events(args) => events::run(args, &context).await,
        Verb::Wait(args) => wait::run(args, &context).await,
        Verb::Why(args) => why::run(args, &context).await,
        Verb::Report(args) => report::run(args, &context).await,
        Verb::Attach(args) => attach::run(args, &context).await,
        Verb::Replay(args) => replay::run(args, &context).await,
        Verb::Capture(args) => capture::run(args, &context).await,
        Verb::SendKeys(args) => send_keys::run(args, &context).await,
        Verb::Tell(args) => tell::run(args, &context).await,
        Verb::Outbox(args) => outbox::run(args, &context).await,
        Verb::Mcp(args) => mcp::run(args, &context).await,
        Verb::Dispose(args) => dispose::run(args, &context).await,
        Verb::Targets(args) => targets::run(args, &context).await,
        Verb::Signal(args) => signal::run(args, &context).await,
        Verb::Unprovision(args) => unprovision::run(args).await,
        Verb::Host(args) => host::run(args, &context).await,
        Verb::Adopt(args) => adopt::run(args, &context).await,
        Verb::Doctor(args) => doctor::run(args, &context).await,
        Verb::Completions(_)
        | Verb::Version(_)
        | Verb::DemoAgent(_)
        | Verb::Hook(_)
        | Verb::Edit(_)
        | Verb::Keeper { .. }
        | Verb::OwnTerminal { .. } => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_document_names_every_verb_and_flag() {
        let document = include_str!("../../../../docs/cli.md");
        for verb in Cli::command().get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let name = verb.get_name();
            assert!(document.contains(&format!("schmux {name}")), "docs/cli.md misses {name}");
            for flag in verb.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let Some(long) = flag.get_long() else { continue };
                assert!(document.contains(&format!("--{long}")), "it misses {name} --{long}");
            }
        }
    }
}
