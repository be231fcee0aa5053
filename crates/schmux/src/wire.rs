//! The JSON of the API: the only module that knows it.
//!
//! Every type here is part of the public contract: it goes out by HTTP, over
//! the sockets and through `--json`, and `web/src/api/schema.d.ts` is generated
//! from it. Nothing in here decides anything.

mod attach;
mod attention;
mod daemon;
mod edit;
mod git;
mod hooks;
mod hosts;
mod launch;
mod mail;
mod replay;
mod sessions;
mod settings;
mod spawn;
mod state;
mod terminal;

use jiff::Timestamp;
use schmux_core::time::Moment;

pub use attach::*;
pub use attention::*;
pub use daemon::*;
pub use edit::*;
pub use git::*;
pub use hooks::*;
pub use hosts::*;
pub use launch::*;
pub use mail::*;
pub use replay::*;
pub use sessions::*;
pub use settings::*;
pub use spawn::*;
pub use state::*;
pub use terminal::*;

pub(crate) fn timestamp(moment: Moment) -> Timestamp {
    Timestamp::from_millisecond(moment.0).unwrap_or_default()
}
