//! `schmux tell`: a message for agents, delivered exactly once.

use std::collections::HashSet;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use crate::client::ClientError;
use crate::wire::{HistoryWhat, Message, MessageReceipt, MessageRequest, MessageState};

use super::events::Feed;
use super::failure::{Exit, Failure};
use super::wait::duration;
use super::{Context, Outcome, print};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
The last word is the message, unless -f gives it: schmux tell fixer 'go on'.
A message that begins with a dash comes after `--`: schmux tell fixer -- '- one'.")]
pub(crate) struct Args {
    /// Sessions (ids, beginnings of ids, nicknames), and then the message; `-` reads it from stdin
    #[arg(value_name = "SESSION… MESSAGE")]
    words: Vec<String>,
    /// Read the message from a file
    #[arg(long, short, value_name = "FILE")]
    file: Option<PathBuf>,
    /// To all sessions that run
    #[arg(long)]
    all: bool,
    /// To those that wait for you
    #[arg(long)]
    needs_me: bool,
    /// Before other messages, and while the agent works where that is safe
    #[arg(long)]
    urgent: bool,
    /// Not worth delivering after this long: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    expires: Option<Duration>,
    /// Wait until it is known what became of it
    #[arg(long)]
    wait: bool,
    /// With --wait: give up after this long
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "wait")]
    timeout: Option<Duration>,
    /// Print the messages as JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let (to, text) = address(&args)?;
    let mut feed = Feed::new(&context.client, None, None);
    if args.wait {
        feed.first(1).await?;
    }
    let request = MessageRequest {
        to,
        all: args.all,
        needs_me: args.needs_me,
        text,
        urgent: args.urgent,
        expires_s: args.expires.map(|time| time.as_secs()),
    };
    let mut messages: Vec<Message> = context.client.post("/api/messages", &request).await?;
    let open = match args.wait {
        true => follow(&mut messages, &mut feed, args.timeout).await?,
        false => 0,
    };
    // What is known is told in any case: with many, some are there and some are not.
    if args.json {
        print::json(&messages)?;
    } else {
        for message in &messages {
            print::text(&line(message))?;
        }
    }
    let unsure =
        |message: &&Message| message.state.is_final() && message.state != MessageState::Confirmed;
    match messages.iter().find(unsure) {
        None if open > 0 => {
            Err(Failure::new(format!("{open} of {} messages wait still", messages.len()))
                .exit(Exit::TooLate)
                .advice("schmux outbox tells what they wait for"))
        }
        None => Ok(()),
        Some(message) => {
            let reason = message.reason.as_deref().unwrap_or("it was not delivered");
            Err(Failure::new(format!("the message to {}: {reason}", message.session_id)))
        }
    }
}

/// Whom the words name, and what is said.
fn address(args: &Args) -> Result<(Vec<String>, String), Failure> {
    let usage = |message: &str| {
        Failure::new(message)
            .exit(Exit::Usage)
            .advice("schmux tell SESSION… MESSAGE; see schmux tell --help")
    };
    let mut words = args.words.clone();
    let text = match &args.file {
        Some(path) => std::fs::read(path).map_err(|err| {
            Failure::new(format!("can't read {}: {err}", path.display())).exit(Exit::Usage)
        })?,
        None => match words.pop().ok_or_else(|| usage("there is no message"))?.as_str() {
            "-" => {
                let mut text = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut text);
                read.map_err(|err| Failure::new(format!("can't read stdin: {err}")))?;
                text
            }
            text => text.as_bytes().to_vec(),
        },
    };
    if words.is_empty() && !args.all && !args.needs_me {
        return Err(usage("the message is for nobody: name a session before it"));
    }
    let text = String::from_utf8(text).map_err(|_| usage("the message is not UTF-8"))?;
    Ok((words, text))
}

/// Waits until the fate of all is known, or for so long; how many wait still.
async fn follow(
    messages: &mut [Message],
    feed: &mut Feed,
    timeout: Option<Duration>,
) -> Result<usize, ClientError> {
    let deadline = timeout.map(|timeout| Instant::now() + timeout);
    let mut open: HashSet<i64> = messages
        .iter()
        .filter(|message| !message.state.is_final())
        .map(|message| message.id)
        .collect();
    while !open.is_empty() {
        let news = feed.next();
        let news = match deadline {
            None => news.await?,
            Some(deadline) => match tokio::time::timeout_at(deadline, news).await {
                Ok(news) => news?,
                Err(_) => break,
            },
        };
        for entry in news {
            let HistoryWhat::Message { receipt } = entry.what else { continue };
            let message = messages.iter_mut().find(|message| message.id == receipt.message_id);
            if let Some(message) = message {
                note(message, receipt);
                if message.state.is_final() {
                    open.remove(&message.id);
                }
            }
        }
    }
    Ok(open.len())
}

fn note(message: &mut Message, receipt: MessageReceipt) {
    message.state = receipt.state;
    message.reason.clone_from(&receipt.reason);
    message.receipts.push(receipt);
}

fn line(message: &Message) -> String {
    let reason = message.reason.as_deref().map_or(String::new(), |reason| format!(": {reason}"));
    format!("{} {} {}{reason}\n", message.id, message.session_id, message.state.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn read(words: &[&str]) -> Result<(Vec<String>, String), String> {
        let line = Line::try_parse_from(std::iter::once(&"tell").chain(words)).unwrap();
        address(&line.args).map_err(|failure| failure.message)
    }

    #[test]
    fn the_last_word_is_the_message() {
        let to = |names: &[&str], text: &str| {
            Ok((names.iter().map(|&name| name.to_owned()).collect(), text.to_owned()))
        };
        assert_eq!(read(&["a", "hi"]), to(&["a"], "hi"));
        assert_eq!(read(&["a", "b", "hi"]), to(&["a", "b"], "hi"));
        assert_eq!(read(&["a", "--", "- hi;"]), to(&["a"], "- hi;"));
        assert_eq!(read(&["--all", "hi"]), to(&[], "hi"));
        assert!(read(&["hi"]).unwrap_err().contains("for nobody"));
        assert!(read(&[]).unwrap_err().contains("no message"));
        assert!(read(&["a", "-f", "/nowhere"]).unwrap_err().contains("can't read /nowhere"));
    }
}
