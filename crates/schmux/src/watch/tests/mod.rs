//! Real files, real inotify, and a channel in the hub's place.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, mkfifoat};
use schmux_core::fleet::{Address, Item, Place, Socket, Workspace, WorkspaceKind};
use schmux_core::ids::WorkspaceId;
use schmux_core::nudge::Heard;
use schmux_core::time::Moment;
use tempfile::TempDir;

use super::*;
use crate::workspaces::{events_file, status_file};

/// A loaded machine may take this long; a test that passes takes far less.
const PATIENCE: Duration = Duration::from_secs(20);

/// inotify, and nothing that is served from elsewhere.
const REAL: Means = Means { open_notices: Notices::new, served: |_| None };

/// A workspace with sessions `w-a`, `w-b` and a watch on it.
struct World {
    dir: Arc<TempDir>,
    fleet: watch::Sender<Arc<Fleet>>,
    news: mpsc::Receiver<News>,
    report: Report,
    places: HashMap<SessionId, Places>,
    /// While it is held, the watch can't hand over what it found.
    gate: Arc<Mutex<()>>,
}

impl World {
    fn new() -> World {
        World::open(Arc::new(TempDir::new().unwrap()), HashMap::new(), REAL)
    }

    fn open(dir: Arc<TempDir>, places: HashMap<SessionId, Places>, means: Means) -> World {
        let fleet = fleet_of(&[(dir.path(), &["w-a", "w-b"])]);
        World::with(dir, fleet, places, means)
    }

    fn with(
        dir: Arc<TempDir>,
        fleet: Arc<Fleet>,
        places: HashMap<SessionId, Places>,
        means: Means,
    ) -> World {
        let (fleet, snapshots) = watch::channel(fleet);
        let (sender, news) = mpsc::channel();
        let gate = Arc::new(Mutex::new(()));
        let held = gate.clone();
        let sink: Sink = Arc::new(move |news| {
            let _open = held.lock().unwrap();
            sender.send(news).is_ok()
        });
        let report = start_with(snapshots, places.clone(), sink, means);
        World { dir, fleet, news, report, places, gate }
    }

    /// The watch ends, and another one goes on where it left off.
    fn restart(self) -> World {
        let World { dir, fleet, places, news, .. } = self;
        drop(fleet);
        // The channel ends with the thread.
        assert!(news.iter().next().is_none(), "nothing is left to tell");
        World::open(dir, places, REAL)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn status(&self, id: &str) -> PathBuf {
        status_file(self.dir.path(), id)
    }

    fn events(&self, id: &str) -> PathBuf {
        events_file(self.dir.path(), id)
    }

    /// Waits until everything is watched.
    fn watched(self) -> World {
        until("a watch", || (self.report.findings().watched == 1).then_some(()));
        self
    }

    /// The next thing that was heard: `session: words`.
    fn hears(&mut self) -> String {
        loop {
            let news = self.news.recv_timeout(PATIENCE).expect("something is heard");
            let places = self.places.entry(news.session.clone()).or_default();
            match news.place.expect("all that is read has a place") {
                Place::Status(reading) => places.status = reading,
                Place::Events(position) => places.events = position,
                Place::Markers(_) => panic!("nobody reads a screen here"),
            }
            if !news.items.is_empty() {
                let items: Vec<String> = news.items.iter().map(words).collect();
                return format!("{}: {}", news.session, items.join(", "));
            }
        }
    }

    /// That nothing else was heard so far: what comes next is something new.
    fn hears_nothing(&mut self) {
        fs::write(self.status("w-b"), "working sentinel\n").unwrap();
        assert_eq!(self.hears(), "w-b: working sentinel");
        fs::remove_file(self.status("w-b")).unwrap();
    }
}

fn words(item: &Item) -> String {
    match item {
        Item::Heard { heard: Heard::Said(signal), id } => {
            let id = id.as_ref().map(|id| format!(" #{id}")).unwrap_or_default();
            format!("{} {}{id}", signal.state, signal.message)
        }
        Item::Heard { heard: Heard::Added(signal), .. } => {
            format!("added {:?} to {}", signal.details, signal.state)
        }
        Item::Heard { heard, .. } => format!("{heard:?}"),
        Item::Hook { told, id } => format!("hook {:?} {id:?}", told.news),
        Item::Record { kind, data } => format!("record {kind} {data}"),
    }
}

/// Workspaces and the sessions in them.
fn fleet_of(all: &[(&Path, &[&str])]) -> Arc<Fleet> {
    let (mut workspaces, mut sessions) = (Vec::new(), Vec::new());
    for (number, (path, ids)) in all.iter().enumerate() {
        let workspace = Workspace {
            id: WorkspaceId::new(format!("w{number}")).unwrap(),
            path: path.to_string_lossy().into_owned(),
            kind: WorkspaceKind::Directory,
            branch: None,
            host: local(),
            created_at: Moment(0),
        };
        for id in *ids {
            let (socket, tmux_session) = (Socket::Name("none".into()), (*id).into());
            let address = Address::here(socket, tmux_session);
            let (id, at) = (SessionId::new(*id).unwrap(), workspace.id.clone());
            let session = Session::new(id, at, local(), address, Moment(0));
            sessions.push(Session { life: Life::Running, ..session });
        }
        workspaces.push(workspace);
    }
    Arc::new(Fleet::restore(workspaces, sessions, 0, Moment(0)))
}

fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn rename_into(path: &Path, text: &str) {
    let beside = path.with_extension("tmp");
    fs::write(&beside, text).unwrap();
    fs::rename(&beside, path).unwrap();
}

mod events;
mod status;
mod trouble;
