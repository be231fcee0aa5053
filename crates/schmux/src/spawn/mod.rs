//! Spawning: from a request to sessions that run.
//!
//! The order is what makes it safe to be killed at any point: the directory is
//! there first, then the workspace and the sessions are stored, all of a request
//! or none, then tmux is asked to run them. What was stored and never ran is found
//! out at the next start.

pub mod again;
pub mod names;
pub mod preset;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use futures_util::future::join_all;
use jiff::Timestamp;
use schmux_core::fleet::{Address, Asked, Event, Session, Workspace, is_shell};
use schmux_core::ids::{HostId, SessionId, WorkspaceId};
use schmux_core::screen::Size;
use schmux_core::time::Moment;

use crate::agents::{self, Launch, TargetError, provision};
use crate::app::App;
use crate::config::{COLS, ROWS};
use crate::courier;
use crate::host::{HostError, Seat, Spec};
use crate::hosts::{self, There};
use crate::http::error::Failure;
use crate::store::Recent;
use crate::wire::{self, SpawnRequest};
use crate::workspaces::{self, Prepared, WorkspaceError};

/// More at once is a slip of the finger rather than a wish.
const MOST_AT_ONCE: usize = 200;

/// What the kernel reads of a script's first line.
const LONGEST_SHEBANG: usize = 256;

/// The kernel takes arguments of up to 128 kB each.
const LONGEST_PROMPT: usize = 100 << 10;

/// Spawns what a request asks for.
pub async fn spawn(app: &App, request: SpawnRequest) -> Result<Vec<wire::Session>, Failure> {
    let request = preset::fill(app, request)?;
    let targets = targets(&request)?;
    let count = check(app, &request, &targets)?;
    let there = There::of(app, &request).await?;
    let started = start(app, &request, &targets, (count, there.as_ref())).await;
    if let (Err(_), Some(there)) = (&started, &there) {
        hosts::give_up(app, there.host()).await;
    }
    started
}

/// Runs what a checked request asks for.
async fn start(
    app: &App,
    request: &SpawnRequest,
    targets: &[&str],
    (count, there): (u32, Option<&There>),
) -> Result<Vec<wire::Session>, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut launches = Vec::new();
    for target in targets {
        let launch = match there {
            Some(there) => there.resolve(app, target).await?,
            None => agents::resolve(target, &app.config, &path, &app.exe)?,
        };
        launches.push(launch.with(request.prompt.as_deref(), &request.args)?);
    }
    let prepared = prepare(app, request, there).await?;
    let of: Vec<&Launch> =
        launches.iter().flat_map(|launch| (0..count).map(move |_| launch)).collect();
    let nicknames = names::each(request.nickname.as_deref(), targets, count);
    let asked = Asked { prompt: request.prompt.clone(), args: request.args.clone() };
    let mut seats = Vec::new();
    let added = add(app, prepared, there, |workspace| {
        let each = of.iter().zip(nicknames).map(|(launch, nickname)| {
            let seat = app.host.assign(&workspace.host);
            seats.push(seat.clone());
            session(workspace, seat, (launch, there), (nickname, &asked))
        });
        each.collect()
    })
    .await;
    let (workspace, sessions) = added.inspect_err(|_| {
        for seat in &seats {
            app.host.release(seat);
        }
    })?;
    if there.is_none()
        && let Some(note) = workspaces::ensure_schmux_dirs(Path::new(&workspace.path)).await
    {
        tracing::warn!(workspace = %workspace.id, "{note}");
    }
    note_use(app, &workspace).await;
    let size = Size::clamped(
        request.cols.unwrap_or(app.config.spawn.cols),
        request.rows.unwrap_or(app.config.spawn.rows),
    );
    let each = sessions.iter().zip(of);
    let created =
        each.map(|(session, launch)| create(app, session, &workspace, (launch, there), size));
    let failures: Vec<Option<Failure>> = join_all(created).await;
    settle(app, &sessions, failures).await?;
    let ids: Vec<&str> = sessions.iter().map(|session| session.id.as_str()).collect();
    let mut made = app.sessions();
    made.retain(|session| ids.contains(&session.id.as_str()));
    made.sort_by_key(|session| ids.iter().position(|id| *id == session.id));
    Ok(made)
}

