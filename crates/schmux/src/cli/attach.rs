//! `schmux attach`: this terminal becomes a plain tmux client of the session.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

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
    let session = pick::session(context, &args.session).await?;
    needs_terminal()?;
    to(&session)
}

pub(super) fn needs_terminal() -> Outcome {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Ok(());
    }
    Err(Failure::new("attaching needs a terminal, and this is none")
        .exit(Exit::Usage)
        .advice("use `schmux capture` and `schmux send-keys` from scripts"))
}

/// Becomes tmux; returns only if that failed.
pub(super) fn to(session: &Session) -> Outcome {
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
            print::quoted(&format!("={}", session.tmux_session))
        )));
    }
    // tmux refuses to run inside another server's pane unless TMUX is unset; ours is a different one.
    Err(proc::replace(&argv, &["TMUX"]).into())
}

/// The socket of the tmux server that this terminal is in: `TMUX=path,pid,session`.
fn outer_socket() -> Option<PathBuf> {
    let tmux = std::env::var("TMUX").ok()?;
    tmux.split(',').next().filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The socket that a tmux command line names by `-S PATH` or `-L NAME`.
fn socket_of(argv: &[String]) -> Option<PathBuf> {
    if !argv.first()?.ends_with("tmux") {
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
