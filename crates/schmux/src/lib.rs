//! schmux: everything that touches the world. `ARCHITECTURE.md` is the map.

pub mod agents;
pub mod cli;
pub mod client;
pub mod config;
pub mod demo;
pub mod home;
pub mod host;
pub mod http;
pub mod hub;
pub mod proc;
pub mod store;
pub mod wire;
pub mod workspaces;