/// So that the workspace can be offered again. A spawn doesn't fail for that.
async fn note_use(app: &App, workspace: &Workspace) {
    let Workspace { path, kind, host, branch, .. } = workspace.clone();
    let recent = Recent { path, kind, host, branch, used_at: now() };
    if let Err(error) = app.store.note_use(recent).await {
        tracing::warn!(%error, "a workspace's use is not remembered");
    }
}

/// What is to be run, each target once.
fn targets(request: &SpawnRequest) -> Result<Vec<&str>, Failure> {
    let mut targets: Vec<&str> = Vec::new();
    for target in std::iter::once(&request.target).chain(&request.targets) {
        if !target.is_empty() && !targets.contains(&target.as_str()) {
            targets.push(target);
        }
    }
    if targets.is_empty() {
        return Err(Failure::bad_request("no_target", "the request names nothing to run")
            .advice("give a `target`; `schmux targets` lists them"));
    }
    Ok(targets)
}

fn check(app: &App, request: &SpawnRequest, targets: &[&str]) -> Result<u32, Failure> {
    let count = request.count.unwrap_or(1);
    let all = (count as usize).saturating_mul(targets.len());
    if all == 0 || all > MOST_AT_ONCE {
        let message = format!("can't spawn {all} sessions at once");
        return Err(Failure::bad_request("bad_count", message).advice("ask for 1 to 200"));
    }
    if request.prompt.as_ref().is_some_and(|prompt| prompt.len() > LONGEST_PROMPT) {
        return Err(Failure::bad_request("prompt_too_long", "the prompt is longer than 100 kB")
            .advice("put it into a file in the workspace and name that in the prompt"));
    }
    if request.prompt.iter().chain(&request.args).any(|word| word.contains('\0')) {
        // The kernel would end it there.
        return Err(Failure::bad_request(
            "bad_argument",
            "there is a NUL in the prompt or in args",
        )
        .advice("leave it out: no program can be given one"));
    }
    check_side("cols", request.cols, COLS)?;
    check_side("rows", request.rows, ROWS)?;
    names::check(app, names::each(request.nickname.as_deref(), targets, count).iter().flatten())?;
    Ok(count)
}

fn check_side(side: &str, asked: Option<u16>, may_be: RangeInclusive<u16>) -> Result<(), Failure> {
    match asked.filter(|asked| !may_be.contains(asked)) {
        None => Ok(()),
        Some(asked) => Err(Failure::bad_request("bad_size", format!("`{side}` is {asked}"))
            .advice(format!("use a number from {} to {}", may_be.start(), may_be.end()))),
    }
}

/// Finds or makes the directory of a request.
pub(crate) async fn prepare(
    app: &App,
    request: &SpawnRequest,
    there: Option<&There>,
) -> Result<Prepared, Failure> {
    match there {
        Some(there) => there.prepare(app, request).await,
        None => {
            let (known, turns) = (app.workspaces(), &app.turns);
            Ok(workspaces::prepare(request, &known, &app.home, &app.config, turns).await?)
        }
    }
}

/// Adds sessions in a directory, which is a workspace from then on. Nobody else adds any
/// while `make` looks whether they may be, so what it finds free stays free.
pub(crate) async fn add(
    app: &App,
    prepared: Prepared,
    there: Option<&There>,
    make: impl FnOnce(&Workspace) -> Result<Vec<Session>, Failure>,
) -> Result<(Workspace, Vec<Session>), Failure> {
    let _one = app.adding.lock().await;
    let workspace = workspace(app, &prepared, there)?;
    let sessions = make(&workspace)?;
    names::check(app, sessions.iter().filter_map(|session| session.nickname.as_ref()))?;
    let event = Event::SessionsAdded { workspace: workspace.clone(), sessions: sessions.clone() };
    app.hub.apply(event).await?;
    prepared.keep();
    Ok((workspace, sessions))
}

