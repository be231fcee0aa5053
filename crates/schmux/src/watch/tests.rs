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
        World::open(Arc::new(TempDir::new().unwrap()), HashMap::new(), Notices::new)
    }

    fn open(
        dir: Arc<TempDir>,
        places: HashMap<SessionId, Places>,
        open_notices: OpenNotices,
    ) -> World {
        let path = dir.path().to_owned();
        World::at(dir, &path, places, open_notices)
    }

    fn at(
        dir: Arc<TempDir>,
        workspace: &Path,
        places: HashMap<SessionId, Places>,
        open_notices: OpenNotices,
    ) -> World {
        let (fleet, snapshots) = watch::channel(fleet_of(workspace, &["w-a", "w-b"]));
        let (sender, news) = mpsc::channel();
        let gate = Arc::new(Mutex::new(()));
        let held = gate.clone();
        let sink: Sink = Arc::new(move |news| {
            let _open = held.lock().unwrap();
            sender.send(news).is_ok()
        });
        let report = start_with(snapshots, places.clone(), sink, open_notices);
        World { dir, fleet, news, report, places, gate }
    }

    /// The watch ends, and another one goes on where it left off.
    fn restart(self) -> World {
        let World { dir, fleet, places, news, .. } = self;
        drop(fleet);
        // The channel ends with the thread.
        assert!(news.iter().next().is_none(), "nothing is left to tell");
        World::open(dir, places, Notices::new)
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
        Item::Record { kind, data } => format!("record {kind} {data}"),
    }
}

fn fleet_of(path: &Path, ids: &[&str]) -> Arc<Fleet> {
    let workspace = Workspace {
        id: WorkspaceId::new("w").unwrap(),
        path: path.to_string_lossy().into_owned(),
        kind: WorkspaceKind::Directory,
        branch: None,
        host: local(),
        created_at: Moment(0),
    };
    let session = |id: &&str| {
        let address = Address { socket: Socket::Name("none".into()), tmux_session: (*id).into() };
        let id = SessionId::new(*id).unwrap();
        let session = Session::new(id, workspace.id.clone(), local(), address, Moment(0));
        Session { life: Life::Running, ..session }
    };
    let sessions = ids.iter().map(session).collect();
    Arc::new(Fleet::restore(vec![workspace], sessions, 0))
}

fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        thread::yield_now();
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

