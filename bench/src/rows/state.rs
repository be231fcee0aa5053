//! What it costs to know the states: the engine itself, fed with screens of real
//! agents as the daemon feeds it; and a whole daemon with agents at work, beside
//! itself with the same agents whose screens it doesn't read.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, ensure};
use schmux_core::evidence::Rule;
use schmux_core::fleet::{Address, Event, Fact, Fleet, Session, Socket, Workspace, WorkspaceKind};
use schmux_core::ids::{HostId, SessionId, WorkspaceId};
use schmux_core::reading::{Case, Library};
use schmux_core::screen::{Rows, Screen};
use schmux_core::time::Moment;

use serde_json::Value;

use super::Bench;
use crate::daemon::Daemon;
use crate::machine::cpu_seconds;
use crate::report::{Figure, Samples};

/// Screens of real agents: a dialog, work, a long answer above the field.
const SCREENS: [(&str, &str); 6] = [
    (
        "claude",
        include_str!(
            "../../../crates/schmux-core/tests/screens/claude-2.1.197/permission-120x40.screen"
        ),
    ),
    (
        "claude",
        include_str!(
            "../../../crates/schmux-core/tests/screens/claude-2.1.197/working-120x40.screen"
        ),
    ),
    (
        "codex",
        include_str!(
            "../../../crates/schmux-core/tests/screens/codex-0.166.0/permission-120x40.screen"
        ),
    ),
    (
        "codex",
        include_str!(
            "../../../crates/schmux-core/tests/screens/codex-0.166.0/working-120x40.screen"
        ),
    ),
    (
        "gemini",
        include_str!(
            "../../../crates/schmux-core/tests/screens/gemini-0.61.0/working-120x40.screen"
        ),
    ),
    (
        "generic",
        include_str!(
            "../../../crates/schmux-core/tests/screens/opencode-1.18.33/long-200x50.screen"
        ),
    ),
];

/// What is known of the agent whose screen [`crate::play`] shows.
const CLAUDE: &str = include_str!("../../../crates/schmux-core/src/reading/agents/claude.toml");

const SESSIONS: usize = 200;

/// How long a daemon is watched.
const WATCHED: Duration = Duration::from_secs(20);

/// A screen that moves all the time is read this often (`host::pane`).
const EVERY_MS: i64 = 400;