/// The known workspace in a directory, or a new one.
fn workspace(app: &App, prepared: &Prepared, there: Option<&There>) -> Result<Workspace, Failure> {
    let known = app.workspaces();
    let id = match there {
        Some(there) => there.id_of(prepared, &known),
        None => workspaces::id_of(prepared, &known, &app.home, &app.config),
    };
    let id = WorkspaceId::new(id).map_err(|bad| Failure::internal(bad.to_string()))?;
    if let Some(known) = app.fleet.borrow().workspace(&id) {
        return Ok(known.clone());
    }
    Ok(Workspace {
        id,
        path: prepared.path.to_string_lossy().into_owned(),
        kind: prepared.kind.into(),
        branch: prepared.branch.clone(),
        host: there.map_or_else(local, |there| there.host().clone()),
        created_at: now(),
    })
}

fn session(
    workspace: &Workspace,
    seat: Seat,
    (launch, there): (&Launch, Option<&There>),
    (nickname, asked): (Option<String>, &Asked),
) -> Result<Session, Failure> {
    let id = SessionId::new(workspaces::session_id(workspace.id.as_str()))
        .map_err(|bad| Failure::internal(bad.to_string()))?;
    let tmux_session = id.as_str().to_owned();
    let address = match there {
        Some(there) => there.address(seat.socket, tmux_session),
        None => Address::here(seat.socket, tmux_session),
    };
    Ok(Session {
        target: launch.target.clone(),
        agent: launch.base.clone(),
        nickname,
        command: launch.argv.clone(),
        asked: Some(asked.clone()),
        script_of: launch
            .argv
            .first()
            .filter(|_| there.is_none())
            .and_then(|program| shell_of(program)),
        ..Session::new(id, workspace.id.clone(), workspace.host.clone(), address, now())
    })
}

/// The shell that runs a program, if it is a script of one.
fn shell_of(program: &str) -> Option<String> {
    let mut first = [0; LONGEST_SHEBANG];
    let count = File::open(program).and_then(|mut file| file.read(&mut first)).ok()?;
    let line = first[..count].split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!")?;
    let line = std::str::from_utf8(line).ok()?;
    let mut names = line.split_whitespace().filter_map(|word| word.rsplit('/').next());
    let shell = names.find(|name| *name != "env" && !name.starts_with('-'))?;
    is_shell(shell).then(|| shell.to_owned())
}

/// Asks tmux to run a session; `None` when it does.
async fn create(
    app: &App,
    session: &Session,
    workspace: &Workspace,
    (launch, there): (&Launch, Option<&There>),
    size: Size,
) -> Option<Failure> {
    let provision::Provisioned { argv, env, .. } = match there {
        Some(there) => there.provisioned(app, session, workspace, launch).await,
        None => {
            let launch = provisioned(app, session, workspace, launch).await;
            let env = environment(app, session, workspace, launch.env.clone());
            provision::Provisioned { env, ..launch }
        }
    };
    let mut spec = Spec {
        session: session.id.clone(),
        env,
        argv,
        dir: workspace.path.clone(),
        size,
        reader: app.host.reader(session),
    };
    if !spec.fits() {
        let written = match there {
            Some(there) => there.put_script(app, &spec).await,
            None => write_script(app, &spec).map_err(|error| {
                Failure::internal(format!("can't write the session's command to a file: {error}"))
            }),
        };
        match written {
            Ok(argv) => spec.argv = argv,
            Err(failure) => return Some(failure),
        }
    }
    let created = app.host.create(&Seat::of(session), spec).await;
    if let Err(HostError::Unreachable(reason) | HostError::Lost(reason)) = &created {
        tracing::warn!(session = %session.id, reason, "could not be started");
    }
    created.err().map(Failure::from)
}

/// The agent with its hooks and instructions.
async fn provisioned(
    app: &App,
    session: &Session,
    workspace: &Workspace,
    launch: &Launch,
) -> provision::Provisioned {
    let provisioned = provision::provision(&provision::Request {
        launch,
        session: session.id.as_str(),
        workspace: Path::new(&workspace.path),
        home: &app.home,
        exe: &app.exe,
        config: &app.config,
        elsewhere: None,
    })
    .await;
    for note in &provisioned.notes {
        tracing::warn!(session = %session.id, "{note}");
    }
    provisioned
}

