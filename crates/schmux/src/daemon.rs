//! The daemon: puts the parts together, serves until it is told to stop.
//!
//! Agents live in tmux and know nothing of it: it may be killed and started at
//! any time, and finds everything again.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use schmux_core::fleet::{Event, Life, News};
use schmux_core::ids::SessionId;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Mutex, watch};

use crate::agents::looks;
use crate::app::App;
use crate::config::Config;
use crate::courier::Couriers;
use crate::home::Home;
use crate::host::{self, Host};
use crate::hosts::{self, Hosts, Ours};
use crate::http;
use crate::http::auth::Keys;
use crate::replay::Replays;
use crate::store::{Places, Restored, Store};
use crate::workspaces::Inspector;
use crate::{courier, hub, log, notify, nudgenik, spawn, watch as files};

/// How long the end waits for what was recorded last: a second is a slow disk.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long a first look at tmux may take: a thousand sessions on a busy machine.
const FIRST_LOOK: Duration = Duration::from_secs(2);

/// How many files may be open, if the hard limit allows it: a few thousand viewers. A Mac
/// allows no more.
const OPEN_FILES: u64 = 10_240;

/// How the daemon behaves towards the one who started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub open_browser: bool,
    pub log_to_terminal: bool,
}

/// Runs the daemon until SIGTERM, SIGINT or `schmux stop`.
pub async fn run(home: Home, config: Config, options: Options) -> anyhow::Result<()> {
    home.prepare()?;
    let _log = log::start(&home, &config.log, options.log_to_terminal)?;
    let _lock = lock(&home)?;
    allow_open_files();
    let tmux_version = host::tmux_version().await?;
    host::config::write(&home.tmux_conf(), &config.tmux)
        .with_context(|| format!("can't write {}", home.tmux_conf().display()))?;

    let (store, Restored { fleet, places, mail, hosts }) =
        Store::open(&home.database(), spawn::now())?;
    // Before tmux: where the port is taken nothing is begun.
    let keys = Keys::load_or_create(&home.token())?;
    let door = http::Door::open(&home, &config.server, keys.clone()).await?;
    let (hub, snapshots) = hub::start(fleet, store.clone());
    let couriers = Arc::new(Couriers::default());
    let (ear, hands) = (hub.clone(), couriers.clone());
    let tell = Arc::new(move |news: News| {
        hands.hear_of_file(&news);
        ear.tell_blocking(Event::News(news))
    });
    let watched = files::start(snapshots.clone(), places.clone(), tell);
    let replays = Replays::start(home.replays(), &config.replay);
    let per_server = config.tmux.sessions_per_server.max(1) as usize;
    let (library, problems) = looks::load(&home);
    for problem in problems {
        tracing::warn!("{problem}");
    }
    let ends = (hub.clone(), replays.recorder.clone());
    let host = Host::new(home.tmux_socket(), home.tmux_conf(), per_server, library, ends);

    let exe = std::env::current_exe().context("can't find the program schmux itself")?;
    let ours = Ours {
        instance: instance(&home)?,
        conf: host::config::text(&config.tmux),
        exe: exe.to_string_lossy().into_owned(),
        home: home.dir().to_string_lossy().into_owned(),
    };
    let hosts = Hosts::new(&config.hosts, hosts, (host.clone(), store.clone()), ours);

    let (shutdown, stopping) = watch::channel(false);
    let (account, shown_account) = watch::channel(nudgenik::Account::default());
    let app = Arc::new(App {
        url: door.url(),
        port: door.port(),
        login_url: door.login_url(),
        network_login_url: door.network_login_url(),
        exe,
        started_at: Timestamp::now(),
        adding: Mutex::new(()),
        turns: Default::default(),
        home,
        config,
        hub,
        store,
        fleet: snapshots,
        host,
        hosts,
        elsewhere: Default::default(),
        couriers,
        replays,
        settings: Default::default(),
        inspector: Inspector::default(),
        keys,
        watched,
        nudgenik: shown_account,
        tmux_version,
        shutdown,
    });
    if let Err(error) = courier::install(&app.home, &app.exe) {
        tracing::warn!(%error, "the editor of sessions can't be written");
    }
    tokio::spawn(hosts::follow(app.clone(), places.clone()));
    expect_sessions(&app, places).await;
    first_look(&app).await;
    tokio::spawn(tell_turns(app.clone()));
    tokio::spawn(notify::run(app.clone()));
    tokio::spawn(nudgenik::run(app.clone(), account));
    courier::resume(&app, mail);
    write_running(&app)?;
    tracing::info!(url = %app.url, home = %app.home.dir().display(), tmux = %app.tmux_version, "schmux runs");
    if options.open_browser || options.log_to_terminal {
        // Whoever reads it may have left.
        let _ = writeln!(std::io::stdout(), "{}", app.login_url);
    }
    on_signals(app.clone())?;
    let result = door.serve(app.clone(), stopping).await;
    let _ = tokio::time::timeout(LAST_WORDS, app.replays.recorder.flush()).await;
    // Only our own file: a successor may have written its own by now.
    let _ = std::fs::remove_file(app.home.running());
    tracing::info!("schmux stops; the agents go on");
    result
}

