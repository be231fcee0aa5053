//! schmux: everything that touches the world. `ARCHITECTURE.md` is the map.

pub mod adopt;
pub mod agents;
pub mod app;
pub mod cli;
pub mod client;
pub mod config;
mod courier;
pub mod daemon;
pub mod demo;
pub mod doctor;
pub mod home;
mod hooks;
pub mod host;
pub mod http;
pub mod hub;
mod llm;
pub mod log;
pub mod nearest;
pub mod notify;
pub mod nudgenik;
pub mod proc;
pub mod spawn;
mod state;
pub mod store;
pub mod watch;
pub mod wire;
pub mod workspaces;
