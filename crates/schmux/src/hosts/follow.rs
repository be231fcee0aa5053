//! What agents on hosts write to their files. A watcher over there says which
//! file has changed and what is in it; `schmux_core::signal` says what is news.
//!
//! **Invariant:** a host speaks for its own sessions only, and only for files of
//! the workspace that a session is in.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use schmux_core::courier;
use schmux_core::fleet::{Event, Fleet, Item, News, Place};
use schmux_core::ids::{HostId, SessionId};
use schmux_core::nudge::Heard as Said;
use schmux_core::remote::{File, Frame, Heard, Kind};
use schmux_core::sh;
use schmux_core::signal::events_file::{self, Facts, MAX_READ};
use schmux_core::signal::hook::{self, Told};
use schmux_core::signal::status_file::{Settled, Stamp, Taken};
use tokio::time::{Instant, sleep_until};

use super::attempt::Attempt;
use super::editors;
use crate::app::App;
use crate::spawn::now;
use crate::store::Places;
use crate::watch::event_item;

/// How long half a line must stay as it is to count as whole.
const SETTLE: Duration = Duration::from_millis(300);

/// How long a piece of a file may take to be read over there.
const READ: Duration = Duration::from_secs(30);

/// Follows the files of all hosts' sessions, from where they were left, and
/// listens to their editors.
pub(crate) async fn follow(app: Arc<App>, places: HashMap<SessionId, Places>) {
    let places = Arc::new(places);
    // A daemon that was killed may have left places in which nothing runs.
    for place in app.hosts.names() {
        super::give_up(&app, &place).await;
    }
    let mut followed: BTreeSet<HostId> = BTreeSet::new();
    let mut fleet = app.fleet.clone();
    loop {
        let hosts: BTreeSet<HostId> = {
            let fleet = fleet.borrow_and_update();
            let elsewhere = fleet.sessions().filter(|session| session.host.as_str() != "local");
            elsewhere.map(|session| session.host.clone()).collect()
        };
        for host in hosts {
            if followed.insert(host.clone()) {
                tokio::spawn(editors::listen(app.clone(), host.clone()));
                let follower = Follower {
                    app: app.clone(),
                    host,
                    places: places.clone(),
                    files: HashMap::new(),
                    unsettled: HashMap::new(),
                };
                tokio::spawn(follower.run());
            }
        }
        if fleet.changed().await.is_err() {
            return;
        }
    }
}

struct Follower {
    app: Arc<App>,
    host: HostId,
    places: Arc<HashMap<SessionId, Places>>,
    files: HashMap<SessionId, Places>,
    /// Status files that end in mid-line, and until when they are waited for.
    unsettled: HashMap<SessionId, (Instant, File)>,
}

/// Why a watcher is followed no longer.
enum Ended {
    Failed,
    /// Other workspaces are to be watched now.
    Outdated,
}

impl Follower {
    async fn run(mut self) {
        let mut fleet = self.app.fleet.clone();
        let mut failures = 0;
        loop {
            let workspaces = self.workspaces(&fleet.borrow_and_update().clone());
            let attempt = match workspaces.as_slice() {
                [] => None,
                _ => Attempt::begin(&self.app, &self.host).await,
            };
            let Some(attempt) = attempt else {
                if fleet.changed().await.is_err() {
                    return;
                }
                continue;
            };
            match self.watch(&workspaces, &mut fleet).await {
                Ended::Failed => attempt.pause(&mut failures).await,
                Ended::Outdated => {}
            }
        }
    }

    /// The directories that are watched, in a fixed order.
    fn workspaces(&mut self, fleet: &Fleet) -> Vec<String> {
        self.files.retain(|id, _| fleet.session(id).is_some());
        self.unsettled.retain(|id, _| fleet.session(id).is_some());
        let there = fleet.sessions().filter(|session| session.host == self.host);
        let paths = there.filter_map(|session| fleet.workspace(&session.workspace));
        let paths: BTreeSet<String> = paths.map(|workspace| workspace.path.clone()).collect();
        paths.into_iter().collect()
    }