/// All ways to write a status file, each with news.
fn write_in_every_way(world: &mut World) {
    let path = world.status("w-a");
    fs::write(&path, "needs_input created\n").unwrap();
    assert_eq!(world.hears(), "w-a: needs_input created");
    fs::write(&path, "error truncated and written\n").unwrap();
    assert_eq!(world.hears(), "w-a: error truncated and written");
    append(&path, "completed appended\n");
    assert_eq!(world.hears(), "w-a: completed appended");
    append(&path, "progress: 40\n");
    assert_eq!(world.hears(), r#"w-a: added [("progress", "40")] to completed"#);
    rename_into(&path, "needs_testing renamed\n");
    assert_eq!(world.hears(), "w-a: needs_testing renamed");
    fs::write(&path, "working without a newline").unwrap();
    assert_eq!(world.hears(), "w-a: working without a newline");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "completed recreated\n").unwrap();
    assert_eq!(world.hears(), "w-a: completed recreated");
    // Its writer keeps it open, and writes a line in two halves.
    let mut open = File::create(&path).unwrap();
    open.write_all(b"error kept op").unwrap();
    open.write_all(b"en\n").unwrap();
    assert_eq!(world.hears(), "w-a: error kept open");
    open.write_all(b"working still").unwrap();
    assert_eq!(world.hears(), "w-a: working still");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_file_is_heard_however_it_is_written() {
    let mut world = World::new().watched();
    write_in_every_way(&mut world);
    world.hears_nothing();
    assert_eq!(
        world.report.findings(),
        Findings { watched: 1, ..Findings::default() },
        "all is well"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_inotify_files_are_polled() {
    let no_notices: OpenNotices = || Err(rustix::io::Errno::MFILE.into());
    let mut world = World::open(Arc::new(TempDir::new().unwrap()), HashMap::new(), no_notices);
    until("directories", || world.path(".schmux/events").exists().then_some(()));
    fs::write(world.status("w-a"), "error whole\n").unwrap();
    assert_eq!(world.hears(), "w-a: error whole");
    fs::write(world.status("w-a"), "error without a newline").unwrap();
    assert_eq!(world.hears(), "w-a: error without a newline");
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"error\",\"message\":\"e\"}\n");
    assert_eq!(world.hears(), "w-a: error e");
    fs::remove_dir_all(world.path(".schmux")).unwrap();
    until("directories", || world.path(".schmux/signal").exists().then_some(()));
    fs::write(world.status("w-a"), "working again\n").unwrap();
    assert_eq!(world.hears(), "w-a: working again");
    let findings = world.report.findings();
    assert!(findings.polled[world.dir.path()].contains("max_user_instances"), "{findings:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_words_in_a_later_write_are_news() {
    let mut world = World::new().watched();
    for _ in 0..5 {
        fs::write(world.status("w-a"), "needs_input the same\n").unwrap();
        assert_eq!(world.hears(), "w-a: needs_input the same");
        // The file system's clock has to tick.
        let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        let before = modified(&world.status("w-a"));
        until("a tick", || {
            fs::write(world.path("clock"), "").unwrap();
            (modified(&world.path("clock")) > before).then_some(())
        });
    }
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_there_before_and_what_came_while_away_is_told_once() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join(".schmux/signal")).unwrap();
    fs::write(status_file(dir.path(), "w-a"), "needs_input before\n").unwrap();
    let mut world = World::open(dir, HashMap::new(), Notices::new);
    assert_eq!(world.hears(), "w-a: needs_input before");
    let mut world = world.watched();
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"error\"}\n");
    assert_eq!(world.hears(), "w-a: error ");

    let mut world = world.restart().watched();
    world.hears_nothing();

    let (status, events) = (world.status("w-a"), world.events("w-a"));
    let ended = world.report.clone();
    let mut world = {
        drop(ended);
        let World { dir, fleet, places, news, .. } = world;
        drop(fleet);
        assert!(news.iter().next().is_none());
        fs::write(status, "error while away\n").unwrap();
        append(&events, "{\"type\":\"status\",\"state\":\"completed\",\"message\":\"too\"}\n");
        World::open(dir, places, Notices::new)
    };
    let mut heard = [world.hears(), world.hears()];
    heard.sort();
    assert_eq!(heard, ["w-a: completed too", "w-a: error while away"]);
    world.watched().hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn directories_that_go_away_are_made_and_watched_again() {
    let mut world = World::new().watched();
    let ways: [(&str, fn(&World)); 4] = [
        ("removed", |world| fs::remove_dir_all(world.path(".schmux")).unwrap()),
        ("removed in part", |world| fs::remove_dir_all(world.path(".schmux/signal")).unwrap()),
        ("moved", |world| {
            fs::rename(world.path(".schmux"), world.path("moved")).unwrap();
        }),
        ("replaced", |world| {
            fs::rename(world.path(".schmux/signal"), world.path("old")).unwrap();
            fs::create_dir(world.path(".schmux/signal")).unwrap();
        }),
    ];
    for (word, act) in ways {
        act(&world);
        until("the directory", || world.path(".schmux/signal").exists().then_some(()));
        fs::write(world.status("w-a"), format!("error {word}\n")).unwrap();
        assert_eq!(world.hears(), format!("w-a: error {word}"));
        let mut again = world.watched();
        fs::write(again.status("w-a"), format!("working {word}\n")).unwrap();
        assert_eq!(again.hears(), format!("w-a: working {word}"));
        world = again;
    }
    fs::write(world.path("moved/signal/w-a"), "error elsewhere\n").unwrap();
    fs::write(world.path("old/w-a"), "error elsewhere\n").unwrap();
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_overflow_everything_is_looked_at() {
    let mut world = World::new().watched();
    let gate = world.gate.clone();
    let held = gate.lock().unwrap();
    // The watch finds this, and waits at the gate with it.
    fs::write(world.status("w-a"), "working at the gate\n").unwrap();
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
    let limit: usize = limit.trim().parse().unwrap();
    // Notices of one file in a row are one, so there are two, and each write is several.
    for n in 0..=limit / 2 {
        fs::write(world.path(&format!(".schmux/signal/other-{}", n % 2)), "x").unwrap();
    }
    fs::write(world.status("w-b"), "error beyond the queue\n").unwrap();
    append(&world.events("w-b"), "{\"type\":\"status\",\"state\":\"completed\"}\n");
    drop(held);
    assert_eq!(world.hears(), "w-a: working at the gate");
    let mut heard = [world.hears(), world.hears()];
    heard.sort();
    assert_eq!(heard, ["w-b: completed ", "w-b: error beyond the queue"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_signal_is_counted_and_passed_over() {
    let mut world = World::new().watched();
    fs::write(world.status("w-a"), "done with it\n").unwrap();
    until("the count", || world.report.findings().invalid.values().next().cloned());
    fs::write(world.status("w-a"), "").unwrap();
    fs::write(world.status("w-a"), " \n\n").unwrap();
    fs::write(world.path(".schmux/signal/nobody"), "error of nobody\n").unwrap();
    append(
        &world.events("w-a"),
        "{\"type\":\"status\",\"state\":\"done\"}\nnot json\n{\"type\":\"note\",\"n\":1}\n",
    );
    assert_eq!(world.hears(), "w-a: record note {\"type\":\"note\",\"n\":1}");
    world.hears_nothing();
    let invalid = world.report.findings().invalid;
    let id = SessionId::new("w-a").unwrap();
    assert_eq!(invalid[&id], (3, r#"{"type":"status","state":"done"}"#.to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_belong_there_is_refused() {
    let mut world = World::new().watched();
    let status = world.status("w-a");
    fs::write(world.path("elsewhere"), "error through a link\n").unwrap();
    let refused = |world: &World| world.report.findings().refused.get(&status).cloned();
    let puts: [(&str, fn(&World, &Path)); 4] = [
        ("a symbolic link", |world, at| symlink(world.path("elsewhere"), at).unwrap()),
        ("a symbolic link", |_, at| symlink("/dev/zero", at).unwrap()),
        ("a FIFO", |_, at| mkfifoat(CWD, at, Mode::from_raw_mode(0o600)).unwrap()),
        ("a directory", |_, at| fs::create_dir(at).unwrap()),
    ];
    for (what, put) in puts {
        put(&world, &status);
        let said = until("a refusal", || refused(&world));
        assert!(said.contains(what), "{said}");
        fs::remove_file(&status).or_else(|_| fs::remove_dir(&status)).unwrap();
        // What takes its place is heard.
        fs::write(&status, format!("completed instead of {what}\n")).unwrap();
        assert_eq!(world.hears(), format!("w-a: completed instead of {what}"));
        assert_eq!(refused(&world), None);
        fs::remove_file(&status).unwrap();
    }
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_others_are_refused() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let mut world = World::new().watched();
    let status = world.status("w-a");
    let beside = world.path("beside");
    fs::write(&beside, "error of another user\n").unwrap();
    std::os::unix::fs::chown(&beside, Some(12345), None).unwrap();
    fs::rename(beside, &status).unwrap();
    let said = until("a refusal", || world.report.findings().refused.get(&status).cloned());
    assert!(said.contains("user 12345"), "{said}");
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_linked_directory_is_refused_and_the_other_one_read() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join("elsewhere")).unwrap();
    fs::write(dir.path().join("elsewhere/w-a"), "error through a link\n").unwrap();
    fs::create_dir_all(dir.path().join(".schmux")).unwrap();
    symlink("../elsewhere", dir.path().join(".schmux/signal")).unwrap();
    let mut world = World::open(dir, HashMap::new(), Notices::new);
    let said = until("a word of it", || world.report.findings().closed.into_values().next());
    assert!(said.contains(".schmux/signal is a symbolic link"), "{said}");
    append(&world.events("w-a"), "{\"type\":\"status\",\"state\":\"completed\"}\n");
    assert_eq!(world.hears(), "w-a: completed ");
    // A plain one in its place is used at once.
    fs::remove_file(world.path(".schmux/signal")).unwrap();
    let mut world = world.watched();
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_where_nothing_can_be_made_is_told() {
    let places = HashMap::new();
    let dir = Arc::new(TempDir::new().unwrap());
    // Nobody can make a directory in there, not even root.
    let world = World::at(dir, Path::new("/proc"), places, Notices::new);
    let said = until("a word of it", || world.report.findings().closed.into_values().next());
    assert!(said.contains("can't make /proc/.schmux"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_read_as_they_are_appended() {
    let mut world = World::new().watched();
    let path = world.events("w-a");
    append(&path, "{\"type\":\"status\",\"state\":\"error\",\"id\":\"x1\"}\n{\"type\":\"sta");
    assert_eq!(world.hears(), "w-a: error  #x1");
    append(&path, "tus\",\"state\":\"working\",\"message\":\"half and half\"}\n");
    assert_eq!(world.hears(), "w-a: working half and half");
    // Kept open by its writer.
    let mut open = OpenOptions::new().append(true).open(&path).unwrap();
    for n in 0..20 {
        writeln!(open, r#"{{"type":"status","state":"completed","message":"{n}","ts":"{n}"}}"#)
            .unwrap();
    }
    let mut heard = String::new();
    while !heard.ends_with("completed 19") {
        heard = format!("{heard}, {}", world.hears().trim_start_matches("w-a: "));
    }
    let expected: Vec<String> = (0..20).map(|n| format!("completed {n}")).collect();
    assert_eq!(heard.trim_start_matches(", "), expected.join(", "));
    append(&path, "{\"type\":\"hook\",\"id\":\"h1\",\"event\":\"Stop\"}\n");
    assert!(world.hears().starts_with("w-a: record hook"));
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn events_files_may_be_truncated_and_replaced() {
    let mut world = World::new().watched();
    let path = world.events("w-a");
    let line = |n: u32| {
        format!("{{\"ts\":\"{n}\",\"type\":\"status\",\"state\":\"error\",\"message\":\"{n}\"}}\n")
    };
    append(&path, &line(1));
    assert_eq!(world.hears(), "w-a: error 1");
    append(&path, &line(2));
    assert_eq!(world.hears(), "w-a: error 2");
    // Rotated: what was told is still in it, and something new.
    rename_into(&path, &(line(2) + &line(3)));
    assert_eq!(world.hears(), "w-a: error 3");
    fs::write(&path, "").unwrap();
    append(&path, &line(4));
    assert_eq!(world.hears(), "w-a: error 4");
    fs::remove_file(&path).unwrap();
    append(&path, &line(5));
    assert_eq!(world.hears(), "w-a: error 5");
    world.hears_nothing();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_events_file_is_read_to_its_end() {
    let dir = Arc::new(TempDir::new().unwrap());
    fs::create_dir_all(dir.path().join(".schmux/events")).unwrap();
    let note = format!("{{\"type\":\"note\",\"text\":\"{}\"}}\n", "x".repeat(1000));
    let text =
        note.repeat(3000) + "{\"type\":\"status\",\"state\":\"error\",\"message\":\"last\"}\n";
    fs::write(events_file(dir.path(), "w-a"), text).unwrap();
    let mut world = World::open(dir, HashMap::new(), Notices::new);
    let (mut heard, mut notes) = (String::new(), 0);
    while !heard.ends_with("error last") {
        heard = world.hears();
        notes += heard.matches("record note").count();
    }
    assert_eq!(notes, 3000);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_come_and_go() {
    let mut world = World::new().watched();
    fs::write(world.status("w-c"), "error too early\n").unwrap();
    fs::write(world.status("w-a"), "nonsense\n").unwrap();
    until("the count", || world.report.findings().invalid.values().next().cloned());
    world.fleet.send_replace(fleet_of(world.dir.path(), &["w-b", "w-c"]));
    assert_eq!(world.hears(), "w-c: error too early");
    assert!(world.report.findings().invalid.is_empty());
    fs::write(world.status("w-a"), "error nobody listens\n").unwrap();
    world.hears_nothing();
    world.fleet.send_replace(fleet_of(world.dir.path(), &[]));
    until("the end", || (world.report.findings() == Findings::default()).then_some(()));
}
