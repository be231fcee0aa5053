//! The daemon's log: a file per day in `SCHMUX_HOME/logs`, and the terminal if asked.

use std::io::{self, IsTerminal};

use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{RollingFileAppender, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::Log;
use crate::home::Home;

/// Starts logging. What is logged is written as long as the guard lives.
pub fn start(home: &Home, settings: &Log, to_terminal: bool) -> anyhow::Result<WorkerGuard> {
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("schmux")
        .filename_suffix("log")
        .max_log_files(settings.keep.max(1))
        .build(home.logs())?;
    let (files, guard) = tracing_appender::non_blocking(files);
    // SCHMUX_LOG wins, with the syntax of tracing's filters: `debug`, `schmux::host=trace`.
    let filter = EnvFilter::try_from_env("SCHMUX_LOG")
        .unwrap_or_else(|_| EnvFilter::new(settings.level.as_str()));
    let colours = io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let terminal = to_terminal.then(|| {
        tracing_subscriber::fmt::layer()
            .with_writer(io::stderr)
            .with_target(false)
            .with_ansi(colours)
    });
    tracing_subscriber::registry()
        .with(filter)
        .with(tracing_subscriber::fmt::layer().with_writer(files).with_ansi(false))
        .with(terminal)
        .try_init()?;
    Ok(guard)
}
