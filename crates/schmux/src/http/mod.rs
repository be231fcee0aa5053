//! The API and the page.

pub mod assets;
pub mod auth;
pub mod error;
pub mod listen;
pub mod tls;
