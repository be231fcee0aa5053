//! What the kernel tells of changes in watched directories: one inotify
//! instance for everything, directories only, never recursive.
//!
//! A notice is a hint to go and look; nothing is ever read because of its
//! words. Where there is no inotify, `Notices::new` fails, and files are polled.

use std::ffi::CString;
use std::io;

/// A watched directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct WatchId(i32);

#[cfg(target_os = "linux")]
pub(super) use linux::Notices;
#[cfg(not(target_os = "linux"))]
pub(super) use other::Notices;

/// Something happened.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Notice {
    /// A file or directory of this name was made, moved here or written to;
    /// `closed` if its writer is done with it.
    Entry { watch: WatchId, name: CString, closed: bool },
    /// The directory was removed, unmounted or moved elsewhere.
    Gone { watch: WatchId },
    /// There was more than the kernel keeps: anything may have happened.
    Overflow,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::mem::MaybeUninit;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, Event, ReadFlags, Reader, WatchFlags};
    use rustix::io::Errno;

    use super::{Notice, WatchId, io};

    /// Room for some hundred notices with names like ours in one read.
    const BUFFER: usize = 32 << 10;

    /// Not `OPEN` or `ACCESS`: our own reads would wake us. With `MASK_CREATE`
    /// a directory that is watched already, by another path, is refused rather
    /// than silently taken over; it is polled then.
    const ALWAYS: WatchFlags = WatchFlags::CREATE
        .union(WatchFlags::MOVED_TO)
        .union(WatchFlags::DELETE_SELF)
        .union(WatchFlags::MOVE_SELF)
        .union(WatchFlags::ONLYDIR)
        .union(WatchFlags::DONT_FOLLOW)
        .union(WatchFlags::MASK_CREATE);

    pub(in super::super) struct Notices {
        fd: OwnedFd,
        buffer: Box<[MaybeUninit<u8>]>,
    }

    impl Notices {
        pub(in super::super) fn new() -> io::Result<Notices> {
            let fd = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
            Ok(Notices { fd, buffer: vec![MaybeUninit::uninit(); BUFFER].into() })
        }

        /// Watches a directory; with `writes` also what is written to its files,
        /// closed or not: some writers keep a file open for ever.
        pub(in super::super) fn watch(&self, dir: &Path, writes: bool) -> io::Result<WatchId> {
            let writing = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE;
            let flags = if writes { ALWAYS | writing } else { ALWAYS };
            Ok(WatchId(inotify::add_watch(&self.fd, dir, flags)?))
        }

        /// A watch that the kernel has ended already is none any more.
        pub(in super::super) fn forget(&self, WatchId(watch): WatchId) {
            let _ = inotify::remove_watch(&self.fd, watch);
        }

        /// Takes what there is, without waiting. Of several notices of one file
        /// the last one stands, where the first one stood.
        pub(in super::super) fn take(&mut self) -> Vec<Notice> {
            let mut notices = Vec::new();
            let mut reader = Reader::new(&self.fd, &mut self.buffer);
            loop {
                match reader.next() {
                    Ok(event) => add(&mut notices, &event),
                    Err(Errno::INTR) => {}
                    Err(Errno::AGAIN) => return notices,
                    Err(error) => {
                        tracing::error!(%error, "inotify can't be read; everything is looked at");
                        notices.push(Notice::Overflow);
                        return notices;
                    }
                }
            }
        }
    }

    fn add(notices: &mut Vec<Notice>, event: &Event<'_>) {
        let (watch, flags) = (WatchId(event.wd()), event.events());
        let gone = ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF | ReadFlags::IGNORED;
        if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
            return notices.push(Notice::Overflow);
        }
        if flags.intersects(gone) {
            return notices.push(Notice::Gone { watch });
        }
        let Some(name) = event.file_name() else { return };
        let is_closed = flags.intersects(ReadFlags::CLOSE_WRITE | ReadFlags::MOVED_TO);
        let known = notices.iter_mut().rev().find_map(|notice| match notice {
            Notice::Entry { watch: w, name: n, closed } if *w == watch && **n == *name => {
                Some(closed)
            }
            _ => None,
        });
        match known {
            Some(closed) => *closed = is_closed,
            None => {
                notices.push(Notice::Entry { watch, name: name.to_owned(), closed: is_closed });
            }
        }
    }

    impl AsFd for Notices {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.fd.as_fd()
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::os::fd::{AsFd, BorrowedFd};
    use std::path::Path;

    use super::{Notice, WatchId, io};

    /// There is never one.
    pub(in super::super) enum Notices {}

    impl Notices {
        pub(in super::super) fn new() -> io::Result<Notices> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no inotify"))
        }

        pub(in super::super) fn watch(&self, _: &Path, _: bool) -> io::Result<WatchId> {
            match *self {}
        }

        pub(in super::super) fn forget(&self, _: WatchId) {
            match *self {}
        }

        pub(in super::super) fn take(&mut self) -> Vec<Notice> {
            match *self {}
        }
    }

    impl AsFd for Notices {
        fn as_fd(&self) -> BorrowedFd<'_> {
            match *self {}
        }
    }
}
