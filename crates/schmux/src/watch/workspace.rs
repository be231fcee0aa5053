//! One workspace: its directories, and the files of the sessions in it.

use std::collections::{BTreeMap, HashSet};
use std::ffi::CStr;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schmux_core::fleet::News;
use schmux_core::ids::SessionId;
use schmux_core::time::Moment;

use super::Sink;
use super::dirs::Dirs;
use super::follow::{Cause, Due, Follower, Found, Source};
use super::place::{self, Dir, Kind, Trouble};
use super::report::Report;
use crate::spawn::now;
use crate::store::Places;

/// A file that brought news rests so long before it is read again: an agent
/// that writes in a loop must not fill the disk with transactions, nor keep
/// the signals of others waiting. Nobody sees these milliseconds.
const REST: Duration = Duration::from_millis(5);

/// How soon a file that couldn't be read is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// `Break` when whoever takes the news has gone.
pub(super) type Going = ControlFlow<()>;

/// Where everything goes.
pub(super) struct Out {
    pub(super) sink: Sink,
    pub(super) report: Report,
}

pub(super) struct Workspace {
    path: Arc<Path>,
    pub(super) dirs: Dirs,
    sessions: BTreeMap<SessionId, Files>,
    /// It was said already that agents can't signal here; once is enough.
    pub(super) warned: bool,
}

struct Files {
    status: Follower,
    events: Follower,
}

impl Files {
    fn get(&mut self, kind: Kind) -> &mut Follower {
        match kind {
            Kind::Status => &mut self.status,
            Kind::Events => &mut self.events,
        }
    }
}

impl Workspace {
    pub(super) fn new(path: Arc<Path>) -> Workspace {
        let dirs = Dirs::new(path.clone());
        Workspace { path, dirs, sessions: BTreeMap::new(), warned: false }
    }

    pub(super) fn path(&self) -> Arc<Path> {
        self.path.clone()
    }

    pub(super) fn follows(&self, session: &SessionId) -> bool {
        self.sessions.contains_key(session)
    }

