//! `schmux dispose`: ends sessions for good. Several at once are asked about first.

use std::io::{self, BufRead, IsTerminal};

use crate::client::encode_segment;
use crate::wire::Session;

use super::failure::{Exit, Failure};
use super::{Context, Outcome, pick, print};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ids, beginnings of ids, or nicknames
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    sessions: Vec<String>,
    /// All sessions
    #[arg(long)]
    all: bool,
    /// Don't ask
    #[arg(short, long)]
    yes: bool,
    /// Print the sessions that were ended as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let all = pick::sessions(context).await?;
    let mut chosen: Vec<Session> = Vec::new();
    for name in &args.sessions {
        let session = pick::among(&all, name)?;
        if !chosen.iter().any(|other| other.id == session.id) {
            chosen.push(session.clone());
        }
    }
    if args.all {
        chosen = all;
    }
    // One that was named is meant; for more than that a second thought is cheap.
    if (args.all || chosen.len() > 1) && !chosen.is_empty() && !args.yes && !agreed(&chosen)? {
        return Err(Failure::new("nothing was ended"));
    }
    for session in &chosen {
        let path = format!("/api/sessions/{}/dispose", encode_segment(&session.id));
        context.client.tell(&path, &serde_json::json!({})).await?;
    }
    if args.json {
        return print::json(&chosen);
    }
    if chosen.is_empty() {
        return print::text("There are no sessions.\n");
    }
    let lines: String = chosen.iter().map(|session| format!("ended {}\n", session.id)).collect();
    print::text(&lines)
}

fn agreed(chosen: &[Session]) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::new(format!("ending {} sessions needs a yes", chosen.len()))
            .exit(Exit::Usage)
            .advice("repeat it with --yes"));
    }
    for session in chosen {
        let name = session.nickname.as_deref().map(print::safe).unwrap_or_default();
        print::to_stderr(&format!("  {}  {}  {name}\n", session.id, print::safe(&session.target)));
    }
    print::to_stderr(&format!("End these {} and whatever they are doing? [y/N] ", chosen.len()));
    let mut answer = String::new();
    io::stdin()
        .lock()
        .read_line(&mut answer)
        .map_err(|err| Failure::new(format!("can't read the answer: {err}")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
