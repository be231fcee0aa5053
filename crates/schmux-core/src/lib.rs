//! The pure part of schmux: every decision, and nothing that touches the world.
//!
//! **Invariant:** nothing in here reads a clock, a file, the environment or a
//! socket. Time comes in as a parameter, what should happen goes out as data.

pub mod courier;
pub mod evidence;
pub mod fleet;
pub mod git;
pub mod ids;
pub mod nudge;
pub mod nudgenik;
pub mod paste;
pub mod reading;
pub mod remote;
pub mod replay;
pub mod screen;
pub mod sh;
pub mod signal;
pub mod ssh_config;
pub mod time;
pub mod tmux;
