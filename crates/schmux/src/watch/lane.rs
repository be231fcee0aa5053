//! A thread that follows files: waits for the kernel's notices, looks at what
//! they name, and makes its rounds besides.
//!
//! **Invariant:** a notice is only a reason to look sooner. Whatever is missed
//! (an overflow, a lost watch, a file system that tells nothing) the next round
//! finds, because the places decide what is news.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use schmux_core::ids::SessionId;
use tokio::sync::watch;

use super::Wanted;
use super::dirs::explain;
use super::notices::{Notice, Notices, WatchId};
use super::place::Dir;
use super::report::State;
use super::workspace::{Going, Out, Workspace};
use crate::store::Places;

/// How often files are looked at that nobody tells of. People wait for agents
/// for minutes, and a look costs some microseconds.
const POLL: Duration = Duration::from_secs(1);

/// How often everything is looked at, whatever is told: a notice that was missed
/// delays a signal by no more. 1,000 sessions cost some milliseconds each time.
const ROUND: Duration = Duration::from_secs(10);

/// How long after a directory went away it is made again: an `rm -r` or
/// `git clean` that is still at it would stumble over what we put in its way.
const MAKE_AGAIN: Duration = Duration::from_millis(100);

pub(super) struct Lane {
    wanted: watch::Receiver<Arc<[Wanted]>>,
    /// Rings when `wanted` has changed, or will no more.
    bell: UnixStream,
    /// Where the sessions of earlier times were left.
    places: Arc<HashMap<SessionId, Places>>,
    out: Out,
    open_notices: OpenNotices,
    /// Or why there are none.
    notices: Result<Notices, String>,
    /// Everything is polled besides, for this reason.
    always_poll: Option<String>,
    workspaces: BTreeMap<Arc<Path>, Workspace>,
    watches: HashMap<WatchId, Arc<Path>>,
    poll_at: Option<Instant>,
    round_at: Option<Instant>,
    /// It was said already that files are polled; once is enough.
    said_polling: bool,
}

pub(super) type OpenNotices = fn() -> io::Result<Notices>;

impl Lane {
    pub(super) fn new(
        (wanted, bell): (watch::Receiver<Arc<[Wanted]>>, UnixStream),
        places: Arc<HashMap<SessionId, Places>>,
        out: Out,
        open_notices: OpenNotices,
        always_poll: Option<String>,
    ) -> Lane {
        Lane {
            wanted,
            bell,
            places,
            out,
            open_notices,
            notices: open_notices().map_err(|error| explain(&error)),
            always_poll,
            workspaces: BTreeMap::new(),
            watches: HashMap::new(),
            poll_at: None,
            round_at: None,
            said_polling: false,
        }
    }

    /// Runs until nobody wants anything any more, or nobody takes it.
    pub(super) fn run(mut self) {
        while self.turn().is_continue() {}
    }

    fn turn(&mut self) -> Going {
        match self.wanted.has_changed() {
            Err(_) => return ControlFlow::Break(()),
            Ok(true) => self.take_wanted()?,
            Ok(false) => {}
        }
        self.wait();
        let notices = self.notices.as_mut().map(Notices::take).unwrap_or_default();
        for notice in notices {
            self.heed(notice)?;
        }
        self.do_due()?;
        self.make_rounds()
    }

    /// Waits until something happens or is due.
    fn wait(&mut self) {
        let due = self.workspaces.values().filter_map(Workspace::next_due);
        let next = due.chain(self.poll_at).chain(self.round_at).min();
        let rest = next.map(|next| next.saturating_duration_since(Instant::now()));
        let rest = rest.and_then(|rest| Timespec::try_from(rest).ok());
        let mut doors = vec![PollFd::new(&self.bell, PollFlags::IN)];
        if let Ok(notices) = &self.notices {
            doors.push(PollFd::new(notices, PollFlags::IN));
        }
        // Interrupted or not: all that may have happened is looked at.
        let _ = poll(&mut doors, rest.as_ref());
        if !doors[0].revents().is_empty() {
            // What it rings for is in `wanted`; the strokes don't count.
            let _ = (&self.bell).read(&mut [0; 64]);
        }
    }

    /// Begins to follow what is new, and forgets what is gone.
    fn take_wanted(&mut self) -> Going {
        let wanted = self.wanted.borrow_and_update().clone();
        self.forget_others(&wanted);
        for Wanted { workspace: path, inhabits, .. } in wanted.iter() {
            let workspace = self.workspaces.entry(path.clone());
            let workspace = workspace.or_insert_with(|| Workspace::new(path.clone()));
            workspace.dirs.inhabited |= inhabits;
        }
        let is_missing = |workspace: &&Workspace| workspace.dirs.state == State::Missing;
        let missing: Vec<_> =
            self.workspaces.values().filter(is_missing).map(Workspace::path).collect();
        for path in missing {
            self.renew(&path)?;
        }
        for Wanted { session, workspace, .. } in wanted.iter() {
            let Some(workspace) = self.workspaces.get_mut(workspace) else { continue };
            if !workspace.follows(session) {
                let places = self.places.get(session).cloned().unwrap_or_default();
                workspace.follow(session, &places, &self.out)?;
            }
        }
        self.plan_rounds();
        ControlFlow::Continue(())
    }