/// Raises the soft limit of open files, which is 1,024 or, on a Mac, 256: each viewer and
/// each request is one. What we start inherits it, as do tmux and the agents in it. It is
/// for programs that use `select` not to open so many, and for those that close all that
/// they might have open it is no more than a few milliseconds, unlike some hard limits.
fn allow_open_files() {
    let limits = getrlimit(Resource::Nofile);
    let wanted = limits.maximum.map_or(OPEN_FILES, |hard| hard.min(OPEN_FILES));
    if limits.current.is_some_and(|soft| soft < wanted)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limits })
    {
        tracing::warn!(%error, "the limit of open files stays low");
    }
}

/// The name of this instance, made when it is first needed.
fn instance(home: &Home) -> anyhow::Result<String> {
    let path = home.instance();
    let known = std::fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
    if known.len() == 12 && known.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(known);
    }
    let made = format!("{:012x}", rand::random::<u64>() >> 16);
    std::fs::write(&path, &made).with_context(|| format!("can't write {}", path.display()))?;
    Ok(made)
}

/// One daemon per home: the lock is held as long as the process lives.
fn lock(home: &Home) -> anyhow::Result<File> {
    let path = home.lock();
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("can't open {}", path.display()))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(Errno::WOULDBLOCK) => anyhow::bail!(
            "a schmux daemon is already running in {}: see `schmux status`",
            home.dir().display()
        ),
        Err(error) => Err(error).with_context(|| format!("can't lock {}", path.display())),
    }
}

/// Tells the host of every session that should be there from before.
async fn expect_sessions(app: &App, mut places: HashMap<SessionId, Places>) {
    let sessions: Vec<_> = app.fleet.borrow().sessions().cloned().collect();
    for session in sessions {
        let ended = matches!(session.life, Life::Exited { .. });
        let markers = places.remove(&session.id).unwrap_or_default().markers;
        if let Err(error) = app.host.expect(&session, markers).await {
            tracing::warn!(session = %session.id, ended, %error, "can't be looked for");
        }
    }
}

/// Waits until it is known what became of this machine's sessions, which is a matter of
/// milliseconds: whoever asks at once would be told that none can be reached.
async fn first_look(app: &App) {
    let here = spawn::local();
    let mut fleet = app.fleet.clone();
    // A tmux that stands still is no reason to keep the door closed.
    let _ =
        tokio::time::timeout(FIRST_LOOK, fleet.wait_for(|fleet| fleet.is_looked_at(&here))).await;
}

/// Tells the host when an agent begins anew by what it says elsewhere: then the
/// same marker as before is news again.
async fn tell_turns(app: Arc<App>) {
    let mut fleet = app.fleet.clone();
    let mut known = fleet.borrow_and_update().clone();
    while fleet.changed().await.is_ok() {
        let now = fleet.borrow_and_update().clone();
        for session in now.changed_since(&known) {
            let before = known.session(&session.id).map(|before| before.attention.turns);
            if before.is_some_and(|before| before != session.attention.turns) {
                app.host.begin_turn(session).await;
            }
        }
        known = now;
    }
}

/// Where the daemon is to be found, for people and scripts.
fn write_running(app: &App) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&app.status())?;
    std::fs::write(app.home.running(), text)
        .with_context(|| format!("can't write {}", app.home.running().display()))
}

fn on_signals(app: Arc<App>) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        app.shutdown.send_replace(true);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_daemon_holds_a_home() {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path());
        let first = lock(&home).unwrap();
        let said = format!("{:#}", lock(&home).unwrap_err());
        assert!(said.ends_with("see `schmux status`"), "{said}");
        drop(first);
        lock(&home).unwrap();
    }
}
