//! The directories of one workspace: made where they are missing, watched, and
//! watched anew when others have taken their place.

use std::ffi::CStr;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use rustix::io::Errno;

use super::make_dirs;
use super::notices::{Notices, WatchId};
use super::place::{self, Dir, Identity, Trouble};
use super::report::State;

pub(super) struct Dirs {
    workspace: Arc<Path>,
    /// An agent of ours lives there, so the directories have to be there.
    pub(super) inhabited: bool,
    watched: [Option<Watched>; Dir::ALL.len()],
    /// Something happened to them; look at them then.
    pub(super) renew_at: Option<Instant>,
    pub(super) state: State,
}

#[derive(Clone, Copy)]
struct Watched {
    watch: WatchId,
    identity: Identity,
}

impl Dirs {
    pub(super) fn new(workspace: Arc<Path>) -> Dirs {
        Dirs {
            workspace,
            inhabited: false,
            watched: [None; Dir::ALL.len()],
            renew_at: None,
            state: State::Missing,
        }
    }

    pub(super) fn watches(&self) -> impl Iterator<Item = WatchId> {
        self.watched.iter().flatten().map(|watched| watched.watch)
    }

    /// Which of them this is the watch of.
    pub(super) fn dir_of(&self, watch: WatchId) -> Option<Dir> {
        let at = self.watched.iter().position(|w| w.is_some_and(|w| w.watch == watch))?;
        Some(Dir::ALL[at])
    }

    /// Looks whether every directory is there and watched, and does what is
    /// missing. Returns whether any is watched that wasn't before. `notices`
    /// says why there are none if there are none.
    pub(super) fn renew(&mut self, notices: Result<&Notices, &str>) -> bool {
        self.renew_at = None;
        let made = if self.inhabited { make_dirs(&self.workspace) } else { Ok(()) };
        let mut fresh = false;
        let mut state = made.map_or_else(State::Closed, |()| State::Watched);
        for at in 0..Dir::ALL.len() {
            match self.renew_one(at, notices) {
                Ok(is_new) => fresh |= is_new,
                // The more a state tells, the better: which directory it is, and why.
                Err(State::Closed(why)) => state = State::Closed(why),
                Err(worse) => state = state.max(worse),
            }
        }
        self.state = state;
        fresh
    }

    /// The watch comes first and the look after it: whatever happens to the
    /// directory from then on is told.
    fn renew_one(&mut self, at: usize, notices: Result<&Notices, &str>) -> Result<bool, State> {
        let dir = Dir::ALL[at];
        let now = self.identity(dir);
        if let (Some(watched), Ok(identity)) = (self.watched[at], &now)
            && watched.identity == *identity
        {
            return Ok(false);
        }
        if let (Some(old), Ok(notices)) = (self.watched[at].take(), notices) {
            notices.forget(old.watch);
        }
        now?;
        let notices = notices.map_err(|why| State::Polled(why.to_owned()))?;
        let path = dir.path(&self.workspace);
        let watch = notices.watch(&path, dir != Dir::Ours);
        let watch = watch.map_err(|error| State::Polled(explain(&error)))?;
        let identity = self.identity(dir).inspect_err(|_| notices.forget(watch))?;
        self.watched[at] = Some(Watched { watch, identity });
        Ok(true)
    }

    fn identity(&self, dir: Dir) -> Result<Identity, State> {
        let closed = |trouble: Trouble| {
            State::Closed(format!("{} {trouble}", dir.path(&self.workspace).display()))
        };
        let opened = dir.open(&self.workspace).map_err(closed)?.ok_or(State::Missing)?;
        place::identity(&opened).map_err(|error| closed(error.into()))
    }

    /// Something of this name appeared in `.schmux`.
    pub(super) fn appeared(&mut self, name: &CStr) {
        if Dir::is_named(name) {
            self.renew_at = Some(Instant::now());
        }
    }

    /// Watches may have ended without a word: all of them are made anew.
    pub(super) fn distrust(&mut self, notices: &Notices) {
        for watched in self.watched.iter_mut().filter_map(Option::take) {
            notices.forget(watched.watch);
        }
    }

    /// The kernel says that a directory went away.
    pub(super) fn lost(&mut self, watch: WatchId, notices: &Notices, renew_at: Instant) {
        for watched in &mut self.watched {
            if watched.is_some_and(|watched| watched.watch == watch) {
                *watched = None;
            }
        }
        // One that was moved is watched still, wherever it is now.
        notices.forget(watch);
        self.state = State::Missing;
        self.renew_at = Some(renew_at);
    }
}

/// What stands in the way of inotify, and what to do about it where something can be done.
pub(super) fn explain(error: &io::Error) -> String {
    match Errno::from_io_error(error) {
        Some(Errno::NOSPC) => "no inotify watch is left: raise fs.inotify.max_user_watches".into(),
        Some(Errno::MFILE) => {
            "no inotify instance is left: raise fs.inotify.max_user_instances or `ulimit -n`".into()
        }
        Some(Errno::EXIST) => "it is watched already by another path".into(),
        _ => format!("inotify can't be used: {error}"),
    }
}
