//! tmux's control mode as a value: bytes in, notifications and replies out.
//!
//! `frame` cuts the stream into lines and says what a line is, `engine` matches
//! replies with what was asked, `command` writes what tmux will read, `key` knows
//! its names for keys. None of them fails on what it doesn't know.

pub mod command;
pub mod engine;
pub mod frame;
pub mod key;

pub use command::Command;
pub use engine::{Batch, Engine, Event, Reply, Ticket};
pub use frame::{Escaped, Notification};