    fn forget_others(&mut self, wanted: &[Wanted]) {
        let kept: HashSet<&SessionId> = wanted.iter().map(|w| &w.session).collect();
        let used: HashSet<&Path> = wanted.iter().map(|w| &*w.workspace).collect();
        let (notices, watches, out) = (&self.notices, &mut self.watches, &self.out);
        self.workspaces.retain(|path, workspace| {
            workspace.dirs.inhabited = false;
            workspace.forget_others(&kept, out);
            if used.contains(&**path) {
                return true;
            }
            for watch in workspace.dirs.watches() {
                watches.remove(&watch);
                notices.iter().for_each(|notices| notices.forget(watch));
            }
            out.report.workspace(path, None);
            false
        });
    }

    fn heed(&mut self, notice: Notice) -> Going {
        let watch = match notice {
            Notice::Entry { watch, .. } | Notice::Gone { watch } => watch,
            Notice::Overflow => {
                self.distrust();
                return ControlFlow::Continue(());
            }
        };
        // A watch that is not known any more may have had something to say yet.
        let path = self.watches.get(&watch);
        let workspace = path.and_then(|path| self.workspaces.get_mut(path));
        let Some(workspace) = workspace else { return ControlFlow::Continue(()) };
        match (notice, workspace.dirs.dir_of(watch)) {
            (Notice::Entry { name, closed, .. }, Some(Dir::Of(kind))) => {
                workspace.written(kind, &name, closed, &self.out)?;
            }
            (Notice::Entry { name, .. }, Some(Dir::Ours)) => workspace.dirs.appeared(&name),
            (Notice::Gone { .. }, _) => {
                self.watches.remove(&watch);
                if let Ok(notices) = &self.notices {
                    workspace.dirs.lost(watch, notices, Instant::now() + MAKE_AGAIN);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Notices were lost, among them perhaps that a directory is another one now.
    fn distrust(&mut self) {
        tracing::info!("more happened than inotify keeps; everything is looked at");
        if let Ok(notices) = &self.notices {
            self.workspaces.values_mut().for_each(|workspace| workspace.dirs.distrust(notices));
        }
        self.watches.clear();
        self.round_at = Some(Instant::now());
    }

    fn do_due(&mut self) -> Going {
        let now = Instant::now();
        let mut to_renew = Vec::new();
        for workspace in self.workspaces.values_mut() {
            workspace.read_due(now, &self.out)?;
            if workspace.dirs.renew_at.is_some_and(|at| at <= now) {
                to_renew.push(workspace.path());
            }
        }
        for path in to_renew {
            self.renew(&path)?;
        }
        self.plan_rounds();
        ControlFlow::Continue(())
    }

    /// Sees to a workspace's directories, and to its files if that is news.
    fn renew(&mut self, path: &Arc<Path>) -> Going {
        let Some(workspace) = self.workspaces.get_mut(path) else {
            return ControlFlow::Continue(());
        };
        let fresh = workspace.dirs.renew(self.notices.as_ref().map_err(String::as_str));
        self.watches.retain(|_, of| of != path);
        self.watches.extend(workspace.dirs.watches().map(|watch| (watch, path.clone())));
        let state = match (&workspace.dirs.state, &self.always_poll) {
            (State::Watched, Some(why)) => State::Polled(why.clone()),
            (state, _) => state.clone(),
        };
        match &state {
            State::Closed(why) if !std::mem::replace(&mut workspace.warned, true) => {
                tracing::warn!(workspace = %path.display(), "agents can't signal by file: {why}");
            }
            State::Polled(why) if !std::mem::replace(&mut self.said_polling, true) => {
                tracing::warn!(workspace = %path.display(), why, "files are polled");
            }
            _ => {}
        }
        self.out.report.workspace(path, Some(state));
        if fresh { workspace.round(&self.out) } else { ControlFlow::Continue(()) }
    }

    /// Looks at what nobody tells of, and now and then at everything.
    fn make_rounds(&mut self) -> Going {
        let now = Instant::now();
        let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        let everything = is_due(self.round_at);
        if !everything && !is_due(self.poll_at) {
            return ControlFlow::Continue(());
        }
        if everything && self.notices.is_err() {
            self.notices = (self.open_notices)().map_err(|error| explain(&error));
        }
        let chosen = |workspace: &&Workspace| everything || self.is_polled(workspace);
        let paths: Vec<_> = self.workspaces.values().filter(chosen).map(Workspace::path).collect();
        for path in paths {
            self.renew(&path)?;
            if let Some(workspace) = self.workspaces.get_mut(&path) {
                workspace.round(&self.out)?;
            }
        }
        self.poll_at = None;
        if everything {
            self.round_at = None;
        }
        self.plan_rounds();
        ControlFlow::Continue(())
    }

    fn plan_rounds(&mut self) {
        let now = Instant::now();
        let polls = self.workspaces.values().any(|workspace| self.is_polled(workspace));
        self.poll_at = polls.then(|| self.poll_at.unwrap_or(now + POLL));
        let any = !self.workspaces.is_empty();
        self.round_at = any.then(|| self.round_at.unwrap_or(now + ROUND));
    }

    /// Where no agent of ours lives, missing directories can wait for the round.
    fn is_polled(&self, workspace: &Workspace) -> bool {
        match workspace.dirs.state {
            State::Watched => self.always_poll.is_some(),
            State::Polled(_) => true,
            State::Missing | State::Closed(_) => workspace.dirs.inhabited,
        }
    }
}