/// Every session knows who it is and where to signal; it finds this schmux and
/// the programs that the daemon finds.
fn environment(
    app: &App,
    session: &Session,
    workspace: &Workspace,
    mut env: Vec<(String, String)>,
) -> Vec<(String, String)> {
    let path = Path::new(&workspace.path);
    let id = session.id.as_str();
    let text = |path: &Path| path.to_string_lossy().into_owned();
    env.extend([
        ("SCHMUX_ENABLED".into(), "1".into()),
        ("SCHMUX_SESSION_ID".into(), id.into()),
        ("SCHMUX_WORKSPACE_ID".into(), workspace.id.to_string()),
        ("SCHMUX_STATUS_FILE".into(), text(&workspaces::status_file(path, id))),
        ("SCHMUX_EVENTS_FILE".into(), text(&workspaces::events_file(path, id))),
        ("SCHMUX_INBOX_FILE".into(), text(&workspaces::inbox_file(path, id))),
        ("SCHMUX_HOME".into(), text(app.home.dir())),
        ("SCHMUX_TOKEN".into(), app.keys.agent_token(id)),
    ]);
    courier::set_variables(&app.home, &mut env);
    if let Some(path) = std::env::var_os("PATH").and_then(|path| with_our_dir(&path, &app.exe)) {
        env.push(("PATH".into(), path));
    }
    env
}

/// Agents run `schmux signal`, wherever schmux was started from.
fn with_our_dir(path: &OsStr, exe: &Path) -> Option<String> {
    let mut dirs: Vec<_> = std::env::split_paths(path).collect();
    let ours = exe.parent()?.to_owned();
    if !dirs.contains(&ours) {
        dirs.push(ours);
    }
    std::env::join_paths(dirs).ok()?.into_string().ok()
}

/// A command that is too long for tmux goes through a script that removes itself.
fn write_script(app: &App, spec: &Spec) -> io::Result<Vec<String>> {
    let dir = app.home.launches();
    fs::create_dir_all(&dir)?;
    let path = dir.join(format!("{}.sh", spec.session));
    let words: Vec<&str> = spec.argv.iter().map(String::as_str).collect();
    let line = shlex::try_join(words).map_err(io::Error::other)?;
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    io::Write::write_all(&mut file, format!("rm -f -- \"$0\"\nexec {line}\n").as_bytes())?;
    Ok(vec!["/bin/sh".into(), path.to_string_lossy().into_owned()])
}

/// If nothing could be started, nothing stays. If some could, the others stay
/// in the list and say why they ended.
async fn settle(
    app: &App,
    sessions: &[Session],
    failures: Vec<Option<Failure>>,
) -> Result<(), Failure> {
    let all_failed = failures.iter().all(Option::is_some);
    let mut first = None;
    for (session, failure) in sessions.iter().zip(failures) {
        let Some(failure) = failure else { continue };
        app.host.release(&Seat::of(session));
        let event = if all_failed {
            Event::SessionDisposed(session.id.clone())
        } else {
            Event::SpawnFailed(session.id.clone(), failure.error.message.clone())
        };
        if let Err(error) = app.hub.apply(event).await {
            // Who looks sees it as it is; the hub tries again to store it.
            tracing::warn!(session = %session.id, %error, "its end is not stored");
        }
        first.get_or_insert(failure);
    }
    first.filter(|_| all_failed).map_or(Ok(()), Err)
}

pub(crate) fn local() -> HostId {
    HostId::new("local").expect("a plain word is a name")
}

pub(crate) fn now() -> Moment {
    Moment(Timestamp::now().as_millisecond())
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Failure {
        let advice = error.advice();
        Failure::unprocessable(error.code(), error.to_string()).advice(advice)
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Failure {
        let advice = error.advice();
        Failure::unprocessable(error.code(), error.to_string()).advice(advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_tells_its_shell() {
        let dir = tempfile::tempdir().unwrap();
        let shell = |first: &str| {
            let path = dir.path().join("program");
            fs::write(&path, format!("{first}\necho\n")).unwrap();
            shell_of(path.to_str().unwrap())
        };
        for (first, expected) in [
            ("#!/bin/bash", Some("bash")),
            ("#! /usr/bin/env -S zsh -f", Some("zsh")),
            ("#!/usr/bin/env node", None),
            ("\x7fELF", None),
            ("", None),
        ] {
            assert_eq!(shell(first).as_deref(), expected, "{first}");
        }
        assert_eq!(shell_of("/nowhere"), None);
    }
}
