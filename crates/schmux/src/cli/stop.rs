//! `schmux stop`: ends the daemon and waits until it is gone. Agents stay, and tmux
//! servers where none is left go.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::client::ClientError;
use crate::host::outside;
use crate::wire::{DaemonStatus, Session, Status};

use super::failure::Failure;
use super::{Context, Outcome, environment, pick, print};

/// The daemon ends at once; writing the last of its log and database may take a moment.
const GONE_WITHIN: Duration = Duration::from_secs(10);
const TRY_EVERY: Duration = Duration::from_millis(20);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print the status that the daemon had, as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let status: DaemonStatus = match context.client.get("/api/status").await {
        Ok(status) => status,
        Err(ClientError::NotRunning { .. }) if !environment::daemon_lives(&context.home) => {
            // Whoever stops it wants it stopped, and it is.
            return if args.json {
                print::text("null\n")
            } else {
                print::text("The daemon was not running.\n")
            };
        }
        Err(err) => return Err(err.into()),
    };
    let goes_on = |session: &Session| session.status != Status::Exited;
    let agents = pick::sessions(context).await.unwrap_or_default();
    let agents = agents.iter().filter(|session| goes_on(session)).count();
    match context.client.tell("/api/shutdown", &serde_json::json!({})).await {
        // It may be gone before its answer is.
        Ok(()) | Err(ClientError::Broken { .. } | ClientError::NotRunning { .. }) => {}
        Err(err) => return Err(err.into()),
    }
    let deadline = Instant::now() + GONE_WITHIN;
    while environment::daemon_lives(&context.home) {
        if Instant::now() > deadline {
            return Err(Failure::new(format!(
                "the daemon (pid {}) did not end within {} s",
                status.pid,
                GONE_WITHIN.as_secs()
            ))
            .advice(format!("end it: kill {}", status.pid)));
        }
        sleep(TRY_EVERY).await;
    }
    outside::end_empty(&context.home.tmux_socket()).await;
    if args.json {
        return print::json(&status);
    }
    let sessions = match agents {
        0 => String::new(),
        1 => " 1 session keeps running in tmux; `schmux start` finds it again.".to_owned(),
        many => {
            format!(" {many} sessions keep running in tmux; `schmux start` finds them again.")
        }
    };
    print::text(&format!("The daemon (pid {}) has stopped.{sessions}\n", status.pid))
}
