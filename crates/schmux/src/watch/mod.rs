//! What agents write to files: the status file and the events file of every
//! session of this machine.
//!
//! A task follows the fleet and says which sessions there are; a thread, the
//! [`lane`], follows their files and hands what is new to the sink, each time
//! with the place up to which that is ([`News`]). It is a thread because reading
//! a file can block. A file system that another machine serves can block for
//! ever, so each of those has a lane of its own, and disturbs nobody else.
//!
//! It decides nothing: `schmux_core::signal` says what bytes mean and whether
//! they are news. **Invariant:** nothing is written here but directories.

mod dirs;
mod follow;
mod lane;
mod mounts;
mod notices;
mod place;
mod record;
mod report;
mod workspace;

use std::collections::HashMap;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, thread};

use schmux_core::fleet::{Fleet, Life, News, Session};
use schmux_core::ids::SessionId;
use tokio::sync::watch;

use crate::hub::Snapshots;
use crate::spawn::local;
use crate::store::Places;
use lane::{Lane, OpenNotices};
use notices::Notices;
use place::{Dir, Trouble};
use workspace::Out;

pub(crate) use record::item as event_item;
pub use report::{Findings, Report};

/// Takes news; waits while there is no room. `false` when nobody listens any more.
pub type Sink = Arc<dyn Fn(News) -> bool + Send + Sync>;

/// A session whose files are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wanted {
    session: SessionId,
    workspace: Arc<Path>,
    /// An agent of ours lives there: its directories are made if they are missing.
    inhabits: bool,
}

/// Follows the files of all sessions of this machine, from where they were left.
pub fn start(fleet: Snapshots, places: HashMap<SessionId, Places>, sink: Sink) -> Report {
    let means = Means { open_notices: Notices::new, served: mounts::served };
    start_with(fleet, places, sink, means)
}

/// Makes the directories where agents of this workspace write, unless they are
/// there. Never through a symbolic link: a repository may have brought one.
pub(crate) fn make_dirs(workspace: &Path) -> Result<(), String> {
    place::make(workspace).map_err(|trouble| {
        let ours = Dir::Ours.path(workspace);
        match trouble {
            Trouble::Io(error) => {
                format!("can't make {} or what belongs in it: {error}", ours.display())
            }
            refused => format!("{} or what is in it {refused}", ours.display()),
        }
    })
}

/// What the machine offers, so that tests can have another one.
#[derive(Clone, Copy)]
struct Means {
    open_notices: OpenNotices,
    served: fn(&Path) -> Mount,
}

fn start_with(
    fleet: Snapshots,
    places: HashMap<SessionId, Places>,
    sink: Sink,
    means: Means,
) -> Report {
    let report = Report::default();
    let feeder = Feeder {
        places: Arc::new(places),
        sink,
        report: report.clone(),
        means,
        mounts: HashMap::new(),
        lanes: HashMap::new(),
    };
    tokio::spawn(feeder.run(fleet));
    report
}

/// Tells the lanes what to follow.
struct Feeder {
    places: Arc<HashMap<SessionId, Places>>,
    sink: Sink,
    report: Report,
    means: Means,
    /// The lane of each workspace, for as long as anyone is in it: what was read
    /// so far is known only there.
    mounts: HashMap<Arc<Path>, Mount>,
    lanes: HashMap<Mount, LaneHandle>,
}

/// The mount point of a file system that is served from elsewhere; `None` is for
/// all that is here.
type Mount = Option<PathBuf>;

/// Dropping it ends the lane.
struct LaneHandle {
    wanted: watch::Sender<Arc<[Wanted]>>,
    bell: UnixStream,
}

impl Feeder {
    async fn run(mut self, mut fleet: Snapshots) {
        let mut known = Arc::new(Fleet::default());
        loop {
            let now = fleet.borrow_and_update().clone();
            let fed = if follows_others(&now, &known) { self.feed(&now) } else { Ok(()) };
            match fed {
                Ok(()) => known = now,
                Err(error) => {
                    tracing::error!(%error, "a thread for the agents' files can't be started");
                }
            }
            if fleet.changed().await.is_err() {
                return;
            }
        }
    }

    fn feed(&mut self, fleet: &Fleet) -> io::Result<()> {
        let wanted: Vec<Wanted> = followed(fleet)
            .map(|(session, workspace, inhabits)| Wanted {
                session: session.clone(),
                workspace: workspace.into(),
                inhabits,
            })
            .collect();
        self.mounts.retain(|path, _| wanted.iter().any(|w| w.workspace == *path));
        let mut shares: HashMap<Mount, Vec<Wanted>> =
            self.lanes.keys().map(|mount| (mount.clone(), Vec::new())).collect();
        for one in &wanted {
            let mount = self.mounts.entry(one.workspace.clone());
            let mount = mount.or_insert_with(|| (self.means.served)(&one.workspace));
            shares.entry(mount.clone()).or_default().push(one.clone());
        }
        for (mount, share) in shares {
            self.lane(mount)?.follow(share.into());
        }
        Ok(())
    }

    fn lane(&mut self, mount: Mount) -> io::Result<&LaneHandle> {
        if !self.lanes.contains_key(&mount) {
            let (wanted, to_follow) = watch::channel(Arc::from([]));
            let (bell, rung) = UnixStream::pair()?;
            bell.set_nonblocking(true)?;
            let always_poll = mount.as_ref().map(|point| {
                format!(
                    "{} is served from elsewhere, which inotify may not notice",
                    point.display()
                )
            });
            let out = Out { sink: self.sink.clone(), report: self.report.clone() };
            let (places, open_notices) = (self.places.clone(), self.means.open_notices);
            thread::Builder::new().name("watch".into()).spawn(move || {
                Lane::new((to_follow, rung), places, out, open_notices, always_poll).run();
            })?;
            self.lanes.insert(mount.clone(), LaneHandle { wanted, bell });
        }
        Ok(&self.lanes[&mount])
    }
}

impl LaneHandle {
    fn follow(&self, share: Arc<[Wanted]>) {
        let changed = self.wanted.send_if_modified(|now| {
            let changed = **now != *share;
            *now = share;
            changed
        });
        if changed {
            // If there is no room for a stroke, there are enough of them.
            let _ = (&self.bell).write(&[1]);
        }
    }
}

/// The sessions of this machine, where they work, and whether that takes
/// directories of ours. What was started by hand doesn't know of them, and what
/// has ended doesn't need them; if they are there all the same, they are read.
fn followed(fleet: &Fleet) -> impl Iterator<Item = (&SessionId, &Path, bool)> {
    let here = local();
    let is_here = move |session: &&Session| session.host == here;
    fleet.sessions().filter(is_here).filter_map(|session| {
        let workspace = fleet.workspace(&session.workspace)?;
        Some((&session.id, Path::new(&workspace.path), inhabits(session)))
    })
}

/// Whether its agent may be at work in its workspace.
fn inhabits(session: &Session) -> bool {
    !session.adopted && !matches!(session.life, Life::Exited { .. })
}

/// Whether other sessions are to be followed than before, or in another way; most
/// changes of a fleet are of another kind. No session moves to another workspace.
fn follows_others(now: &Fleet, before: &Fleet) -> bool {
    let is_news = |session: &Session| {
        before.session(&session.id).is_none_or(|before| inhabits(before) != inhabits(session))
    };
    now.sessions().count() < before.sessions().count() || now.changed_since(before).any(is_news)
}

#[cfg(test)]
mod tests;
