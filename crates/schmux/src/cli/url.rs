//! `schmux url`: a link that logs a browser in.

use crate::wire::Login;

use super::{Context, Outcome, environment, print, qr};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Open it in a browser too
    #[arg(long)]
    open: bool,
    /// Print it as a QR code too, for a phone
    #[arg(long, conflicts_with = "json")]
    qr: bool,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let login: Login = context.client.get("/api/login").await?;
    if args.open && !environment::open_browser(&login.url).await {
        print::to_stderr("schmux: no program to open a browser was found; open the link by hand\n");
    }
    if args.json {
        return print::json(&login);
    }
    if !args.qr {
        return print::text(&format!("{}\n", login.url));
    }
    let url = login.network_url.as_deref().unwrap_or(&login.url);
    print::text(&format!("{}{url}\n", qr::code(url).unwrap_or_default()))?;
    if login.network_url.is_none() {
        print::to_stderr("note: only this machine can open it; see `bind` in docs/config.md\n");
    }
    Ok(())
}
