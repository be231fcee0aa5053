//! `schmux outbox`: messages that wait, since when and for what.

use jiff::Timestamp;

use crate::client::encode_segment;
use crate::wire::{Message, MessageState};

use super::print::{self, Paint, Style, Table};
use super::table::Give;
use super::{Context, Failure, Outcome, pick};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Only of this session: an id, the beginning of one, or a nickname
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Also those whose fate is known
    #[arg(long)]
    all: bool,
    /// Print them as JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Take a message back
    Cancel { message: i64 },
    /// Try a message again at once
    Retry { message: i64 },
    /// Put a message before the others that wait for the same agent
    First { message: i64 },
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let cancels = matches!(args.verb, Some(Verb::Cancel { .. }));
    let messages: Vec<Message> = match args.verb {
        Some(Verb::Cancel { message }) => vec![change(context, message, "cancel").await?],
        Some(Verb::Retry { message }) => vec![change(context, message, "retry").await?],
        Some(Verb::First { message }) => vec![change(context, message, "first").await?],
        None => {
            let mut path = format!("/api/messages?all={}", args.all);
            if let Some(name) = &args.session {
                let session = pick::session(context, name).await?;
                path.push_str(&format!("&session={}", encode_segment(&session.id)));
            }
            context.client.get(&path).await?
        }
    };
    if args.json {
        print::json(&messages)?;
    } else if messages.is_empty() {
        print::text("No message waits.\n")?;
    } else {
        print::text(&render(&messages, Style::of_stdout(), Timestamp::now()))?;
    }
    match messages.first().filter(|message| cancels && message.state != MessageState::Failed) {
        None => Ok(()),
        Some(message) => {
            let words = format!("message {} is being sent", message.id);
            Err(Failure::new(words)
                .advice("if it is not too late it is taken back; schmux outbox --all will tell"))
        }
    }
}

async fn change(context: &Context, message: i64, what: &str) -> Result<Message, Failure> {
    let path = format!("/api/messages/{message}/{what}");
    Ok(context.client.post(&path, &serde_json::json!({})).await?)
}

fn render(messages: &[Message], style: Style, now: Timestamp) -> String {
    let head = ["MESSAGE", "TO", "FROM", "AGE", "STATE", "WHY", "TEXT"];
    let mut table = Table::new(style, head).give([
        Give::Empty("WHY", "-"),
        Give::Cut("TEXT", 12),
        Give::Cut("WHY", 16),
        Give::Empty("FROM", "you"),
        Give::Drop("TEXT"),
        Give::Drop("AGE"),
        Give::Cut("WHY", 4),
        Give::Drop("WHY"),
    ]);
    for message in messages {
        let from = message.from.clone().unwrap_or_else(|| "you".to_owned());
        table.row([
            (message.id.to_string(), Some(Style::bold as Paint)),
            (message.session_id.clone(), None),
            (from, None),
            (print::age(message.created_at, now), None),
            (message.state.word().to_owned(), Some(paint(message.state))),
            (message.reason.clone().unwrap_or_else(|| "-".to_owned()), None),
            (first_line(&message.text), None),
        ]);
    }
    table.render()
}

/// The first line, and whether there are more.
fn first_line(text: &str) -> String {
    let mut lines = text.trim_end().lines();
    let first = lines.next().unwrap_or_default();
    if lines.next().is_some() { format!("{first}…") } else { first.to_owned() }
}

fn paint(state: MessageState) -> Paint {
    match state {
        MessageState::Confirmed => Style::green,
        MessageState::Failed | MessageState::Indeterminate => Style::red,
        _ => Style::yellow,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_the_first_line() {
        assert_eq!(first_line("one\ntwo"), "one…");
        assert_eq!(first_line("one\n"), "one");
        assert_eq!(first_line(""), "");
    }
}
