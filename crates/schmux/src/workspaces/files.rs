//! Reads files of a workspace that git doesn't know: for their lines and their diff.
//! Never through a symbolic link at the end, and nothing but plain files.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::safe_git::SafeGit;
use crate::wire::{ChangeKind, ChangedFile};

/// A file that is longer is not counted.
const MOST_COUNTED: u64 = 1 << 20;

/// Nor are more of them than a person looks through.
const MOST_FILES: usize = 200;

/// The directory that git's paths start at.
pub(super) async fn top(git: &SafeGit<'_>) -> Option<PathBuf> {
    let said = git.ask(&["rev-parse", "--show-toplevel"], 8 << 10).await.ok()?;
    let path = said.bytes.strip_suffix(b"\n").unwrap_or(&said.bytes);
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

/// The same with the lines of untracked files, which git doesn't count.
pub(super) async fn counted(top: Option<PathBuf>, files: Vec<ChangedFile>) -> Vec<ChangedFile> {
    let Some(top) = top else { return files };
    let before = files.clone();
    let count = move || {
        let mut files = files;
        let untracked = files.iter_mut().filter(|file| file.status == ChangeKind::Untracked);
        for file in untracked.take(MOST_FILES) {
            let Ok((content, false)) = read(&top, &file.path, MOST_COUNTED) else { continue };
            if content.contains(&0) {
                continue;
            }
            let ends = content.iter().filter(|&&byte| byte == b'\n').count();
            let open = content.last().is_some_and(|&byte| byte != b'\n');
            file.additions = Some(super::inspect::count(ends + usize::from(open)));
            file.deletions = Some(0);
        }
        files
    };
    tokio::task::spawn_blocking(count).await.unwrap_or(before)
}

/// The beginning of a file, and whether there is more of it.
pub(super) fn read(top: &Path, path: &str, most: u64) -> io::Result<(Vec<u8>, bool)> {
    // Not blocking, because it may have become a pipe since git looked.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(top.join(path), flags, Mode::empty())?;
    let file = std::fs::File::from(file);
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let mut content = Vec::new();
    file.take(most + 1).read_to_end(&mut content)?;
    let cut = content.len() as u64 > most;
    content.truncate(most as usize);
    Ok((content, cut))
}