pub fn measure(bench: &Bench) -> Result<Vec<Figure>> {
    let library = Library::embedded();
    let mut screens = Vec::new();
    for (agent, text) in SCREENS {
        let case = Case::parse(text).map_err(|what| anyhow!("a screen of {agent}: {what}"))?;
        screens.push((library.reader(agent), case.screen(), case.title));
    }
    let rounds = bench.scaled(500);
    let mut each = Samples::default();
    for (reader, screen, title) in &screens {
        for _ in 0..rounds {
            let start = Instant::now();
            black_box(reader.read(&Rows::read(screen), title));
            each.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let (median, p99) = (each.median(), each.quantile(0.99));
    let share = busy(&screens.iter().map(|(_, screen, _)| screen).collect::<Vec<_>>(), rounds)?;
    let whole = in_a_daemon(bench)?;
    Ok(vec![
        Figure::plain(
            "reading one screen",
            format!("{median:.0} µs, p99 {p99:.0} µs"),
            "< 200 µs",
            median < 200.0,
        ),
        Figure::plain(
            &format!("states of {SESSIONS} busy sessions, the engine alone"),
            format!("{share:.1} % of a core"),
            "< 5 %",
            share < 5.0,
        ),
        whole,
    ])
}

/// What a daemon spends more on agents at work than on the same whose screens it
/// doesn't read: looking, judging, and telling what came of it.
fn in_a_daemon(bench: &Bench) -> Result<Figure> {
    let program = Value::from(std::env::current_exe()?.to_string_lossy());
    let target =
        |name: &str| format!("[targets.{name}]\ncommand = [{program}, \"play\", \"work\"]\n");
    let knows = CLAUDE.replace("name = \"claude\"", "name = \"worker\"");
    let looks = [("worker", knows), ("unread", "name = \"unread\"\nread = false\n".into())];
    let more = target("worker") + &target("unread");
    let daemon = bench.daemon_with(&more, &looks)?;
    let without = share(&daemon, "unread", Rule::OutputFlows)?;
    let with = share(&daemon, "worker", Rule::WorkSeen)?;
    let added = with - without;
    Ok(Figure::plain(
        &format!("states of {SESSIONS} agents at work, in a daemon"),
        format!("{added:.1} % of a core ({with:.1} % with, {without:.1} % without)"),
        "< 5 %",
        added < 5.0,
    ))
}

/// The daemon's CPU while so many of these are at work, in percent of a core; `rule`
/// is how it should know that they are.
fn share(daemon: &Daemon, target: &str, rule: Rule) -> Result<f64> {
    let sessions = daemon.spawn(target, &[], SESSIONS)?;
    for session in &sessions {
        daemon.wait_for_text(session, "esc to interrupt")?;
    }
    // What starting them stirred up may settle first.
    thread::sleep(Duration::from_secs(5));
    let before = cpu_seconds(daemon.status.pid)?;
    thread::sleep(WATCHED);
    let spent = cpu_seconds(daemon.status.pid)? - before;
    let shown: Value = serde_json::from_str(&daemon.get("/api/sessions")?)?;
    let shown = shown.as_array().map_or(&[][..], Vec::as_slice);
    let busy = shown.iter().filter(|session| session["verdict"]["rule"] == rule.text()).count();
    ensure!(busy == SESSIONS, "of {busy} of {SESSIONS} it is known that {}", rule.text());
    for session in &sessions {
        daemon.dispose(session)?;
    }
    Ok(spent / WATCHED.as_secs_f64() * 100.0)
}

/// The share of a core that so many sessions take whose screens never rest: each
/// is read, and the fleet judges what was read.
fn busy(screens: &[&Screen], rounds: u64) -> Result<f64> {
    let library = Library::embedded();
    let mut fleet = Fleet::default();
    let (host, workspace) = (HostId::new("local")?, WorkspaceId::new("bench-001")?);
    let mut sessions = Vec::new();
    for number in 0..SESSIONS {
        let id = SessionId::new(format!("bench-001-{number:08}"))?;
        let address = Address::here(Socket::Name("bench".into()), id.to_string());
        let mut session = Session::new(id, workspace.clone(), host.clone(), address, Moment(0));
        session.agent = Some("claude".into());
        sessions.push(session);
    }
    let ids: Vec<SessionId> = sessions.iter().map(|session| session.id.clone()).collect();
    let (path, kind, branch) = ("/w".into(), WorkspaceKind::Directory, None);
    let workspace = Workspace { id: workspace, path, kind, branch, host, created_at: Moment(0) };
    fleet.apply(Event::SessionsAdded { workspace, sessions }, Moment(0));
    let reader = library.reader("claude");
    let rounds = i64::try_from(rounds / 10).unwrap_or(i64::MAX).max(5);
    // Readers hold snapshots, so the next change copies what it changes.
    let mut shown = [fleet.clone()];
    let before = cpu_seconds(std::process::id())?;
    for round in 0..rounds {
        let now = Moment(60_000 + round * EVERY_MS);
        for (number, id) in ids.iter().enumerate() {
            // Each shows what it showed for a second or two, and then something else.
            let at = (number + usize::try_from(round / 4).unwrap_or(0)) % screens.len();
            let reading = reader.read(&Rows::read(screens[at]), "⠂ A task");
            let fact = Fact::Screen { reading: Box::new(reading), at: now, unheard: false };
            black_box(fleet.apply(Event::Seen(id.clone(), fact), now));
            fleet.apply(Event::Seen(id.clone(), Fact::Output { at: now }), now);
        }
        shown[0] = fleet.clone();
    }
    let lived = Duration::from_millis(u64::try_from(rounds * EVERY_MS).unwrap_or(u64::MAX));
    let spent = cpu_seconds(std::process::id())? - before;
    Ok(spent / lived.as_secs_f64() * 100.0)
}
