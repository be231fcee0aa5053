//! Where the files are, and how they are opened: never through a symbolic link,
//! never something that isn't a plain file of the user's own, never so that it
//! could block. Every step below the workspace goes by the directory before it,
//! so nothing can be swapped in between.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fstat, mkdirat, openat, statat};
use rustix::io::Errno;
use schmux_core::ids::SessionId;

/// Our directory in a workspace.
const OURS: &str = ".schmux";

/// Which of a session's two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Status,
    Events,
}

/// The directories of a workspace that matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dir {
    /// `.schmux` itself, whose end is the end of the two others.
    Ours,
    Of(Kind),
}

/// Why a file or a directory isn't read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("is {0}, and schmux reads nothing through it: put a plain one in its place")]
    Refused(&'static str),
    #[error("belongs to user {0}: schmux reads only the files of its own user")]
    Foreign(u32),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// What tells one state of a file from the next, without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    device: u64,
    pub(super) inode: u64,
    pub(super) size: u64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    changed: i64,
}

/// A directory by what it is, whatever its path.
pub(super) type Identity = (u64, u64);

impl Kind {
    pub(super) const BOTH: [Kind; 2] = [Kind::Status, Kind::Events];

    fn dir(self) -> &'static str {
        match self {
            Kind::Status => "signal",
            Kind::Events => "events",
        }
    }

    pub(super) fn file(self, session: &SessionId) -> String {
        match self {
            Kind::Status => session.as_str().to_owned(),
            Kind::Events => format!("{session}.jsonl"),
        }
    }

    /// Whose file this is, if its name is that of a session's file at all.
    pub(super) fn session(self, file: &CStr) -> Option<SessionId> {
        let name = file.to_str().ok()?;
        let id = match self {
            Kind::Status => name,
            Kind::Events => name.strip_suffix(".jsonl")?,
        };
        SessionId::new(id).ok()
    }

    pub(super) fn path(self, workspace: &Path, session: &SessionId) -> PathBuf {
        Dir::Of(self).path(workspace).join(self.file(session))
    }
}

impl Dir {
    pub(super) const ALL: [Dir; 3] = [Dir::Ours, Dir::Of(Kind::Status), Dir::Of(Kind::Events)];

    /// For the kernel's watch and for people; what is read is opened by [`Dir::open`].
    pub(super) fn path(self, workspace: &Path) -> PathBuf {
        let ours = workspace.join(OURS);
        match self {
            Dir::Ours => ours,
            Dir::Of(kind) => ours.join(kind.dir()),
        }
    }

    /// Whether this is the name of one in `.schmux`.
    pub(super) fn is_named(name: &CStr) -> bool {
        Kind::BOTH.iter().any(|kind| name.to_bytes() == kind.dir().as_bytes())
    }

    /// Opens the directory; nothing if it isn't there.
    pub(super) fn open(self, workspace: &Path) -> Result<Option<OwnedFd>, Trouble> {
        let Some(workspace) = open_dir(openat(CWD, workspace, DIRECTORY, Mode::empty()))? else {
            return Ok(None);
        };
        let Some(ours) = open_below(&workspace, OURS)? else { return Ok(None) };
        match self {
            Dir::Ours => Ok(Some(ours)),
            Dir::Of(kind) => open_below(&ours, kind.dir()),
        }
    }
}

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Makes the directories of a workspace that are missing. The workspace itself
/// is not made: where there is none, nobody works.
pub(super) fn make(workspace: &Path) -> Result<(), Trouble> {
    let Some(workspace) = open_dir(openat(CWD, workspace, DIRECTORY, Mode::empty()))? else {
        return Ok(());
    };
    let Some(ours) = made_below(&workspace, OURS)? else { return Ok(()) };
    // One that can't be made doesn't stand in the way of the other.
    let [status, events] = Kind::BOTH.map(|kind| made_below(&ours, kind.dir()));
    status.and(events).map(drop)
}

