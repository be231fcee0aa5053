//! What the daemon can tell of its own health, for `schmux doctor`.

use std::path::PathBuf;

use schmux_core::fleet::{Fleet, Life, Socket};

use crate::agents::looks;
use crate::app::App;
use crate::home::Home;
use crate::hosts::advice;
use crate::watch::Findings;
use crate::wire::{Check, CheckResult, HostStatus};

/// How many of a kind are named; the rest is counted.
const NAMED: usize = 5;

pub async fn examine(app: &App) -> Vec<Check> {
    let fleet = app.fleet.borrow().clone();
    let findings = app.watched.findings();
    let mut checks = vec![reach(&fleet), servers(app), far(app)];
    checks.extend(signals(&findings));
    checks.push(near_misses(&fleet));
    checks.push(drifts(&fleet));
    checks.push(screens(&app.home));
    checks.push(crate::nudgenik::check(&app.config.nudgenik, &app.nudgenik.borrow()));
    checks
}

fn reach(fleet: &Fleet) -> Check {
    let unreachable: Vec<_> = fleet
        .sessions()
        .filter_map(|session| match &session.life {
            Life::Unreachable { reason } => Some((&session.id, reason)),
            _ => None,
        })
        .collect();
    let sessions = fleet.sessions().count();
    if unreachable.is_empty() {
        return ok("sessions", format!("{sessions}, all within reach"));
    }
    let names: Vec<String> =
        unreachable.iter().map(|(id, reason)| format!("{id} ({reason})")).collect();
    let detail = format!("{} of {sessions} unreachable: {}", names.len(), names.join(", "));
    let advice = unreachable.iter().find_map(|(_, reason)| advice::on(reason));
    let tries = "schmux keeps trying; look at the log if it lasts";
    warning("sessions", detail, advice.unwrap_or(tries))
}

fn servers(app: &App) -> Check {
    let sockets = app.host.sockets().into_iter().map(|socket| match socket {
        Socket::Name(name) => name,
        Socket::Path(path) => path,
    });
    ok("tmux servers", sockets.collect::<Vec<_>>().join(", "))
}

/// Other hosts that can't be reached.
fn far(app: &App) -> Check {
    let hosts = crate::hosts::list(app);
    let lost = |host: &HostStatus| {
        let reason = host.reason.as_deref()?;
        Some(format!("{} ({reason})", host.name))
    };
    let lost: Vec<String> = hosts.iter().filter_map(lost).collect();
    match lost.len() {
        0 => ok("hosts", format!("{} besides this machine", hosts.len())),
        _ => warning("hosts", format!("unreachable: {}", some(lost)), "schmux host connect NAME"),
    }
}

/// How agents' files are followed, and which of them can't be.
fn signals(findings: &Findings) -> [Check; 3] {
    let Findings { watched, polled, closed, refused, invalid } = findings;
    let of = |(path, why): (&PathBuf, &String)| format!("{} ({why})", path.display());
    let followed = match polled.len() {
        0 => ok("signal files", format!("watched by inotify, workspaces: {watched}")),
        _ => warning(
            "signal files",
            format!("polled every second in {}", some(polled.iter().map(of))),
            "signals from there may come a second late",
        ),
    };
    let unread = match closed.len() + refused.len() {
        0 => ok("unread files", "none".into()),
        _ => {
            // Why a directory can't be used names the directory.
            let files = refused.iter().map(|(path, why)| format!("{} {why}", path.display()));
            warning(
                "unread files",
                some(closed.values().cloned().chain(files)),
                "see to them; until then agents signal by markers and hooks",
            )
        }
    };
    let count: u64 = invalid.values().map(|(count, _)| count).sum();
    let invalid = match count {
        0 => ok("invalid signals", "none".into()),
        _ => warning(
            "invalid signals",
            some(invalid.iter().map(|(id, (count, last))| format!("{id}: {count}, last {last:?}"))),
            "the states are completed, needs_input, needs_testing, error and working",
        ),
    };
    [followed, unread, invalid]
}

fn near_misses(fleet: &Fleet) -> Check {
    let missed = fleet.sessions().filter(|session| session.near_misses.0 > 0);
    let told: Vec<String> = missed
        .map(|session| {
            let (count, last) = &session.near_misses;
            format!("{}: {count}, last {last:?}", session.id)
        })
        .collect();
    if told.is_empty() {
        return ok("near misses", "none".into());
    }
    let advice = "a marker is --<[schmux:state:message]>-- on a line of its own";
    warning("near misses", some(told), advice)
}

/// How often screens spoke against what agents had told.
fn drifts(fleet: &Fleet) -> Check {
    let drifted = fleet.sessions().filter(|session| session.drifts.0 > 0);
    let told: Vec<String> = drifted
        .map(|session| {
            let (count, last) = &session.drifts;
            format!("{}: {count}, last: {last}", session.id)
        })
        .collect();
    let detail = if told.is_empty() { "none".into() } else { some(told) };
    ok("drift", detail)
}

/// What is known of agents' screens, and which of the user's files can't be used.
pub(crate) fn screens(home: &Home) -> Check {
    let (library, problems) = looks::load(home);
    let names: Vec<&str> = library.names().collect();
    match problems.len() {
        0 => ok("screens", names.join(", ")),
        _ => warning(
            "screens",
            some(problems.iter().map(ToString::to_string)),
            "correct the file and restart the daemon; until then what schmux knows itself is used",
        ),
    }
}

/// The first few, and how many more there are.
fn some(all: impl IntoIterator<Item = String>) -> String {
    let all: Vec<String> = all.into_iter().collect();
    let shown = all[..all.len().min(NAMED)].join("; ");
    match all.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

fn ok(name: &str, detail: String) -> Check {
    Check { name: name.into(), result: CheckResult::Ok, detail, advice: None }
}

fn warning(name: &str, detail: String, advice: &str) -> Check {
    let result = CheckResult::Warning;
    Check { name: name.into(), result, detail, advice: Some(advice.into()) }
}
