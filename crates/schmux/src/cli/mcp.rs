//! `schmux mcp`: an MCP server for the agent that starts it.

use super::failure::{Exit, Failure};
use super::{Context, Outcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(super) async fn run(_: Args, context: &Context) -> Outcome {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let session = variable("SCHMUX_SESSION_ID").filter(|_| variable("SCHMUX_TOKEN").is_some());
    let Some(session) = session else {
        return Err(Failure::new("this is not a session of schmux: SCHMUX_TOKEN is not set")
            .exit(Exit::Usage)
            .advice("agents start it themselves; see docs/messages.md"));
    };
    crate::mcp::serve(context.client.clone(), session).await.map_err(Failure::from_any)
}
