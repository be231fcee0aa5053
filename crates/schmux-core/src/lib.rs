//! The pure part of schmux.
