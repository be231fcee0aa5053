//! The commands that are more than a word or two, and what the longest reply says.

use schmux_core::ids::PaneId;
use schmux_core::screen::{FRAMES_OPTION, Meta};
use schmux_core::sh;
use schmux_core::tmux::{Command, command};

use crate::host::HUB;
use crate::host::request::{HostError, Spec};
use crate::host::structure::ROW_FORMAT;
use crate::wire::Capture;

/// A word that no program in a pane can guess.
pub(super) fn nonce() -> String {
    format!("{:032x}", rand::random::<u128>())
}

pub(super) fn capture_command(pane: PaneId, ansi: bool, history: u32) -> Command {
    let mut capture = Command::new("capture-pane").arg("-p").opt("-t", pane.to_string());
    if ansi {
        capture = capture.arg("-e").arg("-N");
    }
    if history > 0 { capture.opt("-S", format!("-{history}")) } else { capture }
}

/// Writes down in tmux, which outlives us, whether the program in front of a
/// pane takes framed pastes.
pub(super) fn frames_command(pane: PaneId, frames: bool) -> Command {
    let option = Command::new("set-option").arg("-p").opt("-t", pane.to_string());
    match frames {
        true => option.arg("-F").arg(FRAMES_OPTION).arg("#{pane_current_command}"),
        false => option.arg("-uq").arg(FRAMES_OPTION),
    }
}

pub(super) fn link_command(window: &str) -> Command {
    Command::new("link-window").arg("-d").opt("-s", window).opt("-t", format!("{HUB}:"))
}

/// Has a server of ours tell at once when a program ended whose pane stays. A hook
/// gives no notice of what it does itself, so tmux renames the hub's own window after
/// it, whose notice makes us look. The number keeps it apart from hooks of the user's.
pub(super) fn ends_command() -> Command {
    let tell = format!("run-shell -b -C 'rename-window -t ={HUB}:^ {HUB}'");
    Command::new("set-hook").arg("-g").arg("pane-died[7337]").arg(tell)
}

impl Spec {
    /// Whether tmux takes the command as it is.
    pub fn fits(&self) -> bool {
        let length: usize = create_commands(self).iter().map(|c| c.as_str().len() + 3).sum();
        length <= command::MAX_COMMAND
    }
}

/// Makes the session and links its window into the hub before its program can
/// print anything, keeps the pane when the program ends, and marks it, so that it is
/// found wherever its user takes it.
pub(super) fn create_commands(spec: &Spec) -> [Command; 4] {
    let id = spec.session.as_str();
    let window = format!("={id}:");
    let mut new = Command::new("new-session").arg("-d").arg("-P").opt("-F", ROW_FORMAT);
    new = new.opt("-s", id).opt("-c", command::literal(&spec.dir));
    new = new.opt("-x", spec.size.cols.to_string()).opt("-y", spec.size.rows.to_string());
    for (name, value) in &spec.env {
        new = new.opt("-e", format!("{name}={value}"));
    }
    let option = |name: &'static str, value: &str| {
        Command::new("set-option").arg("-p").opt("-t", &window).arg(name).arg(value)
    };
    // A single word is given to a shell, and some stay in front of what they run:
    // the agent would be taken for gone.
    let new = new.arg("--");
    let new = match spec.argv.as_slice() {
        [word] => new.arg(format!("exec {}", sh::quote(word))),
        words => new.args(words),
    };
    [new, option("remain-on-exit", "on"), option("@schmux", id), link_command(&window)]
}

pub(super) fn capture(bodies: &[Vec<u8>]) -> Result<Capture, HostError> {
    let meta = Meta::parse(&bodies[0])
        .ok_or_else(|| HostError::Refused("its description of the pane made no sense".into()))?;
    Ok(Capture {
        text: String::from_utf8_lossy(&bodies[1]).into_owned(),
        cols: meta.size.cols,
        rows: meta.size.rows,
        cursor: meta.cursor,
        cursor_visible: meta.shows_cursor(),
        alternate_screen: meta.alternate,
    })
}
