//! `schmux demo-agent`: a small agent TUI that needs no key.
//!
//! For newcomers it is something to look at; for tests it is the double of
//! real agents, with their habits, the awkward ones included, and a journal
//! that tells what really happened. It knows nothing of the daemon: like any
//! other agent it reads a terminal and signals by a file.
//!
//! ```text
//! model (handle(event, now) -> effects)   pure; keys, play: what input and scripts do in it
//!   composer > field > layout             the message being written
//!   dialog  popup  turn  script           the rest of its state
//! view  transcript                        the model as lines
//! screen  runtime  editor  outside        terminal, timers, children, files
//! ```
//! **Invariant**: only the last line of that map touches the world.

mod args;
mod composer;
mod dialog;
mod editor;
mod field;
mod keys;
mod layout;
mod model;
mod outside;
mod play;
mod popup;
mod runtime;
mod screen;
mod script;
mod transcript;
mod turn;
mod view;

pub use args::DemoArgs;

/// Runs the demo agent in this terminal until it exits. An exit code other
/// than 0 ends the process here, with the terminal restored.
pub fn run(args: DemoArgs) -> anyhow::Result<()> {
    match runtime::run(args)? {
        0 => Ok(()),
        code => std::process::exit(code),
    }
}
