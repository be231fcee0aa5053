//! `schmux events`: what was said and what happened, and what happens next.

use std::time::Duration;

use jiff::tz::TimeZone;

use crate::client::{Client, ClientError, encode_segment};
use crate::wire::{HistoryEntry, HistoryWhat, Status};

use super::failure::{Exit, Failure};
use super::print::{self, Style};
use super::{Context, Outcome, pick};

/// How long one question for news is kept open by the daemon.
const WAIT: Duration = Duration::from_secs(20);

/// How long to wait for a daemon that is being restarted, before asking again.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only of this one: an id, the beginning of one, or a nickname
    session: Option<String>,
    /// Go on telling, until interrupted
    #[arg(long, short)]
    follow: bool,
    /// Begin after this number; without it, with the newest ones
    #[arg(long, value_name = "NUMBER")]
    after: Option<u64>,
    /// How many lines to begin with
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50)]
    limit: u32,
    /// Print them as JSON: a list, or with --follow one object a line
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(args: Args, context: &Context) -> Outcome {
    let session = match &args.session {
        Some(name) => Some(id_of(context, name).await?),
        None => None,
    };
    let mut feed = Feed::new(&context.client, session, args.after);
    let first = feed.first(args.limit).await?;
    if args.json && !args.follow {
        return print::json(&first);
    }
    show(&first, args.json)?;
    if !args.follow {
        return Ok(());
    }
    loop {
        show(&feed.next().await?, args.json)?;
    }
}

/// Of a session that was disposed the history is still there, by its whole id.
async fn id_of(context: &Context, name: &str) -> Result<String, Failure> {
    let none = match pick::session(context, name).await {
        Ok(session) => return Ok(session.id),
        Err(failure) if failure.exit != Exit::NotFound => return Err(failure),
        Err(failure) => failure,
    };
    let mut feed = Feed::new(&context.client, Some(name.to_owned()), None);
    match feed.first(1).await {
        Ok(entries) if entries.iter().any(|entry| entry.session_id == name) => Ok(name.to_owned()),
        _ => Err(none),
    }
}

fn show(entries: &[HistoryEntry], as_json: bool) -> Outcome {
    let style = Style::of_stdout();
    for entry in entries {
        let line = match as_json {
            true => serde_json::to_string(entry)
                .map_err(anyhow::Error::from)
                .map_err(Failure::from_any)?,
            false => line(entry, style, &TimeZone::system()),
        };
        print::text(&format!("{line}\n"))?;
    }
    Ok(())
}

/// Reads the history on from some point, through restarts of the daemon.
pub(super) struct Feed {
    client: Client,
    session: Option<String>,
    after: Option<u64>,
}

impl Feed {
    pub fn new(client: &Client, session: Option<String>, after: Option<u64>) -> Feed {
        Feed { client: client.patient(WAIT + Duration::from_secs(10)), session, after }
    }

    /// From now on only of this session.
    pub fn narrow(&mut self, session: &str) {
        self.session = Some(session.to_owned());
    }

    /// What is there already.
    pub async fn first(&mut self, limit: u32) -> Result<Vec<HistoryEntry>, ClientError> {
        self.ask(limit, Duration::ZERO).await
    }

    /// What comes next; nothing if nothing came for a while.
    pub async fn next(&mut self) -> Result<Vec<HistoryEntry>, ClientError> {
        match self.ask(1000, WAIT).await {
            // Restarted, most likely: it knows then what came meanwhile.
            Err(error) if error.is_absence() => {
                tokio::time::sleep(PAUSE).await;
                Ok(Vec::new())
            }
            answer => answer,
        }
    }

    async fn ask(&mut self, limit: u32, wait: Duration) -> Result<Vec<HistoryEntry>, ClientError> {
        let mut path = format!("/api/events?limit={limit}&wait_ms={}", wait.as_millis());
        if let Some(session) = &self.session {
            path.push_str(&format!("&session={}", encode_segment(session)));
        }
        if let Some(after) = self.after {
            path.push_str(&format!("&after={after}"));
        }
        let entries: Vec<HistoryEntry> = self.client.get(&path).await?;
        let newest = entries.last().map(|entry| entry.number);
        // Where nothing is, everything that comes is after the beginning.
        self.after = newest.or(self.after).or(Some(0));
        Ok(entries)
    }
}

fn line(entry: &HistoryEntry, style: Style, zone: &TimeZone) -> String {
    let at = entry.at.to_zoned(zone.clone()).strftime("%m-%d %H:%M:%S").to_string();
    let (word, rest) = match &entry.what {
        HistoryWhat::Signal { state, message, source, nudge_seq } => {
            let call = nudge_seq.map_or(String::new(), |seq| format!(", call {seq}"));
            (
                paint(*state, style),
                format!("{} {}", print::safe(message), style.dim(&format!("({source}{call})"))),
            )
        }
        HistoryWhat::Cleared { nudge_seq } => {
            (style.dim("answered"), style.dim(&format!("(call {nudge_seq})")))
        }
        HistoryWhat::Life { status, reason, exit_code } => {
            let code = exit_code.map_or(String::new(), |code| code.to_string());
            let reason = reason.as_deref().unwrap_or(&code);
            let word = if *status == Status::Unknown { "running" } else { status.word() };
            (style.dim(word), print::safe(reason))
        }
        HistoryWhat::Verdict { state, rule, .. } => {
            (style.dim(state.word()), style.dim(&print::safe(rule)))
        }
        HistoryWhat::Message { receipt } => {
            let about = format!("message {}", receipt.message_id);
            let reason = receipt.reason.as_deref().unwrap_or_default();
            (style.dim(&about), format!("{} {}", receipt.state.word(), print::safe(reason)))
        }
        HistoryWhat::Record { kind, data } => (style.dim(&print::safe(kind)), print::safe(data)),
    };
    let line = format!(
        "{}  {}  {word}  {}",
        style.dim(&at),
        style.bold(&entry.session_id),
        rest.trim_start()
    );
    line.trim_end().to_owned()
}

fn paint(status: Status, style: Style) -> String {
    match status {
        Status::Error => style.red(status.word()),
        Status::NeedsInput | Status::NeedsTesting => style.yellow(status.word()),
        _ => style.green(status.word()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn lines_for_people() {
        let entry = |what| HistoryEntry {
            number: 1,
            at: Timestamp::UNIX_EPOCH,
            session_id: "app-001-a".into(),
            what,
        };
        let signal = HistoryWhat::Signal {
            state: Status::NeedsInput,
            message: "May\x1b I?".into(),
            source: "hook".into(),
            nudge_seq: Some(3),
        };
        let exited = HistoryWhat::Life { status: Status::Exited, reason: None, exit_code: Some(2) };
        let lines: Vec<String> = [signal, HistoryWhat::Cleared { nudge_seq: 3 }, exited]
            .map(|what| line(&entry(what), Style::plain(), &TimeZone::UTC))
            .into();
        expect_test::expect![[r#"
            01-01 00:00:00  app-001-a  needs_input  May� I? (hook, call 3)
            01-01 00:00:00  app-001-a  answered  (call 3)
            01-01 00:00:00  app-001-a  exited  2"#]]
        .assert_eq(&lines.join("\n"));
    }
}
