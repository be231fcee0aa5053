//! `schmux attach`: this terminal becomes a tmux client of the session, whose
//! keys wait while a message is written into the pane.

use std::collections::HashSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use schmux_core::fleet::{Address, Socket};

use crate::host::outside::{self, Outsider};
use crate::proc;
use crate::wire::Session;

use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let session = match pick::session(context, &args.session).await {
        Err(away) if away.exit == Exit::NotRunning => {
            return without_daemon(&args.session, context).await.unwrap_or(Err(away));
        }
        session => session?,
    };
    needs_terminal()?;
    to(&session, context).await
}

pub(super) fn needs_terminal() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::new("attaching needs a terminal, and this is none")
        .exit(Exit::Usage)
        .advice("use `schmux capture` and `schmux send-keys` from scripts"))
}

/// Becomes a plain tmux client: the agents are there, whether the daemon is or not.
/// Nothing if there is no such session.
async fn without_daemon(name: &str, context: &Context) -> Option<Outcome> {
    let mut found: Vec<(String, Outsider)> = Vec::new();
    for socket in outside::own_sockets(&context.home.tmux_socket()) {
        let panes = outside::panes(socket).await.into_iter();
        let made = panes.filter_map(|one| Some((one.made_for.clone()?, one)));
        found.extend(made.filter(|(id, _)| id.starts_with(name)));
    }
    // Its user may have linked it into several places.
    let mut seen = HashSet::new();
    found.retain(|(id, _)| seen.insert(id.clone()));
    if found.len() > 1 {
        found.retain(|(id, _)| id == name);
    }
    let (_, one) = found.pop().filter(|_| !name.is_empty())?;
    if let Err(failure) = needs_terminal() {
        return Some(Err(failure));
    }
    let socket = Socket::Path(one.socket.to_string_lossy().into_owned());
    let address = Address { pane: Some(one.pane), ..Address::here(socket, one.session) };
    let argv = shlex::split(&address.attach_command())?;
    Some(Err(proc::replace(&argv, &["TMUX"]).into()))
}

/// Attaches until tmux ends. Its exit code is ours.
pub(super) async fn to(session: &Session, context: &Context) -> Outcome {
    let words = shlex::split(&session.attach_cmd).filter(|words| !words.is_empty());
    let Some(argv) = words else {
        return Err(Failure::new(format!(
            "the daemon gave no command to attach to {}: `{}`",
            session.id,
            print::safe(&session.attach_cmd)
        )));
    };
    if let (Some(outer), Some(inner)) = (outer_socket(), socket_of(&argv))
        && same_file(&outer, &inner)
    {
        return Err(Failure::new(format!(
            "this terminal is already inside the tmux server of {}",
            session.id
        ))
        .advice(format!(
            "switch to it: tmux switch-client -t {}",
            // What would be attached to.
            print::quoted(argv.last().unwrap_or(&session.tmux_session))
        )));
    }
    // A program that reaches another host may ask for a password, so it gets a
    // terminal that is its own to ask at.
    let argv = if is_tmux(&argv) { argv } else { crate::attach::with_terminal(argv)? };
    let attached = crate::attach::run(&argv, &session.id, &context.home).await;
    match attached.map_err(Failure::from_any)? {
        0 => Ok(()),
        // tmux has said why.
        code => std::process::exit(code.into()),
    }
}

/// The socket of the tmux server that this terminal is in: `TMUX=path,pid,session`.
fn outer_socket() -> Option<PathBuf> {
    let tmux = std::env::var("TMUX").ok()?;
    tmux.split(',').next().filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The socket that a tmux command line names by `-S PATH` or `-L NAME`.
fn socket_of(argv: &[String]) -> Option<PathBuf> {
    if !is_tmux(argv) {
        return None;
    }
    let value = |flag: &str| {
        let at = argv.iter().position(|word| word == flag)?;
        argv.get(at + 1).cloned()
    };
    if let Some(path) = value("-S") {
        return Some(PathBuf::from(path));
    }
    let name = value("-L").unwrap_or_else(|| "default".to_owned());
    let dir = std::env::var_os("TMUX_TMPDIR").filter(|dir| !dir.is_empty());
    let dir = dir.map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    Some(dir.join(format!("tmux-{}", rustix::process::getuid().as_raw())).join(name))
}

fn is_tmux(argv: &[String]) -> bool {
    argv.first().is_some_and(|program| program.ends_with("tmux"))
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_of_command_lines() {
        let uid = rustix::process::getuid().as_raw();
        let cases = [
            ("tmux -S /x/y attach -t =a", Some("/x/y".to_owned())),
            ("tmux -L schmux attach -t =a", Some(format!("/tmux-{uid}/schmux"))),
            ("/usr/bin/tmux attach", Some(format!("/tmux-{uid}/default"))),
            ("ssh -t box tmux -L schmux attach", None),
        ];
        for (line, expected) in cases {
            let socket = socket_of(&shlex::split(line).unwrap());
            match expected {
                None => assert_eq!(socket, None),
                Some(end) => assert!(socket.unwrap().to_string_lossy().ends_with(&end), "{line}"),
            }
        }
    }
}
