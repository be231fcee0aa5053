//! `schmux capture`: a session's screen as text.

use crate::client::encode_segment;
use crate::wire::Capture;

use super::{Context, Outcome, pick, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
    /// Lines of history above the screen
    #[arg(long, value_name = "N", default_value_t = 0)]
    history: u32,
    /// Keep colours and attributes as escape sequences
    #[arg(long)]
    ansi: bool,
    /// Print the text, the size and the cursor as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let session = pick::session(context, &args.session).await?;
    let path = format!(
        "/api/sessions/{}/capture?history={}&ansi={}",
        encode_segment(&session.id),
        args.history,
        args.ansi
    );
    let capture: Capture = context.client.get(&path).await?;
    if args.json {
        return print::json(&capture);
    }
    let end = if capture.text.ends_with('\n') { "" } else { "\n" };
    print::text(&format!("{}{end}", capture.text))
}