    /// Follows a session from where it was left, and looks at what is there.
    pub(super) fn follow(&mut self, id: &SessionId, places: &Places, out: &Out) -> Going {
        let files = Files {
            status: Follower::new(Source::Status(places.status.clone())),
            events: Follower::new(Source::Events(places.events.clone())),
        };
        self.sessions.insert(id.clone(), files);
        for kind in Kind::BOTH {
            self.look_at(kind, id, Cause::Round, out)?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn forget_others(&mut self, kept: &HashSet<&SessionId>, out: &Out) {
        let path = &self.path;
        self.sessions.retain(|id, _| {
            let is_kept = kept.contains(id);
            if !is_kept {
                out.report.forget(id, Kind::BOTH.map(|kind| kind.path(path, id)));
            }
            is_kept
        });
    }

    /// The kernel says that a file was written to. Files that are no session's are nobody's.
    pub(super) fn written(&mut self, kind: Kind, name: &CStr, closed: bool, out: &Out) -> Going {
        let Some(id) = kind.session(name) else { return ControlFlow::Continue(()) };
        let Some(files) = self.sessions.get_mut(&id) else { return ControlFlow::Continue(()) };
        let (file, cause) = (files.get(kind), Cause::Written { closed });
        if let Some(at) = file.rests_until.filter(|at| *at > Instant::now()) {
            file.due = Some(Due { at, cause });
            return ControlFlow::Continue(());
        }
        self.look_at(kind, &id, cause, out)
    }

    /// Looks at every file.
    pub(super) fn round(&mut self, out: &Out) -> Going {
        for kind in Kind::BOTH {
            // Why a directory can't be opened is told by its state.
            let Ok(Some(dir)) = Dir::Of(kind).open(&self.path) else { continue };
            for (id, files) in &mut self.sessions {
                look_in(&dir, &self.path, (kind, id), files.get(kind), Cause::Round, out)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// When one of its files or directories is to be looked at.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let due = |file: &Follower| file.due.map(|due| due.at);
        let files = self.sessions.values().flat_map(|s| [due(&s.status), due(&s.events)]);
        files.chain([self.dirs.renew_at]).flatten().min()
    }

    pub(super) fn read_due(&mut self, now: Instant, out: &Out) -> Going {
        let mut due = Vec::new();
        for (id, files) in &mut self.sessions {
            for kind in Kind::BOTH {
                let is_due = |due: &Due| due.at <= now;
                due.extend(files.get(kind).due.filter(is_due).map(|d| (id.clone(), kind, d.cause)));
            }
        }
        for (id, kind, cause) in due {
            self.look_at(kind, &id, cause, out)?;
        }
        ControlFlow::Continue(())
    }

    fn look_at(&mut self, kind: Kind, id: &SessionId, cause: Cause, out: &Out) -> Going {
        let Some(files) = self.sessions.get_mut(id) else { return ControlFlow::Continue(()) };
        let file = files.get(kind);
        match Dir::Of(kind).open(&self.path) {
            Ok(Some(dir)) => look_in(&dir, &self.path, (kind, id), file, cause, out),
            // The directories are looked after elsewhere, and then the files in them.
            Ok(None) | Err(_) => {
                file.due = None;
                file.lost();
                ControlFlow::Continue(())
            }
        }
    }
}

/// Looks at one file, and tells what is new in it.
fn look_in(
    dir: &OwnedFd,
    workspace: &Path,
    (kind, id): (Kind, &SessionId),
    file: &mut Follower,
    cause: Cause,
    out: &Out,
) -> Going {
    file.due = None;
    let time = now();
    match read(dir, &kind.file(id), file, cause, time) {
        Ok(found) => {
            if std::mem::take(&mut file.refused) {
                out.report.file(&kind.path(workspace, id), None);
            }
            found.map_or(ControlFlow::Continue(()), |found| tell(found, id, file, time, out))
        }
        Err(trouble) => {
            let path = kind.path(workspace, id);
            if !std::mem::replace(&mut file.warned, true) {
                tracing::warn!(session = %id, file = %path.display(), "is not read: {trouble}");
            }
            if matches!(trouble, Trouble::Io(_)) {
                file.due = Some(Due { at: Instant::now() + RETRY, cause: Cause::Round });
            }
            file.lost();
            file.refused = true;
            out.report.file(&path, Some(trouble.to_string()));
            ControlFlow::Continue(())
        }
    }
}

/// Reads what is new; nothing if the file isn't there or is as it was.
fn read(
    dir: &OwnedFd,
    name: &str,
    file: &mut Follower,
    cause: Cause,
    time: Moment,
) -> Result<Option<Found>, Trouble> {
    let Some(look) = place::look(dir, name)? else {
        file.lost();
        return Ok(None);
    };
    if file.is_quiet(&look, cause) {
        return Ok(None);
    }
    let Some((mut open, look)) = place::open(dir, name)? else { return Ok(None) };
    Ok(Some(file.read(&mut open, look, cause, time)?))
}

/// Hands over what was found together with how far that is.
fn tell(found: Found, id: &SessionId, file: &mut Follower, at: Moment, out: &Out) -> Going {
    let Found { items, place, invalid, again } = found;
    let later = Instant::now();
    if let Some(text) = invalid.first() {
        let more = invalid.len() - 1;
        tracing::warn!(session = %id, text, more, "that is no signal; it is passed over");
        out.report.invalid(id, invalid.len() as u64, text);
    }
    file.due = again.map(|again| Due { at: later + again, cause: Cause::Round });
    if !items.is_empty() {
        file.rests_until = Some(later + REST);
    }
    if items.is_empty() && place.is_none() {
        return ControlFlow::Continue(());
    }
    match (out.sink)(News { session: id.clone(), items, place, at }) {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}
