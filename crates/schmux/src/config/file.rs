//! Whether a file that a setting names can be read. It isn't read here.

use std::fs::{self, File};
use std::path::Path;

/// Says in words why it can't. tmux takes a pattern for a file's name as well; what
/// that stands for is tmux's to find out.
pub(super) fn can_be_read(file: &Path) -> Result<(), String> {
    let is_pattern = file.to_string_lossy().contains(['*', '?', '[']);
    let meta = match fs::metadata(file) {
        Err(_) if is_pattern => return Ok(()),
        Err(err) => return Err(format!("can't be read ({err})")),
        Ok(meta) => meta,
    };
    if meta.is_dir() {
        return Err("is a directory".to_owned());
    }
    // To open a pipe would wait for its other end.
    if !meta.is_file() {
        return Ok(());
    }
    File::open(file).map(drop).map_err(|err| format!("can't be read ({err})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_directories_and_patterns() {
        let dir = tempfile::tempdir().unwrap();
        let there = dir.path().join("tmux.conf");
        fs::write(&there, "").unwrap();
        let cases = [
            (there.clone(), Ok(())),
            (dir.path().join("none"), Err("can't be read (No such file")),
            (there.join("below"), Err("can't be read (Not a directory")),
            (dir.path().to_owned(), Err("is a directory")),
            (dir.path().join("*.conf"), Ok(())),
        ];
        for (path, expected) in cases {
            match (can_be_read(&path), expected) {
                (Ok(()), Ok(())) => {}
                (Err(said), Err(part)) => assert!(said.starts_with(part), "{said}"),
                (said, expected) => panic!("{}: {said:?} is not {expected:?}", path.display()),
            }
        }
    }
}
