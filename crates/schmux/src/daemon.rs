//! The daemon: what `schmux start` runs.

use crate::config::Config;
use crate::home::Home;

/// How the daemon behaves towards the one who started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub open_browser: bool,
    pub log_to_terminal: bool,
}

pub async fn run(home: Home, _config: Config, _options: Options) -> anyhow::Result<()> {
    anyhow::bail!("the daemon of {} is not part of this build", home.dir().display())
}
