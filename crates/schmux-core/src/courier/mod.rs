//! x
pub mod adapter;
#[cfg(test)]
mod drawing;
pub mod field;
pub mod message;
pub mod receipt;
pub mod sight;
