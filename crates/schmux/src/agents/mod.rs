//! Targets: what can be run.
