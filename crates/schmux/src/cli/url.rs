//! `schmux url`: a link that logs a browser in.

use crate::wire::Login;

use super::{Context, Outcome, environment, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Open it in a browser too
    #[arg(long)]
    open: bool,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let login: Login = context.client.get("/api/login").await?;
    if args.open && !environment::open_browser(&login.url).await {
        print::to_stderr("schmux: no program to open a browser was found; open the link by hand\n");
    }
    if args.json { print::json(&login) } else { print::text(&format!("{}\n", login.url)) }
}
