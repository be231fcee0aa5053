//! Tests from outside: real sockets, real processes, real files.

// clippy's own exception for tests ends at functions that are not tests themselves.
#![allow(clippy::unwrap_used)]

mod adopt;
mod at_once;
mod attach;
mod by_hand;
mod cli;
mod courier;
mod courier_gate;
mod courier_kills;
mod courier_prompts;
mod courier_told;
mod courier_wait;
mod demo;
mod desk;
mod doorway;
mod far;
mod far_clock;
mod far_courier;
mod far_engines;
mod far_faults;
mod far_hostile;
mod far_keys;
mod far_net;
mod far_other;
mod far_prompts;
mod far_secrets;
mod far_terminal;
mod far_tries;
mod far_words;
mod git;
mod hook;
mod hosts;
mod instance;
mod keys;
mod life;
mod mail;
mod markers;
mod notify;
mod nudgenik;
mod replay;
mod screens;
mod signals;
mod signals_proof;
mod states;
mod support;
mod terminal;
mod turns;
mod way;
