//! `schmux send-keys`: text and keys for a session, as if typed.

use crate::client::encode_segment;
use crate::keys;
use crate::wire::KeysRequest;

use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// An id, the beginning of one, or a nickname
    session: String,
    /// Text to type first, as it is
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Text to paste next, as one block
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    paste: Option<String>,
    /// Keys to press last, by tmux's names: Enter, C-c, Up, …
    keys: Vec<String>,
    /// Print what was sent as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let request = KeysRequest { text: args.text, paste: args.paste, keys: args.keys };
    if request == KeysRequest::default() {
        return Err(Failure::new("there is nothing to send")
            .exit(Exit::Usage)
            .advice("as in: schmux send-keys SESSION --text 'hello' Enter"));
    }
    keys::check(&request.keys).map_err(|err| {
        Failure::new(err.to_string()).exit(Exit::Usage).advice(err.advice("--text"))
    })?;
    let session = pick::session(context, &args.session).await?;
    let path = format!("/api/sessions/{}/keys", encode_segment(&session.id));
    context.client.tell(&path, &request).await?;
    if args.json { print::json(&request) } else { Ok(()) }
}
