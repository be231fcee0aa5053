//! What the machine offers: tmux and its version, git, a browser.

use std::fs::File;
use std::time::Duration;

use crate::home::Home;
use crate::host;
use crate::proc::{self, ProcError};

use super::failure::{Exit, Failure};

/// The oldest tmux whose control mode has what we need (pause-after, `run-shell -C`).
const OLDEST_TMUX: (u32, u32) = (3, 2);
/// Programs that only print a line.
const QUICK: Duration = Duration::from_secs(5);

/// tmux's version, if it is one that schmux can work with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tmux {
    /// As tmux tells it: `3.3a`.
    pub text: String,
    /// `None` for builds without a number (`master`), which are newer than all.
    pub number: Option<(u32, u32)>,
}

pub(super) async fn tmux() -> Result<Tmux, Failure> {
    let advice = "install tmux 3.2 or newer: apt install tmux, dnf install tmux, pacman -S tmux \
                  or brew install tmux";
    match host::tmux_version().await {
        Ok(text) => {
            let tmux = parse_tmux(text);
            match tmux.number {
                Some(number) if number < OLDEST_TMUX => {
                    Err(Failure::new(format!("tmux {} is too old: schmux needs 3.2", tmux.text))
                        .exit(Exit::Unfit)
                        .advice(advice))
                }
                _ => Ok(tmux),
            }
        }
        Err(err) => Err(Failure::new(err.to_string()).exit(Exit::Unfit).advice(advice)),
    }
}

/// `3.3a`, `next-3.6`, `openbsd-7.4`, `master`.
fn parse_tmux(text: String) -> Tmux {
    let number = match text.strip_prefix("openbsd-") {
        // OpenBSD numbers its builds after itself, and has had 3.2 since 6.9.
        Some(_) => None,
        None => first_number(text.strip_prefix("next-").unwrap_or(&text)),
    };
    Tmux { text, number }
}

fn first_number(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.split_once('.')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((major.parse().ok()?, rest[..digits].parse().ok()?))
}

pub(super) async fn git_version() -> Result<String, ProcError> {
    let out = proc::output(&["git", "--version"], None, QUICK).await?;
    let line = String::from_utf8_lossy(&out).trim().to_owned();
    Ok(line.strip_prefix("git version ").unwrap_or(&line).to_owned())
}

/// Whether a daemon of this home lives: it holds the lock for as long. We try
/// for a shared one, so that two who ask at once don't take each other for it.
pub(super) fn daemon_lives(home: &Home) -> bool {
    match File::open(home.lock()) {
        Ok(lock) => matches!(lock.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock)),
        Err(_) => false,
    }
}

/// Opens a page in the user's browser. Where there is none, the printed address has to do.
pub(super) async fn open_browser(url: &str) -> bool {
    let openers: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[&["xdg-open"], &["wslview"], &["gio", "open"]]
    };
    for opener in openers {
        let argv: Vec<&str> = opener.iter().copied().chain([url]).collect();
        let Ok(nowhere) = File::options().write(true).open("/dev/null") else { return false };
        if proc::detached(&argv, nowhere).is_ok() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tmux_versions() {
        let cases = [
            ("3.3a", "3.3a", Some((3, 3))),
            ("2.9", "2.9", Some((2, 9))),
            ("3.10", "3.10", Some((3, 10))),
            ("next-3.7", "next-3.7", Some((3, 7))),
            ("3.2-rc3", "3.2-rc3", Some((3, 2))),
            ("openbsd-7.4", "openbsd-7.4", None),
            ("master", "master", None),
        ];
        for (line, text, number) in cases {
            assert_eq!(parse_tmux(line.into()), Tmux { text: text.into(), number }, "{line}");
        }
        assert!((3, 10) > OLDEST_TMUX);
    }
}
