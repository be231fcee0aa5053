//! Reads files of a workspace that git doesn't know: for their lines and their diff.
//! Never through a symbolic link at the end, and nothing but plain files.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::safe_git::SafeGit;
use super::site::Site;
use crate::wire::{ChangeKind, ChangedFile};

/// A file that is longer is not counted.
const MOST_COUNTED: usize = 1 << 20;

/// Nor are more of them than a person looks through.
const MOST_FILES: usize = 200;

/// The directory that git's paths start at.
pub(super) async fn top(git: &SafeGit<'_>) -> Option<PathBuf> {
    let said = git.ask(&["rev-parse", "--show-toplevel"], 8 << 10).await.ok()?;
    let path = said.bytes.strip_suffix(b"\n").unwrap_or(&said.bytes);
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

/// The same with the lines of untracked files, which git doesn't count.
pub(super) async fn counted(
    site: &Site,
    top: Option<PathBuf>,
    files: Vec<ChangedFile>,
) -> Vec<ChangedFile> {
    let Some(top) = top else { return files };
    let untracked = files.iter().filter(|file| file.status == ChangeKind::Untracked);
    let paths: Vec<String> = untracked.take(MOST_FILES).map(|file| file.path.clone()).collect();
    each(site, top, paths, MOST_COUNTED, files, |files, path, read| {
        let Some(Read::Plain(content, false)) = read() else { return };
        let Some(file) = files.iter_mut().find(|file| file.path == path) else { return };
        if content.contains(&0) {
            return;
        }
        let ends = content.iter().filter(|&&byte| byte == b'\n').count();
        let open = content.last().is_some_and(|&byte| byte != b'\n');
        file.additions = Some(super::inspect::count(ends + usize::from(open)));
        file.deletions = Some(0);
    })
    .await
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// Its beginning, and whether there is more of it.
    Plain(Vec<u8>, bool),
    /// Where a symbolic link points to.
    Link(Vec<u8>),
    /// It is neither, or can't be read.
    Not,
}

/// Gives files to `take` one after the other, each to be read if that is
/// wanted; `None` stands for one that is too much to be brought over.
pub(super) async fn each<S: Send + 'static>(
    site: &Site,
    top: PathBuf,
    paths: Vec<String>,
    most: usize,
    mut state: S,
    take: fn(&mut S, String, &mut dyn FnMut() -> Option<Read>),
) -> S {
    if let Site::There(host, name) = site {
        let mut there = Vec::new();
        if !paths.is_empty() {
            there = Site::read_there(host, name, &top, (&paths, most)).await;
        }
        let mut there = there.into_iter();
        for path in paths {
            let mut read = there.next();
            take(&mut state, path, &mut || read.take());
        }
        return state;
    }
    let read = move || {
        for path in paths {
            take(&mut state, path.clone(), &mut || Some(look(&top, &path, most)));
        }
        state
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(state) => state,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}

fn look(top: &Path, path: &str, most: usize) -> Read {
    match read(top, path, most as u64) {
        Ok((content, cut)) => Read::Plain(content, cut),
        // A link's content is where it points to, as git has it.
        Err(_) => match std::fs::read_link(top.join(path)) {
            Ok(target) => Read::Link(target.into_os_string().into_encoded_bytes()),
            Err(_) => Read::Not,
        },
    }
}

/// The beginning of a file, and whether there is more of it.
fn read(top: &Path, path: &str, most: u64) -> io::Result<(Vec<u8>, bool)> {
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