    /// Runs one watcher until it ends or its workspaces are others.
    async fn watch(&mut self, workspaces: &[String], fleet: &mut crate::hub::Snapshots) -> Ended {
        let started = self.app.host.watch_frames(&self.host, |facts, nonce| {
            let set = format!("DIR={}\nNONCE={nonce}\nset -- ", sh::quote(&facts.dir));
            format!("{set}{}\n{}", sh::join(workspaces), include_str!("watcher.sh"))
        });
        let Ok(mut frames) = started.await else { return Ended::Failed };
        loop {
            let due = self.unsettled.values().map(|(due, _)| *due).min();
            tokio::select! {
                heard = frames.recv() => match heard {
                    Some(Heard::Frame(Frame::File(file))) => self.hear(file, workspaces, false).await,
                    Some(Heard::Frame(_)) => {}
                    // What was lost is told anew by the next one.
                    Some(Heard::Torn) | None => return Ended::Failed,
                },
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.settle(workspaces).await;
                }
                Ok(()) = fleet.changed() => {
                    let now = fleet.borrow_and_update().clone();
                    if self.workspaces(&now) != workspaces {
                        return Ended::Outdated;
                    }
                }
            }
        }
    }

    async fn settle(&mut self, workspaces: &[String]) {
        let now = Instant::now();
        let due =
            |(id, (due, _)): (&SessionId, &(Instant, File))| (*due <= now).then(|| id.clone());
        let settled: Vec<SessionId> = self.unsettled.iter().filter_map(due).collect();
        for id in settled {
            if let Some((_, file)) = self.unsettled.remove(&id) {
                self.hear(file, workspaces, true).await;
            }
        }
    }

    async fn hear(&mut self, file: File, workspaces: &[String], settled: bool) {
        let Some(id) = self.owner(&file, workspaces) else { return };
        let known = self.places.get(&id).cloned().unwrap_or_default();
        let places = self.files.entry(id.clone()).or_insert(known);
        match file.kind {
            Kind::Status => {
                self.unsettled.remove(&id);
                let before = places.status.clone();
                let stamp = Stamp { inode: file.inode, modified: file.modified };
                let settled = if settled { Settled::Yes } else { Settled::No };
                let mut items = Vec::new();
                match places.status.take(stamp, &file.bytes, settled) {
                    Taken::New(signal) => items.push(Item::said(signal, None)),
                    Taken::Updated(signal) => {
                        items.push(Item::Heard { heard: Said::Added(signal), id: None });
                    }
                    Taken::Invalid { text } => tracing::warn!(session = %id, text, "is no signal"),
                    Taken::Wait if !file.bytes.is_empty() && settled == Settled::No => {
                        let due = Instant::now() + SETTLE;
                        self.unsettled.insert(id.clone(), (due, file));
                        return;
                    }
                    Taken::Wait | Taken::Same => {}
                }
                let place = places.status.clone();
                self.tell(id, items, (place != before).then_some(Place::Status(place))).await;
            }
            Kind::Events => self.hear_events(id, file, workspaces).await,
        }
    }

    /// The session that a file is of, if the host may speak for it.
    fn owner(&self, file: &File, workspaces: &[String]) -> Option<SessionId> {
        let id = SessionId::new(&file.name).ok()?;
        let fleet = self.app.fleet.borrow();
        let session = fleet.session(&id).filter(|session| session.host == self.host)?;
        let workspace = fleet.workspace(&session.workspace)?;
        (workspaces.get(file.workspace) == Some(&workspace.path)).then_some(id)
    }

    /// Takes what came with the frame, and reads what is missing.
    async fn hear_events(&mut self, id: SessionId, file: File, workspaces: &[String]) {
        let File { inode, size, start, bytes, .. } = file;
        let mut piece = (Facts { inode, size }, start, bytes);
        // A file that grows faster than it is read comes again with its next frame.
        for _ in 0..64 {
            let Some(places) = self.files.get_mut(&id) else { return };
            let position = &mut places.events;
            let from = position.read_from();
            let (facts, start, bytes) = &piece;
            let skip = from.checked_sub(*start).and_then(|skip| usize::try_from(skip).ok());
            let known = skip.and_then(|skip| bytes.get(skip..));
            let before = position.clone();
            let again = match known {
                Some(known) => {
                    let batch = position.take(*facts, known);
                    let place = position.clone();
                    let more = batch.again || start + (bytes.len() as u64) < facts.size;
                    let items = batch.events.into_iter().filter_map(event_of).collect();
                    let changed = (place != before).then_some(Place::Events(place));
                    let moved = changed.is_some();
                    self.tell(id.clone(), items, changed).await;
                    more && moved
                }
                None => true,
            };
            if !again {
                return;
            }
            let Some(read) = self.read(&id, workspaces, file.workspace).await else { return };
            if read.2.is_empty() && known_end(&self.files, &id) >= read.0.size {
                return;
            }
            piece = read;
        }
    }

    /// Reads a session's events file from where it was left.
    async fn read(
        &self,
        id: &SessionId,
        workspaces: &[String],
        workspace: usize,
    ) -> Option<(Facts, u64, Vec<u8>)> {
        let from = self.files.get(id)?.events.read_from();
        let path = format!("{}/.schmux/events/{id}.jsonl", workspaces.get(workspace)?);
        let script = format!(
            "f={}\n[ -f \"$f\" ] && [ ! -L \"$f\" ] || exit 1\n\
             set -- $(ls -di -- \"$f\")\necho \"$1\" $(wc -c <\"$f\")\n\
             tail -c +{} \"$f\" | head -c {MAX_READ}",
            sh::quote(&path),
            from + 1,
        );
        let output = self.app.host.run(&self.host, &script, READ).await.ok()?;
        let end = output.bytes.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(&output.bytes[..end]).ok()?;
        let (inode, size) = head.split_once(' ')?;
        let facts = Facts { inode: inode.parse().ok()?, size: size.trim().parse().ok()? };
        (output.status == 0).then(|| (facts, from, output.bytes[end + 1..].to_vec()))
    }

    async fn tell(&self, session: SessionId, items: Vec<Item>, place: Option<Place>) {
        if items.is_empty() && place.is_none() {
            return;
        }
        let prompts: Vec<String> = items.iter().filter_map(submitted).collect();
        let id = session.clone();
        // If it fails the daemon ends, and the place stays where it was.
        let _ = self.app.hub.tell(Event::News(News { session, items, place, at: now() })).await;
        for prompt in prompts {
            self.app.couriers.tell(&id, courier::Event::PromptSubmitted(prompt)).await;
        }
    }
}

/// What a hook says was submitted to the agent, which confirms a delivery.
fn submitted(item: &Item) -> Option<String> {
    match item {
        Item::Hook {
            told: Told { news: hook::News::TurnBegan { prompt }, child: false, .. },
            ..
        } => prompt.clone(),
        _ => None,
    }
}

fn known_end(files: &HashMap<SessionId, Places>, id: &SessionId) -> u64 {
    files.get(id).map_or(0, |places| places.events.offset())
}

fn event_of(event: events_file::Event) -> Option<Item> {
    if let events_file::Event::Invalid { text } = &event {
        tracing::warn!(text, "that is no event; it is passed over");
    }
    event_item(event)
}
