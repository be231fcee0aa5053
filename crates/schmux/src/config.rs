//! `config.toml`: settings for people.
