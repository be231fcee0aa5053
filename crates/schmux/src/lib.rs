//! schmux: everything that touches the world. `ARCHITECTURE.md` is the map.

pub mod agents;
pub mod cli;
pub mod client;
pub mod config;
pub mod daemon;
pub mod demo;
pub mod home;
pub mod http;
pub mod nearest;
pub mod proc;
pub mod wire;
pub mod workspaces;
