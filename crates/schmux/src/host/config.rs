//! The configuration that our own tmux servers start with.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::hold;
use crate::config::Tmux;

/// Writes the file anew at each start of the daemon; a server that runs already keeps what it has.
pub fn write(path: &Path, settings: &Tmux) -> io::Result<()> {
    let mut text = text(settings);
    text.push_str(&hold::table());
    if let Some(extra) = &settings.config {
        let quoted = extra.to_string_lossy().replace('\'', "'\\''");
        let _ = writeln!(text, "source-file '{quoted}'\n{KEEP}");
    }
    std::fs::write(path, text)
}

/// What every server of ours starts with, here and on other hosts.
pub fn text(settings: &Tmux) -> String {
    format!("{OURS}set -g history-limit {}\n", settings.history_limit)
}

/// Each line says why it is there; none of it changes what a program prints.
const OURS: &str = r##"# Written by schmux at each start. Your own settings: `[tmux] config` in config.toml.

# The server outlives its last session, and no session ends because nobody is attached.
set -g exit-empty off
set -g destroy-unattached off
# What programs find as TERM, with full colour for those who attach.
set -g default-terminal "tmux-256color"
set -as terminal-features ",*:RGB"
# An Escape is an Escape at once, and programs learn of focus if they ask.
set -sg escape-time 0
set -g focus-events on
# A program may rename its window; the session's name is its id and stays.
set -g allow-rename off
set -g automatic-rename off
# Someone who attaches gets the window in the size of their terminal.
set -g window-size latest
set-hook -g client-attached "set-option -w window-size latest"
# A program that ended leaves its last screen as it was (tmux 3.2 has no such option).
set -gq remain-on-exit-format ""
# An account that nobody logs into has a shell that runs nothing.
if-shell -F "#{||:#{m:*/nologin,#{default-shell}},#{m:*/false,#{default-shell}}}" "set -g default-shell /bin/sh"
set -g mouse on
set -g status-left "#[bold] #{session_name} "
set -g status-left-length 60
set -g status-right "schmux "
set -g status-style "bg=default,fg=default"
"##;

/// What no setting of the user's may change: agents would end when nobody is attached.
const KEEP: &str = "set -g exit-empty off\nset -g destroy-unattached off";
