//! `schmux unprovision`: takes schmux's parts out of a workspace's files.

use std::path::PathBuf;

use crate::agents::provision;

use super::failure::{Exit, Failure};
use super::{Outcome, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace's directory; default: this one
    path: Option<PathBuf>,
}

pub(super) async fn run(args: Args) -> Outcome {
    let path = args.path.unwrap_or_else(|| ".".into());
    let path = path.canonicalize().map_err(|err| {
        Failure::new(format!("can't look at {}: {err}", path.display())).exit(Exit::NotFound)
    })?;
    let (removed, notes) = provision::unprovision(&path).await;
    if removed.is_empty() && notes.is_empty() {
        return print::text("There is nothing of schmux's in its files.\n");
    }
    let lines: String = removed
        .iter()
        .map(|removed| match removed.whole {
            true => format!("removed {}\n", removed.file),
            false => format!("removed schmux's part of {}\n", removed.file),
        })
        .collect();
    print::text(&lines)?;
    match notes.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(notes.join("\n"))),
    }
}
