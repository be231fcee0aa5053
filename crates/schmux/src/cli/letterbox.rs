//! A session's events file, for what the daemon is not there to hear.
//!
//! Agents and their tools write to it at the same time, so an object goes in by
//! one appending write, on a line of its own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use serde_json::Value;

/// Appends one object.
pub(super) fn post(path: &Path, object: &Value) -> io::Result<()> {
    let mut file = open(path)?;
    let begin = if ends_in_mid_line(&mut file)? { "\n" } else { "" };
    file.write_all(format!("{begin}{object}\n").as_bytes())
}

fn open(path: &Path) -> io::Result<File> {
    // `git clean -x` takes the directory away.
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    // The workspace is the agent's: a link or a pipe there could lead us anywhere.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let file =
        OpenOptions::new().read(true).append(true).create(true).custom_flags(flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other(format!("{} is no plain file", path.display()))),
    }
}

/// Whoever wrote last may have left the line open, or be at it still; in the
/// second case the reader awaits the rest and finds a newline.
fn ends_in_mid_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use serde_json::json;

    use super::*;

    #[test]
    fn every_object_gets_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/events.jsonl");
        post(&path, &json!({"a": 1})).unwrap();
        post(&path, &json!({"b": "two\nlines"})).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"b\":\"two\\nlines\"}\n");
        fs::write(&path, "open").unwrap();
        post(&path, &json!({})).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "open\n{}\n");
    }

    #[test]
    fn links_and_pipes_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let (link, pipe) = (dir.path().join("link"), dir.path().join("pipe"));
        symlink(dir.path().join("target"), &link).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
        for path in [&link, &pipe, &dir.path().to_owned()] {
            assert!(post(path, &json!({})).is_err(), "{}", path.display());
        }
        assert!(!dir.path().join("target").exists());
    }
}
