//! Tickets: a file that says until when a press of the editor key may still be
//! answered in a session.
//!
//! Without one `schmux edit` is the human's editor at once, and asks nobody. It
//! is a file so that a call which comes while the daemon is away, or after it
//! was killed, is known for a late answer to our own key: that one must leave
//! everything as it is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use schmux_core::time::Moment;

use crate::home::Home;

fn path(home: &Home, session: &str) -> PathBuf {
    home.tickets().join(session)
}

/// Whether an editor is expected in a session.
pub(crate) fn is_there(home: &Home, session: &str, now: Moment) -> bool {
    until(&path(home, session)).is_some_and(|until| now <= until)
}

/// Leaves a ticket, or takes it away.
pub(super) fn set(home: &Home, session: &str, until: Option<Moment>) -> io::Result<()> {
    let path = path(home, session);
    match until {
        Some(until) => {
            fs::create_dir_all(home.tickets())?;
            // A reader sees the old one or the new one, never half of it.
            let new = home.tickets().join(format!("{session}.new"));
            fs::write(&new, until.0.to_string())?;
            fs::rename(&new, &path)
        }
        None => match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    }
}

fn until(path: &Path) -> Option<Moment> {
    fs::read_to_string(path).ok()?.trim().parse().ok().map(Moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_has_its_time() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let there = |now| is_there(&home, "work-001-abcd", Moment(now));
        set(&home, "work-001-abcd", None).unwrap();
        assert!(!there(0));
        set(&home, "work-001-abcd", Some(Moment(10))).unwrap();
        assert!(there(10) && !there(11));
        assert!(!is_there(&home, "work-001-efgh", Moment(0)));
        set(&home, "work-001-abcd", None).unwrap();
        assert!(!there(0));
    }
}