fn made_below(parent: &OwnedFd, name: &str) -> Result<Option<OwnedFd>, Trouble> {
    match open_below(parent, name)? {
        None => {
            // As the user's umask wants it, like every directory in the workspace.
            match mkdirat(parent, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(Trouble::Io(error.into())),
            }
            open_below(parent, name)
        }
        found => Ok(found),
    }
}

fn open_below(parent: &OwnedFd, name: &str) -> Result<Option<OwnedFd>, Trouble> {
    let opened = openat(parent, name, DIRECTORY.union(OFlags::NOFOLLOW), Mode::empty());
    if matches!(opened, Err(Errno::NOTDIR | Errno::LOOP)) {
        let link = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
        return Err(Trouble::Refused(if link { "a symbolic link" } else { "not a directory" }));
    }
    open_dir(opened)
}

fn open_dir(opened: rustix::io::Result<OwnedFd>) -> Result<Option<OwnedFd>, Trouble> {
    match opened {
        Ok(dir) => Ok(Some(dir)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(Trouble::Io(error.into())),
    }
}

pub(super) fn identity(dir: &OwnedFd) -> io::Result<Identity> {
    let look = look_of(&fstat(dir)?);
    Ok((look.device, look.inode))
}

/// Looks at a file without opening it, because opening alone wakes the other
/// end of a FIFO and rewinds some devices; nothing if it isn't there.
pub(super) fn look(dir: &OwnedFd, name: &str) -> Result<Option<Look>, Trouble> {
    match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => checked(&stat).map(Some),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(Trouble::Io(error.into())),
    }
}

/// Opens a file that [`look`] found good, and looks at it again: another one may
/// have taken its place.
pub(super) fn open(dir: &OwnedFd, name: &str) -> Result<Option<(File, Look)>, Trouble> {
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match openat(dir, name, flags, Mode::empty()) {
        Ok(file) => {
            let look = checked(&fstat(&file).map_err(io::Error::from)?)?;
            Ok(Some((File::from(file), look)))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(Errno::LOOP) => Err(Trouble::Refused("a symbolic link")),
        Err(error) => Err(Trouble::Io(error.into())),
    }
}

/// How an open file looks now.
pub(super) fn look_again(file: &File) -> io::Result<Look> {
    Ok(look_of(&fstat(file)?))
}

fn checked(stat: &Stat) -> Result<Look, Trouble> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Symlink => return Err(Trouble::Refused("a symbolic link")),
        FileType::Directory => return Err(Trouble::Refused("a directory")),
        FileType::Fifo => return Err(Trouble::Refused("a FIFO")),
        FileType::Socket => return Err(Trouble::Refused("a socket")),
        _ => return Err(Trouble::Refused("a device")),
    }
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(Trouble::Foreign(stat.st_uid));
    }
    Ok(look_of(stat))
}

#[allow(clippy::unnecessary_cast, reason = "the types of these fields differ between platforms")]
fn look_of(stat: &Stat) -> Look {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
    Look {
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        size: stat.st_size as u64,
        modified: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspaces::{events_file, status_file};

    #[test]
    fn the_files_are_where_agents_are_told_to_write() {
        let (workspace, id) = (Path::new("/w"), SessionId::new("w-001-ab12cd34").unwrap());
        assert_eq!(Kind::Status.path(workspace, &id), status_file(workspace, id.as_str()));
        assert_eq!(Kind::Events.path(workspace, &id), events_file(workspace, id.as_str()));
    }

    #[test]
    fn names_are_those_of_sessions_or_nobodys() {
        for (kind, name, expected) in [
            (Kind::Status, c"w-001-ab", Some("w-001-ab")),
            (Kind::Events, c"w-001-ab.jsonl", Some("w-001-ab")),
            (Kind::Events, c"w-001-ab", None),
            (Kind::Status, c"w-001-ab.tmp", None),
            (Kind::Status, c".w-001-ab.swp", None),
            (Kind::Status, c"\xff", None),
        ] {
            let found = kind.session(name);
            assert_eq!(found.as_ref().map(SessionId::as_str), expected, "{name:?}");
        }
    }
}
